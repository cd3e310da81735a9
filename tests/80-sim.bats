#!/usr/bin/env bats
# Goal: cs-sim is a simulation that can be trusted. Its queue has the waits of queueing theory; its serving
# system obeys Little's law, its limits and its policies; the same config gives the same bytes; it ends under
# any load, in memory that does not grow with the run; bad configs and traces are refused with their line.

load helper

# Runs cs-sim at QPS on the config JSON (without braces), into $T/out: sim QPS JSON [CONFIG-NAME]
sim() {
	echo "{$2}" >"${3:-config.json}"
	cs-sim --config "${3:-config.json}" --output-dir out --qps "$1"
}

# The cells of the column NAME, in order of the requests' ids, failed ones left out.
column() {
	awk -F, -v name="$1" '
		NR == 1 { for (i = 1; i <= NF; i++) place[$i] = i; if (!place[name]) exit 1; next }
		$NF == "" { print $1 "," $place[name] }' out/request_metrics.csv | sort -t, -n | cut -d, -f2
}

# Checks the awk EXPRESSION over n (numbers on stdin), mean, cv (coefficient of variation), min and max.
holds() {
	awk "{ n++; sum += \$1; squares += \$1 * \$1; if (n == 1 || \$1 < min) min = \$1; if (n == 1 || \$1 > max) max = \$1 }
		END {
			mean = sum / n; cv = sqrt(squares / n - mean * mean) / mean
			if (!($1)) { print \"not $1: n\", n, \"mean\", mean, \"cv\", cv, \"min\", min, \"max\", max; exit 1 }
		}"
}

differences() {
	awk '{ print $1 - last; last = $1 }'
}

# The largest queue_depth_active that the timeline has for workers whose id matches the pattern.
most_active() {
	awk -F, -v pattern="$1" 'NR > 1 && $1 ~ pattern && $8 > most { most = $8 } END { print most + 0 }' out/worker_timeline.csv
}

no_cost='"sim_pass_time_s": 0, "sim_token_time_s": 0, "sim_request_time_s": 0'
short='"prefill_tokens": 256, "decode_tokens": 64'
hybrid='"mode": "hybrid", "prefill_gpus": "0", "hybrid_colocated_gpus": "1"'

# The mean wait and the shares of waits up to the 0.5, 0.9 and 0.99 quantiles of theory, over runs with
# different seeds; each has to be within 5 standard errors, as the runs themselves give them, of theory.
# agrees SERVERS LOAD CV: M/M/c for CV 1 (Erlang's formula), M/D/1 for CV 0 (Pollaczek and Khinchine), mean service 1 s
agrees() {
	local gpus=0 seed
	[ "$1" = 1 ] || gpus=0,1
	for seed in 1 2 3 4 5 6 7 8 9 10; do
		sim "$(awk "BEGIN { print $1 * $2 }")" "\"sim_model\": \"queue\", \"gpus\": \"$gpus\", \"num_requests\": 20000,
			\"sim_service_time_s\": 1, \"sim_service_cv\": $3, \"seed\": $seed"
		awk -F, -v c="$1" -v load="$2" -v cv="$3" '
			BEGIN {
				busy = c == 1 ? load : 2 * load * load / (1 + load) # the probability to wait
				mean = cv == 0 ? load / (2 * (1 - load)) : busy / (c * (1 - load))
				split("0.5 0.9 0.99", q, " ")
				for (i = 1; i <= 3; i++) {
					limit[i] = 1 - q[i] >= busy ? 0 : log(busy / (1 - q[i])) / (c * (1 - load))
					share[i] = 1 - q[i] >= busy ? 1 - busy : q[i]
				}
			}
			NR == 1 || $1 < 1000 { next } # the queue starts empty
			{ n++; sum += $3; for (i = 1; i <= 3; i++) within[i] += $3 <= limit[i] + 1e-9 }
			END {
				printf "%.9f", sum / n - mean
				if (cv > 0) for (i = 1; i <= 3; i++) printf " %.9f", within[i] / n - share[i]
				print ""
			}' out/request_metrics.csv
	done | awk -v what="servers $1, load $2, cv $3" '
		{ for (i = 1; i <= NF; i++) { sum[i] += $i; squares[i] += $i * $i } }
		END {
			for (i = 1; i <= NF; i++) {
				mean = sum[i] / NR
				error = sqrt((squares[i] / NR - mean * mean) / (NR - 1))
				if (mean > 5 * error || mean < -5 * error) {
					printf "%s: number %d is off by %g, its standard error is %g\n", what, i, mean, error
					wrong = 1
				}
			}
			exit wrong || NR != 10
		}'
}

@test "the waits of one exponential server are those of M/M/1" {
	agrees 1 0.5 1
	agrees 1 0.8 1
	agrees 1 0.9 1
}

@test "the waits of two exponential servers are those of M/M/2" {
	agrees 2 0.5 1
	agrees 2 0.8 1
	agrees 2 0.9 1
}

@test "the mean wait of a server with constant times is that of M/D/1" {
	agrees 1 0.5 0
	agrees 1 0.8 0
	agrees 1 0.9 0
}

@test "service times have the mean and the coefficient of variation that the config gives" {
	for cv in 0.2 1 3; do
		sim 0.001 "\"sim_model\": \"queue\", \"num_requests\": 50000, \"sim_service_time_s\": 0.5, \"sim_service_cv\": $cv"
		paste -d' ' <(column request_e2e_time) <(column request_scheduling_delay) | awk '{ print $1 - $2 }' |
			holds "mean > 0.5 * (1 - 0.02 * $cv) && mean < 0.5 * (1 + 0.02 * $cv) && cv > 0.9 * $cv && cv < 1.1 * $cv"
	done
}

@test "known answers are the same on every machine" {
	sim 6 '"sim_model": "queue", "gpus": "0", "num_requests": 3, "sim_service_time_s": 0.4, "sim_service_cv": 0.7, "seed": 7'
	diff out/request_metrics.csv - <<-'END'
		request_id,arrival_time,request_scheduling_delay,request_e2e_time,error
		0,0.035312613,0,0.432609512,
		1,0.301945422,0.165976703,0.331260125,
		2,0.389517332,0.243688215,0.552842194,
	END
	sim 6 '"mode": "hybrid", "num_requests": 3, "interval_type": "gamma", "cv": 1.5, "length_type": "zipf", "seed": 7'
	diff <(cut -d, -f2,3,8,9,10 out/request_metrics.csv) - <<-'END'
		arrival_time,request_scheduling_delay,request_e2e_time,prefill_tokens,decode_tokens
		0.264924955,0.821842776,4.416042776,944,236
		0.068875731,0,6.703704,1448,363
		0.091740186,0.187655546,13.365067546,2208,553
	END
}

@test "the same seed gives the same bytes, another one others" {
	for config in '"sim_model": "queue"' '"num_requests": 300' "$hybrid, \"length_type\": \"zipf\", \"interval_type\": \"gamma\""; do
		rm -rf out first
		sim 5 "$config, \"seed\": 3"
		mv out first
		sim 5 "$config, \"seed\": 3"
		diff -r first out
		sim 5 "$config, \"seed\": 4"
		! cmp -s first/request_metrics.csv out/request_metrics.csv
	done
}

@test "arrivals have the mean interval and the coefficient of variation of their kind" {
	for kind in 'poisson 0 1' 'gamma 0.3 0.3' 'gamma 2.5 2.5' 'static 0.5 0'; do
		set -- $kind
		sim 4 "\"interval_type\": \"$1\", \"cv\": $2, \"num_requests\": 20000, \"seed\": 11, $no_cost"
		column arrival_time | differences |
			holds "n == 20000 && mean > 0.25 * (1 - 0.03 * $3 - 1e-6) && mean < 0.25 * (1 + 0.03 * $3 + 1e-6)"
		column arrival_time | differences | holds "cv > 0.95 * $3 - 1e-6 && cv < 1.05 * $3 + 1e-3"
	done
}

@test "another rate stretches the arrivals and changes nothing else" {
	sim 1 "\"length_type\": \"uniform\", $no_cost"
	column arrival_time >slow
	column prefill_tokens >lengths
	sim 4 "\"length_type\": \"uniform\", $no_cost"
	column prefill_tokens | diff lengths -
	paste -d' ' slow <(column arrival_time) | awk '{ print $1 / $2 }' | holds 'min > 3.999 && max < 4.001'
}

@test "lengths are fixed, uniform or Zipf, in the ratio of the config" {
	sim 1 "\"num_requests\": 10, \"prefill_tokens\": 300, \"decode_tokens\": 70, $no_cost"
	column prefill_tokens | holds 'n == 10 && min == 300 && max == 300'
	column decode_tokens | holds 'min == 70 && max == 70'
	sim 1 "\"num_requests\": 20000, \"length_type\": \"uniform\", \"min_tokens\": 101, \"max_tokens\": 300, $no_cost"
	paste -d' ' <(column prefill_tokens) <(column decode_tokens) >both
	awk '{ print $1 + $2 }' both | holds 'min == 101 && max == 300 && mean > 199 && mean < 202 && cv > 0.283 && cv < 0.293'
	awk '{ print $1 / $2 }' both | holds 'min > 3.8 && max <= 4'
	sim 1 "\"num_requests\": 20000, \"length_type\": \"zipf\", \"zipf_theta\": 1.2, \"min_tokens\": 101, \"max_tokens\": 300, $no_cost"
	mean=$(awk 'BEGIN { for (k = 1; k <= 200; k++) { w = k ^ -1.2; s += w; m += w * (100 + k) } print m / s }')
	paste -d' ' <(column prefill_tokens) <(column decode_tokens) | awk '{ print $1 + $2 }' >plain
	holds "min == 101 && max > 290 && mean > 0.99 * $mean && mean < 1.01 * $mean" <plain
}

@test "a scrambled Zipf gives the same weights to other lengths" {
	zipf='"num_requests": 20000, "length_type": "zipf", "zipf_theta": 1.2, "min_tokens": 101, "max_tokens": 300'
	for scramble in false true; do
		sim 1 "$zipf, \"zipf_scramble\": $scramble, $no_cost"
		paste -d' ' <(column prefill_tokens) <(column decode_tokens) | awk '{ print $1 + $2 }' | sort | uniq -c |
			sort -k1,1nr -k2,2n >$scramble
	done
	same 'the most frequent length' "$(awk 'NR == 1 { print $2 }' false)" 101
	[ "$(awk 'NR == 1 { print $2 }' true)" != 101 ]
	diff <(awk '{ print $1 }' false) <(awk '{ print $1 }' true)
}

trace_of_four() {
	cat >"t r.csv" <<-'END'
		arrival_time,num_prefill_tokens,note,num_decode_tokens
		1970-01-04 11:59:59,1,before the window,1
		1970-01-04 12:00:10,100,"a, b",10
		1970-01-04 12:00:05.5,200,"quoted ""twice""",20
		302420,300,,30

		1970-01-04T12:01:00,400,x,40
		1970-01-04 15:00:00,1,after the window,1
	END
}

@test "a trace of arrivals gives the times within the window, from the first one, scaled" {
	trace_of_four
	sim 1 "\"interval_type\": \"trace\", \"interval_trace_file\": \"t r.csv\", $no_cost"
	same times "$(column arrival_time | tr '\n' ' ')" "0 1.35 4.35 16.35 "
	sim 1 "\"interval_type\": \"trace\", \"interval_trace_file\": \"t r.csv\", \"interval_trace_time_scale_factor\": 2,
		\"num_requests\": 3, $no_cost"
	same times "$(column arrival_time | tr '\n' ' ')" "0 9 29 "
}

@test "a trace of lengths is scaled, cut, shuffled or in order, and starts again at its end" {
	trace_of_four
	trace="\"length_type\": \"trace\", \"length_trace_file\": \"t r.csv\", $no_cost"
	sim 1 "$trace, \"num_requests\": 8, \"length_trace_shuffle\": false, \"length_trace_prefill_scale_factor\": 0.5"
	same prefill "$(column prefill_tokens | tr '\n' ' ')" "1 50 100 150 200 1 1 50 "
	same decode "$(column decode_tokens | tr '\n' ' ')" "1 10 20 30 40 1 1 10 "
	sim 1 "$trace, \"num_requests\": 6, \"length_trace_max_tokens\": 110"
	[ "$(column decode_tokens | tr '\n' ' ')" != "1 10 10 10 10 1 " ]
	same prefill "$(column prefill_tokens | sort -n | tr '\n' ' ')" "1 1 100 100 100 100 "
}

@test "recorded requests are replayed with their times, lengths and scale factors" {
	printf '%s\n' Date,Time,PromptTokenCount,CompletionTokenCount d1,3,30,3 d2,1,10,1 d2,0.5,2000,4000 d1,1,10,1 >r.csv
	replay="\"request_generator_type\": \"trace\", \"trace_file\": \"r.csv\", $no_cost"
	sim 1 "$replay, \"time_scale_factor\": 10, \"decode_scale_factor\": 2"
	same times "$(column arrival_time | tr '\n' ' ')" "0 5 5 25 "
	same prefill "$(column prefill_tokens | tr '\n' ' ')" "1 10 10 30 "
	same decode "$(column decode_tokens | tr '\n' ' ')" "8000 2 2 6 "
	sim 1 "$replay, \"trace_date\": \"d1\""
	same prefill "$(column prefill_tokens | tr '\n' ' ')" "10 30 "
}

@test "a bad trace is refused with its file and line" {
	bad() {
		printf "$1" >trace.csv
		rm -rf out
		run sim 1 "\"interval_type\": \"trace\", \"interval_trace_file\": \"trace.csv\", \"length_type\": \"trace\",
			\"length_trace_file\": \"trace.csv\", \"interval_trace_time_scale_factor\": 1"
		same status "$status" 65
		grep -qF "cs-sim: $2" <<<"$output" || { echo "$output"; return 1; }
		[ ! -e out ]
	}
	h='arrival_time,num_prefill_tokens,num_decode_tokens\n'
	bad '' 'trace.csv: the file is empty'
	bad "$h" 'trace.csv: no rows below the header'
	bad 'a,b\n1,2\n' 'trace.csv:1: no column arrival_time'
	bad "${h}302400,1,1\n302400,1\n" 'trace.csv:3: 2 cells; expected 3'
	bad "${h}302400,1,1\n\n302400,many,1\n" "trace.csv:4: num_prefill_tokens 'many'"
	bad "${h}302400,1,-1\n" "trace.csv:2: num_decode_tokens '-1'"
	bad "${h}1970-02-30T1,1,1\n" "trace.csv:2: arrival_time '1970-02-30T1'"
	bad "${h}1970-13-01,1,1\n" "trace.csv:2: arrival_time '1970-13-01'"
	bad "${h}302400,\"1,1\n" 'trace.csv:2: the quotes of cell 2'
	bad "${h}5,1,1\n" 'config.json:1: interval_trace_file: no row'
	bad "${h}302400,1\0,1\n" 'trace.csv: a NUL byte'
	run sim 1 '"interval_type": "trace", "interval_trace_file": "none.csv"'
	same status "$status" 66
}

@test "a request alone takes the time that the costs add up to" {
	sim 0.01 "\"num_requests\": 1, $short"
	# 2 blocks: a prefill of 256 + 64 tokens, then 15 more steps of 32 tokens
	same ttft "$(column ttft)" 0.0605
	same e2e "$(column request_e2e_time)" 0.64
	same tpot "$(column tpot)" 0.009198413
	same delay "$(column request_scheduling_delay)" 0
	sim 0.01 "\"num_requests\": 1, $short, $hybrid, \"kv_fast_pairs\": \"\""
	same 'e2e with two moves of 320 tokens' "$(column request_e2e_time)" 0.6528
	sim 0.01 "\"num_requests\": 1, $short, $hybrid, \"kv_fast_pairs\": \"1-0\""
	same 'e2e with two fast moves' "$(column request_e2e_time)" 0.64192
}

@test "fields that change a request's work do" {
	sim 0.01 "\"num_requests\": 1, $short, \"unmasking_strategy\": \"conf_quota\", \"fixed_unmask_quota\": 32"
	same 'two prefills only' "$(column request_e2e_time)" 0.121
	sim 0.01 "\"num_requests\": 1, $short, \"gen_length\": 32"
	same tokens "$(column decode_tokens)" 32
	sim 0.01 "\"num_requests\": 1, $short, \"max_gen_len\": 32"
	same tokens "$(column decode_tokens)" 32
	sim 0.01 "\"num_requests\": 1, $short, \"block_length\": 64"
	same 'one block of 32 passes' "$(column request_e2e_time)" 0.7456
}

# Time is kept in order, one row for each request, and the integral of the timeline is the sum over the requests.
little() {
	awk -F, '
		FNR == 1 { file++; for (i = 1; i <= NF; i++) place[file, $i] = i; next }
		file == 1 {
			n++
			if (seen[$1]++ || $place[1, "request_e2e_time"] < $place[1, "request_scheduling_delay"]) bad++
			wait += $place[1, "request_scheduling_delay"]; stay += $place[1, "request_e2e_time"]
		}
		file == 2 {
			if ($4 != end[$1] + 0 || $6 <= 0 || ($7 > 0) + 2 * ($8 > 0) > 1 != ($3 == "busy")) bad++
			end[$1] = $5; waiting += $7 * $6; present += ($7 + $8) * $6
		}
		function near(a, b) { return a - b < 1e-6 * (1 + a) && b - a < 1e-6 * (1 + a) }
		END {
			if (n && !bad && near(wait, waiting) && near(stay, present)) exit 0
			printf "%d rows, %d bad; waits %f, timeline %f; stays %f, timeline %f\n", n, bad, wait, waiting, stay, present
			exit 1
		}' out/request_metrics.csv out/worker_timeline.csv
}

@test "Little's law holds between the timeline and the requests" {
	sim 18 '"sim_model": "queue", "gpus": "0,1", "num_requests": 5000'
	little
	sim 4 '"num_requests": 500'
	little
	sim 4 '"num_requests": 500, "max_batch_size": 3, "prefill_queue_policy": "fewest_remaining_blocks"'
	little
	sim 8 '"mode": "hybrid", "num_requests": 500, "length_type": "zipf", "prefill_overload_threshold": 2000'
	little
	sim 8 "$hybrid, \"num_requests\": 500, \"kv_max_pages\": 120, \"enable_hybrid_prefill_overflow\": false"
	little
	column request_scheduling_delay_decode | holds 'mean > 0.1'
}

@test "no pass has more requests than max_batch_size" {
	sim 30 "\"num_requests\": 300, $short, \"max_batch_size\": 7"
	same active "$(most_active cw)" 7
	sim 30 "\"num_requests\": 300, $short, $hybrid, \"max_batch_size\": 7"
	same active "$(most_active cw)" 7
	[ "$(most_active pw)" -le 7 ]
}

@test "the token budgets bound the passes of both kinds of worker" {
	sim 30 "\"num_requests\": 300, $short, $hybrid, \"enable_hybrid_prefill_overflow\": false, \"max_prefill_tokens_per_batch\": 1000"
	same 'three prefills of 320 tokens' "$(most_active pw)" 3
	sim 30 "\"num_requests\": 300, $short, $hybrid, \"enable_hybrid_prefill_overflow\": false, \"max_tokens_per_iteration\": 200"
	same 'six blocks of 32 tokens' "$(most_active cw)" 6
	# longer than any budget: alone, but it runs
	sim 1 "\"num_requests\": 20, $short, \"max_tokens_per_iteration\": 64"
	same rows "$(column ttft | wc -l)" 20
	[ "$(most_active cw)" -le 2 ]
}

@test "KV pages bound the requests of a worker, and one that needs more than there are fails alone" {
	sim 30 "\"num_requests\": 300, $short, \"kv_max_pages\": 110"
	same 'five requests of 20 pages' "$(most_active cw)" 5
	sim 30 "\"num_requests\": 300, $short, $hybrid, \"kv_max_pages\": 110"
	[ "$(most_active cw)" -le 5 ]
	same rows "$(column ttft | wc -l)" 300
	sim 2 '"num_requests": 200, "length_type": "uniform", "min_tokens": 100, "max_tokens": 300, "kv_max_pages": 16'
	jq -e '.summary.num_failed > 20 and .summary.num_successful > 20 and
		.summary.num_failed + .summary.num_successful == 200' out/benchmark_results.json
	awk -F, 'NR > 1 && ($NF != "") != ($9 + 32 * int(($10 + 31) / 32) > 256) { exit 1 }' out/request_metrics.csv
}

@test "an overloaded prefill worker overflows to the colocated ones, unless the field says no" {
	load="\"num_requests\": 200, $short, $hybrid, \"prefill_overload_threshold\": 2000"
	sim 30 "$load"
	column prefill_worker_id | grep -q cw-0
	column prefill_worker_id | grep -q pw-0
	sim 30 "$load, \"enable_hybrid_prefill_overflow\": false"
	same workers "$(column prefill_worker_id | sort -u)" pw-0
	grep -q '^scheduler,scheduler,queued' out/worker_timeline.csv
	sim 0.5 "$load"
	same 'workers without a load' "$(column prefill_worker_id | sort -u)" pw-0
}

@test "each prefill policy has its own idea of who gets a request" {
	load='"num_requests": 200, "gpus": "0,1,2", "length_type": "zipf", "max_tokens": 2000, "prefill_scheduler_policy":'
	for policy in round_robin least_outstanding_prefill_tokens least_outstanding_requests least_request_length_sum \
		balanced_length_clustering; do
		sim 4 "$load \"$policy\""
		column prefill_worker_id >$policy
		same 'workers with work' "$(sort -u $policy | wc -l)" 3
	done
	# tokens waiting and tokens present are the same in colocated mode, and so are the choices
	rm least_request_length_sum
	same 'different assignments' "$(cksum round_robin l* b* | cut -d' ' -f1 | sort -u | wc -l)" 4
	sim 0.01 '"num_requests": 4, "decode_tokens": 32, "gpus": "0,1,2", "prefill_scheduler_policy": "round_robin"'
	same turns "$(column prefill_worker_id | tr '\n' ' ')" "cw-0 cw-1 cw-2 cw-0 "
}

@test "each decode policy has its own idea of who gets a request" {
	load='"mode": "hybrid", "num_requests": 200, "prefill_gpus": "0,2", "hybrid_colocated_gpus": "1,3,4", "length_type": "zipf",
		"max_tokens": 2000, "decode_scheduler_policy":'
	for policy in round_robin max_free_memory topology_guarded_memory balanced_length_clustering; do
		sim 4 "$load \"$policy\""
		paste -d' ' <(column prefill_worker_id) <(column decode_worker_id) >$policy
	done
	same 'different assignments' "$(cksum r* m* t* b* | cut -d' ' -f1 | sort -u | wc -l)" 4
	# with an alpha of 0 the fast link always wins
	same pairs "$(grep pw topology_guarded_memory | sort -u | tr '\n' ' ')" "pw-0 cw-0 pw-1 cw-1 "
	sim 4 "$load \"topology_guarded_memory\", \"kv_topology_alpha\": 1"
	paste -d' ' <(column prefill_worker_id) <(column decode_worker_id) | grep -q '^pw.* cw-2'
}

@test "a queue by remaining blocks lets short requests go first, and one by arrival does not" {
	# all at once: long and short ones in turn
	for i in 1 2 3 4 5 6 7 8 9 10; do echo 0,100,320; echo 0,100,32; done >rows
	{ echo arrival_time,prefill_tokens,decode_tokens; cat rows; } >t.csv
	load='"request_generator_type": "trace", "trace_file": "t.csv", "gpus": "0", "max_batch_size": 1, "prefill_queue_policy":'
	sim 1 "$load \"arrival_order\""
	same order "$(awk -F, 'NR > 1 { print $1 }' out/request_metrics.csv | tr '\n' ' ')" "$(seq 0 19 | tr '\n' ' ')"
	sim 1 "$load \"fewest_remaining_blocks\""
	same order "$(awk -F, 'NR > 1 && NR < 12 { print $1 }' out/request_metrics.csv | sort -n | tr '\n' ' ')" \
		"$(seq 1 2 19 | tr '\n' ' ')"
}

@test "a long prefill saves up its budget beside a request that decodes" {
	printf '%s\n' arrival_time,prefill_tokens,decode_tokens 0,10,320 1,280,1 >t.csv
	# the first takes 320 of 400 tokens for 160 passes, 9.6 s; the second needs 600 at once, 7 passes later
	sim 1 '"request_generator_type": "trace", "trace_file": "t.csv", "gpus": "0", "block_length": 320, "max_tokens_per_iteration": 400'
	column request_e2e_time | holds 'max > 9'
	column request_scheduling_delay | holds 'min == 0 && max > 0.3 && max < 0.6'
}

@test "a sticky request stays on its worker" {
	busy() { awk -F, '$3 == "busy" { print $1 }' out/worker_timeline.csv | sort -u | tr '\n' ' '; }
	one='"num_requests": 1, "prefill_scheduler_policy": "round_robin"'
	sim 1 "$one"
	same workers "$(busy)" "cw-0 cw-1 "
	sim 1 "$one, \"colocated_sticky_worker\": true"
	same workers "$(busy)" "cw-0 "
}

@test "the example has its knee between the start and the cap of its search" {
	example="\"num_requests\": 200, $short, $hybrid"
	for qps in 2 8; do
		sim $qps "$example"
		column request_scheduling_delay | sort -n | sed -n 100p | holds 'max < 2'
	done
	for qps in 16 32 64; do
		sim $qps "$example"
		column request_scheduling_delay | sort -n | sed -n 100p | holds 'max > 2'
	done
}

@test "num_requests and duration bound a run, alone or together" {
	sim 10 "\"num_requests\": 50, $no_cost"
	same rows "$(column ttft | wc -l)" 50
	sim 10 "\"duration\": 30, \"interval_type\": \"static\", $no_cost"
	same rows "$(column ttft | wc -l)" 299
	sim 10 "\"duration\": 30, \"num_requests\": 50, $no_cost"
	same rows "$(column ttft | wc -l)" 50
	sim 10 "\"duration\": 30, \"num_requests\": null, \"interval_type\": \"static\", $no_cost"
	same rows "$(column ttft | wc -l)" 299
	run sim 1e6 '"duration": 1e6'
	same status "$status" 65
	run sim 1 '"num_requests": null'
	same status "$status" 65
}

@test "a hopeless overload ends" {
	sim 1e9 '"num_requests": 3000'
	same rows "$(column ttft | wc -l)" 3000
	sim 1e9 '"num_requests": 3000, "mode": "hybrid", "kv_max_pages": 41, "max_batch_size": 1, "prefill_overload_threshold": 1'
	same rows "$(column ttft | wc -l)" 3000
}

@test "memory does not grow with the number of requests" {
	without_sanitizer
	limited() { (ulimit -v 32768 && "$@") }
	# the requests of a run, all kept, would not fit: a backlog of so many does not
	run limited sim 1e9 '"sim_model": "queue", "num_requests": 1000000'
	[ "$status" != 0 ]
	limited sim 9 '"sim_model": "queue", "gpus": "0", "num_requests": 1000000'
	limited sim 5 "\"num_requests\": 200000, $short"
	same rows "$(wc -l <out/request_metrics.csv)" 200001
}

@test "every fault of a config is reported at once, with its line, and nothing is written" {
	cat >bad.json <<-'END'
		{"mode": "hybird",
		 "max_batch_size": 0,
		 "kv_fast_pairs": "0-1,2",
		 "prefill_tokens": 1.5,
		 "seed": "x",
		 "sim_token_time_s": -1,
		 "colocated_sticky_worker": "yes",
		 "gpus": " , "}
	END
	run cs-sim --config bad.json --output-dir out --qps 1
	same status "$status" 65
	for fault in '1: mode: "hybird"; expected one of colocated, hybrid' '2: max_batch_size: 0; expected a whole number from 1' \
		'3: kv_fast_pairs: "0-1,2"; expected pairs' '4: prefill_tokens: 1.5; expected a whole number' \
		'5: seed: "x"; expected' '6: sim_token_time_s: -1; expected a number from 0' \
		'7: colocated_sticky_worker: "yes"; expected true or false' '8: gpus: 0 GPUs; expected 1'; do
		grep -qF "cs-sim: bad.json:$fault" <<<"$output" || { echo "no $fault in"; echo "$output"; return 1; }
	done
	same faults "${#lines[@]}" 8
	[ ! -e out ]
	for text in '' '{' '[]' 'null' '{"a": 1} x'; do
		echo "$text" >bad.json
		run cs-sim --config bad.json --output-dir out --qps 1
		same "status of $text" "$status" 65
		[[ $output == "cs-sim: bad.json:"[0-9]* ]]
	done
}

@test "a field that is in no table is named with the nearest one" {
	run sim 1 '"prefil_tokens": 3'
	same status "$status" 0
	[[ $output == "cs-sim: config.json:1: no field prefil_tokens, which is ignored; there is prefill_tokens" ]]
}

@test "the environment of a trial stands for the options, and the config for the environment" {
	mkdir trial
	echo '{"sim_model": "queue", "qps": 3, "output_dir": "from config", "interval_type": "static", "num_requests": 3}' >c.json
	CS_TRIAL_CONFIG=c.json CS_TRIAL_DIR=trial CS_QPS=2 "$built/share/capacity-search/harness/sim"
	same times "$(cut -d, -f2 trial/request_metrics.csv | tr '\n' ' ')" "arrival_time 0.5 1 1.5 "
	cs-sim --config c.json
	same times "$(cut -d, -f2 'from config/request_metrics.csv' | tail -1)" 1
	same results "$(cat trial/benchmark_results.json)" \
		'{"summary": {"num_successful": 3, "num_failed": 0, "simulated": true}}'
}

@test "usage errors, missing files and places that cannot be written have their exit status" {
	exits() {
		local expected=$1
		shift
		run "$@" </dev/null
		same "status of $*" "$status" "$expected"
		[ -n "$output" ]
	}
	echo '{}' >c.json
	unset CS_TRIAL_CONFIG CS_TRIAL_DIR CS_QPS
	exits 64 cs-sim
	exits 64 cs-sim --nonsense
	exits 64 cs-sim --config
	exits 64 cs-sim --config c.json extra
	exits 64 cs-sim --config c.json --qps 0
	exits 64 cs-sim --config c.json --qps fast
	exits 66 cs-sim --config none.json
	exits 73 cs-sim --config c.json --output-dir c.json/out
	exits 74 sh -c 'cs-sim --help >/dev/full'
	exits 0 cs-sim --help
	exits 0 cs-sim --version
	mkdir full
	for file in request_metrics.csv worker_timeline.csv; do
		ln -s /dev/full full/$file
		exits 74 cs-sim --config c.json --output-dir full
		[[ $output == "cs-sim: full/$file: cannot write all rows: "* ]]
		[ ! -e full/benchmark_results.json ]
		rm full/*
	done
}

@test "a run that is killed leaves no result, not even that of the run before" {
	sim 1 '"num_requests": 3'
	[ -e out/benchmark_results.json ]
	echo '{"num_requests": 10000000}' >long.json
	cs-sim --config long.json --output-dir out --qps 3 &
	pid=$!
	eventually 20 test ! -e out/benchmark_results.json
	kill -9 $pid
	wait $pid || true
	[ ! -e out/benchmark_results.json ]
}
