#!/usr/bin/env bats
# Goal: a trial directory says exactly what happened in it. A complete trial is never run again while
# nothing that counts has changed, and anything else runs again.

load helper
load trial

teardown() {
	umount "$T/small" 2>/dev/null || :
}

@test "a trial that passes: its result, its files, its line for people, and never again" {
	make_job
	trial
	same status "$status" 0
	[[ $output =~ ^"x y: 4 qps passed, ttft@q0.5 = 0.5 ("[0-9.]+" s)"$ ]]
	same members "$(jq -r 'keys_unsorted | join(" ")' "$trial/trial_result.json")" "qps passed metric_values run_dir \
cached timed_out limited_by error complete num_requests num_failed offered_qps harness_status started_at elapsed_s"
	same result "$(result 'del(.started_at, .elapsed_s)')" '{"qps":4,"passed":true,"metric_values":{"ttft@q0.5":0.5},'\
'"run_dir":"jobs/x y_0123456789/runs/4","cached":false,"timed_out":false,"limited_by":null,"error":null,'\
'"complete":true,"num_requests":3,"num_failed":0,"offered_qps":null,"harness_status":0}'
	same config "$(jq -c . "$trial/trial_config.json")" \
		"{\"benchmark_timeout\":60,\"output_dir\":\"$T/$trial\",\"qps\":4,\"seed\":7,\"text\":\"a\"}"
	same lines "$(wc -l <"$trial/trial_result.json")" 1
	expect_run no 0
	[[ $output == "x y: 4 qps passed, ttft@q0.5 = 0.5 (cached)" ]]
	same cached "$(result '[.cached, .complete, .passed, .harness_status, .started_at != null]')" '[true,true,true,0,true]'
	before=$(stat -c %y "$trial/trial_result.json")
	expect_run no 0
	same "mtime of the same result" "$(stat -c %y "$trial/trial_result.json")" "$before"
}

@test "a changed rule is judged on the data at hand; one that they cannot answer is an error, and they stay" {
	make_job
	trial
	rules '[{"metric": "ttft", "quantile": 1, "op": "<", "threshold": 0.7}]'
	expect_run no 0
	same failed "$(result '[.passed, .metric_values, .complete]')" '[false,{"ttft@q1":0.75},true]'
	rules '[{"metric": "tpot", "quantile": 1, "op": "<", "threshold": 0.7}]'
	expect_run no 1
	same error "$(result '[.passed, .metric_values, .complete]')" '[null,{},true]'
	[[ $(result .error) == *tpot*ttft* ]]
	rules null
	expect_run no 0
	same "no SLA" "$(result '[.passed, .metric_values, .complete]')" '[null,{},true]'
	rules '[{"metric": "ttft", "quantile": 0.5, "op": "<=", "threshold": 1}]'
	expect_run no 0
	same "first rule" "$(result '[.passed, .cached]')" '[true,true]'
}

@test "a trial runs again when its config changes in anything but the time-out, numbers counting by value" {
	make_job
	trial
	change_job '.benchmark_timeout = 30 | .benchmark_config.output_dir = "elsewhere"'
	sed -i 's/"seed": 7,/"seed": 7.0,/' "$job/job.json" # jq itself would write 7
	grep -q '"seed": 7.0,' "$job/job.json"
	expect_run no 0
	change_job '.benchmark_config.seed = 8'
	expect_run yes 0
	expect_run no 0
	change_job '.benchmark_config.text = "8"'
	expect_run yes 0
	change_job '.benchmark_config.more = null'
	expect_run yes 0
	change_job 'del(.benchmark_config.more)'
	expect_run yes 0
	change_job '.benchmark_config.list = [1, {"a": true}]'
	expect_run yes 0
	sed -i 's/^ *1,$/1e0,/' "$job/job.json"
	grep -q '^1e0,$' "$job/job.json"
	expect_run no 0
	change_job '.benchmark_config.list = [1, {"a": 1}]'
	expect_run yes 0
}

