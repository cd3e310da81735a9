#!/usr/bin/env bats
# Goal: with Slurm as the launcher each trial runs in an allocation of its own, what it came to arrives, and
# nothing of it outlives the search. On a real Slurm of one machine with two GPUs, started by this file.

load helper
load slurm

setup_file() {
	[ "$(id -u)" = 0 ] && command -v slurmctld slurmd munged srun >/dev/null || return 0
	SLURM_DIRECTORY=$(mktemp -d /tmp/slurm.XXXXXX)
	export SLURM_DIRECTORY
	slurm_start "$SLURM_DIRECTORY" >&2
}

teardown_file() {
	[ -z "${SLURM_DIRECTORY-}" ] || slurm_stop "$SLURM_DIRECTORY"
	rm -rf "${SLURM_DIRECTORY-}"
}

needs_slurm() {
	[ -n "${SLURM_DIRECTORY-}" ] || skip "Slurm is not installed, or this is not root"
	SLURM_CONF=$SLURM_DIRECTORY/slurm.conf
	export SLURM_CONF
}

# A config for the fake harness with JOBS (JSON) and more benchmark fields (JSON).
config() {
	jq -n --argjson jobs "$1" --argjson base "${2:-{\}}" --arg harness "$data/fake-harness" --arg log "$T/log" '{
	    harness: {command: [$harness]}, benchmark_base: ({benchmark_timeout: 60, fake_log: $log} + $base), jobs: $jobs,
	    sla: [{metric: "request_scheduling_delay", quantile: 0.5, threshold: 2.0, op: "<="}]}' >c.yaml
}

search() {
	capacity-search --config-path c.yaml --output-dir out "$@"
}

results() {
	jq -c "$1" out/capacity_search_results.json
}

no_allocation() {
	[ -z "$(squeue -h)" ]
}

@test "four jobs share two GPUs: each trial has an allocation and a GPU, and two run at once" {
	needs_slurm
	cat >wrapped.sh <<-END
		#!/bin/sh
		# A trial is on its GPU, alone, from its first line to its last one.
		echo "begin \$SLURM_JOB_ID \$CUDA_VISIBLE_DEVICES" >>"$T/events"
		case \$CS_QPS in
		# Until another trial runs at the same time: there is room for two.
		1) end=\$((\$(date +%s) + 60)); until [ "\$(grep -c begin "$T/events")" -ge 2 ] || [ "\$(date +%s)" -gt "\$end" ]; do sleep 0.05; done ;;
		esac
		"$data/fake-harness"
		echo "end \$SLURM_JOB_ID \$CUDA_VISIBLE_DEVICES" >>"$T/events"
	END
	chmod +x wrapped.sh
	config "$(jq -nc '[range(4) | {name: "job \(.)", qps_list: [1, 3]}]')" '{"fake_capacity": 2}'
	jq '.harness.command = ["./wrapped.sh"]' c.yaml >d.yaml && mv d.yaml c.yaml
	run search -j 8 --launcher 'srun --quiet --gres=gpu:1'
	same "status: $output" "$status" 0
	same "answers" "$(results 'map(.max_qps_under_sla) | unique')" '[1]'
	same "trials" "$(grep -c end events)" 8
	same "allocations" "$(awk '{ print $2 }' events | sort -u | wc -l)" 8
	awk '$1 == "begin" && busy[$3]++ { exit 1 } $1 == "end" { busy[$3]-- } END { for (g in busy) n++; if (n != 2) exit 1 }' events || { cat events; return 1; }
	eventually 30 no_allocation
	search -j 8 --launcher false >/dev/null
}

@test "failures and time-outs inside an allocation come through" {
	needs_slurm
	config '[{"name": "crash", "start_qps": 1, "benchmark_overrides": {"fake_crash_at": "2"}}, {"name": "exit2", "start_qps": 1, "benchmark_overrides": {"fake_exit2_above": 1}},
	    {"name": "hang", "start_qps": 1, "benchmark_overrides": {"fake_hang_above": 1, "benchmark_timeout": 2}}]' '{"fake_capacity": 100}'
	run search -j 2 --launcher 'srun --quiet'
	same status "$status" 1
	[[ "$(results '.[0].error')" == *"2 qps"*"status 3"* ]]
	same "exit2 and hang" "$(results '.[1:] | map([.max_qps_under_sla, .search_trace[1].timed_out])')" '[[1,true],[1,true]]'
	# One by one, as the status of srun.
	for case in crash:1:0 crash:2:1 exit2:2:2 hang:2:2; do
		IFS=: read -r job qps expected <<<"$case"
		run srun --quiet "$built/bin/cs-trial" --job out/jobs/"$job"_* --qps "$qps"
		same "status of $job at $qps" "$status" "$expected"
	done
	eventually 30 no_allocation
}

@test "TERM to the search ends the allocations, and processes in sessions of their own" {
	needs_slurm
	config '[{"name": "a", "start_qps": 1}]' '{"fake_capacity": 3, "fake_pause_at": 2, "fake_daemon": "1"}'
	touch log.pause
	capacity-search --config-path c.yaml --output-dir out --launcher 'srun --quiet' >/dev/null 2>messages &
	eventually 60 grep -qsx 2 log
	kill -TERM $!
	wait $! && status=0 || status=$?
	same status "$status" 143
	eventually 60 no_allocation
	eventually 60 ended "$(cat log.daemon)"
	rm log.pause
	search --launcher 'srun --quiet' >/dev/null 2>&1
	same "answer" "$(results '.[0].max_qps_under_sla')" 3
}

@test "a trial whose step is killed, and one that never came to run, have no result and run again" {
	needs_slurm
	config '[{"name": "a", "qps_list": [1, 2]}]' '{"fake_capacity": 3, "fake_pause_at": 2, "fake_daemon": "1"}'
	touch log.pause
	capacity-search --config-path c.yaml --output-dir out --launcher 'srun --quiet' >/dev/null 2>messages &
	eventually 60 grep -qsx 2 log
	scancel --signal=KILL "$(squeue -h -o %i)"
	wait $! && status=0 || status=$?
	same status "$status" 1
	[[ "$(results '.[0].error')" == *"2 qps"* ]]
	eventually 60 ended "$(cat log.daemon)"
	rm log.pause
	eventually 60 no_allocation
	# A launcher that says all is well and runs nothing.
	run search --launcher true
	same "status: $output" "$status" 1
	[[ "$(results '.[0].error')" == *"qps"* ]]
	search --launcher 'srun --quiet' >/dev/null 2>&1
	same "answer" "$(results '.[0].max_qps_under_sla')" 2
	same "runs" "$(tr '\n' ' ' <log)" "1 2 2 "
}
