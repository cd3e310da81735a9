#!/usr/bin/env bats
# Goal: cs-report says what the trials say, in every form, and leaves files that make can rely on, whatever
# the clock does and wherever it is stopped. Output directories are made by hand; no harness runs.

load helper

S='{"start_qps":2.0,"max_iterations":20,"min_search_granularity_pct":30.0,"max_qps_cap":null,"max_failed_requests_pct":0}'

# A job: job DIRECTORY SEARCH [HARNESS], both JSON
job() {
	mkdir -p "out/jobs/$1"
	printf '{"job_name": "%s", "job_key": "%s", "harness": %s, "search": %s}\n' "${1%_*}" "${1##*_}" "${3:-\"mine\"}" "$2" \
		>"out/jobs/$1/job.json"
	[ -f out/sla.json ] || echo '[{"metric": "m", "quantile": 0.5, "op": "<=", "threshold": 2.0}]' >out/sla.json
}

# A finished trial, whose value of m@q0.5 is a tenth of its rate: trial DIRECTORY QPS PASSED [MEMBERS that differ]
trial() {
	local run="out/jobs/$1/runs/$2"
	mkdir -p "$run"
	printf '{"qps": %s, "passed": %s, "metric_values": {"m@q0.5": %se-1}, "run_dir": "x", "cached": false,
		"timed_out": false, "limited_by": null, "error": null, "complete": true, "num_requests": 20,
		"num_failed": 0, "offered_qps": null, "harness_status": 0, "started_at": "2026-12-01T20:53:00Z",
		"elapsed_s": 1.5}' "$2" "$3" "$2" >"$run/trial_result.json"
	if [ $# = 4 ]; then
		jq -c --argjson x "$4" '. + $x' "$run/trial_result.json" >result
		mv result "$run/trial_result.json"
	fi
	echo '{"summary": {"num_successful": 20, "num_failed": 0}}' >"$run/benchmark_results.json"
}

# The generated Makefile's part that names the jobs: jobs DIRECTORY...
jobs() {
	{
		printf '# generated\nBIN = /x\nJOBS = \\\n'
		printf '  %s \\\n' "$@"
		printf '\ninclude search.mk\n'
	} >out/Makefile
}

# What FILTER gives of a job's summary, 2.0 as 2, which jq's versions print differently: member DIRECTORY FILTER
member() { jq -c "$2" "out/jobs/$1/job_summary.json" | sed 's/\([0-9]\)\.0\b/\1/g'; }

# Fails if a line of FILE matches: lacks PATTERN FILE
lacks() { if LC_ALL=C grep -E -e "$1" "$2"; then return 1; fi; }

mtime() { stat -c %.Y "$1"; }

# An adaptive job that ends at 6, below a failing 8.
adaptive() {
	job "${1:-a_0123456789}" "$S"
	trial "${1:-a_0123456789}" 2 true
	trial "${1:-a_0123456789}" 4 true
	trial "${1:-a_0123456789}" 8 false
	trial "${1:-a_0123456789}" 6 true
}

# Runs a command without the right to write where the mode forbids it, which root has.
unprivileged() {
	if [ "$(id -u)" = 0 ]; then
		setpriv --bounding-set=-dac_override,-dac_read_search "$@"
	else
		"$@"
	fi
}

@test "an adaptive job's summary has the trace of its search, the answer and the values there" {
	adaptive
	trial a_0123456789 7 false
	trial a_0123456789 99 true
	cs-report job out/jobs/a_0123456789
	same trace "$(member a_0123456789 '[.search_trace[] | [.qps, .passed]]')" \
		'[[2,true],[4,true],[8,false],[6,true]]'
	same answer "$(member a_0123456789 '[.job_name, .job_key, .max_qps_under_sla, .best_metric_values, .num_trials]')" \
		'["a","0123456789",6,{"m@q0.5":0.6},4]'
	same end "$(member a_0123456789 '[.error, .harness, .simulated, .limited_by, .search_end]')" \
		'[null,"mine",false,null,"converged"]'
	same entry "$(member a_0123456789 '.search_trace[3]')" '{"qps":6,"passed":true,"metric_values":{"m@q0.5":0.6},"run_dir":"jobs/a_0123456789/runs/6","cached":false,"timed_out":false,"limited_by":null,"num_requests":20,"num_failed":0}'
	grep -q '"max_qps_under_sla": 6.0,' out/jobs/a_0123456789/job_summary.json
	lacks '2026|elapsed' out/jobs/a_0123456789/job_summary.json
}