@test "a trial runs again when any of its files is gone, cut off or not its own" {
	make_job
	trial
	rm "$trial/benchmark_results.json"
	expect_run yes 0
	rm "$trial/trial_config.json"
	expect_run yes 0
	echo '{"seed": 7' >"$trial/trial_config.json"
	expect_run yes 0
	echo '[]' >"$trial/trial_config.json"
	expect_run yes 0
	: >"$trial/trial_config.json"
	expect_run yes 0
	printf '{"summary": {"num_succ' >"$trial/benchmark_results.json"
	expect_run yes 0
	: >"$trial/benchmark_results.json"
	expect_run yes 0
	echo '{"summary": {"num_successful": 0, "num_failed": 0}}' >"$trial/benchmark_results.json"
	: >"$trial/request_metrics.csv"
	expect_run yes 0
	printf 'request_id,ttft\nr1\n' >"$trial/request_metrics.csv"
	expect_run yes 0
	echo 'text' >"$trial/.lock"
	expect_run yes 0
	same "lock file" "$(cat "$trial/.lock")" ""
	rm -r "$trial"
	expect_run yes 0
	rm "$trial/trial_result.json"
	expect_run no 0
	same recovered "$(result '[.passed, .complete, .harness_status, .started_at]')" '[true,true,0,null]'
	printf '{"qps"' >"$trial/trial_result.json"
	expect_run no 0
	same mended "$(result .complete)" true
}

@test "a directory that sangam itself left is taken over, if it has all three files" {
	make_job
	mkdir -p "$trial"
	: >runs
	(cd "$trial" && . "$act" && printf 'worker_id,duration_s,queue_depth_waiting\nw,1.0,0\n' >worker_timeline.csv)
	expect_run no 0
	same result "$(result '[.passed, .cached, .complete]')" '[true,true,true]'
	rm "$trial/worker_timeline.csv" "$trial/trial_result.json"
	expect_run yes 0
}

@test "what an earlier try left is gone before the next, links are not followed, and one older log is kept" {
	make_job
	mkdir -p "$trial/sub/sub" precious
	touch "$trial/sub/sub/file" precious/file
	ln -s "$T/precious" "$trial/link"
	ln -s "$T/precious" "$trial/sub/link"
	act <<-'END'
		ls -A >"$T/seen"; echo "try $(wc -l <"$count")"; exit 3
	END
	trial
	same "seen by the harness" "$(sort seen | xargs)" ".lock benchmark.log trial_config.json"
	[ -e precious/file ]
	trial
	same "seen by the next" "$(sort seen | xargs)" ".lock benchmark.log benchmark.log.1 trial_config.json"
	trial
	same log "$(cat "$trial/benchmark.log" "$trial/benchmark.log.1" | xargs)" "try 3 try 2"
}

@test "a harness that fails: its status or signal and its last words are the error, and it runs again" {
	make_job
	act <<<'echo one; echo two; printf "\033[31mserver did not\033[0m come \xff up\r\n\n" >&2; exit 3'
	trial
	same status "$status" 1
	same message "$output" \
		"x y: 4 qps: error: harness exited with status 3; last lines of its log: one | two | server did not come � up"
	same result "$(result '[.passed, .complete, .timed_out, .harness_status, .num_requests]')" '[null,false,false,3,null]'
	act <<<'echo "{}" >benchmark_results.json; kill -SEGV $$'
	expect_run yes 1
	same error "$(result .error)" '"harness was ended by SIGSEGV; its log is empty"'
	same "status of a signal" "$(result .harness_status)" 139
	[ ! -e "$trial/benchmark_results.json" ]
	[ -e "$trial/benchmark_results.incomplete.json" ]
	act <<<'yes "$(printf "%0300d" 0)" | head -n 5000; exit 1'
	expect_run yes 1
	[ "$(result .error | wc -c)" -lt 1200 ]
	act <<<'exit 0'
	expect_run yes 1
	[[ $(result .error) == '"harness exited with status 0 and left no request_metrics.csv'* ]]
	act <<<'echo request_id,ttft >request_metrics.csv'
	expect_run yes 1
	[[ $(result .error) == '"harness exited with status 0 and recorded no request'* ]]
	change_job '.benchmark_config.num_requests = 10'
	expect_run yes 1
	[[ $(result .error) == *'recorded no request'* ]]
}

