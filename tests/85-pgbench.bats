#!/usr/bin/env bats
# Goal: harness pgbench measures a real PostgreSQL server, one row per transaction with its times in seconds, never
# takes a failure for a result, and leaves neither a process nor a directory behind, however it ends.

load helper

clusters=''

teardown() {
	cd "$top"
	[ -n "$clusters" ] || return 0
	local left
	left=$(processes)
	[ -z "$left" ] || kill -9 $left 2>/dev/null || :
	rm -rf "$clusters"
}

# The processes that run in a directory below $clusters.
processes() {
	ls -ln /proc/[0-9]*/cwd 2>/dev/null | grep -F " -> ${clusters:?}/" | grep -o '/proc/[0-9]*' | cut -c 7-
}

nothing_left() {
	[ -z "$(processes)" ] && [ -z "$(ls "$clusters")" ]
}

not() {
	! "$@"
}

measuring() {
	[ -n "$(find "$clusters" -name rows.0 2>/dev/null)" ]
}

# A trial in $T/trial with the fields of the JSON text CONFIG: prepare CONFIG QPS
prepare() {
	harness=$built/share/capacity-search/harness/pgbench
	if [ -z "$clusters" ]; then
		clusters=$(mktemp -d /tmp/cs.XXXXXX)
		chmod 711 "$clusters"
	fi
	export TMPDIR=$clusters CS_QPS=$2 CS_TRIAL_DIR=$T/trial CS_TRIAL_CONFIG=$T/trial/trial_config.json
	mkdir -p trial
	printf '%s\n' "$1" >trial/trial_config.json
	echo 'SELECT pg_sleep(0.02);' >'short nap.sql'
}

# Runs it: the exit status is in $status, what it said in trial/benchmark.log, its last line in $said.
measure() {
	prepare "$@"
	status=0
	"$harness" >trial/benchmark.log 2>&1 || status=$?
	said=$(tail -n 1 trial/benchmark.log)
}

@test "every transaction is a row, with the times since it was due in seconds" {
	measure '{"scale": 0, "script": "short nap.sql", "clients": 4, "threads": 2, "num_requests": 38, "seed": 7}' 40
	same "status ($said)" "$status" 0
	same header "$(head -n 1 trial/request_metrics.csv)" \
		request_id,arrival_time,request_scheduling_delay,request_e2e_time,error
	same "rows, ten of each client" "$(tail -n +2 trial/request_metrics.csv | wc -l)" 40
	same ids "$(tail -n +2 trial/request_metrics.csv | cut -d, -f1 | sort -nu | wc -l)" 40
	mean=$(sed -n 's/^latency average = \([0-9.]*\) ms$/\1/p' trial/benchmark.log | tail -n 1)
	tail -n +2 trial/request_metrics.csv | awk -F, -v mean="$mean" '
		NF != 5 || $5 != "" || $2 < 0 || $3 < 0 || $4 - $3 < 0.02 { print "wrong row: " $0; wrong = 1 }
		{ sum += $4 }
		NR == 1 || $2 < first { first = $2 }
		$2 > last { last = $2 }
		END {
			if (sum / NR * 1000 < mean * 0.99 || sum / NR * 1000 > mean * 1.01) { print "mean: " sum / NR " s, not " mean " ms"; wrong = 1 }
			if (last - first < 0.4 || last - first > 2.5) { print "40 requests at 40/s are due in " last - first " s"; wrong = 1 }
			exit wrong
		}'
	grep -q 'database system is ready' trial/benchmark.log
	grep -q 'number of transactions actually processed: 40/40' trial/benchmark.log
	grep -q 'random seed to 7$' trial/benchmark.log
	not grep 'listening on IP' trial/benchmark.log
	nothing_left
}

@test "tables, a setup script, settings, variables and a warm-up come before the measurement" {
	echo 'CREATE TABLE answers AS SELECT 42 AS answer;' >setup.sql
	cat >check.sql <<-'END'
		SELECT 1 / (count(*) = :scale)::int FROM pgbench_branches;
		SELECT 1 / (answer = :expected)::int FROM answers;
		SELECT 1 / (current_setting('work_mem') = '5MB' AND current_setting('search_path') = 'public, x')::int;
		SELECT 1 / (current_setting('vacuum_cost_limit') = '321')::int AS marker;
	END
	echo 'vacuum_cost_limit = 321' >server.conf
	measure '{"scale": 2, "setup_script": "setup.sql", "script": "check.sql@1", "variables": "expected=42",
	    "settings": "work_mem=5MB search_path = public, x log_statement='\''all'\''", "conf_file": "server.conf",
	    "protocol": "extended", "clients": 2, "num_warmup_requests": 6, "num_requests": 4}' 100
	same "status ($said)" "$status" 0
	same rows "$(tail -n +2 trial/request_metrics.csv | wc -l)" 4
	same "executions, warm-up included" "$(grep -c 'LOG:  execute.*marker' trial/benchmark.log)" 10
}

