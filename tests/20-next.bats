#!/usr/bin/env bats
# Goal: cs-next asks for exactly the rates that the search is defined to try, whatever the order of the
# results it is given, and refuses what is no result.

load helper

# The options of one case of search_cases.json, one word a line.
case_options() {
	jq -r 'to_entries[] | select(.value != null)
	    | if .key == "qps_list" then "--qps-list", (.value | map(tostring) | join(","))
	      elif .key | IN("start_qps", "max_iterations", "min_search_granularity_pct", "max_qps_cap")
	      then "--" + (.key | gsub("_"; "-")), (.value | tostring) else empty end' <<<"$1"
}

# The results of a case, one line for each different rate, in the order of the search.
case_results() {
	jq -c '. as $c | reduce .expect_trace[] as [$q, $v] ([]; if any(.[]; .qps == $q) then . else . + [{
	    qps: $q, timed_out: ($v == "timeout"), passed: (if $v == null then null else $v == "pass" end),
	    metric_values: {}}] end) | .[]' <<<"$1"
}

@test "every case of the search asks for the rates of its trace, one after the other" {
	local count=0
	while read -r case; do
		mapfile -t options < <(case_options "$case")
		case_results "$case" >results
		: >so_far
		while read -r result; do
			run cs-next "${options[@]}" so_far
			same "status: $case" "$status" 0
			same "rate: $case" "$(jq -n "$output")" "$(jq .qps <<<"$result")"
			echo "$result" >>so_far
		done <results
		run cs-next "${options[@]}" so_far
		same "end: $case" "$status $output" "1 "
		tac results >reversed
		run cs-next "${options[@]}" reversed results
		same "other order and repeats: $case" "$status $output" "1 "
		count=$((count + 1))
	done < <(jq -c '.[]' "$data/search_cases.json")
	[ "$count" -ge 31 ]
}

@test "results come from standard input or from files, and blank lines do not matter" {
	printf '\n{"qps": 2, "passed": true}\n\n{"qps":4.0,"passed":false}' >results
	same "stdin" "$(cs-next --start-qps 2 <results)" 3
	same "file" "$(cs-next --start-qps 2 results </dev/null)" 3
	same "two files" "$(echo '{"qps": 3, "passed": true}' | cs-next --start-qps 2 results /dev/stdin)" 3.5
	same "nothing yet" "$(cs-next --start-qps 2.00004 </dev/null)" 2
}

@test "of several results at one rate the one with the most requests counts, of equals a fail" {
	local pass='{"qps": 2, "passed": true, "num_requests": 100}' fail='{"qps": 2, "passed": false, "num_requests": 100}'
	local more='{"qps": 2, "passed": true, "num_requests": 200}'
	for order in "$pass
$fail" "$fail
$pass"; do
		same "equals" "$(cs-next --start-qps 2 <<<"$order")" 1
		same "more" "$(cs-next --start-qps 2 <<<"$order
$more")" 4
		same "more" "$(cs-next --start-qps 2 <<<"$more
$order")" 4
	done
}

@test "a result that the harness limited ends the search as a time-out does" {
	run cs-next --start-qps 2 <<<'{"qps": 2, "passed": true}
{"qps": 4, "passed": false, "limited_by": "harness"}'
	same "status and output" "$status $output" "1 "
}

@test "a cap is rounded down to four decimals" {
	same "cap" "$(cs-next --start-qps 5 --max-qps-cap 3.00009 </dev/null)" 3
}

@test "what is no result is bad data, each fault with its line" {
	run cs-next --start-qps 2 <<<'{"qps": 2, "passed": true}
{"qps": 4, "passed": tru
{"passed": true}
{"qps": -1, "passed": true}
{"qps": 4, "passed": "yes"}
[4]'
	same status "$status" 65
	for line in 2 3 4 5 6; do
		[[ "$output" == *"standard input:$line: "* ]]
	done
	[[ "$output" != *"standard input:1: "* ]]
}

@test "a result without a verdict is bad data for an adaptive search and fine in a list" {
	run cs-next --start-qps 2 <<<'{"qps": 2, "passed": null}'
	same status "$status" 65
	[[ "$output" == *"2 qps"*null* ]]
	same "list" "$(cs-next --qps-list 2,3 <<<'{"qps": 2, "passed": null}')" 3
}

@test "the result of a trial that failed says nothing of the service" {
	for search in --start-qps=2 --qps-list=2,3; do
		run cs-next $search <<<'{"qps": 2, "passed": null, "error": "harness exited with status 3"}'
		same "status $search" "$status" 65
		[[ "$output" == *"2 qps"*failed* ]]
	done
}

@test "a file that is missing is named, and exits 66" {
	run cs-next --start-qps 2 no/such.json
	same status "$status" 66
	[[ "$output" == "cs-next: no/such.json: cannot open"* ]]
}

@test "wrong options exit 64 and say what was expected" {
	for options in "" "--start-qps" "--start-qps 0" "--start-qps nan" "--start-qps 0x10" "--start-qps 1e10" "--start-qps 2 --qps-list 1" \
	    "--qps-list ,1" "--qps-list 1,,2" "--start-qps 2 --max-iterations 0" "--start-qps 2 --max-iterations 1.5" \
	    "--start-qps 2 --min-search-granularity-pct 0" "--start-qps 2 --max-qps-cap -1" "--start-qps 0.00001" "--nonsense"; do
		run cs-next $options </dev/null
		same "status of '$options'" "$status" 64
		[[ "$output" == *expected* || "$output" == *requires* || "$output" == *unrecognized* ]]
	done
}

@test "a full disk is noticed" {
	run bash -c 'cs-next --start-qps 2 </dev/null >/dev/full'
	same status "$status" 74
	[[ "$output" == *"cannot write"* ]]
}