@test "a harness that cannot be started is one that fails: missing, not executable, no directory to run in" {
	make_job
	change_job '.harness.command = ["./none"]'
	trial
	same status "$status" 1
	[[ $(result .error) == *"status 127"*"none: cannot run this: No such file"* ]]
	change_job '.harness.command = ["./harness"]'
	chmod -x config/harness
	trial
	same status "$status" 1
	[[ $(result .error) == *"status 126"*"Permission denied"* ]]
	chmod +x config/harness
	change_job '.config_dir = "/nonexistent"'
	trial
	same status "$status" 1
	[[ $(result .error) == *"/nonexistent: cannot run here"* ]]
}

@test "a named harness comes from CS_HARNESS_PATH, and one that nobody has is refused" {
	make_job
	mkdir 'my harnesses'
	sed 's/act"$/act"; touch named/' config/harness >'my harnesses/mine'
	chmod +x 'my harnesses/mine'
	change_job '.harness = "mine"'
	CS_HARNESS_PATH="$T/nowhere:$T/my harnesses" trial
	same status "$status" 0
	[ -e "$trial/named" ]
	trial
	same status "$status" 69
	[[ $output == *"no harness 'mine'"* ]]
}

@test "a trial that takes too long timed out, is no pass, and runs again" {
	make_job
	change_job '.benchmark_timeout = 0.3'
	act <<-'END'
		echo '{"summary": {"num_successful": 3, "num_failed": 0}}' >benchmark_results.json
		sleep 300
	END
	trial
	same status "$status" 2
	same message "$output" "x y: 4 qps timed out after 0.3 s"
	same result "$(result '[.passed, .timed_out, .complete, .error, .harness_status, .num_requests]')" \
		'[false,true,false,null,null,null]'
	expect_run yes 2
	change_job '.benchmark_timeout = null'
	act <<<'exit 2'
	expect_run yes 2
	same "its own time-out" "$(result '[.passed, .timed_out, .harness_status]')" '[false,true,2]'
}

@test "exit status 2 long before the time-out is a time-out with a warning that shows the log" {
	make_job
	act <<<'echo "harness: unrecognized option --qsp"; exit 2'
	trial
	same status "$status" 2
	[[ $output == *"exit status 2 means a time-out, but it came after "*"unrecognized option --qsp" ]]
}

@test "failed requests: more than may fail is no pass and runs again, but not with --keep-failed" {
	make_job
	act <<-'END'
		printf 'request_id,ttft,error\nr1,0.25,\nr2,0.5,refused\nr3,0.25,\n' >request_metrics.csv
		echo '{"summary": {"num_successful": 2, "num_failed": 1}}' >benchmark_results.json
	END
	trial
	same status "$status" 0
	[[ $output == "x y: 4 qps failed, 1 of 3 requests failed, ttft@q0.5 = 0.375"* || $output == *"ttft@q0.5 = 0.25"* ]]
	same result "$(result '[.passed, .complete, .error, .num_requests, .num_failed]')" '[false,false,null,3,1]'
	expect_run yes 0
	expect_run no 0 --keep-failed
	same kept "$(result '[.passed, .complete]')" '[false,true]'
	expect_run yes 0 # it was complete by --keep-failed only
	change_job '.search.max_failed_requests_pct = 34'
	expect_run no 0
	same "may fail" "$(result '[.passed, .complete]')" '[true,true]'
	act <<-'END'
		printf 'request_id,ttft,error\nr1,,refused\n' >request_metrics.csv
		echo '{"summary": {"num_successful": 0, "num_failed": 1}}' >benchmark_results.json
	END
	change_job '.search.max_failed_requests_pct = 100 | .benchmark_config.seed = 9'
	expect_run yes 0
	same "none succeeded" "$(result '[.passed, .complete]')" '[false,false]'
	expect_run yes 0 --keep-failed
}

