#!/usr/bin/env bats
# Goal: what two searches differ in is what cs-report compare says, no more and no less, and a CI can rely on its status; csv
# --long has every trial with every metric, from files that are read once and then kept. No harness runs.

load helper

# A job of a search: job OUT NAME KEY HARNESS SETTINGS, the last a JSON object
job() {
	local directory="$1/jobs/$2_$3"
	mkdir -p "$directory"
	[ -f "$1/Makefile" ] || printf 'JOBS = \\\n' >"$1/Makefile"
	printf '  %s \\\n' "$2_$3" >>"$1/Makefile"
	[ -f "$1/sla.json" ] || echo '[{"metric": "m", "quantile": 0.5, "op": "<=", "threshold": 2.0}]' >"$1/sla.json"
	jq -n --arg n "$2" --arg k "$3" --arg h "$4" --argjson s "$5" '{job_name: $n, job_key: $k, harness: $h, config_dir: "/x",
		benchmark_config: $s, benchmark_overrides: {}, benchmark_timeout: 900.0, search: {start_qps: 2.0}}' \
		>"$directory/job.json"
}

# What a search found: found OUT NAME KEY CAPACITY (null: none) PASSED FAILED [MEMBERS]; the two are lists of rates
found() {
	jq -n --arg n "$2" --arg k "$3" --argjson c "$4" --argjson p "$5" --argjson f "$6" --argjson x "${7:-{\}}" '
		{job_name: $n, job_key: $k, max_qps_under_sla: $c, best_metric_values: {}, num_trials: ($p + $f | length),
		search_trace: ([$p[] | {qps: ., passed: true}] + [$f[] | {qps: ., passed: false}]
			| map(. + {metric_values: {}, run_dir: "jobs/\($n)_\($k)/runs/\(.qps)", cached: false, timed_out: false,
				limited_by: null, num_requests: 3, num_failed: 0})),
		error: null, harness: "mine", simulated: false, limited_by: null, search_end: "converged"} + $x' \
		>"$1/jobs/$2_$3/job_summary.json"
}

# A job with its result in one go: both OUT NAME CAPACITY PASSED FAILED [MEMBERS [SETTINGS]]
both() {
	job "$1" "$2" 0123456789 mine "${7:-{\}}"
	found "$1" "$2" 0123456789 "$3" "$4" "$5" "${6:-{\}}"
}

# The COLUMNS of a comparison's CSV, without the header: csv COLUMNS OUT...
csv() {
	local columns=$1
	shift
	cs-report compare --format csv "$@" | sed 1d | cut -d , -f "$columns"
}

@test "a capacity below the other's lowest failing rate is within the steps, one above it is higher, one bounded below it lower" {
	both a near 8 '[4, 8]' '[16, 10]'
	both b near 9 '[9]' '[12]'
	both a up 8 '[8]' '[10]'
	both b up 10 '[10]' '[20]'
	both a down 8 '[8]' '[16]'
	both b down 6 '[6]' '[8]'
	both a open 8 '[8]' '[]'
	both b open 4 '[4]' '[]'
	same verdicts "$(csv 1,3,4,5,8,9 a b)" "near,a,8.0,10.0,,
near,b,9.0,12.0,12.5,within
up,a,8.0,10.0,,
up,b,10.0,20.0,25.0,higher
down,a,8.0,16.0,,
down,b,6.0,8.0,-25.0,lower
open,a,8.0,,,
open,b,4.0,,-50.0,within"
}

@test "where both searches have an interval, it says whether the difference is certain" {
	both a certain 8 '[8]' '[10]' '{"capacity_interval": [7, 10]}'
	both b certain 4 '[4]' '[5]' '{"capacity_interval": [null, 5]}'
	both a unsure 8 '[8]' '[10]' '{"capacity_interval": [4, null]}'
	both b unsure 6 '[6]' '[7]' '{"capacity_interval": [5, 7]}'
	both a one 8 '[8]' '[10]' '{"capacity_interval": [4, 10]}'
	both b one 6 '[6]' '[7]'
	same intervals "$(csv 1,3,6,7,9,10 a b)" "certain,a,7.0,10.0,,
certain,b,,5.0,lower,true
unsure,a,4.0,,,
unsure,b,5.0,7.0,lower,false
one,a,4.0,10.0,,
one,b,,,lower,"
	LC_ALL=C cs-report compare a b >text
	grep -q '^certain .* 4 (5 fails)  *-50.0 %  lower, certain$' text
	grep -q '^unsure .* -25.0 %  lower, not certain$' text
	grep -q '^one .* -25.0 %  lower$' text
}

