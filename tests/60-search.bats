#!/usr/bin/env bats
# Goal: a whole search, from the config to the results, through a harness with a known answer: the
# sequence of trials, what runs again and what does not, after changes, errors and interrupts.

load helper

# A config for the fake harness: config BASE JOBS [SEARCH [SLA]], each JSON; log is $T/log.
config() {
	local sla='[{"metric": "request_scheduling_delay", "quantile": 0.5, "threshold": 2.0, "op": "<="}]'
	jq -n --argjson base "$1" --argjson jobs "$2" --argjson search "${3:-null}" --argjson sla "${4:-$sla}" \
	    --arg harness "$data/fake-harness" --arg log "$T/log" '
	    {harness: {command: [$harness]}, benchmark_base: ({benchmark_timeout: 60, fake_log: $log} + $base),
	     jobs: $jobs} + if $search then {search: $search} else {} end + if $sla then {sla: $sla} else {} end'
}

search() {
	capacity-search --config-path c.yaml --output-dir out "$@"
}

runs() {
	[ -f log ] && wc -l <log || echo 0
}

results() {
	jq -c "$1" out/capacity_search_results.json
}

# What must not change when nothing is to be done: every file's name, size and mtime.
state() {
	find out -printf '%p %s %T@ %l\n' | sort
}

# Results and summaries without the one member that tells which run did a trial.
answers() {
	cat "$1"/capacity_search_results.json "$1"/jobs/*/job_summary.json | sed 's/"cached": *[a-z]*//'
}