@test "a linear job answers with the highest passing rate, and a rate that stands twice is in the trace twice" {
	job l_0123456789 '{"qps_list": [1, 8, 4, 1, 0.03125]}'
	trial l_0123456789 1 true
	trial l_0123456789 8 false
	trial l_0123456789 4 true
	trial l_0123456789 0.0312 true
	cs-report job out/jobs/l_0123456789
	same trace "$(member l_0123456789 '[.search_trace[].qps]')" '[1,8,4,1,0.0312]'
	same answer "$(member l_0123456789 '[.max_qps_under_sla, .num_trials, .limited_by, .search_end]')" \
		'[4,5,null,"qps_list"]'
	same rests "$(grep -o runs/1/benchmark out/jobs/l_0123456789/trials.mk | wc -l)" 2
}

@test "a list that passes to its highest rate is what limits the answer" {
	job l_0123456789 '{"qps_list": [4, 1]}'
	trial l_0123456789 1 false
	trial l_0123456789 4 true
	cs-report job out/jobs/l_0123456789
	same answer "$(member l_0123456789 '[.max_qps_under_sla, .limited_by]')" '[4,"qps_list"]'
}

@test "without an SLA passed and max_qps_under_sla are null" {
	job n_0123456789 '{"qps_list": [1, 2]}'
	echo null >out/sla.json
	trial n_0123456789 1 null '{"metric_values": {}}'
	trial n_0123456789 2 null '{"metric_values": {}}'
	cs-report job out/jobs/n_0123456789
	same summary "$(member n_0123456789 '[.max_qps_under_sla, .best_metric_values, .num_trials, .error, .limited_by, [.search_trace[].passed]]')" \
		'[null,{},2,null,null,[null,null]]'
}

@test "a trial that timed out ends the search, is a fail, and limits the answer" {
	job t_0123456789 "$S"
	trial t_0123456789 2 true
	trial t_0123456789 4 null '{"timed_out": true, "complete": false, "harness_status": null}'
	cs-report job out/jobs/t_0123456789
	same summary "$(member t_0123456789 '[.max_qps_under_sla, .limited_by, .search_end, .error, .search_trace[1].passed, .search_trace[1].timed_out]')" \
		'[2,"timeout","timeout",null,false,true]'
}

@test "a harness that could not offer the rate, the cap and the number of trials limit an answer that no fail bounds" {
	job h_0123456789 "$S"
	trial h_0123456789 2 true
	trial h_0123456789 4 false '{"limited_by": "harness"}'
	cs-report job out/jobs/h_0123456789
	same harness "$(member h_0123456789 '[.max_qps_under_sla, .limited_by, .search_trace[1].limited_by]')" '[2,"harness","harness"]'
	job c_0123456789 '{"start_qps": 2, "max_qps_cap": 3}'
	trial c_0123456789 2 true
	trial c_0123456789 3 true
	cs-report job out/jobs/c_0123456789
	same cap "$(member c_0123456789 '[.max_qps_under_sla, .limited_by]')" '[3,"max_qps_cap"]'
	job i_0123456789 '{"start_qps": 2, "max_iterations": 2}'
	trial i_0123456789 2 true
	trial i_0123456789 4 true
	cs-report job out/jobs/i_0123456789
	same iterations "$(member i_0123456789 '[.max_qps_under_sla, .limited_by]')" '[4,"max_iterations"]'
	trial i_0123456789 4 false
	cs-report job out/jobs/i_0123456789
	same "a fail bounds it" "$(member i_0123456789 '[.max_qps_under_sla, .limited_by, .search_end]')" '[2,null,"max_iterations"]'
}

@test "a trial's error is the job's, which keeps the trials it did and has no answer" {
	job e_0123456789 "$S"
	trial e_0123456789 2 true
	trial e_0123456789 4 null '{"error": "harness exited with status 3; no luck", "complete": false, "harness_status": 3}'
	cs-report job --error "the trial at 4 could not be run" out/jobs/e_0123456789
	same summary "$(member e_0123456789 '[.error, .max_qps_under_sla, .best_metric_values, .num_trials, .limited_by, .search_end]')" \
		'["4 qps: harness exited with status 3; no luck",null,{},1,null,"error"]'
	same again "$(tail -n 1 out/jobs/e_0123456789/trials.mk)" \
		'jobs/e_0123456789/job_summary.json capacity_search_results.json: FORCE'
	lacks runs/4 out/jobs/e_0123456789/trials.mk
}