@test "the number of transactions follows from the duration where no number is given" {
	measure '{"scale": 1, "builtin": "select-only", "duration": 0.5, "clients": 3, "tcp": true}' 40
	same "status ($said)" "$status" 0
	same rows "$(tail -n +2 trial/request_metrics.csv | wc -l)" 21
	grep -q 'listening on IPv4 address "127.0.0.1"' trial/benchmark.log
	same "other addresses" "$(grep 'listening on IP' trial/benchmark.log | grep -v 127.0.0.1)" ""
}

@test "a transaction that fails or is skipped is a row with an error and without times" {
	cat >fails.sql <<-'END'
		\if :client_id = 0
		DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = 'serialization_failure'; END $$;
		\else
		SELECT pg_sleep(0.1);
		\endif
	END
	measure '{"scale": 0, "script": "fails.sql", "clients": 2, "num_requests": 40, "max_tries": 2, "latency_limit_ms": 10}' 200
	same "status ($said)" "$status" 0
	same rows "$(tail -n +2 trial/request_metrics.csv | wc -l)" 40
	grep -qE '^[0-9]+,,,,(serialization|failed)$' trial/request_metrics.csv
	grep -qE '^[0-9]+,,,,skipped$' trial/request_metrics.csv
	same "other rows" "$(tail -n +2 trial/request_metrics.csv |
		grep -vE '^[0-9]+,([0-9.]+,[0-9.]+,[0-9.]+,|,,,(serialization|failed|skipped))$')" ""
}

@test "an SQL error in the middle is a failed harness with the reason last, not a time-out" {
	printf '%s\n' 'SELECT nextval($$s$$) AS n \gset' 'SELECT 1 / (:n - 5);' >fifth.sql
	echo 'CREATE SEQUENCE s;' >setup.sql
	measure '{"scale": 0, "setup_script": "setup.sql", "script": "fifth.sql", "clients": 1, "num_requests": 20,
	    "num_warmup_requests": 0}' 200
	same status "$status" 1
	same rows "$(tail -n +2 trial/request_metrics.csv | wc -l)" 4
	[[ $said = *"4 of 20 transactions"*"division by zero"* ]]
	nothing_left
}

@test "a server that cannot start, clients that it refuses and a broken setup script are failures with a reason" {
	measure '{"scale": 0, "settings": "shared_buffers=lots"}' 10
	same status "$status" 1
	[[ $said = *"server did not start"* ]]
	grep -q 'invalid value for parameter "shared_buffers"' trial/benchmark.log
	nothing_left

	measure '{"scale": 0, "script": "short nap.sql", "clients": 20, "num_warmup_requests": 0, "num_requests": 20,
	    "settings": "max_connections=9"}' 10
	same status "$status" 1
	[[ $said = *"too many clients"* ]]
	nothing_left

	echo 'CREATE NONSENSE;' >setup.sql
	measure '{"scale": 0, "setup_script": "setup.sql"}' 10
	same status "$status" 1
	[[ $said = *"setup script"*"syntax error"* ]]
	nothing_left
}

@test "what is missing or makes no sense is said at once, with a status of its own" {
	measure '{"script": "nowhere.sql"}' 10
	same status "$status" 66
	[[ $said = *nowhere.sql* ]]
	measure '{"bindir": "/nowhere"}' 10
	same status "$status" 69
	[[ $said = *"no program postgres in /nowhere"* ]]
	measure '{"clients": 0}' 10
	same status "$status" 78
	grep -q 'clients: expected at least 1, found 0' trial/benchmark.log
	measure '{"settings": "fast please"}' 10
	same status "$status" 78
	grep -q 'settings: expected NAME=VALUE, found fast please' trial/benchmark.log
	unset CS_QPS
	run "$harness"
	same status "$status" 64
	nothing_left
}

@test "TERM, INT and HUP at any moment leave no server, no socket and no directory" {
	prepare '{"scale": 1, "script": "short nap.sql", "clients": 2, "num_requests": 4000}' 10
	local moment
	for moment in 'TERM global/pg_control' 'HUP data/postmaster.pid' 'TERM rows.0'; do
		env --default-signal=INT "$harness" >trial/benchmark.log 2>&1 3>&- &
		pid=$!
		seen() { find "$clusters" 2>/dev/null | grep -q "${moment#* }"; }
		eventually 60 seen
		kill -s "${moment%% *}" "$pid"
		status=0
		wait "$pid" || status=$?
		same "status after $moment" "$status" $((128 + $(kill -l "${moment%% *}")))
		eventually 10 nothing_left
	done
	grep -q 'received fast shutdown request' trial/benchmark.log
}

