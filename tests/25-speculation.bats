#!/usr/bin/env bats
# Goal: several trials of a search at once change neither its answer nor its trace, whatever the extra ones come to, and
# save the rounds that they should; and an extra trial that the search did not come to leaves nothing behind to redo.

load helper

# Compiles tests/speculation.c with the nouns that it needs.
compile() {
	(cd "$top" && "${CC:-cc}" -std=c11 -D_GNU_SOURCE -O2 -ffp-contract=off -Iinclude -o "$T/speculation" tests/speculation.c \
	    tools/lib/{speculation,search,random,rate,memory,number,json,error,file}.c -ljson-c -lm)
}

@test "thousands of random searches have the same trace however many trials run at once" {
	compile
	run ./speculation same 20000
	same "$output" "$status" 0
}

@test "two at once need 1.5 times fewer rounds, four 2.2, eight 3.0" {
	compile
	./speculation rounds 2000 >rounds
	same "$(cat rounds)" "$(awk '$1 == 2 && $6 >= 1.5 || $1 == 4 && $6 >= 2.2 || $1 == 8 && $6 >= 3' rounds | wc -l)" 3
}

# Appends to the file $1 the results at the rates on stdin, of a service that stands $capacity, times out above $hangs, and
# fails to start at $crash.
try() {
	awk -v capacity="$capacity" -v hangs="$hangs" -v crash="$crash" '{
		timed_out = $1 > hangs
		printf "{\"qps\": %s, \"passed\": %s, \"timed_out\": %s, \"error\": %s}\n", $1,
		    $1 == crash ? "null" : $1 <= capacity && !timed_out ? "true" : "false",
		    timed_out ? "true" : "false", $1 == crash ? "\"no server\"" : "null" }' >>"$1"
}

@test "cs-next -n comes to the end of the sequential search, by the same results" {
	RANDOM=25
	for i in {1..20}; do
		capacity=$((RANDOM % 200)).$((RANDOM % 10)) hangs=$((RANDOM % 400)) crash=0
		case $((RANDOM % 4)) in
		0) search=(--qps-list "$((RANDOM % 9 + 1)),$((RANDOM % 90 + 1)),7,$((RANDOM % 300 + 1)),7,2") ;;
		1) search=(--start-qps $((RANDOM % 50 + 1)) --max-iterations $((RANDOM % 9 + 1))) ;;
		2) search=(--start-qps $((RANDOM % 50 + 1)) --max-qps-cap $((RANDOM % 100 + 1)).5) ;;
		3) search=(--start-qps $((RANDOM % 50 + 1)) --min-search-granularity-pct 9) ;;
		esac
		: >one
		: >several
		while cs-next "${search[@]}" one >rates; do try one <rates; done
		while cs-next "${search[@]}" -n $((RANDOM % 6 + 2)) several >rates; do try several <rates; done
		sort -u one >expected
		sort -u several | comm -12 - expected | diff expected - || { echo "${search[@]}: other results"; return 1; }
	done
}

rates() {
	cs-next "$@" | paste -s -d ' '
}

@test "cs-next -n prints the next rate first, then the likeliest: doublings, both halves, the rest of a list" {
	same "one" "$(rates --start-qps 2 -n 1 </dev/null)" 2
	same "doubling" "$(rates --start-qps 2 -n 4 </dev/null)" "2 4 8 16"
	same "up to the cap" "$(rates --start-qps 2 --max-qps-cap 5 -n 3 </dev/null)" "2 4 5"
	printf '%s\n' '{"qps": 2, "passed": true}' '{"qps": 4, "passed": false}' >results
	same "both halves" "$(rates --start-qps 2 -n 3 results)" "3 2.5 3.5"
	same "the last trial" "$(rates --start-qps 2 --max-iterations 3 -n 3 results)" 3
	same "list" "$(rates --qps-list 2,4,9,3,9,5 -n 3 results)" "9 3 5"
}

@test "verdicts of extra trials are used, and nothing above one that timed out is tried with others" {
	echo '{"qps": 8, "passed": false}' >results
	same "a failing one" "$(rates --start-qps 2 -n 4 results | tr ' ' '\n' | awk '$1 >= 8' | wc -l)" 0
	echo '{"qps": 8, "timed_out": true}' >results
	same "one that timed out" "$(rates --start-qps 2 -n 8 results | tr ' ' '\n' | awk '$1 >= 8' | wc -l)" 0
	same "in a list" "$(rates --qps-list 2,9,3,8,1 -n 5 results)" 2
	printf '%s\n' '{"qps": 2, "passed": true}' '{"qps": 3, "passed": true}' '{"qps": 4, "passed": false}' >results
	same "known" "$(rates --start-qps 2 -n 1 results)" 3.5
}

@test "an extra trial that failed is no matter until the search comes to it" {
	echo '{"qps": 8, "passed": null, "error": "no server"}' >results
	same "not yet" "$(rates --start-qps 2 -n 1 results)" 2
	printf '%s\n' '{"qps": 2, "passed": true}' '{"qps": 4, "passed": true}' >>results
	run cs-next --start-qps 2 -n 2 results
	same "status" "$status" 65
	[[ "$output" == *"8 qps"*failed* ]]
}

@test "cs-next -n takes a number from 1 to 1000, and notices a full disk" {
	for k in 0 -1 x 1001 1.5 ''; do
		run cs-next --start-qps 2 -n "$k" </dev/null
		same "status of -n '$k'" "$status" 64
	done
	run bash -c 'cs-next --start-qps 2 -n 4 </dev/null >/dev/full'
	same status "$status" 74
	run capacity-search --config-path c.yaml --speculate 0
	same "--speculate 0" "$status" 64
}

