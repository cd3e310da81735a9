#!/usr/bin/env bats
# Goal: the harness sangam runs sangam's benchmark with an argument for each field that is not at its default,
# as the table of fields says, and takes over the trials that sangam has left.

load helper

# A stand-in for python: records its arguments, one a line, and leaves what the benchmark leaves.
stand_in() {
	cat >"$T/python" <<-'END'
		#!/bin/sh
		printf '%s\n' "$@" >"$CS_TRIAL_DIR/arguments"
		printf 'request_id,request_scheduling_delay\na,0.1\n' >"$CS_TRIAL_DIR/request_metrics.csv"
	END
	chmod +x "$T/python"
}

# Runs one trial of the benchmark fields in $1, a JSON object; its arguments go to $T/arguments.
run_with() {
	rm -rf out
	jq -n --argjson base "$1" '{harness: "sangam", benchmark_base: $base, jobs: [{name: "x", qps_list: [2.5]}]}' >c.yaml
	SANGAM_PYTHON="env python" PATH=$T:$PATH capacity-search --config-path c.yaml --output-dir out >table 2>messages || { cat messages; return 1; }
	cp out/jobs/*/runs/2.5/arguments arguments
}

@test "every field of the table becomes its flag, and a field at its default none" {
	stand_in
	tail -n +2 "$top/pipeline/benchmark_fields.tsv" | awk -F'\t' '$5 != "-" && $1 !~ /^(qps|output_dir|benchmark_timeout|launch_server)$/' >fields
	# One trial with all fields at other values than their defaults ...
	jq -nRc '[inputs | split("\t") | {field: .[0], type: .[1], default: .[2], allowed: (.[3] | split(" ")), flag: .[4], note: .[5]}]' <fields >fields.json
	jq -c 'map(. + {value: (
	    if .type | startswith("bool") then (if .note | test("has a --no- form") then false elif .default == "true" then true else true end)
	    elif .type | startswith("int") then 77 elif .type | startswith("float") then 0.375
	    elif .allowed != [] then (.default as $d | [.allowed[] | select(. != $d and . != "")] | .[0] // "x y")
	    else "it'"'"'s $(x) \\ text" end)})' fields.json >values.json
	run_with "$(jq 'map({(.field): .value}) | add' values.json)"
	jq -r '.[] | if (.type | startswith("bool")) and .value == false then .flag | sub("^--"; "--no-")
	    elif (.type | startswith("bool")) and .default == "true" then empty
	    elif .type | startswith("bool") then .flag else .flag, (.value | tostring) end' values.json >expected
	printf '%s\n' --qps 2.5 --output-dir "$T/out/$(cd out && echo jobs/*/runs/2.5)" --benchmark-timeout 900 >>expected
	diff <(tail -n +3 arguments) expected
	same "module" "$(head -n 2 arguments | tr '\n' ' ')" "-m sangam.benchmark.main "
	# ... and one with all fields at their defaults.
	run_with "$(jq 'map(select(.default != "null") | {(.field): (if .type | startswith("string") then .default else .default | (if . == "true" then true elif . == "false" then false else tonumber end) end)}) | add' fields.json)"
	same "defaults" "$(sed -n 3p arguments) $(wc -l <arguments)" "--qps 8"
}

@test "a time-out that is disabled is passed on as 0, another one as it is" {
	stand_in
	run_with '{"benchmark_timeout": null}'
	same "none" "$(tail -n 2 arguments | tr '\n' ' ')" "--benchmark-timeout 0 "
	run_with '{"benchmark_timeout": 12.5}'
	same "12.5" "$(tail -n 2 arguments | tr '\n' ' ')" "--benchmark-timeout 12.5 "
}

@test "what sangam's command line cannot say is an error, or a warning where it has no flag" {
	stand_in
	run run_with '{"enable_individual_batch_metrics": false}'
	[[ "$output" == *"enable_individual_batch_metrics"*"--no- form"* ]]
	run_with '{"kv_dtype": "fp8"}'
	grep -q "kv_dtype has no flag" out/jobs/*/runs/2.5/benchmark.log
}

@test "an interpreter without sangam is told, with the way to the simulated system" {
	printf '#!/bin/sh\n[ "$1" = -m ] && echo "No module named sangam" >&2\nexit 1\n' >python
	chmod +x python
	run run_with '{}'
	[[ "$output" == *"cannot import sangam.benchmark.main"*"--harness sim"* ]]
}

@test "sangam's own status comes through when sangam is there" {
	printf '#!/bin/sh\n[ "$1" = -m ] && exit 2\nexit 0\n' >python
	chmod +x python
	jq -n '{harness: "sangam", benchmark_base: {}, jobs: [{name: "x", qps_list: [2, 4]}]}' >c.yaml
	PATH=$T:$PATH run capacity-search --config-path c.yaml --output-dir out
	same "status" "$status" 0
	same "timed out" "$(jq -c '.[0].search_trace | map(.timed_out)' out/capacity_search_results.json)" '[true]'
}

@test "finished trials that sangam has left are taken over without a run" {
	cat >c.yaml <<-'END'
		harness: sangam
		benchmark_base: {mode: hybrid, prefill_gpus: "0", hybrid_colocated_gpus: "1", num_requests: 200, interval_type: poisson, length_type: fixed, prefill_tokens: 256, decode_tokens: 64}
		jobs: [{name: hybrid_fixed_short, start_qps: 2.0}]
		sla: [{metric: request_scheduling_delay, quantile: 0.5, threshold: 2.0, op: "<="}]
	END
	for qps in 2 4 3 3.5 3.25 3.375 3.3125; do
		run_dir=out/jobs/hybrid_fixed_short_e6c0ebe0f0/runs/$qps
		mkdir -p "$run_dir"
		awk -v qps="$qps" 'BEGIN { print "request_id,request_scheduling_delay"; for (i = 0; i < 200; i++) print i "," (qps > 3.3 ? 5 : 0.5) }' >"$run_dir/request_metrics.csv"
		printf 'worker_id,worker_type,state,start_time,end_time,duration_s,queue_depth_waiting,queue_depth_active\nw,prefill,busy,0,1,1,1,1\n' >"$run_dir/worker_timeline.csv"
		echo '{"summary": {"num_successful": 200, "num_failed": 0}}' >"$run_dir/benchmark_results.json"
	done
	printf '#!/bin/sh\necho "$@" >>"%s/ran"\nexit 1\n' "$T" >python
	chmod +x python
	PATH=$T:$PATH capacity-search --config-path c.yaml --output-dir out >table 2>messages || { cat messages; return 1; }
	[ ! -e ran ]
	same "answer" "$(jq -c '.[0] | [.max_qps_under_sla, .num_trials, (.search_trace | map(.cached) | unique)]' out/capacity_search_results.json)" '[3.25,7,[true]]'
}