@test "every case of whole searches gives its results, and runs only the trials that it must" {
	local wrong=
	while read -r case; do
		name=$(jq -r .name <<<"$case")
		rm -rf out log log.daemon
		# The first run, the same again, then each change.
		while read -r step; do
			label="$name, $(jq -r .step <<<"$step")"
			config "$(jq '{benchmark_timeout: (.timeout // 60)} + .base' <<<"$step")" "$(jq .jobs <<<"$step")" "$(jq '.search' <<<"$step")" \
			    "$(jq 'if .sla == false then false else .sla_rules // [{metric: "request_scheduling_delay", quantile: 0.5, threshold: 2.0, op: "<="}] end' <<<"$step")" >c.yaml
			mapfile -t arguments < <(jq -r '.args // [] | .[]' <<<"$step")
			before=$(runs)
			search "${arguments[@]}" >table 2>messages && ok=true || ok=false
			[ "$ok" = "$(jq '.expect_ok != false' <<<"$step")" ] || { echo "$label: exit status"; cat messages; wrong=1; }
			jq -e --argjson want "$(jq .expect <<<"$step")" '[., $want] | transpose | all(. as [$got, $want]
			    | ($want | del(.trace, .error) | to_entries | all($got[.key] == .value))
			      and (($want.error == null) == ($got.error == null))
			      and (($want.error // "") as $part | ($got.error // "") | contains($part))
			      and ($want.trace == null or $want.trace == [$got.search_trace[] | [.qps, .passed, .timed_out]]))' \
			    out/capacity_search_results.json >/dev/null || { echo "$label: results"; cat messages out/capacity_search_results.json; wrong=1; }
			if [ "$(jq .runs <<<"$step")" != null ]; then
				same "$label: trials run" $(($(runs) - before)) "$(jq .runs <<<"$step")" || wrong=1
			fi
			if [ -f log.daemon ] && ! ended "$(cat log.daemon)"; then
				echo "$label: a process is left"
				wrong=1
			fi
		done < <(jq -c '. as $c | ($c | .step = "first"), (if .rerun_runs != null then $c + {step: "again", runs: .rerun_runs} else empty end),
		    (.then // [] | .[] | $c + . + {step: .name})' <<<"$case")
	done < <(jq -c '.[]' "$data/run_cases.json")
	[ -z "$wrong" ]
}

@test "a second run runs nothing and changes no file" {
	config '{"fake_capacity": 7.3}' '[{"name": "a", "start_qps": 2}, {"name": "b", "qps_list": [1, 9]}]' >c.yaml
	search >table 2>/dev/null
	state >before
	search >again 2>messages
	state >after
	diff before after
	diff table again
	same "messages" "$(cat messages)" ""
	make -C out
	state >after
	diff before after
	same "runs" "$(runs)" 10
}

@test "with the SLA changed rules are evaluated on the trials at hand and only new rates run" {
	config '{"fake_capacity": 7.3}' '[{"name": "a", "start_qps": 2}]' >c.yaml
	search >/dev/null 2>&1
	find out -name request_metrics.csv -printf '%p %T@\n' | sort >before
	config '{"fake_capacity": 7.3}' '[{"name": "a", "start_qps": 2}]' null '[{"metric": "request_e2e_time", "quantile": 0.99, "threshold": 100, "op": "<="},
	    {"metric": "request_scheduling_delay", "quantile": 1, "threshold": 0.5, "op": "<"}]' >c.yaml
	search >/dev/null 2>&1
	find out -name request_metrics.csv -printf '%p %T@\n' | sort >after
	diff before after
	same "runs" "$(runs)" 8
	same "answer" "$(results '.[0].max_qps_under_sla')" 7.25
	same "keys" "$(results '.[0].best_metric_values | keys')" '["request_e2e_time@q0.99","request_scheduling_delay@q1"]'
	same "cached" "$(results '.[0].search_trace | map(.cached) | unique')" '[true]'
}

@test "a removed trial directory, a cut-off result and a removed one bring back just that trial" {
	config '{"fake_capacity": 7.3}' '[{"name": "a", "start_qps": 2}, {"name": "b", "start_qps": 3}]' >c.yaml
	search >/dev/null 2>&1
	answers out >before
	: >log
	rm -r out/jobs/a_*/runs/6
	search >/dev/null 2>&1
	same "removed directory" "$(cat log)" 6
	same "cached" "$(results '.[0].search_trace | map(select(.cached | not) | .qps)')" '[6]'
	echo '{"summary": {"num_succ' >"$(echo out/jobs/a_*/runs/7)/benchmark_results.json"
	search >/dev/null 2>&1
	same "cut off" "$(tail -n +2 log)" 7
	rm out/jobs/b_*/runs/3/benchmark_results.json
	make -C out >/dev/null 2>&1
	same "removed result" "$(tail -n +3 log)" 3
	answers out >after
	diff before after
}

@test "failed and timed-out trials run again, and nothing else does" {
	config '{"fake_capacity": 100, "fake_exit2_above": 5}' '[{"name": "t", "start_qps": 1},
	    {"name": "e", "start_qps": 1, "benchmark_overrides": {"fake_crash_at": "4"}}]' >c.yaml
	run search
	same status "$status" 1
	before=$(runs)
	run search
	same status "$status" 1
	same "again" "$(tail -n +$((before + 1)) log | sort | tr '\n' ' ')" "4 8 "
	[[ "$(results '.[1].error')" == *"4 qps"*"status 3"*"the server did not start"* ]]
	same "error in csv" "$(grep -c 'status 3' out/capacity_search_results.csv)" 1
}

@test "with --keep-failed trials with failed requests are final, without it they run again" {
	config '{"fake_capacity": 100, "fake_failed": 1}' '[{"name": "f", "qps_list": [2, 4]}]' >c.yaml
	search --keep-failed >/dev/null 2>&1
	search --keep-failed >/dev/null 2>&1
	same "kept" "$(runs)" 2
	search >/dev/null 2>&1
	same "not kept" "$(runs)" 4
	same "answer" "$(results '.[0].max_qps_under_sla')" null
	[[ "$(search -n --keep-failed)" == *"nothing, the search is over"* ]]
	[[ "$(make -s -C out next KEEP_FAILED=1)" == *"nothing, the search is over"* ]]
	[[ "$(search -n)" == *"next is"* ]]
}

@test "a trial is a make target, which does nothing when it is complete" {
	config '{"fake_capacity": 7.3}' '[{"name": "a", "start_qps": 2}]' >c.yaml
	cs-expand --config-path c.yaml --output-dir out
	job=$(cd out && echo jobs/a_*)
	make -C out "$job/runs/4" 2>/dev/null
	make -C out "$job/runs/4/" 2>/dev/null
	same "runs" "$(cat log)" 4
	same "passed" "$(jq .passed "out/$job/runs/4/trial_result.json")" true
	search >/dev/null 2>&1
	same "runs" "$(runs)" 8
}

@test "make -n and capacity-search -n say what comes next and run no harness" {
	config '{"fake_capacity": 7.3}' '[{"name": "a", "start_qps": 2}, {"name": "b", "qps_list": [5, 1]}]' >c.yaml
	run search -n
	same status "$status" 0
	[[ "${lines[0]}" == a_*": next is 2 qps" && "${lines[1]}" == b_*": next is 5 qps" ]]
	make -C out -n >/dev/null
	make -C out -n "$(cd out && echo jobs/a_*)/runs/4" >/dev/null
	same "runs" "$(runs)" 0
	make -C out "$(cd out && echo jobs/a_*)/runs/2" 2>/dev/null
	run search -n
	[[ "${lines[0]}" == a_*": next is 4 qps" ]]
	run make -C out -t
	[ "$status" != 0 ]
	search >/dev/null 2>&1
	run search -n
	[[ "$output" == *"a_"*"nothing, the search is over"* ]]
	same "runs" "$(runs)" 10
}

@test "the clock may go back: what was finished stays finished, what changed is seen" {
	config '{"fake_capacity": 7.3}' '[{"name": "a", "start_qps": 2}]' >c.yaml
	search >/dev/null 2>&1
	# All files from a time to come, as after a clock that was set back.
	find out -exec touch -h -d '2031-01-01' {} +
	state >before
	search >/dev/null 2>&1
	state >after
	diff before after
	rm -r out/jobs/a_*/runs/6
	search >/dev/null 2>&1
	same "removed" "$(runs)" 9
	state >before
	search >/dev/null 2>&1
	state >after
	diff before after
	config '{"fake_capacity": 7.3}' '[{"name": "a", "start_qps": 2}]' '{"max_qps_cap": 5}' >c.yaml
	search >/dev/null 2>&1
	same "a new setting" "$(results '.[0].max_qps_under_sla')" 5
	same "a new setting" "$(runs)" 10
}

@test "with the clock far ahead of one job, the results still have what another job finds, at -j too" {
	config '{"fake_capacity": 7.3}' '[{"name": "a", "start_qps": 2}, {"name": "b", "start_qps": 2}]' >c.yaml
	search >/dev/null 2>&1
	touch -d '2031-01-01' out/jobs/a_*/runs/2/benchmark_results.json
	rm -r out/jobs/b_*/runs/2
	search -j 2 >/dev/null 2>&1
	same "not cached" "$(results '[.[].search_trace[] | select(.cached | not) | .qps]')" '[2]'
	state >before
	search -j 2 >/dev/null 2>&1
	state >after
	diff before after
}

@test "paths with spaces, quotes, dollars, hashes, per cents, colons and more work" {
	odd="a b'c\"d\$e#f%g:h;i&j(k)\\é"
	mkdir -p "$odd/conf" "$odd/bin"
	cp -R "$built/bin" "$built/share" "$odd/"
	cp "$data/fake-harness" "$odd/conf/harness \$(touch hacked)"
	config '{"fake_capacity": 3}' '[{"name": "$(touch hacked) `touch hacked` %.o: #x", "start_qps": 2}]' |
	    jq --arg log "$T/$odd/log" '.harness.command[0] = "./harness $(touch hacked)" | .benchmark_base.fake_log = $log' >"$odd/conf/c.yaml"
	"$odd/bin/capacity-search" --config-path "$odd/conf/c.yaml" --output-dir "$odd/out $odd" >table 2>messages
	cp "$odd/out $odd/capacity_search_results.json" .
	same "answer" "$(jq '.[0].max_qps_under_sla' capacity_search_results.json)" 3
	make -C "$odd/out $odd" >/dev/null
	rm -r "$odd/out $odd"/jobs/*/runs/2
	make -C "$odd/out $odd" 2>/dev/null
	same "runs" "$(wc -l <"$odd/log")" "$(($(jq '.[0].num_trials' capacity_search_results.json) + 1))"
	same "nothing was executed" "$(find . -name 'hacked*')" ""
}

@test "trials that run one after the other take no make of their own" {
	config '{"fake_capacity": 7.3}' '[{"name": "a", "start_qps": 2}]' >c.yaml
	cs-expand --config-path c.yaml --output-dir out
	make -C out MAKE=false 2>/dev/null
	same "answer" "$(jq '.[0].max_qps_under_sla' out/capacity_search_results.json)" 7.25
}

@test "a job with an error stops neither the others nor make" {
	config '{"fake_capacity": 3}' '[{"name": "bad", "start_qps": 1, "benchmark_overrides": {"fake_crash_at": "1"}}, {"name": "good", "start_qps": 1}]' >c.yaml
	cs-expand --config-path c.yaml --output-dir out
	run make -C out -j2
	[ "$status" != 0 ]
	same "answers" "$(results 'map(.max_qps_under_sla)')" '[null,3]'
	run make -C out
	[ "$status" != 0 ]
}

# The processes of a search started with MARK=$T in its environment.
marked() {
	grep -lsz "^MARK=$T\$" /proc/[0-9]*/environ | cut -d/ -f3
}

none_marked() {
	[ -z "$(marked)" ]
}

# Starts the search of $T/c.yaml with "$@" before it and waits until its third trial is running.
start_and_wait() {
	touch log.pause
	MARK=$T "$@" capacity-search --config-path c.yaml --output-dir out >/dev/null 2>messages &
	eventually 60 grep -qsx 8 log
}

# After an end in the middle: nothing is left, the next run does only what is missing, and the answers
# are those of an undisturbed search.
goes_on() {
	eventually 60 none_marked || { echo "left: $(marked | xargs -r ps -o pid,args -p)"; return 1; }
	ended "$(cat log.daemon)"
	rm log.pause
	search >/dev/null 2>>messages
	same "trials run" "$(tr '\n' ' ' <log)" "2 4 8 8 6 7 7.5 7.25 7.375 "
	answers out >here
	rm log
	capacity-search --config-path c.yaml --output-dir undisturbed >/dev/null 2>&1
	answers undisturbed >there
	diff here there
}

@test "ended by TERM or HUP in the middle, a search leaves no process and goes on in the next run" {
	config '{"fake_capacity": 7.3, "fake_pause_at": 8, "fake_daemon": "1"}' '[{"name": "a", "start_qps": 2}]' >c.yaml
	for signal in TERM HUP; do
		rm -rf out undisturbed log
		start_and_wait
		kill -"$signal" $!
		wait $! && status=0 || status=$?
		same "status" "$status" $((128 + $(kill -l "$signal")))
		none_marked
		goes_on
	done
}

@test "ended by plain make's TERM in the middle, too" {
	config '{"fake_capacity": 7.3, "fake_pause_at": 8, "fake_daemon": "1"}' '[{"name": "a", "start_qps": 2}]' >c.yaml
	cs-expand --config-path c.yaml --output-dir out
	touch log.pause
	MARK=$T make -C out >/dev/null 2>&1 &
	eventually 60 grep -qsx 8 log
	kill -TERM $!
	wait $! || :
	none_marked
	goes_on
}

@test "interrupted from the terminal, a search leaves no process and goes on in the next run" {
	config '{"fake_capacity": 7.3, "fake_pause_at": 8, "fake_daemon": "1"}' '[{"name": "a", "start_qps": 2}]' >c.yaml
	touch log.pause
	mkfifo keys
	MARK=$T env --default-signal=INT script -qec 'exec capacity-search --config-path c.yaml --output-dir out' /dev/null <keys >typescript 2>&1 &
	exec 8>keys
	eventually 60 grep -qsx 8 log
	printf '\003' >&8
	wait $! && status=0 || status=$?
	same "status" "$status" 130
	exec 8>&-
	goes_on
}

@test "killed with -9, the front end alone or all of it at once, a search goes on in the next run" {
	config '{"fake_capacity": 7.3, "fake_pause_at": 8, "fake_daemon": "1"}' '[{"name": "a", "start_qps": 2}]' >c.yaml
	start_and_wait
	kill -9 $!
	goes_on
	rm -rf out undisturbed log
	start_and_wait
	# shellcheck disable=SC2046
	kill -9 $(marked) || :
	goes_on
}

@test "a second search on the same output directory is told who holds it" {
	config '{"fake_capacity": 3, "fake_pause_at": 1}' '[{"name": "a", "qps_list": [1]}]' >c.yaml
	touch log.pause
	capacity-search --config-path c.yaml --output-dir out >/dev/null 2>&1 &
	first=$!
	eventually 20 [ -s log ]
	run search
	same status "$status" 75
	[[ "$output" == *"another search holds"*"$first"* ]]
	rm log.pause
	wait "$first"
	search >/dev/null
}

@test "a config with faults leaves no output directory and changes none" {
	config '{"fake_capacity": 3}' '[{"name": "a", "qps_list": [1]}]' >c.yaml
	search >/dev/null 2>&1
	state >before
	echo 'jobs: [{nam: x}]' >c.yaml
	run search
	same status "$status" 78
	state >after
	diff before after
	run capacity-search --config-path c.yaml --output-dir other
	same status "$status" 78
	[ ! -e other ]
	run capacity-search --config-path missing.yaml --output-dir other
	same status "$status" 66
	[ ! -e other ]
}

@test "an output directory that cannot be written is an error" {
	config '{"fake_capacity": 3}' '[{"name": "a", "qps_list": [1]}]' >c.yaml
	touch file
	run capacity-search --config-path c.yaml --output-dir file/out
	same status "$status" 73
	run capacity-search --config-path c.yaml --output-dir /proc/here
	same status "$status" 73
}

@test "wrong options exit 64" {
	for options in "" "--config-path" "--config-path x --nonsense" "--config-path x -j 0" "--config-path x -j" "--config-path x extra"; do
		run capacity-search $options
		same "status of '$options'" "$status" 64
	done
	run capacity-search --help
	same "help" "$status" 0
	run capacity-search --version
	[[ "$output" == "capacity-search "* ]]
}

# The process of a program in this test's output directory.
in_out() {
	for pid in $(pgrep -x "$1"); do
		[ "$(readlink "/proc/$pid/cwd")" != "$T/out" ] || echo "$pid"
	done
}

@test "cs-trial alone goes the way of a search, over the trials at hand and on" {
	config '{"fake_capacity": 7.3}' '[{"name": "a", "start_qps": 2}]' >c.yaml
	search >/dev/null 2>&1
	mv log whole
	rm -r out/jobs/a_*/runs/7.25 out/jobs/a_*/runs/8
	cs-trial --job out/jobs/a_* --search >paths 2>messages
	same "run" "$(sort log)" "$(printf '7.25\n8')"
	same "rates" "$(sed 's|.*/runs/||; s|/.*||' paths)" "$(cat whole)"
	same "messages" "$(wc -l <messages)" "$(wc -l <whole)"
	same "cached" "$(xargs cat <paths | jq -c 'select(.cached | not) | .qps' | sort)" "$(printf '7.25\n8')"
	search >/dev/null 2>&1
	same "again" "$(wc -l <log)" 2
}

@test "where the loop of a job is killed with -9, its trial ends and no other begins" {
	config '{"fake_capacity": 7.3, "fake_pause_at": 4}' '[{"name": "a", "start_qps": 2}]' >c.yaml
	touch log.pause
	search >/dev/null 2>&1 &
	eventually 20 grep -qsx 4 log
	trial=$(in_out cs-trial)
	kill -KILL "$(ps -o ppid= -p "$trial")"
	eventually 20 ended "$trial"
	wait "$!" || status=$?
	same "status" "$status" 1
	rm log.pause
	same "trials" "$(cat log)" "$(printf '2\n4')"
	search >/dev/null 2>&1
	same "answer" "$(results '.[0].max_qps_under_sla')" 7.25
}

@test "where make is killed with -9, the trials end and no others begin" {
	config '{"fake_capacity": 7.3, "fake_pause_at": 4}' '[{"name": "a", "start_qps": 2}, {"name": "b", "start_qps": 4}]' >c.yaml
	touch log.pause
	search -j 2 >/dev/null 2>&1 &
	both() { [ "$(grep -sxc 4 log)" = 2 ]; }
	eventually 20 both
	trials=$(in_out cs-trial)
	kill -KILL "$(in_out make)"
	for trial in $trials; do eventually 20 ended "$trial"; done
	wait "$!" || status=$?
	same "status" "$status" 1
	same "trials" "$(sort log | tr '\n' ' ')" "2 4 4 "
	rm log.pause
	search >/dev/null 2>&1
	same "answers" "$(results '[.[].max_qps_under_sla]')" '[7.25,7.25]'
}

@test "where a cs-trial is killed with -9, that job alone has an error, with the rate, and the next run goes on" {
	config '{"fake_capacity": 7.3, "fake_pause_at": 4}' '[{"name": "a", "start_qps": 2}, {"name": "b", "qps_list": [1, 9]}]' >c.yaml
	touch log.pause
	search >/dev/null 2>&1 &
	eventually 20 grep -qsx 4 log
	kill -KILL "$(in_out cs-trial)"
	wait "$!" || status=$?
	same "status" "$status" 1
	same "errors" "$(results '[.[].error]')" '["the trial at 4 qps could not be run: cs-trial was ended by signal 9",null]'
	rm log.pause
	search >/dev/null 2>&1
	same "answer" "$(results '.[0].max_qps_under_sla')" 7.25
	same "no trial ran twice but the one that was killed" "$(sort log | uniq -d)" 4
}