@test "a missing benchmark_results.json is made from the rows, counted against num_requests" {
	make_job
	act <<<"printf 'request_id,ttft,error\nr1,0.25,\nr2,0.5,refused\n' >request_metrics.csv"
	change_job '.search.max_failed_requests_pct = 50'
	trial
	same "as they are" "$(jq -c . "$trial/benchmark_results.json")" '{"summary":{"num_successful":1,"num_failed":1}}'
	change_job '.benchmark_config.num_requests = 4'
	expect_run yes 0
	same "missing ones" "$(jq -c . "$trial/benchmark_results.json")" '{"summary":{"num_successful":1,"num_failed":3}}'
	same result "$(result '[.passed, .complete, .num_requests, .num_failed]')" '[false,false,4,3]'
}

@test "data that cannot be judged is an error with file and line, and the trial runs again" {
	make_job
	act <<<"printf 'request_id,ttft\nr1,0.25\nr2\n' >request_metrics.csv"
	trial
	same status "$status" 1
	[[ $(result .error) == *"$trial/request_metrics.csv:3:"* ]]
	same result "$(result '[.passed, .complete, .harness_status]')" '[null,false,0]'
	expect_run yes 1
}

@test "--status-in-file exits 0 when a result was written, whatever it says, and not otherwise" {
	make_job
	act <<<'exit 3'
	trial --status-in-file
	same failed "$status" 0
	same "its path" "$(cs-trial --job "$job" --qps 4 --status-in-file 2>/dev/null)" "$trial/trial_result.json"
	act <<<'exit 2'
	trial --status-in-file
	same "timed out" "$status" 0
	rm out/sla.json
	trial --status-in-file
	same "no rules" "$status" 66
	same "nothing" "$(cs-trial --job "$job" --qps 4 --status-in-file 2>/dev/null)" ""
}

@test "--dry-run prints what a complete trial has, or exits 1, and writes nothing" {
	make_job
	run cs-trial --dry-run --job "$job" --qps 4
	same "not run" "$status$output" 1
	[ ! -e "$job/runs" ]
	trial
	find out -printf '%p %T@\n' | sort >before
	run cs-trial --dry-run --job "$job" --qps 4
	same status "$status" 0
	same result "$(jq -c '[.qps, .passed, .cached]' <<<"$output")" '[4,true,true]'
	find out -printf '%p %T@\n' | sort >after
	cmp before after
	run bash -c 'cs-trial --dry-run --job "$1" --qps 4 >/dev/full' sh "$job"
	same "full disk" "$status" 74
}

@test "a rate that the harness could not offer says nothing of the service" {
	make_job
	act <<-'END'
		{ echo request_id,ttft,arrival_time
		for i in $(seq 0 10000); do echo "r$i,0.25,$i"; done | awk -F, '{ print $1 "," $2 "," $3 / rate }' rate="$(cat "$T/offered")"
		} >request_metrics.csv
	END
	echo 3 >offered
	trial
	same status "$status" 0
	[[ $output == *"failed, the harness offered only 3 qps"* ]]
	same result "$(result '[.passed, .limited_by, .complete, (.offered_qps * 100 | round)]')" '[false,"harness",true,300]'
	echo 3.9 >offered # within five standard errors: 5 % of 10,000 Poisson arrivals
	change_job '.benchmark_config.seed = 1'
	expect_run yes 0
	same poisson "$(result '[.passed, .limited_by]')" '[true,null]'
	change_job '.benchmark_config.interval_type = "static"' # 2.5 % off is too much for a clock
	expect_run yes 0
	same static "$(result '[.passed, .limited_by]')" '[false,"harness"]'
	change_job '.benchmark_config.interval_type = "gamma" | .benchmark_config.cv = 0.4'
	expect_run yes 0
	same gamma "$(result '[.passed, .limited_by]')" '[false,"harness"]'
	change_job '.benchmark_config.interval_type = "trace"'
	expect_run yes 0
	same trace "$(result '[.passed, .limited_by]')" '[true,null]'
	echo 9 >offered
	change_job '.benchmark_config.interval_type = "poisson"'
	expect_run yes 0
	same "more than asked" "$(result '[.passed, .limited_by]')" '[true,null]'
	rules null
	echo 3 >offered
	rm -r "$trial"
	expect_run yes 0
	same "no SLA" "$(result '[.passed, .limited_by, .complete]')" '[null,null,true]'
}

