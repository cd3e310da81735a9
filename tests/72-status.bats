#!/usr/bin/env bats
# Goal: how far a search is can be seen, on the terminal it runs on and from elsewhere, from its files alone.

load helper

config() {
	jq -n --arg harness "$data/fake-harness" --arg log "$T/log" '{harness: {command: [$harness]},
	    benchmark_base: {benchmark_timeout: 60, fake_log: $log, fake_capacity: 7.3, fake_pause_at: 6},
	    jobs: [{name: "first", qps_list: [1]}, {name: "second", start_qps: 2}, {name: "third", start_qps: 2}],
	    sla: [{metric: "request_scheduling_delay", quantile: 0.5, threshold: 2.0, op: "<="}]}' >c.yaml
}

@test "cs-report status shows the running trial, its bracket and how many jobs are finished" {
	config
	cs-expand --config-path c.yaml --output-dir out
	same "before" "$(cs-report status out)" "0 of 3 jobs finished, 0 trials running"
	touch log.pause
	capacity-search --config-path c.yaml --output-dir out >table 2>messages &
	search=$!
	eventually 60 grep -qsx 6 log
	run cs-report status out
	same status "$status" 0
	[[ "${lines[1]}" =~ ^second\ +6\ +[0-9]+\ of\ 60\ s\ +between\ 4\ and\ 8 ]]
	[[ "${lines[2]}" =~ ^1\ of\ 3\ jobs\ finished,\ 1\ trials\ running ]]
	cs-report status --watch out >watched &
	watch=$!
	eventually 10 grep -q "second" watched
	rm log.pause
	wait "$search"
	wait "$watch"
	same "after" "$(tail -n 1 watched)" "3 of 3 jobs finished, 0 trials running"
}

@test "on a terminal the running trials stand below the finished ones, and go at the end" {
	config
	touch log.pause
	script -qec "capacity-search --config-path c.yaml --output-dir out" /dev/null </dev/null >typescript &
	eventually 60 grep -aq 'second .* 6 .*between 4 and 8' typescript
	rm log.pause
	wait $!
	# What a reader sees in the end: the block was taken away before each line above it.
	tr -d '\r' <typescript | awk 'BEGIN { ORS = "" } { n = split($0 "\n", part, "\033\\[[0-9]+A\033\\[J"); print part[n] }' >seen
	grep -q 'second: 6 qps passed' seen
	[ "$(grep -c 'jobs finished' seen)" -ge 1 ]
	tail -n 1 typescript | grep -q 'third *7.25'
}

@test "messages are passed on whole, the last one too" {
	mkdir -p out/jobs/a_0123456789
	printf 'JOBS = \\\n  a_0123456789 \\\n\n' >out/Makefile
	printf 'one\ntwo' | cs-report status --watch --messages out >seen
	same "lines" "$(grep -v finished seen | tr '\n' ' ')" "one two "
}

@test "what is no output directory is an error, and so are options in the wrong place" {
	run cs-report status nowhere
	same status "$status" 66
	run cs-report table --watch out
	same status "$status" 64
	run cs-report status --messages out
	same status "$status" 64
}
