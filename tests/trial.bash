# For tests of single trials: a job with a harness that does what the test says.

# An output directory with one job, whose harness is ./harness. JOB, a jq expression, changes job.json; the
# harness does what the file "act" says, a shell script that runs in the trial's directory, and is counted in "runs".
make_job() {
	mkdir -p "out/jobs/x y_0123456789" config
	export T count="$T/runs" act="$T/act"
	cat >config/harness <<-'END'
		#!/bin/bash
		echo "$CS_QPS" >>"$count"
		cd "$CS_TRIAL_DIR" && . "$act"
	END
	chmod +x config/harness
	touch -d 2020-01-01 config/harness
	job="out/jobs/x y_0123456789"
	trial="$job/runs/4"
	jq -n --arg dir "$T/config" '{job_name: "x y", job_key: "0123456789", harness: {command: ["./harness"]},
	    config_dir: $dir, benchmark_config: {seed: 7, text: "a"}, benchmark_overrides: {}, benchmark_timeout: 60,
	    search: {start_qps: 4.0, max_failed_requests_pct: 0}}' >"$job/job.json"
	rules '[{"metric": "ttft", "quantile": 0.5, "op": "<=", "threshold": 1}]'
	act <<-'END'
		printf 'request_id,ttft\nr1,0.25\nr2,0.5\nr3,0.75\n' >request_metrics.csv
		echo '{"summary": {"num_successful": 3, "num_failed": 0}}' >benchmark_results.json
	END
}

rules() {
	echo "$1" >out/sla.json
}

act() {
	cat >"$T/act"
}

change_job() {
	jq "$1" "$job/job.json" >changed
	mv changed "$job/job.json"
}

# One trial at 4 qps, in $status, $output (stderr).
trial() {
	run cs-trial --job "$job" --qps 4 "$@"
}

result() {
	jq -c "$1" "$trial/trial_result.json"
}

num_runs() {
	wc -l <runs | tr -d ' '
}

# The next trial runs its harness ($1 yes) or does not ($1 no), and has the status $2.
expect_run() {
	local expected
	expected=$(num_runs)
	[ "$1" = no ] || expected=$((expected + 1))
	trial "${@:3}"
	same "status, run $1" "$status" "$2"
	same "number of runs, run $1" "$(num_runs)" "$expected"
}