# A config for the fake harness with one job: config BASE JOB, each JSON.
config() {
	jq -n --argjson base "$1" --argjson job "$2" --arg harness "$data/fake-harness" --arg log "$T/log" '
	    {harness: {command: [$harness]}, benchmark_base: ({benchmark_timeout: 60, fake_log: $log} + $base), jobs: [{name: "a"} + $job],
	     sla: [{metric: "request_scheduling_delay", quantile: 0.5, threshold: 2.0, op: "<="}]}' >c.yaml
}

answers() {
	cat "$1"/capacity_search_results.json "$1"/jobs/*/job_summary.json | sed 's/"cached": *[a-z]*//; s/"num_speculative": *[0-9]*//'
}

member() {
	jq -c ".[0] | $1" several/capacity_search_results.json
}

@test "whole searches have the same results one by one and three at once, with trials that fail, crash and time out" {
	while read -r base job; do
		rm -rf one several
		config "$base" "$job"
		capacity-search --config-path c.yaml --output-dir one >table 2>/dev/null || :
		capacity-search --config-path c.yaml --output-dir several -j 4 --speculate 3 >other 2>messages || :
		answers one >here
		answers several >there
		diff here there || { echo "$base $job"; cat messages; return 1; }
		diff table other
		same "left" "$(find several -name '.round')" ""
	done <<'END'
{"fake_capacity":5.3,"fake_exit2_above":9} {"start_qps":2}
{"fake_capacity":5.3,"fake_crash_at":"7"} {"start_qps":2}
{"fake_capacity":100,"fake_crash_at":"8"} {"start_qps":2}
{"fake_capacity":100,"fake_exit2_above":30} {"start_qps":5}
{"fake_capacity":5,"fake_exit2_above":8,"fake_crash_at":"12"} {"qps_list":[4,9,12,3]}
END
}

# Whether the file log has each of the given rates.
have_run() {
	for rate; do grep -qsx "$rate" log || return 1; done
}

have_ended() {
	for rate; do [ -s "$(echo several/jobs/a_*)/runs/$rate/trial_result.json" ] || return 1; done
}

@test "extra trials run while the needed one does; one that crashed or timed out matters in no later run, until needed" {
	config '{"fake_capacity": 3, "fake_pause_at": 2, "fake_crash_at": "8", "fake_exit2_above": 15}' '{"start_qps": 2}'
	touch log.pause
	capacity-search --config-path c.yaml --output-dir several -j 4 --speculate 4 >/dev/null 2>&1 &
	eventually 60 have_run 2 4 8 16
	eventually 60 have_ended 4 8 16
	rm log.pause
	wait $!
	same "answer" "$(member '[.max_qps_under_sla, .error, .limited_by]')" '[3,null,null]'
	[ "$(member .num_speculative)" -ge 2 ]
	same "trace" "$(member '.search_trace | map(.qps) | contains([8]) or contains([16])')" false
	: >log
	capacity-search --config-path c.yaml --output-dir several -j 4 --speculate 4 >/dev/null
	same "again" "$(cat log)" ""
	# Another rule, by which 4 passes: what is there is not run again, what crashed is.
	sed -i 's/"threshold": 2/"threshold": 9/' c.yaml
	run capacity-search --config-path c.yaml --output-dir several -j 4 --speculate 4
	same status "$status" 1
	[[ "$(member .error)" == *"8 qps"*"status 3"* ]]
	same "run" "$(grep -cx '2\|4' log)" 0
	have_run 8
}

@test "without -j there are no extra trials, and none where the needed trial was run before" {
	config '{"fake_capacity": 3}' '{"start_qps": 2}'
	cs-expand --config-path c.yaml --output-dir several
	make -C several SPECULATE=3 >/dev/null 2>&1
	same "one by one" "$(paste -s -d ' ' log)" "$(member '.search_trace | map(.qps) | join(" ")' | tr -d '"')"
	same "extra" "$(member .num_speculative)" 0
	: >log
	rm several/jobs/a_*/job_summary.json
	make -C several -j 4 SPECULATE=3 >/dev/null 2>&1
	same "again" "$(cat log)" ""
	run make -C several -B SPECULATE=x
	[ "$status" != 0 ]
	[[ "$output" == *"SPECULATE=x"*expected* ]]
}

@test "an extra trial does not start once the needed one has ended, and waits for no lock" {
	config '{"fake_capacity": 3}' '{"start_qps": 2}'
	cs-expand --config-path c.yaml --output-dir several
	cd several
	job=$(echo jobs/a_*)
	make -j1 -f .capacity-search/trial.mk TRIAL_FLAGS=--status-in-file TRIAL_ROUND="$job/.round" "$job/runs/2" "$job/runs/4" >"$job/.round" 2>/dev/null
	same "run" "$(cat ../log)" 2
	same "told" "$(cat "$job/.round")" "$job/runs/2/trial_result.json"
	cd ..
	mkfifo held
	cs-trial --dir first --lock "bats-$$" -- sh -c 'echo >"$1"; exec sleep 100' sh "$T/held" &
	read -r <held
	cs-trial --dir second --lock "bats-$$" --no-wait -- touch "$T/ran"
	[ ! -e ran ]
	[ ! -e second/trial_result.json ]
	kill $!
	wait $! || :
	cs-trial --dir second --lock "bats-$$" --no-wait -- touch "$T/ran"
	[ -e ran ]
}
