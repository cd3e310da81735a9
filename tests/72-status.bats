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
	[[ "${lines[2]}" =~ ^1\ of\ 3\ jobs\ finished,\ 1\ trial\ running,\ about\ [0-9]+\ s\ left ]]
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

# Starts a search of three jobs that need the same GPU, with WORDS before it, in the background.
search_one_gpu() {
	config
	jq '.jobs |= map(.qps_list = [6] | del(.start_qps)) | .benchmark_base.gpus = "0"' c.yaml >d.yaml
	touch log.pause
	env MARK="$T" "$@" capacity-search --config-path d.yaml --output-dir out -j 3 >/dev/null 2>messages &
}

shows() {
	cs-report status out | tail -n 1 | grep -q "$1"
}

@test "what waits is told from what runs, and of what was killed with -9 nothing is shown" {
	search_one_gpu setsid
	eventually 60 shows '^0 of 3 jobs finished, 1 trial running, 2 waiting$'
	same "waiting" "$(cs-report status out | grep -c ' 6 *waiting for gpu-0$')" 2
	local left
	# Stopped first, so that none that waits comes to run when the one that runs is gone.
	# shellcheck disable=SC2046
	kill -STOP $(grep -lsz "^MARK=$T\$" /proc/[0-9]*/environ | cut -d/ -f3) 2>/dev/null || :
	while left=$(grep -lsz "^MARK=$T\$" /proc/[0-9]*/environ | cut -d/ -f3) && [ -n "$left" ]; do
		# shellcheck disable=SC2086
		kill -KILL $left 2>/dev/null || :
	done
	wait $! || :
	same "locks with text" "$(find out -name .lock -size +0 | wc -l)" 1
	same "waiting" "$(find out -name .waiting | wc -l)" 2
	same "status" "$(cs-report status out)" "0 of 3 jobs finished, 0 trials running"
	rm log.pause
	capacity-search --config-path d.yaml --output-dir out -j 3 >/dev/null 2>&1
}

@test "on a terminal that is too low for all trials, the first ones are shown and the rest is counted" {
	search_one_gpu
	eventually 60 shows '1 trial running, 2 waiting'
	script -qec 'stty rows 5 cols 60; cs-report status out' /dev/null </dev/null | tr -d '\r' >seen
	script -qec 'stty rows 6 cols 60; cs-report status out' /dev/null </dev/null | tr -d '\r' >all
	rm log.pause
	wait $!
	same "shown" "$(grep -c '^first\|^second\|^third' seen)" 1
	same "the rest" "$(tail -n 2 seen | head -n 1)" "and 2 more"
	same "lines" "$(wc -l <seen) $(wc -l <all)" "4 5"
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
