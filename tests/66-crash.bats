#!/usr/bin/env bats
# Goal: a search that is killed with -9, all of it at once, at many random moments and gone on with each time
# ends with the results of one that was left alone, and runs nothing twice that had completed.

load helper

# The processes of a search started with MARK=$T in its environment.
marked() {
	grep -lsz "^MARK=$T\$" /proc/[0-9]*/environ | cut -d/ -f3
}

# Results and summaries without the one member that tells which run did a trial.
answers() {
	cat "$1"/capacity_search_results.json "$1"/jobs/*/job_summary.json | sed 's/"cached": *[a-z]*//'
}

# The search in out/ has finished: it is as the undisturbed one, and a trial that was complete at a kill
# still has the very file that it had then.
check() {
	answers out >here
	diff here there
	sort -u complete >seen
	cut -d' ' -f2- seen | xargs -r -d '\n' ls -i | sort -u >now
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
			sed 's|trial_result.json$|request_metrics.csv|' | xargs -r -d '\n' ls -i >>complete
		kept=$((kept + $(wc -l <complete)))
	done
	capacity-search --config-path c.yaml --output-dir out -j 2 >/dev/null 2>>messages
	check
	[ "$kept" -gt 0 ]
}
