#!/usr/bin/env bats
# Goal: what a growing request_metrics.csv decides, whatever comes, is what the whole trial comes to; a trial is ended as soon as that
# is known, is left as if nothing had come after it, and counts only for the rules that it decided.

load helper
load trial

@test "what the rows decide after any of them is what the whole trial comes to, and any other end of it" {
	(cd "$top" && "${CC:-cc}" -std=c11 -D_GNU_SOURCE -O2 -ffp-contract=off -Iinclude -o "$T/partial" tests/partial.c \
	    tools/lib/{arrival,batch,cell,columns,decimal,error,file,follower,heading,json,jsontext,labels,levels,lines,memory,number,parser,plain,prospect,quantile,random,reader,rule,sieve,sla,timeline}.c \
	    -lcsv -ljson-c -lm)
	run ./partial trials 3000 .
	same "trials ($output)" "$status" 0
	read -r size bytes <<<"$(./partial reads .)"
	[ "$size" -gt 1000000 ]
	[ "$bytes" -le $((size + size / 20)) ]
}

# requests NUM VALUE [ERROR]: rows of r,VALUE,ERROR
requests() {
	yes "r,$2,${3-}" | head -n "$1"
}

partial() {
	run cs-sla --partial --num-requests "$@"
}

@test "cs-sla --partial exits 0 when the rest cannot spoil it, 1 when it cannot mend it, 3 before" {
	{ echo request_id,ttft,error && requests 50 1; } >request_metrics.csv
	partial 100 --rule 'ttft@q0.5<=1' .
	same "50 of 100" "$status $output" '3 { "passed": null, "num_rows": 50, "num_failed": 0, "num_requests": 100 }'
	partial 99 --rule 'ttft@q0.5<=1' .
	same "50 of 99" "$status $output" '0 { "passed": true, "num_rows": 50, "num_failed": 0, "num_requests": 99 }'
	partial 99 --rule 'ttft@q0.5<1' .
	same "50 bad of 99" "$status $output" '1 { "passed": false, "num_rows": 50, "num_failed": 0, "num_requests": 99 }'
	partial 99 --rule 'ttft@q0.5<=1' --rule 'ttft@q0.9<=1' .
	same "one rule open" "$status" 3
	partial 99 --rule 'ttft@q0.5<=1' --rule 'ttft@q0.5<1' .
	same "one rule failed" "$status" 1
	requests 1 0 late >>request_metrics.csv
	partial 1000 --rule 'ttft@q1<=9' .
	same "a failed request is worst" "$status $output" '1 { "passed": false, "num_rows": 51, "num_failed": 1, "num_requests": 1000 }'
}

@test "cs-sla --partial: rules on the queue stay open, and all rows together are judged as without it" {
	{ echo request_id,ttft,error && requests 4 1; } >request_metrics.csv
	partial 4 --rule 'ttft@q0.5<=1' .
	same "all there" "$status" 0
	partial 4 --rule 'ttft@q0.5<1' .
	same "all there, fails" "$status" 1
	partial 4 --rule 'ttft@q0.5<=1' --rule 'queue_depth_waiting@q0.5<=4' .
	same "queue, passing" "$status" 3
	partial 4 --rule 'ttft@q0.5<1' --rule 'queue_depth_waiting@q0.5<=4' .
	same "queue, failing" "$status" 1
	partial 4 --rule 'queue_depth_waiting@q0.5<=4' .
	same "queue alone" "$status" 3
	echo '{"num_requests": 8}' >trial_config.json
	run cs-sla --partial --rule 'ttft@q0.5<1' .
	same "the config's number" "$status $(jq .num_requests <<<"$output")" "3 8"
	echo null >rules.json
	partial 4 --rules rules.json .
	same "no rules" "$status $(jq .passed <<<"$output")" "3 null"
}

@test "cs-sla --partial: nothing decided before the file is there, what cannot be judged is told, usage" {
	partial 4 --rule 'ttft@q0.5<=1' .
	same "no file" "$status $output" '3 { "passed": null, "num_rows": 0, "num_failed": 0, "num_requests": 4 }'
	printf request_id >request_metrics.csv
	partial 4 --rule 'ttft@q0.5<=1' .
	same "half a header" "$status" 3
	printf ',tpot\n' >>request_metrics.csv
	partial 4 --rule 'ttft@q0.5<=1' .
	same "no such column" "$status" 65
	[[ $output == *"request_metrics.csv:1: no column 'ttft'; the columns are request_id, tpot"* ]]
	printf 'a,1\nb,x\n' >>request_metrics.csv
	partial 4 --rule 'tpot@q0.5<=1' .
	same "text" "$status" 65
	[[ $output == *"request_metrics.csv:3: 'x' in column 'tpot'"* ]]
	partial 4 --rule 'tpot@q0.5<=1' nowhere
	same "no directory" "$status" 66
	rm request_metrics.csv && mkfifo request_metrics.csv
	partial 4 --rule 'tpot@q0.5<=1' .
	same "a pipe" "$status" 66
	for wrong in "--partial --rule x@q1<1 ." "--partial --num-requests 0 --rule x@q1<1 ." "--num-requests 4 --rule x@q1<1 ."; do
		# shellcheck disable=SC2086 # words
		run cs-sla $wrong
		same "$wrong" "$status" 64
	done
	rm request_metrics.csv
	run sh -c 'cs-sla --partial --num-requests 4 --rule "ttft@q0.5<=1" . >/dev/full'
	same "/dev/full" "$status" 74
}