@test "--error is the job's error when no trial has one of its own, even if all are there" {
	adaptive
	cs-report job out/jobs/a_0123456789 --error $'cs-trial: \xff "quoted"'
	same error "$(member a_0123456789 '[.error, .max_qps_under_sla, .num_trials]')" '["cs-trial: � \"quoted\"",null,4]'
	lacks $'\xff' out/jobs/a_0123456789/job_summary.json
	grep -q FORCE out/jobs/a_0123456789/trials.mk
	rm out/jobs/a_0123456789/runs/8/trial_result.json
	cs-report job out/jobs/a_0123456789 --error "disk full"
	same missing "$(member a_0123456789 '[.error, .num_trials]')" '["disk full",2]'
}

@test "a result that is missing, cut off, of another rate or without a verdict is the job's error" {
	adaptive
	rm out/jobs/a_0123456789/runs/8/trial_result.json
	cs-report job out/jobs/a_0123456789
	same missing "$(member a_0123456789 '[.error, .num_trials]')" '["8 qps: there is no trial_result.json",2]'
	printf '{"qps": 8.0, "pas' >out/jobs/a_0123456789/runs/8/trial_result.json
	cs-report job out/jobs/a_0123456789 --error "says less"
	[[ $(member a_0123456789 .error) == '"8 qps: jobs/a_0123456789/runs/8/trial_result.json:1: not JSON: '* ]]
	trial a_0123456789 8 false '{"qps": 9}'
	cs-report job out/jobs/a_0123456789
	[[ $(member a_0123456789 .error) == '"8 qps: its trial_result.json is that of another rate"' ]]
	trial a_0123456789 8 null
	cs-report job out/jobs/a_0123456789
	[[ $(member a_0123456789 .error) == *'8 qps: '*'has no verdict'* ]]
	trial a_0123456789 8 null '{"error": 3}'
	cs-report job out/jobs/a_0123456789
	[[ $(member a_0123456789 .error) == '"8 qps: '*'an error that is no text'* ]]
	printf '[]' >out/jobs/a_0123456789/runs/8/trial_result.json
	cs-report job out/jobs/a_0123456789
	[[ $(member a_0123456789 .error) == '"8 qps: '*'expected a JSON object'* ]]
}

@test "values that are not finite are null, and numbers look as Python prints them" {
	job v_0123456789 '{"qps_list": [1, 20000]}'
	trial v_0123456789 1 true
	sed -i 's/"m@q0.5": 1e-1/"m@q0.5":NaN,"a@q1":1e-05,"b@q0.9":1e22,"c@q1.0":3,"d@q0":null/' out/jobs/v_0123456789/runs/1/trial_result.json
	trial v_0123456789 20000 false
	cs-report job out/jobs/v_0123456789
	values=$(tr -d ' \n' <out/jobs/v_0123456789/job_summary.json)
	[[ $values == *'"best_metric_values":{"m@q0.5":null,"a@q1":1e-05,"b@q0.9":1e+22,"c@q1.0":3,"d@q0":null}'* ]]
	[[ $values == *'"qps":20000.0'* ]]
}

@test "trials.mk names the complete trials, and what is to run again as FORCE" {
	adaptive
	cs-report job out/jobs/a_0123456789
	same complete "$(grep -v '^#' out/jobs/a_0123456789/trials.mk)" \
		"jobs/a_0123456789/job_summary.json: jobs/a_0123456789/runs/2/benchmark_results.json jobs/a_0123456789/runs/4/benchmark_results.json jobs/a_0123456789/runs/8/benchmark_results.json jobs/a_0123456789/runs/6/benchmark_results.json
jobs/a_0123456789/runs/2/benchmark_results.json jobs/a_0123456789/runs/4/benchmark_results.json jobs/a_0123456789/runs/8/benchmark_results.json jobs/a_0123456789/runs/6/benchmark_results.json:;"
	job t_0123456789 '{"qps_list": [2]}'
	trial t_0123456789 2 false '{"timed_out": true, "complete": false}'
	cs-report job out/jobs/t_0123456789
	same "timed out" "$(grep -v '^#' out/jobs/t_0123456789/trials.mk)" \
		'jobs/t_0123456789/job_summary.json capacity_search_results.json: FORCE'
}