@test "requests whose due time is not known do not lower the rate offered" {
	make_job
	act <<-'END'
		awk 'BEGIN { print "request_id,ttft,arrival_time,error"
		    for (i = 0; i <= 10000; i++) print i "," (i % 2 ? ",,skipped" : "0.25," i / 4 ",") }' >request_metrics.csv
	END
	change_job '.search.max_failed_requests_pct = 60'
	expect_run yes 0
	same "limited by" "$(result '[.limited_by, (.offered_qps * 100 | round)]')" '[null,400]'
}

@test "a harness or input that is newer than a complete trial is pointed out" {
	make_job
	echo x >config/load.txt
	touch -d 2020-01-01 config/load.txt
	change_job '.benchmark_config.trace_file = "load.txt"'
	trial
	expect_run no 0
	[[ $output != *newer* ]]
	touch -d '+1 hour' config/load.txt
	expect_run no 0
	[[ $output == *"(cached; load.txt is newer: to run it again, remove $trial)" ]]
	touch -d 2020-01-01 config/load.txt
	touch -d '+1 hour' config/harness
	expect_run no 0
	[[ $output == *"harness is newer"* ]]
}

@test "a command is complete by its status 0, until it, its environment or its directory changes" {
	export T
	echo 'echo "$1 $X" >>"$T/runs"; exit "${STATUS:-0}"' >command
	run cs-trial --dir 'runs $4: "#%' --env X=1 --env CS_QPS=4 -- sh ./command a
	same status "$status$output" 0
	d='runs $4: "#%'
	same result "$(jq -c '[.qps, .passed, .complete, .cached, .num_requests, .run_dir]' "$d/trial_result.json")" \
		"$(jq -cn --arg d "$d" '[4, null, true, false, null, $d]')"
	same config "$(jq -c '[.command, .environment, .qps, .benchmark_timeout]' "$d/trial_config.json")" \
		'[["sh","./command","a"],{"X":"1","CS_QPS":"4"},4,null]'
	for change in no: yes:--env:X=2 no:--timeout:9; do
		IFS=: read -r runs option value <<<"$change"
		before=$(num_runs)
		run cs-trial --dir "$d" --env X=1 --env CS_QPS=4 ${option:+"$option" "$value"} -- sh ./command a
		[ "$runs" = no ] || before=$((before + 1))
		same "runs with $change" "$(num_runs)" "$before"
		run cs-trial --dir "$d" --env X=1 --env CS_QPS=4 -- sh ./command a
	done
	before=$(num_runs)
	cs-trial --dir "$d" --env X=1 --env CS_QPS=4 -- sh ./command b
	same "other words" "$(num_runs)" $((before + 1))
	run cs-trial --dir "$d" --env STATUS=3 -- sh ./command
	same failed "$status" 1
	[[ $output == *"harness exited with status 3"* ]]
	run cs-trial --dir "$d" --env STATUS=3 -- sh ./command
	same "runs after a failure" "$(num_runs)" $((before + 3))
}

@test "a command that writes request_metrics.csv is counted as a harness is" {
	run cs-trial --dir d -- sh -c 'printf "request_id,error\na,\nb,refused\n" >"$CS_TRIAL_DIR/request_metrics.csv"'
	same status "$status" 0
	same result "$(jq -c '[.passed, .complete, .num_requests, .num_failed]' d/trial_result.json)" '[null,false,2,1]'
}

@test "a directory with files that are no trial's is never emptied" {
	mkdir home real
	touch home/letter
	run cs-trial --dir home -- true
	same status "$status" 73
	same files "$(ls -A home)" letter
	touch home/.lock
	run cs-trial --dir home -- true
	same status "$status" 73
	same files "$(ls -A home | xargs)" ".lock letter"
	run cs-trial --dir . -- true
	same status "$status" 73
	ln -s real link
	run cs-trial --dir link -- true
	same "a link" "$status" 73
	run cs-trial --dir real -- true
	same "an empty directory" "$status" 0
}

