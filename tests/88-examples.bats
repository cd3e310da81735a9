#!/usr/bin/env bats
# Goal: the examples run as they are: a service of one's own searched in a few lines of shell.

load helper

@test "a whole search in a few lines of shell finds a rate, and the same command again goes on" {
	run "$top/examples/search.sh" "$top/examples/bench.sh"
	same "status: $output" "$status" 0
	# One request takes at least 20 ms: more than 50 a second cannot pass for long, and the first rate that fails ends the doubling.
	best=${lines[-1]}
	jq -e --argjson best "$best" -s 'map(select(.passed).qps) | max == $best' results
	jq -e -s 'any(.[]; .passed | not)' results
	cp results first
	run "$top/examples/search.sh" "$top/examples/bench.sh"
	same "again" "${lines[-1]}" "$best"
	diff first results
	same "a row for each request" "$(wc -l <runs/10/request_metrics.csv)" 41
}

@test "every config in examples is one" {
	for config in "$top"/examples/*.yaml; do
		cs-expand --config-path "$config" >/dev/null
	done
}