@test "trials.mk lets trials with too many failed requests be, with KEEP_FAILED" {
	local kept='jobs/f_0123456789/job_summary.json: jobs/f_0123456789/runs/2/benchmark_results.json
jobs/f_0123456789/runs/2/benchmark_results.json:;
ifndef KEEP_FAILED
jobs/f_0123456789/job_summary.json capacity_search_results.json: FORCE
endif'
	job f_0123456789 '{"qps_list": [2], "max_failed_requests_pct": 10}'
	trial f_0123456789 2 false '{"num_failed": 3, "complete": false}'
	cs-report job out/jobs/f_0123456789
	same "too many failed" "$(grep -v '^#' out/jobs/f_0123456789/trials.mk)" "$kept"
	trial f_0123456789 2 false '{"num_failed": 3, "complete": true}'
	cs-report job out/jobs/f_0123456789
	same "complete by --keep-failed" "$(grep -v '^#' out/jobs/f_0123456789/trials.mk)" "$kept"
	trial f_0123456789 2 true '{"num_failed": 2}'
	cs-report job out/jobs/f_0123456789
	lacks FORCE out/jobs/f_0123456789/trials.mk
	trial f_0123456789 2 false '{"num_failed": 20, "complete": false}'
	cs-report job out/jobs/f_0123456789
	grep -q FORCE out/jobs/f_0123456789/trials.mk
	lacks KEEP_FAILED out/jobs/f_0123456789/trials.mk
	trial f_0123456789 2 false '{"num_failed": 3, "complete": false, "harness_status": 1}'
	cs-report job out/jobs/f_0123456789
	lacks KEEP_FAILED out/jobs/f_0123456789/trials.mk
}

@test "a summary carries the time of the newest file it rests on, be that to come or long ago" {
	adaptive
	find out -type f -exec touch -d '2001-01-01 00:00:00.5' {} +
	cs-report job out/jobs/a_0123456789
	same past "$(mtime out/jobs/a_0123456789/job_summary.json)" "$(mtime out/sla.json)"
	for file in out/sla.json out/jobs/a_0123456789/job.json out/jobs/a_0123456789/runs/6/benchmark_results.json; do
		touch -d "2090-01-0$((++n)) 12:00:00.123456789" "$file"
		cs-report job out/jobs/a_0123456789
		same "$file" "$(mtime out/jobs/a_0123456789/job_summary.json)" "$(mtime "$file")"
	done
	touch out/jobs/a_0123456789/job_summary.json
	cs-report job out/jobs/a_0123456789
	same "exactly that" "$(mtime out/jobs/a_0123456789/job_summary.json)" "$(mtime "$file")"
	touch -d 2095-01-01 out/jobs/a_0123456789/runs/6/trial_result.json
	cs-report job out/jobs/a_0123456789
	same "not that of what is made from it" "$(mtime out/jobs/a_0123456789/job_summary.json)" "$(mtime "$file")"
}