# A job of 100 requests whose harness has a process in a session of its own, does what stdin says and then never ends.
make_endless_job() {
	make_job
	change_job '.benchmark_config.num_requests = 100 | .search.early_stop = "'"$1"'"'
	{ echo 'setsid sleep 1000 & echo $! >"$T/daemon"; echo $$ >"$T/pid"'; cat; echo wait; } >act
}

@test "a trial that fails whatever comes is ended at once, with all its processes, and keeps whole rows only" {
	make_endless_job fail <<-'END'
		{ echo request_id,ttft; yes r,8 | head -n 60; printf 'r,0.0'; } >rows
		cat rows >request_metrics.csv
	END
	trial
	same status "$status" 0
	[[ $output == "x y: 4 qps failed, decided by 60 of 100 requests, ttft@q0.5 = 8 ("* ]]
	same result "$(result '[.passed, .complete, .stopped_early, .num_requests_decided, .num_requests, .num_failed, .harness_status, .cached]')" \
	    '[false,true,true,60,100,0,null,false]'
	ended "$(cat daemon)" && ended "$(cat pid)"
	same results "$(jq -c . "$trial/benchmark_results.json")" '{"summary":{"num_successful":60,"num_failed":0,"stopped_early":true}}'
	same rows "$(tail -n +2 "$trial/request_metrics.csv"; echo .)" "$(requests 60 8 | sed 's/,$//'; echo .)"
	expect_run no 0
	[[ $output == "x y: 4 qps failed, decided by 60 of 100 requests, ttft@q0.5 = 8 (cached)" ]]
	same cached "$(result '[.passed, .complete, .stopped_early, .num_requests_decided, .harness_status, .cached]')" '[false,true,true,60,null,true]'
	rm "$trial/trial_result.json" # as if cs-trial had been killed before it could write it
	expect_run no 0
	same "by the files" "$(result '[.passed, .complete, .stopped_early, .num_requests_decided]')" '[false,true,true,60]'
}

@test "what the harness writes while it is ended does not count; a timeline that is cut off is set aside" {
	make_endless_job fail <<-'END'
		trap 'yes "r,0,terminated" | head -n 40 >>request_metrics.csv; echo "{}" >benchmark_results.json; exit 0' TERM
		printf 'worker_id,duration_s,queue_depth_waiting\nw0,1' >worker_timeline.csv
		{ echo request_id,ttft,error; yes r,8, | head -n 60; } >rows
		cat rows >request_metrics.csv
	END
	rules '[{"metric": "ttft", "quantile": 0.5, "op": "<=", "threshold": 1},
	    {"metric": "queue_depth_waiting", "quantile": 0.5, "op": "<=", "threshold": 1}]'
	trial
	same status "$status" 0
	same result "$(result '[.passed, .num_requests_decided, .num_failed, .metric_values]')" \
	    '[false,60,0,{"ttft@q0.5":8,"queue_depth_waiting@q0.5":null}]'
	same rows "$(wc -l <"$trial/request_metrics.csv")" 61
	[ -e "$trial/worker_timeline.incomplete.csv" ] && [ ! -e "$trial/worker_timeline.csv" ]
	expect_run no 0
	same cached "$(result '[.passed, .complete]')" '[false,true]'
	act <<-'END'
		trap '{ echo request_id,ttft; yes r,0 | head -n 99; } >request_metrics.csv; exit 0' TERM
		{ echo request_id,ttft; yes r,8 | head -n 60; } >rows
		cat rows >request_metrics.csv
		sleep 1000 & wait
	END
	rm -r "$trial"
	expect_run yes 1
	[[ $(result .error) == *"request_metrics.csv: was written anew when its rows had decided the verdict"* ]]
	same "no results" "$(result '[.complete, .passed]') $([ -e "$trial/benchmark_results.json" ] || echo none)" '[false,null] none'
	expect_run yes 1
}