@test "jobs of one search, with errors or without an answer, are told apart" {
	both a gone 8 '[8]' '[10]'
	both a broken 8 '[8]' '[10]'
	both b broken null '[8]' '[]' '{"error": "the server, it \"died\""}'
	both a mended null '[]' '[]' '{"error": "x"}'
	both b mended 8 '[8]' '[10]'
	both a nothing 8 '[8]' '[10]'
	both b nothing null '[]' '[2, 4]'
	both b new 8 '[8]' '[10]'
	same verdicts "$(csv 1,3,4,8,9,11 a b)" 'gone,a,8.0,,,
gone,b,,,gone,
broken,a,8.0,,,
broken,b,,,error,"the server
mended,a,,,,x
mended,b,8.0,,,
nothing,a,8.0,,,
nothing,b,,-100.0,lower,
new,a,,,,
new,b,8.0,,new,'
	cs-report compare --format csv a b | grep -qF ',error,,"the server, it ""died""",'
	LC_ALL=C cs-report compare a b >text
	grep -q '^nothing  *8 (10 fails)  none (2 fails)  -100.0 %  lower' text
	grep -q '^broken: error in b: the server, it "died"$' text
	same mended "$(grep '^mended ' text | tr -s ' ')" 'mended error 8 (10 fails)'
}