@test "what a try that was killed with -9 left is gone after the next try of the same trial" {
	prepare '{"scale": 0, "script": "short nap.sql", "clients": 2, "num_requests": 4000}' 10
	"$harness" >trial/benchmark.log 2>&1 3>&- &
	pid=$!
	eventually 60 measuring
	kill -9 "$pid"
	wait "$pid" || :
	not nothing_left
	measure '{"scale": 0, "script": "short nap.sql", "clients": 2, "num_requests": 4}' 10
	same "status ($said)" "$status" 0
	nothing_left
}

@test "cs-trial killed with -9 takes the server along" {
	prepare '{"scale": 0, "script": "short nap.sql", "clients": 2, "num_requests": 4000}' 10
	cs-trial --dir own --env CS_QPS=1 -- "$harness" 3>&- &
	pid=$!
	eventually 60 measuring
	kill -9 "$pid"
	wait "$pid" || :
	no_process() { [ -z "$(processes)" ]; }
	eventually 30 no_process
}

@test "it runs as a user without rights, and as root with the server as another user" {
	[ "$(id -u)" = 0 ] || skip "needs root to become another user; all other tests run as this one"
	prepare '{"scale": 0, "script": "short nap.sql", "clients": 2, "num_requests": 4}' 40
	"$harness" >trial/benchmark.log 2>&1 3>&- &
	pid=$!
	eventually 60 measuring
	same "the owner of the cluster" "$(stat -c %U "$clusters"/cs-pgbench-*)" postgres
	same "its mode" "$(stat -c %a "$clusters"/cs-pgbench-*)" 700
	wait "$pid"

	theirs=$(mktemp -d "$clusters/XXXXXX")
	cp -R trial 'short nap.sql' "$theirs"
	rm -f "$theirs"/trial/*.csv
	mkdir "$theirs/tmp"
	cp -R "$built/bin" "$built/share" "$theirs" # the checkout may be in a place that only its owner enters
	chown -R nobody "$theirs"
	cd "$theirs"
	TMPDIR=$theirs/tmp CS_TRIAL_DIR=$theirs/trial CS_TRIAL_CONFIG=$theirs/trial/trial_config.json \
		setpriv --reuid=nobody --regid="$(id -g nobody)" --clear-groups \
		"$theirs/share/capacity-search/harness/pgbench"
	same rows "$(tail -n +2 trial/request_metrics.csv | wc -l)" 4
	same "left over" "$(ls tmp)" ""
}

@test "cs-expand knows the fields of pgbench, and says what is wrong with others" {
	prepare '{}' 1
	cat >config.yaml <<-'END'
		harness: pgbench
		benchmark_base: {scal: 3, interval_type: static, builtin: tpcc, clients: many}
		sla: [{metric: request_e2e_time, quantile: 0.5, op: <, threshold: 1}]
		jobs: [{name: a, start_qps: 1}]
	END
	run cs-expand --config-path config.yaml
	same status "$status" 78
	[[ $output = *"config.yaml:2:"*scal*scale* ]]
	[[ $output = *interval_type*poisson* ]]
	[[ $output = *builtin*tpcb-like* ]]
	[[ $output = *clients* ]]
	sed 's/{scal.*}/{scale: 3, clients: 4, latency_limit_ms: 10}/' config.yaml >right.yaml
	run cs-expand --config-path right.yaml
	same "status ($output)" "$status" 0
}

@test "the example finds the capacity of a slow script, and a second search measures nothing" {
	prepare '{}' 1
	unset CS_QPS CS_TRIAL_DIR CS_TRIAL_CONFIG
	cp "$top/examples/slow.sql" .
	# Fewer requests and a longer wait than in the example, for a busy machine; two clients do 40/s on any.
	sed 's/num_requests: 80/num_requests: 60/; s/threshold: 0.1 /threshold: 0.25 /' "$top/examples/postgresql.yaml" >config.yaml
	capacity-search --config-path config.yaml --output-dir out --max-iterations 3 >table 2>progress ||
		{ cat progress; return 1; }
	same trace "$(jq -c '.[0].search_trace | map([.qps + 0, .passed])' out/capacity_search_results.json)" \
		'[[16,true],[32,true],[64,false]]'
	same answer "$(jq '.[0].max_qps_under_sla' out/capacity_search_results.json)" 32
	not grep simulated table
	nothing_left
	find out -type f -exec stat -c '%n %y' {} + | sort >before
	run capacity-search --config-path config.yaml --output-dir out --max-iterations 3
	same status "$status" 0
	find out -type f -exec stat -c '%n %y' {} + | sort >after
	diff before after
}