@test "a stopped trial is judged again where its rows decide a changed rule, and else runs again" {
	make_endless_job fail <<-'END'
		{ echo request_id,ttft; yes r,8 | head -n 60; } >rows
		cat rows >request_metrics.csv
	END
	trial
	rules '[{"metric": "ttft", "quantile": 0.6, "op": "<=", "threshold": 2}]'
	expect_run no 0
	same "decided, too" "$(result '[.passed, .stopped_early, .metric_values]')" '[false,true,{"ttft@q0.6":8}]'
	act <<-'END'
		{ echo request_id,ttft; yes r,8 | head -n 99; echo r,1; } >rows
		cat rows >request_metrics.csv
	END
	rules '[{"metric": "ttft", "quantile": 0.02, "op": "<", "threshold": 8}]'
	run cs-trial --dry-run --job "$job" --qps 4
	same "would run" "$status" 1
	expect_run yes 0
	same "run to its end" "$(result '[.passed, .stopped_early, .num_requests]')" '[false,null,100]'
	rules '[{"metric": "ttft", "quantile": 0.6, "op": "<=", "threshold": 8}]'
	expect_run no 0
	same "a whole trial" "$(result '[.passed, .cached]')" '[true,true]'
}

@test "a stopped trial runs again when early_stop does not ask for it any more, or there are no rules" {
	make_endless_job both <<-'END'
		{ echo request_id,ttft; yes r,1 | head -n 60; } >rows
		cat rows >request_metrics.csv
	END
	trial
	[[ $output == "x y: 4 qps passed, decided by 60 of 100 requests, ttft@q0.5 = 1 ("* ]]
	expect_run no 0
	cp -a out whole
	for change in '.search.early_stop = "fail"' 'del(.search.early_stop)'; do
		rm -rf out && cp -a whole out
		change_job "$change"
		act <<-'END'
			{ echo request_id,ttft; yes r,1 | head -n 60; } >request_metrics.csv
			sleep 0.3
			yes r,1 | head -n 40 >>request_metrics.csv
		END
		expect_run yes 0
		same "$change" "$(result '[.passed, .stopped_early, .num_requests]')" '[true,null,100]'
	done
	rm -rf out && mv whole out
	rules null
	expect_run yes 0
	same "no rules" "$(result '[.passed, .stopped_early, .num_requests]')" '[null,null,100]'
}

@test "too many failed requests end a trial, which is complete only with --keep-failed" {
	make_endless_job fail <<-'END'
		{ echo request_id,ttft,error; yes r,0, | head -n 8; printf 'r,0,late\nr,0,late\n'; } >rows
		cat rows >request_metrics.csv
	END
	change_job '.search.max_failed_requests_pct = 1'
	trial
	[[ $output == "x y: 4 qps failed, 2 of 100 requests failed, decided by 10 of 100 requests, ttft@q0.5 = 0 ("* ]]
	same result "$(result '[.passed, .complete, .stopped_early, .num_failed]')" '[false,false,true,2]'
	expect_run no 0 --keep-failed
	same kept "$(result '[.passed, .complete, .cached]')" '[false,true,true]'
	expect_run yes 0
	change_job '.search.max_failed_requests_pct = 2'
	act <<-'END'
		{ echo request_id,ttft,error; yes r,0, | head -n 98; printf 'r,0,late\nr,0,late\n'; } >request_metrics.csv
	END
	expect_run yes 0
	same "two may fail" "$(result '[.passed, .complete, .stopped_early, .num_failed]')" '[true,true,null,2]'
}

@test "a trial whose requests arrive too slowly so far is not ended: its harness may be what is slow" {
	make_job
	change_job '.benchmark_config += {num_requests: 1000, interval_type: "static"} | .search.early_stop = "both"'
	act <<-'END'
		{ echo arrival_time,ttft; seq 0 599 | sed 's/$/,8/'; } >request_metrics.csv
		sleep 0.3
		seq 600 999 | sed 's/$/,8/' >>request_metrics.csv
	END
	trial
	same limited "$(result '[.passed, .limited_by, .stopped_early, .num_requests]')" '[false,"harness",null,1000]'
}

@test "requests that are still running do not look as if they had not arrived" {
	make_endless_job fail <<-'END'
		# Every 0.25 s one, of those after the 400th only half have ended.
		{ echo arrival_time,ttft; seq 0 0.25 99.75 | sed 's/$/,8/'; seq 100 0.5 150 | sed 's/$/,8/'; } >rows
		cat rows >request_metrics.csv
	END
	change_job '.benchmark_config += {num_requests: 900, interval_type: "static"}'
	trial
	same ended "$(result '[.passed, .limited_by, .stopped_early, .num_requests_decided]')" '[false,null,true,501]'
}