@test "paths that are no directory, or cannot be written, are refused and stay as they are" {
	make_job
	mkdir -p "$job/runs"
	: >"$trial"
	trial
	same "a file, as make -t makes it" "$status" 73
	[[ $output == *"is a file; expected a trial's directory"* ]]
	rm "$trial"
	mkdir "$trial"
	ln -s "$T/target" "$trial/.lock"
	trial
	same "the lock file is a link" "$status" 73
	[ ! -e target ]
	rm "$trial/.lock"
	mkdir "$trial/.lock"
	trial
	same "the lock file is a directory" "$status" 73
	run cs-trial --dir /proc/no/such -- true
	same "cannot be made" "$status" 73
	if [ "$(id -u)" != 0 ]; then
		rmdir "$trial/.lock"
		chmod a-w "$trial"
		trial
		same "not writable" "$status" 73
	fi
	[ ! -e runs ]
}

@test "a full disk: no harness runs without its config, and finished data stay when the result cannot be written" {
	mkdir small
	mount -t tmpfs -o size=64k tmpfs small 2>/dev/null || skip "no permission to mount"
	make_job
	mv out small/out
	ln -s small/out out
	trial
	rm "$trial/trial_result.json"
	cat /dev/zero >small/filler 2>/dev/null || :
	expect_run no 74
	first_files=$(ls -A "$trial" | xargs)
	rm small/filler
	expect_run no 0
	same passed "$(result .passed)" true
	rm -r "$trial"
	cat /dev/zero >small/filler 2>/dev/null || :
	expect_run no 74
	second_files=$(ls -A "$trial" 2>/dev/null | xargs)
	umount small
	same "finished data" "$first_files" ".lock benchmark.log benchmark_results.json request_metrics.csv trial_config.json"
	same "nothing begun" "$second_files" .lock
}

@test "wrong usage exits 64 and says what was expected" {
	for words in '' '--dir' '--dir d' '--job j' '--qps 4' '--job j --qps 0' '--job j --qps 1e10' '--job j --qps x' \
		'--job j --qps 4 -- true' '--job j --qps 4 --env X=1' '--job j --qps 4 --timeout 3' '--dir d --qps 4 true' \
		'--dir d --job j true' '--job j --qps 4 --search' '--job j --search --dry-run' '--job j --search --no-wait' \
		'--dir d --search true' '--dir d --env X true' '--dir d --env =x true' '--dir d --env CS_TRIAL_ID=x true' \
		'--dir d --timeout -1 true' '--dir d --timeout 1s true' '--dir d --grace x true' '--dir d --lock a/b true' '--job j --qps 4 --lock l' \
		'--nonsense' '-z'; do
		run cs-trial $words
		same "cs-trial $words" "$status" 64
		[ -n "$output" ]
	done
	run cs-trial --dir d -- $'\xff'
	same "no UTF-8" "$status" 64
	[ ! -e d ]
}

@test "--help and --version, and a job that is not there or is none" {
	cs-trial --help | grep -q 'Exit status'
	cs-trial --version | grep -q capacity-search
	run bash -c 'cs-trial --help >/dev/full'
	same "full disk" "$status" 74
	run cs-trial --job none --qps 4
	same "missing job" "$status" 66
	make_job
	echo '{' >"$job/job.json"
	trial
	same "broken job.json" "$status" 65
	make_job
	echo '[{"metric"' >out/sla.json
	trial
	same "broken sla.json" "$status" 65
	make_job
	change_job 'del(.harness)'
	trial
	same "no harness" "$status" 65
	[ ! -e "$job/runs" ]
}

@test "the command line may end without --, and standard streams may be closed" {
	cs-trial --dir d sh -c 'echo out; echo err >&2' <&- >&- 2>&-
	same log "$(xargs <d/benchmark.log)" "out err"
	same "lock file" "$(cat d/.lock)" ""
	same complete "$(jq .complete d/trial_result.json)" true
}
