#!/usr/bin/env bats
# Goal: a search that is killed with -9, all of it at once, at many random moments and gone on with each time
# ends with the results of one that was left alone, and runs nothing twice that had completed; so do two makes at once.

load helper

# The processes of a search started with MARK=$T in its environment.
marked() {
	grep -lsz "^MARK=$T\$" /proc/[0-9]*/environ | cut -d/ -f3
}

# Results and summaries without the one member that tells which run did a trial.
answers() {
	cat "$1"/capacity_search_results.json "$1"/jobs/*/job_summary.json | sed 's/"cached": *[a-z]*//'
}

# For each of the files named on stdin its name and what tells it from one written later, also in its inode.
fingerprints() {
	xargs -r -d '\n' stat -c '%n|%i %z'
}

# The search in out/ has finished: it is as the undisturbed one, and a trial that was complete at a kill
# still has the very file that it had then.
check() {
	answers out >here
	diff here there
	sort -u complete >seen
	cut -d'|' -f1 seen | fingerprints | sort -u >now
	diff seen now
	same "temporary files" "$(find out -name '*.tmp')" ""
}

@test "killed at 50 random moments, searches end with the results of an undisturbed one" {
	local kills=0 kept=0
	jq -n --arg harness "$data/fake-harness" '{harness: {command: [$harness]},
	    benchmark_base: {fake_capacity: 37.3}, search: {min_search_granularity_pct: 0.1, max_iterations: 30},
	    jobs: [range(6) | {name: "job \(.)", start_qps: (1 + .)}],
	    sla: [{metric: "request_scheduling_delay", quantile: 0.5, threshold: 2.0, op: "<="}]}' >c.yaml
	capacity-search --config-path c.yaml --output-dir undisturbed >/dev/null 2>&1
	answers undisturbed >there
	: >complete
	RANDOM=1
	while [ "$kills" -lt 50 ]; do
		MARK=$T setsid capacity-search --config-path c.yaml --output-dir out -j 2 >/dev/null 2>>messages &
		search=$!
		# Some moment between the start and a few trials later; one that has finished by then is checked.
		sleep "0.$((RANDOM % 60 + 10))"
		# shellcheck disable=SC2046
		while [ -n "$(marked)" ]; do kill -9 $(marked) 2>/dev/null || :; done
		if wait "$search"; then
			check
			rm -r out
			: >complete
			continue
		fi
		kills=$((kills + 1))
		grep -ls '"complete": true' out/jobs/*/runs/*/trial_result.json |
			sed 's|trial_result.json$|request_metrics.csv|' | fingerprints >>complete
		kept=$((kept + $(wc -l <complete)))
	done
	capacity-search --config-path c.yaml --output-dir out -j 2 >/dev/null 2>>messages
	check
	[ "$kept" -gt 0 ]
}

# Whether the process $1 waits for a lock.
waits_for_lock() {
	grep -q "^[0-9]*: -> FLOCK .* $1 " /proc/locks
}

# The flock of a job.sh that waits in the directory $1.
waiting_flock() {
	local one
	for one in $(grep -lsxz flock /proc/[0-9]*/cmdline | cut -d/ -f3); do
		if [ "$(readlink "/proc/$one/cwd")" = "$1" ] && waits_for_lock "$one"; then return; fi
	done
	return 1
}

@test "two makes at once in one output directory do no harm: both succeed, and each trial runs once" {
	jq -n --arg harness "$data/fake-harness" --arg log "$T/log" '{harness: {command: [$harness]},
	    benchmark_base: {fake_capacity: 5.3, fake_log: $log, fake_pause_at: 2, fake_exit2_above: 9},
	    jobs: [{name: "a", start_qps: 1}, {name: "b", start_qps: 1.5}],
	    sla: [{metric: "request_scheduling_delay", quantile: 0.5, threshold: 2.0, op: "<="}]}' >c.yaml
	capacity-search --config-path c.yaml --output-dir undisturbed >/dev/null 2>&1
	answers undisturbed >there
	sort log >once
	rm log
	cs-expand --config-path c.yaml --output-dir out
	touch log.pause
	make -s -C out -j 2 SPECULATE=2 >first 2>&1 &
	local first=$! second
	eventually 60 grep -qsx 2 log
	make -s -C out >second 2>&1 &
	second=$!
	eventually 60 waiting_flock "$T/out"
	rm log.pause
	wait "$first" || { cat first; return 1; }
	wait "$second" || { cat second; return 1; }
	answers out | sed 's/"num_speculative": *[0-9]*//' >here
	sed -i 's/"num_speculative": *[0-9]*//' there
	diff here there
	sort log | comm -13 - once | diff - /dev/null # all that the undisturbed one ran
	same "run twice" "$(find out -name benchmark.log.1)" ""
}

@test "results wait for the job that another make searches again, and say so when that leaves no summary" {
	jq -n --arg harness "$data/fake-harness" '{harness: {command: [$harness]}, benchmark_base: {}, jobs: [{name: "a", qps_list: [1]}]}' >c.yaml
	capacity-search --config-path c.yaml --output-dir out >/dev/null 2>&1
	local job pid
	job=$(echo out/jobs/a_*)
	mv "$job/job_summary.json" aside
	exec 8>>"$job/.lock"
	flock 8
	cs-report results out 8>&- &
	pid=$!
	eventually 30 waits_for_lock "$pid"
	mv aside "$job/job_summary.json"
	exec 8>&-
	wait "$pid"
	rm "$job/job_summary.json"
	run cs-report results out
	same "status without a summary" "$status" 1
}