@test "a summary that is written anew has its time from the start, and what is made of it is old until remade" {
	adaptive
	jobs a_0123456789
	cs-report job out/jobs/a_0123456789
	cs-report results out
	same results "$(mtime out/capacity_search_results.json)" "$(mtime out/jobs/a_0123456789/job_summary.json)"
	touch -d 2001-01-01 out/sla.json out/jobs/a_0123456789/job.json out/jobs/a_0123456789/runs/*/benchmark_results.json
	trial a_0123456789 6 false
	touch -d 2002-02-02 out/jobs/a_0123456789/runs/6/benchmark_results.json
	cs-report job out/jobs/a_0123456789
	same summary "$(mtime out/jobs/a_0123456789/job_summary.json)" "$(mtime out/jobs/a_0123456789/runs/6/benchmark_results.json)"
	same "old json" "$(stat -c %Y out/capacity_search_results.json)" 0
	same "old csv" "$(stat -c %Y out/capacity_search_results.csv)" 0
}

@test "a summary that changes and cannot be written stays as it was, but make will remake it" {
	adaptive
	cs-report job out/jobs/a_0123456789
	cp out/jobs/a_0123456789/job_summary.json before
	trial a_0123456789 6 false '{"timed_out": true, "complete": false}'
	rm out/jobs/a_0123456789/trials.mk
	mkdir out/jobs/a_0123456789/trials.mk
	run cs-report job out/jobs/a_0123456789
	same status "$status" 74
	[[ $output == *'trials.mk: cannot write: '* ]]
	cmp before out/jobs/a_0123456789/job_summary.json
	same time "$(stat -c %Y out/jobs/a_0123456789/job_summary.json)" 0
	same "nothing left behind" "$(find out -name '*.tmp')" ""
}

@test "files that say the same are not written again, and keep their times" {
	adaptive
	jobs a_0123456789
	cs-report job out/jobs/a_0123456789
	cs-report results out
	before=$(find out -type f -exec stat -c '%n %i %.Y' {} + | sort)
	cs-report job out/jobs/a_0123456789
	cs-report results out
	same files "$(find out -type f -exec stat -c '%n %i %.Y' {} + | sort)" "$before"
}

@test "a directory is found under any path, and the paths in the files are the same" {
	adaptive
	cs-report job out/jobs/a_0123456789
	cat out/jobs/a_0123456789/{job_summary.json,trials.mk} >expected
	odd=$'q\'s "$x" #1 100% a:b\nnaïve'
	mkdir "$odd"
	mv out "$odd/out"
	for path in "$odd/out/jobs/a_0123456789" "$PWD/$odd/out/jobs/a_0123456789///" "$odd/../$odd/out/jobs/../jobs/a_0123456789"; do
		rm "$odd"/out/jobs/a_0123456789/{job_summary.json,trials.mk}
		cs-report job "$path"
		cat "$odd"/out/jobs/a_0123456789/{job_summary.json,trials.mk} | cmp - expected
	done
	for path in . ../a_0123456789/ ../../jobs/a_0123456789; do
		rm "$odd"/out/jobs/a_0123456789/{job_summary.json,trials.mk}
		(cd "$odd/out/jobs/a_0123456789" && cs-report job "$path")
		cat "$odd"/out/jobs/a_0123456789/{job_summary.json,trials.mk} | cmp - expected
	done
	touch -d 2090-01-01 "$odd/out/sla.json"
	(cd "$odd/out/jobs" && cs-report job a_0123456789)
	same time "$(mtime "$odd/out/jobs/a_0123456789/job_summary.json")" "$(mtime "$odd/out/sla.json")"
}

@test "no text that make or a shell would act on gets into trials.mk" {
	job 'x$(shell touch oops)_0123456789' '{"qps_list": [1]}'
	trial 'x$(shell touch oops)_0123456789' 1 true
	run cs-report job 'out/jobs/x$(shell touch oops)_0123456789'
	same status "$status" 65
	[[ $output == *'is no name for a job'* ]]
	same files "$(ls out/jobs/*)" "$(printf 'job.json\nruns')"
}

# What the installed rules say of one job, with a recipe that only counts.
small_makefile() {
	{
		printf 'MAKEFLAGS += -rR\nJOBS = %s\n' "$*"
		printf '%s\n' 'all: capacity_search_results.json' \
			'capacity_search_results.json: $(JOBS:%=jobs/%/job_summary.json)' '	@echo results; cs-report results . || :' \
			'$(JOBS:%=jobs/%/job_summary.json): jobs/%/job_summary.json: jobs/%/job.json sla.json' '	@echo $*; cs-report job jobs/$*' \
			'-include $(JOBS:%=jobs/%/trials.mk)' 'FORCE:' '.PHONY: FORCE all'
	} >out/Makefile
}

@test "make does nothing when all is there, and only what is needed when a trial is gone or newer" {
	adaptive
	adaptive b_0123456789
	small_makefile a_0123456789 b_0123456789
	same first "$(make -C out -s)" "$(printf 'a_0123456789\nb_0123456789\nresults')"
	same second "$(make -C out -s)" ""
	rm out/jobs/b_0123456789/runs/4/benchmark_results.json
	same gone "$(make -C out -s)" b_0123456789
	same "still gone" "$(make -C out -s)" b_0123456789
	trial b_0123456789 4 true
	touch -d 2090-01-01 out/jobs/b_0123456789/runs/4/benchmark_results.json
	same newer "$(make -C out -s)" "$(printf 'b_0123456789\nresults')"
	same after "$(make -C out -s)" ""
	touch -d 2091-01-01 out/sla.json
	same rules "$(make -C out -s)" "$(printf 'a_0123456789\nb_0123456789\nresults')"
	rm -r out/jobs/a_0123456789/runs/99 out/jobs/a_0123456789/runs/7 2>/dev/null || :
	same "elsewhere" "$(make -C out -s)" ""
}

@test "make runs a job again whose trial timed out, and one with failed requests unless KEEP_FAILED" {
	job t_0123456789 '{"qps_list": [2]}'
	trial t_0123456789 2 false '{"timed_out": true, "complete": false}'
	small_makefile t_0123456789
	make -C out -s
	same "timed out" "$(make -C out -s)" "$(printf 't_0123456789\nresults')"
	same "timed out, kept" "$(make -C out -s KEEP_FAILED=1)" "$(printf 't_0123456789\nresults')"
	trial t_0123456789 2 false '{"num_failed": 3, "complete": false}'
	make -C out -s
	same failed "$(make -C out -s)" "$(printf 't_0123456789\nresults')"
	same kept "$(make -C out -s KEEP_FAILED=1)" ""
	rm out/jobs/t_0123456789/runs/2/benchmark_results.json
	same "kept and gone" "$(make -C out -s KEEP_FAILED=1)" t_0123456789
}

@test "a changed summary brings the results back though all clocks are behind" {
	adaptive
	small_makefile a_0123456789
	touch -d 2090-01-01 out/sla.json
	make -C out -s
	touch -d 2001-01-01 out/sla.json out/jobs/a_0123456789/job.json
	trial a_0123456789 6 false
	trial a_0123456789 5 false
	cs-report job out/jobs/a_0123456789
	same results "$(make -C out -s)" results
	grep -q '"max_qps_under_sla": 4.0,' out/capacity_search_results.json
}

@test "results lists the summaries in the order of the config, as JSON and as CSV" {
	adaptive z_0000000001
	adaptive a_0000000002
	job m_0000000003 "$S"
	trial m_0000000003 2 false
	trial m_0000000003 1 false '{"timed_out": true, "complete": false}'
	jobs z_0000000001 m_0000000003 a_0000000002
	for directory in out/jobs/*; do cs-report job "$directory"; done
	touch -d 2090-01-01 out/jobs/m_0000000003/job_summary.json
	cs-report results out/
	jq -s . out/jobs/{z_0000000001,m_0000000003,a_0000000002}/job_summary.json | jq -c . >expected
	jq -c . out/capacity_search_results.json | cmp - expected
	same csv "$(cat out/capacity_search_results.csv)" 'job_name,job_key,max_qps_under_sla,num_trials,error
z,0000000001,6.0,4,
m,0000000003,,2,
a,0000000002,6.0,4,'
	same json-time "$(stat -c %y out/capacity_search_results.json)" "$(stat -c %y out/jobs/m_0000000003/job_summary.json)"
	same csv-time "$(stat -c %y out/capacity_search_results.csv)" "$(stat -c %y out/jobs/m_0000000003/job_summary.json)"
	cs-report json out | cmp - out/capacity_search_results.json
	cs-report csv out | cmp - out/capacity_search_results.csv
	same "indented as the summaries are" "$(sed -n '2,$s/^  //p' out/capacity_search_results.json | sed -n 's/^}.*/}/;1,/^}/p')" \
		"$(cat out/jobs/z_0000000001/job_summary.json)"
}