@test "settings that differ are listed, those of all jobs once, and a new key does not part a job from itself" {
	job a x 0000000000 mine '{"num_requests": 100, "same": 1, "only_a": "yes"}'
	found a x 0000000000 8 '[8]' '[10]'
	job b x 1111111111 yours '{"num_requests": 200, "same": 1.0, "only_b": null}'
	found b x 1111111111 8 '[8]' '[10]'
	both a y 8 '[8]' '[10]'
	both b y 8 '[8]' '[10]'
	echo '[{"metric": "m", "quantile": 0.9, "op": "<", "threshold": 3}]' >b/sla.json
	cs-report compare a b | sed -n '/: /p' >lines
	same lines "$(cat lines)" 'all jobs: sla: m@q0.5 <= 2 | m@q0.9 < 3
x: num_requests: 100 | 200
x: only_a: yes | -
x: harness: mine | yours'
	same json "$(cs-report compare --format csv a b | sed -n 3p | sed 's/.*,"{/{/; s/""/"/g; s/"$//')" \
		'{"harness":["mine","yours"],"num_requests":[100,200],"only_a":["yes",null],"sla":["m@q0.5 <= 2","m@q0.9 < 3"]}'
	same keys "$(csv 1,2 a b | head -2 | tr '\n' ' ')" 'x,0000000000 x,1111111111 '
	both b z 8 '[8]' '[10]'
	same 'beside a job of one search' "$(cs-report compare a b | grep -c 'sla: ')$(cs-report compare a b | sed -n '/sla: /p')" \
		'1all jobs of all searches: sla: m@q0.5 <= 2 | m@q0.9 < 3'
}

@test "jobs of one name belong together by their keys" {
	for key in 0000000000 1111111111; do
		job a x $key mine '{}'
		found a x $key 8 '[8]' '[10]'
	done
	job b x 1111111111 mine '{}'
	found b x 1111111111 4 '[4]' '[5]'
	same rows "$(csv 1,2,3,4,9 a b)" 'x,0000000000,a,8.0,
x,,b,,gone
x,1111111111,a,8.0,
x,1111111111,b,4.0,lower'
	cs-report compare a b | grep -q '^x (1111111111) '
}

@test "three searches are each compared with the first" {
	both a x 8 '[8]' '[10]'
	both b x 10 '[10]' '[12]'
	both c x 4 '[4]' '[6]'
	same rows "$(csv 3,8,9 a b c)" 'a,,
b,25.0,higher
c,-50.0,lower'
	LC_ALL=C cs-report compare a b c | head -2 >text
	same text "$(tr -s ' ' <text)" 'job a b change verdict c change verdict
x 8 (10 fails) 10 (12 fails) +25.0 % higher 4 (6 fails) -50.0 % lower'
}

@test "--fail-below exits 1, and names the job, when one got worse by more than that" {
	both a fine 8 '[8]' '[10]'
	both b fine 9 '[9]' '[10]'
	both a slow 10 '[10]' '[12]'
	both b slow 9.5 '[9.5]' '[12]'
	cs-report compare --fail-below 5 a b >/dev/null
	LC_ALL=C run cs-report compare --fail-below 4.9 a b
	same status "$status" 1
	same message "$(grep '^cs-report' <<<"$output")" 'cs-report: slow: worse by more than 4.9 %: 10 (12 fails) requests/s in a, 9.5 (12 fails) in b'
	run cs-report compare a b
	same status "$status" 0
}

@test "--fail-below exits 1 for a job that lost its answer, not for one that never had one" {
	both a x 8 '[8]' '[10]'
	for b in error nothing gone unfinished; do both $b y 8 '[8]' '[10]'; done
	both error x null '[8]' '[]' '{"error": "it died"}'
	both nothing x null '[]' '[2]'
	both unfinished x 8 '[8]' '[10]'
	rm unfinished/jobs/x_0123456789/job_summary.json
	for b in error nothing gone unfinished; do
		run cs-report compare --fail-below 99.9 a $b
		same "status with $b" "$status" 1
	done
	cs-report compare --fail-below 0 error error >/dev/null
	cs-report compare --fail-below 0 nothing nothing >/dev/null
	cs-report compare --fail-below 0 gone error >/dev/null
}

@test "an html comparison is one file in which names stay text" {
	both 'a<b>' x 8 '[8]' '[10]'
	both b x 4 '[4]' '[5]' '{"simulated": true}'
	job 'a<b>' y 0123456789 mine '{"text": "<script>alert(1)</script>"}'
	job b y 0123456789 mine '{"text": "\"><img src=x>"}'
	found 'a<b>' y 0123456789 8 '[8]' '[10]' '{"job_name": "<script>"}'
	found b y 0123456789 8 '[8]' '[10]' '{"job_name": "<script>", "error": "<b>died</b>"}'
	cs-report compare --format html 'a<b>' b >page.html
	grep -q '<strong>Simulated results</strong>' page.html
	grep -q '4 (5 fails)</td><td class="number" data-label="change">-50.0 %</td><td data-label="verdict">lower</td>' page.html
	grep -q 'text: &#60;script&#62;alert(1)&#60;/script&#62; | &#34;&#62;&#60;img src=x&#62;</li>' page.html
	if grep -E '<script|<img|<b>|<link|https?://|url\(' page.html; then return 1; fi
}

@test "compare says what is wrong with how it was called, and with what it reads" {
	both a x 8 '[8]' '[10]'
	both b x 8 '[8]' '[10]'
	for words in 'compare' 'compare a' 'compare --format xml a b' 'compare --fail-below x a b' 'compare --fail-below -1 a b' \
		'compare --fail-below 101 a b' 'compare --long a b' 'csv --format csv a' 'table --long a' 'json --fail-below 1 a' 'csv --long a b'; do
		# shellcheck disable=SC2086 # words
		run cs-report $words
		same "status of $words" "$status" 64
	done
	run cs-report compare a missing
	same status "$status" 66
	echo '{' >b/jobs/x_0123456789/job_summary.json
	run cs-report compare a b
	same status "$status" 65
	grep -q '^x .*error' <<<"$output"
	run cs-report compare --fail-below 5 a b
	same status "$status" 1
	run sh -c 'cs-report compare a a >/dev/full'
	same status "$status" 74
	run sh -c 'cs-report csv --long a >/dev/full'
	same status "$status" 74
}

# A trial's files: metrics OUT/jobs/DIR/runs/RATE LINE...
metrics() {
	local run=$1
	shift
	mkdir -p "$run"
	printf '%s\n' "$@" >"$run/request_metrics.csv"
}

@test "csv --long has a row for each trial, with the quantiles of each metric over the requests that succeeded" {
	both a x 4 '[4]' '[8]'
	metrics a/jobs/x_0123456789/runs/4 request_id,arrival_time,zeta,ttft,where,error 0,0,7,1.0,w0, 1,0.1,inf,2.0,w1, \
		2,0.2,,4.0,w0, 3,0.3,bad,99,w1,refused
	mkdir a/jobs/x_0123456789/runs/8
	printf '%s\n' worker_id,duration_s,queue_depth_waiting w,9,1 w,1,5 >a/jobs/x_0123456789/runs/8/worker_timeline.csv
	cs-report csv --long a >long.csv
	same header "$(head -1 long.csv)" "job_name,job_key,simulated,trial,qps,passed,timed_out,limited_by,num_requests,num_failed,run_dir,\
num_rows,num_failed_rows,$(for m in ttft queue_depth_waiting zeta; do printf '%s,' $m@q0.5 $m@q0.9 $m@q0.95 $m@q0.99 $m@q0.999 $m@max; done |
		sed 's/,$//')"
	same 'first row' "$(sed -n 2p long.csv | cut -d , -f 1-14,18-20,25,26,31)" \
		'x,0123456789,false,1,4,true,false,,3,0,jobs/x_0123456789/runs/4,4,1,2.0,3.996,4.0,,,inf,inf'
	same 'second row' "$(sed -n 3p long.csv | cut -d , -f 4,5,6,12-14,20,21,25,26)" '2,8,false,,,,1.0,1.0,5.0,'
	same rows "$(wc -l <long.csv)" 3
}

@test "what a trial's metrics came to is kept, until one of its files changes" {
	both a x 4 '[4]' '[]'
	run=a/jobs/x_0123456789/runs/4
	metrics $run ttft 1 2 3
	value() { cs-report csv --long a | sed -n 2p | cut -d , -f 14; }
	same value "$(value)" 2.0
	before=$(stat -c '%i %Y' $run/metrics.json)
	same again "$(value)" 2.0
	same kept "$(stat -c '%i %Y' $run/metrics.json)" "$before"
	sed -i 's/"0.5": 2.0/"0.5": 7.0/' $run/metrics.json
	same 'value that was kept' "$(value)" 7.0
	touch -d @1 $run/request_metrics.csv
	same 'value after another time' "$(value)" 2.0
	touch -r $run/request_metrics.csv time
	echo 4 >>$run/request_metrics.csv
	touch -r time $run/request_metrics.csv
	same 'value of another size' "$(value)" 2.5
	echo '{' >$run/metrics.json
	same 'value after a broken file' "$(value)" 2.5
}

@test "what was kept of a trial goes when the trial runs again, and stays when it does not" {
	both a x 4 '[4]' '[]'
	run=a/jobs/x_0123456789/runs/4
	try() { cs-trial --dir $run --env CS_QPS=4 -- sh -c "printf 'ttft\n$1\n' >\$CS_TRIAL_DIR/request_metrics.csv"; }
	try 1
	cs-report csv --long a >first
	[ -e $run/metrics.json ]
	try 1
	[ -e $run/metrics.json ]
	try 2
	[ ! -e $run/metrics.json ]
	same value "$(cs-report csv --long a | sed -n 2p | cut -d , -f 14)" 2.0
}

@test "metrics are printed where they cannot be kept, and a trial that cannot be read costs only its own" {
	both a x 8 '[4, 8]' '[]'
	metrics a/jobs/x_0123456789/runs/4 ttft,tpot 1
	metrics a/jobs/x_0123456789/runs/8 ttft 3
	mkdir a/jobs/x_0123456789/runs/8/metrics.json
	run cs-report csv --long a
	same status "$status" 65
	grep -q 'runs/4/request_metrics.csv:2: 1 cell; expected 2' <<<"$output"
	same rows "$(cs-report csv --long a 2>/dev/null | cut -d , -f 5,14)" 'qps,ttft@q0.5
4,
8,3.0'
}

@test "a run_dir that leads out of the output directory is not followed" {
	both a x 4 '[4]' '[]'
	metrics outside ttft 1
	for run_dir in ../outside jobs/../../outside "$PWD/outside" jobs/..; do
		jq --arg d "$run_dir" '.search_trace[0].run_dir = $d' a/jobs/x_0123456789/job_summary.json >new
		mv new a/jobs/x_0123456789/job_summary.json
		run cs-report csv --long a
		same "status for $run_dir" "$status" 65
		[ ! -e outside/metrics.json ]
	done
}

@test "a file too large to be read at once gives the same quantiles" {
	both a x 8 '[4, 8]' '[]'
	mkdir -p a/jobs/x_0123456789/runs/4 a/jobs/x_0123456789/runs/8
	awk 'BEGIN {
		print "request_id,a,b,note,c,d,e,f,error"
		for (i = 0; i < 2000; i++) printf "%d,%d,%d,n,%d,%d,%d,%d,%s\n", i, i, 2 * i, 3 * i, 4 * i, 5 * i, 6 * i, i % 100 ? "" : "late"
	}' >a/jobs/x_0123456789/runs/4/request_metrics.csv
	# the same rows, each with a long note
	long=$(printf '%09000d' 0)
	sed "s/,n,/,n$long,/" a/jobs/x_0123456789/runs/4/request_metrics.csv >a/jobs/x_0123456789/runs/8/request_metrics.csv
	[ "$(stat -c %s a/jobs/x_0123456789/runs/8/request_metrics.csv)" -gt $((16 << 20)) ]
	cs-report csv --long a | sed 1d | cut -d , -f 12- >rows
	same rows "$(sed -n 2p rows)" "$(sed -n 1p rows)"
	same 'the start of them' "$(sed -n 1p rows | cut -d , -f 1-3,38)" 2000,20,1000.0,11994.0
}