@test "a trial that is killed while it is being ended early is not taken for a complete one" {
	make_endless_job fail <<-'END'
		trap 'touch "$T/terminated"; while :; do sleep 0.1; done' TERM
		{ echo request_id,ttft; yes r,8 | head -n 60; } >rows
		cat rows >request_metrics.csv
	END
	cs-trial --job "$job" --qps 4 --grace 0.5 3>&- &
	eventually 20 [ -e terminated ]
	kill -9 $!
	wait $! || :
	act <<-'END'
		{ echo request_id,ttft; yes r,1 | head -n 100; } >request_metrics.csv
	END
	expect_run yes 0
	same result "$(result '[.passed, .stopped_early, .num_requests, .complete]')" '[true,null,100,true]'
	ended "$(cat pid)" && ended "$(cat daemon)"
}

# A harness of 40 requests that wait as long as the rate is high, and that comes to no end once they are decided, if asked.
make_search() {
	cat >h <<-'END'
		#!/bin/sh
		echo "$CS_QPS" >>runs
		delay=$(awk -v qps="$CS_QPS" 'BEGIN { print qps / 10 }')
		cd "$CS_TRIAL_DIR"
		{ echo request_id,ttft,error; yes "r,$delay," | head -n 30; } >rows
		cat rows >request_metrics.csv
		jq -e --argjson qps "$CS_QPS" '.hang_above and $qps > .hang_above' trial_config.json >/dev/null && exec sleep 1000
		yes "r,$delay," | head -n 10 >>request_metrics.csv
	END
	chmod +x h
	cat >c.yaml <<-END
		harness: {command: [./h]}
		benchmark_base: {num_requests: 40, $1}
		search: {$2}
		sla: [{metric: ttft, quantile: 0.5, op: "<=", threshold: 0.73}, {metric: ttft, quantile: 0.99, op: "<=", threshold: 0.8}]
		jobs: [{name: a, start_qps: 2}]
	END
}

@test "a search with early_stop has the answer of one without, runs nothing again, and says in its results what was stopped" {
	make_search '' ''
	capacity-search --config-path c.yaml --output-dir whole 2>/dev/null
	make_search 'hang_above: 7.3' 'early_stop: fail'
	capacity-search --config-path c.yaml --output-dir early 2>/dev/null
	trace='.[0].search_trace | map([.qps, .passed, .num_requests])'
	same trace "$(jq -c "$trace" early/capacity_search_results.json)" "$(jq -c "$trace" whole/capacity_search_results.json)"
	same answer "$(jq '.[0].max_qps_under_sla' early/capacity_search_results.json)" \
	    "$(jq '.[0].max_qps_under_sla' whole/capacity_search_results.json)"
	same stopped "$(jq -c '.[0] | [.num_stopped_early > 2, .num_stopped_early == (.search_trace | map(select(.passed | not)) | length),
	    (.search_trace | map(select(.passed | not)) | all(.stopped_early and .num_requests_decided == 30)),
	    (.search_trace | map(select(.passed)) | any(has("stopped_early")))]' early/capacity_search_results.json)" '[true,true,true,false]'
	same "in the other" "$(jq '.[0] | has("num_stopped_early")' whole/capacity_search_results.json)" false
	before=$(wc -l <runs) && stat -c '%n %y' early/jobs/*/job_summary.json early/*.csv >times
	capacity-search --config-path c.yaml --output-dir early >table 2>/dev/null
	same runs "$(wc -l <runs)" "$before"
	diff times <(stat -c '%n %y' early/jobs/*/job_summary.json early/*.csv)
	grep -q 'stopped early$' table
	cs-report csv --long early >long.csv
	same rows "$(wc -l <long.csv)" $(($(jq '.[0].num_trials' early/capacity_search_results.json) + 1))
	cs-report html early | grep -q 'stopped early'
	cs-report compare early whole >/dev/null
}

@test "with early_stop: both trials that pass are ended, too, and a search finds the same" {
	make_search '' ''
	capacity-search --config-path c.yaml --output-dir whole 2>/dev/null
	make_search 'hang_above: 0.1' 'early_stop: true'
	sed -i 's/, {metric: ttft, quantile: 0.99.*}//' c.yaml
	capacity-search --config-path c.yaml --output-dir early 2>/dev/null
	trace='.[0].search_trace | map([.qps, .passed])'
	same trace "$(jq -c "$trace" early/capacity_search_results.json)" "$(jq -c "$trace" whole/capacity_search_results.json)"
	same stopped "$(jq -c '.[0].search_trace | all(.stopped_early)' early/capacity_search_results.json)" true
}