@test "results exits 1 when a job has an error, and quotes in the CSV only what needs it" {
	job e_0123456789 "$S"
	jq '.job_name = "e, \"the\" first"' out/jobs/e_0123456789/job.json >j && mv j out/jobs/e_0123456789/job.json
	jobs e_0123456789
	cs-report job out/jobs/e_0123456789 --error $'two\nlines'
	run cs-report results out
	same status "$status" 1
	same csv "$(cat out/capacity_search_results.csv)" 'job_name,job_key,max_qps_under_sla,num_trials,error
"e, ""the"" first",0123456789,,0,"two
lines"'
}

@test "a job without a summary is in the results with an error, and they are old until it has one" {
	adaptive
	adaptive b_c_0123456780
	jobs b_c_0123456780 a_0123456789
	cs-report job out/jobs/a_0123456789
	run cs-report results out
	same status "$status" 1
	same results "$(jq -c '[.[] | [.job_name, .job_key, .max_qps_under_sla, .num_trials, .search_trace | tojson]] | .[0]' out/capacity_search_results.json)" \
		'["\"b_c\"","\"0123456780\"","null","0","[]"]'
	same error "$(jq -c '[.[].error]' out/capacity_search_results.json)" '["there is no job_summary.json: the job has not finished",null]'
	same keys "$(jq -c 'map(keys_unsorted) | .[0] == .[1]' out/capacity_search_results.json)" true
	same old "$(stat -c %Y out/capacity_search_results.json)" 0
	cs-report job out/jobs/b_c_0123456780
	cs-report results out
}

@test "a summary that is cut off or no JSON is that job's error, and make will remake it" {
	adaptive
	adaptive b_0123456789
	jobs a_0123456789 b_0123456789
	cs-report job out/jobs/a_0123456789
	cs-report job out/jobs/b_0123456789
	size=$(stat -c %s out/jobs/a_0123456789/job_summary.json)
	for n in 0 1 300 $((size - 3)); do
		truncate -s "$n" out/jobs/a_0123456789/job_summary.json
		run cs-report results out
		same status "$status" 1
		[[ $output == *'jobs/a_0123456789/job_summary.json:'*'not JSON'* ]]
		[[ $(jq -c '[.[].error]' out/capacity_search_results.json) == '["job_summary.json:'*'not JSON'*',null]' ]]
		same old "$(stat -c %Y out/jobs/a_0123456789/job_summary.json)" 0
		rm out/jobs/a_0123456789/job_summary.json
		cs-report job out/jobs/a_0123456789
	done
	for text in 'word' '{} {}' '{"job_name": "a", "search_trace": [01]}' '{"job_name": "a", "search_trace": ["\x"]}' '[]' '{}' \
		'{"job_name": "a", "search_trace": 3}' '{"search_trace": []}' "{\"job_name\": \"a\", \"search_trace\": [\"$(printf '\t')\"]}" \
		"{\"job_name\": \"a\", \"search_trace\": $(printf '%300s' | tr ' ' '[')}"; do
		printf '%s' "$text" >out/jobs/a_0123456789/job_summary.json
		run cs-report results out
		same "status for $text" "$status" 1
		[[ $(jq -c '[.[].error]' out/capacity_search_results.json) == '["job_summary.json:'*',null]' ]]
		run cs-report table out
		same "table for $text" "$status" 65
		[[ $output == *$'\nb'* ]]
	done
}

