#!/usr/bin/env bats
# Goal: what a growing request_metrics.csv decides, whatever comes, is what the whole trial comes to; a trial is ended as soon as that
# is known, is left as if nothing had come after it, and counts only for the rules that it decided.

load helper
load trial

@test "what the rows decide after any of them is what the whole trial comes to, and any other end of it" {
	(cd "$top" && "${CC:-cc}" -std=c11 -D_GNU_SOURCE -O2 -ffp-contract=off -Iinclude -o "$T/partial" tests/partial.c \
	    tools/lib/{arrival,cell,columns,decimal,error,file,follower,json,jsontext,labels,levels,lines,memory,number,plain,prospect,quantile,random,rule,sieve,sla,timeline}.c \
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

# A job of 100 requests whose harness leaves what "act" says and then never ends, with a process in a session of its own.
make_endless_job() {
	make_job
	change_job '.benchmark_config.num_requests = 100 | .search.early_stop = "'"$1"'"'
	{ cat; echo 'setsid sleep 1000 & echo $! >"$T/daemon"; echo $$ >"$T/pid"; wait'; } >act
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