@test "the table shows each job's answer, the values there, the trials and what limited it" {
	adaptive
	job s_0123456789 "$S" '"sim"'
	trial s_0123456789 2 true '{"metric_values": {"m@q0.5": 0.123456789, "ttft@q0.9": 1.5}}'
	trial s_0123456789 4 false '{"limited_by": "harness"}'
	job i_0123456789 '{"start_qps": 2, "max_iterations": 2}'
	trial i_0123456789 2 false
	trial i_0123456789 1 true
	jobs a_0123456789 s_0123456789 i_0123456789 e_0123456789
	job e_0123456789 "$S"
	for directory in out/jobs/*; do cs-report job "$directory"; done
	same table "$(LC_ALL=C.UTF-8 cs-report table out)" 'job  requests/s  m@q0.5  ttft@q0.9 (s)  trials  note
a             6     0.6              -       4
s           ≥ 2  0.1235            1.5       2  simulated, limited by harness at 4
i             1     0.1              -       2  ended by max_iterations
e             -       -              -       0  error: 2 qps: there is no trial_result.json'
	same ASCII "$(LC_ALL=C cs-report table out | sed -n 3p)" \
		's          >= 2  0.1235            1.5       2  simulated, limited by harness at 4'
}

@test "the table says of each job without an answer why it has none" {
	job n_0123456789 '{"qps_list": [1]}'
	trial n_0123456789 1 null
	job t_0123456789 "$S"
	trial t_0123456789 2 false '{"timed_out": true, "complete": false}'
	job h_0123456789 "$S"
	trial h_0123456789 2 false '{"limited_by": "harness"}'
	job f_0123456789 '{"start_qps": 2, "max_iterations": 2}'
	trial f_0123456789 2 false
	trial f_0123456789 1 false '{"metric_values": {"m@q0.5": 3.25, "x@q1": null}, "num_failed": 3, "complete": false}'
	jobs n_0123456789 t_0123456789 h_0123456789 f_0123456789
	for directory in out/jobs/*; do cs-report job "$directory"; done
	same reasons "$(cs-report table out | tail -n +6)" \
		'n: no SLA, so no answer; the trials are in the results
t: timed out at 2 requests/s before any rate passed
h: the harness could not offer 2 requests/s, and no other rate passed
f: nothing passes; the lowest rate tried: 1 requests/s (m@q0.5 = 3.25, x@q1 has no finite value, 3 of 20 requests failed)'
}

# Names a job: rename DIRECTORY NAME
rename() {
	jq --arg n "$2" '.job_name = $n' "out/jobs/$1/job.json" >j && mv j "out/jobs/$1/job.json"
}

@test "the table aligns UTF-8 and makes control characters harmless" {
	adaptive a_0123456789
	adaptive b_0123456789
	adaptive c_0123456789
	rename a_0123456789 '東京'
	# As bytes, since bash takes \u by the caller's locale: U+0301, U+202E, U+009B, and U+FFFD, which stands for what is not shown.
	local replaced=$'\xef\xbf\xbd'
	rename b_0123456789 $'e\xcc\x81\xe2\x80\xaex'
	rename c_0123456789 $'\e[31m\xc2\x9b\tr'
	jobs a_0123456789 b_0123456789 c_0123456789
	for directory in out/jobs/*; do cs-report job "$directory"; done
	same UTF-8 "$(LC_ALL=C.UTF-8 cs-report table out)" "$(printf '%s\n' 'job       requests/s  m@q0.5  trials  note' \
		'東京               6     0.6       4' "$(printf 'e\314\201')${replaced}x                6     0.6       4" "?[31m$replaced r           6     0.6       4")"
	same ASCII "$(LC_ALL=C cs-report table out | cut -c 1-8 | tail -n +2)" "$(printf '%s\n' '??      ' 'e??x    ' '?[31m? r')"
}

# Prints the table on a terminal of so many columns: on_terminal COLUMNS
on_terminal() {
	LC_ALL=C.UTF-8 script -qec "stty cols $1; cs-report table out" /dev/null </dev/null | tr -d '\r'
}

@test "the table fits the terminal, keeps both ends of names, and shows cut errors in full below" {
	adaptive
	rename a_0123456789 the-first-of-many-jobs-with-a-long-name
	job e_0123456789 "$S" '"sim"'
	error="one error that goes on and on, for longer than any terminal is wide, to be found below the table"
	jobs a_0123456789 e_0123456789
	cs-report job out/jobs/a_0123456789
	cs-report job out/jobs/e_0123456789 --error "$error"
	cs-report table out >whole
	unset COLUMNS
	on_terminal 60 >fitted
	same "all lines of the table" "$(head -n 3 fitted | LC_ALL=C.UTF-8 grep -E '.{61}')" ""
	LC_ALL=C.UTF-8 grep -q '^the.*….*name  ' fitted
	grep -q 'simulated' fitted
	same "the error" "$(tail -n 1 fitted)" "e: error: $error"
	same "no terminal" "$(wc -l <whole) $(grep -c "$error" whole)" "3 1"
	export COLUMNS=300
	same "COLUMNS" "$(on_terminal 60)" "$(LC_ALL=C.UTF-8 cs-report table out)"
}

@test "table, json and csv write nothing, and do with what is there" {
	adaptive
	adaptive b_0123456789
	jobs a_0123456789 b_0123456789
	cs-report job out/jobs/a_0123456789
	before=$(find out -type f -exec stat -c '%n %i %.Y' {} + | sort)
	cs-report table out | grep -q '^b .*has not finished'
	cs-report json out | jq -e 'length == 2' >/dev/null
	same csv "$(cs-report csv out | wc -l)" 3
	same files "$(find out -type f -exec stat -c '%n %i %.Y' {} + | sort)" "$before"
}

@test "what is not an output directory or a job is said with its status, and nothing is written" {
	run cs-report table nowhere
	same status "$status" 66
	same message "$output" "cs-report: nowhere/Makefile: cannot open: No such file or directory"
	mkdir -p out/jobs/x_0123456789
	for text in 'all:' 'JOBS = \\\n\n' 'JOBS = $(shell ls)\n' 'JOBSX = a\n' ''; do
		printf "$text" >out/Makefile
		for command in results table json csv; do
			run cs-report "$command" out
			same "status for '$text'" "$status" 65
			[[ $output == 'cs-report: out/Makefile:'*expected* ]]
		done
	done
	run cs-report job out/jobs/x_0123456789
	same missing "$status" 66
	for text in '' '{' '[]' '{"search": {}}' '{"search": {"start_qps": 1, "qps_list": [1]}}'; do
		printf '%s' "$text" >out/jobs/x_0123456789/job.json
		run cs-report job out/jobs/x_0123456789
		same "status for '$text'" "$status" 65
		[[ $output == 'cs-report: out/jobs/x_0123456789/job.json:'* ]]
	done
	same files "$(cd out && find . -type f | sort)" "$(printf './Makefile\n./jobs/x_0123456789/job.json')"
}

@test "usage errors exit 64, a missing directory 66, help and version 0" {
	for words in '' 'nothing out' 'job' 'table' 'table a b' 'table --error x out' 'job --error' '--nonsense' 'job ""'; do
		eval "run cs-report $words </dev/null"
		same "status of 'cs-report $words'" "$status" 64
		[[ $output == *"Try 'cs-report --help'." ]]
	done
	run cs-report html out
	same html "$status" 66
	[[ $(cs-report --help) == usage:* ]]
	[[ $(cs-report --version) == 'cs-report '* ]]
}

@test "a full disk behind stdout is an error" {
	adaptive
	jobs a_0123456789
	cs-report job out/jobs/a_0123456789
	for command in 'table out' 'json out' 'csv out' --help; do
		run bash -c "cs-report $command >/dev/full"
		same "status of $command" "$status" 74
	done
}

@test "a directory that cannot be written is an error, and all in it stays" {
	adaptive
	jobs a_0123456789
	chmod 555 out out/jobs/a_0123456789
	run unprivileged cs-report job out/jobs/a_0123456789
	[[ $output != *'setpriv'* ]] || skip "root cannot be held back here"
	chmod 755 out out/jobs/a_0123456789
	same status "$status" 73
	[[ $output == *'out/jobs/a_0123456789/trials.mk: cannot create: Permission denied' ]]
	same files "$(ls -A out/jobs/a_0123456789)" "$(printf 'job.json\nruns')"
	cs-report job out/jobs/a_0123456789
	chmod 555 out
	run unprivileged cs-report results out
	chmod 755 out
	same status "$status" 73
	same files "$(ls -A out)" "$(printf 'Makefile\njobs\nsla.json')"
}
