#!/usr/bin/env bats
# Goal: cs-load sends what the arrival process says and when it says so, counts every latency from when
# a request was due, takes no failure for an answer, and comes to its end in bounded memory whatever the server
# does. Servers: build/servers/hostile, which does to a client what the path says, and nginx. Nothing here
# depends on how fast the machine is.

load helper

setup_file() {
	export hostile=${CS_BIN:-$BATS_TEST_DIRNAME/../build/bin}/../servers/hostile
	[ -x "$hostile" ] || make -s -C "$BATS_TEST_DIRNAME/.." servers
}

# Runs COMMAND in the background until the test is over, however it ends: its standard input ends then.
in_background() {
	[ -p life ] || { mkfifo life && exec 9<>life; }
	"$@" <life >/dev/null 2>&1 3>&- 9>&- &
}

# Starts the hostile server: its address is $url, what it was sent in requests.log.
start_hostile() {
	in_background "$hostile" port requests.log
	exec 9>life
	eventually 20 test -s port
	url=http://127.0.0.1:$(cat port)
}

# Starts nginx with the lines on stdin as its server block.
start_nginx() {
	local temp
	{
		echo 'daemon off; worker_processes 1; pid nginx.pid; error_log error.log; user root;'
		echo 'events { worker_connections 500; }'
		echo 'http { log_format protocol "$server_protocol"; access_log access.log protocol;'
		for temp in client_body proxy fastcgi uwsgi scgi; do
			echo "${temp}_temp_path temp;"
		done
		echo 'server {'
		cat
		echo 'location / { return 200 "ok\n"; } } }'
	} >nginx.conf
	in_background sh -c '
		PATH=$PATH:/usr/sbin:/usr/local/sbin nginx -p "$PWD" -c "$PWD/nginx.conf" -e "$PWD/error.log" </dev/null & pid=$!
		cat
		kill "$pid"'
	exec 9>life
	eventually 20 test -S socket
}

# A column of the rows in request_metrics.csv; none of them has a comma in a cell but where the test says so.
column() {
	awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) n = i; next } { print $n }' "${2:-request_metrics.csv}"
}

by_id() {
	{ head -n 1 "$1"; tail -n +2 "$1" | sort -t, -n -k1,1; }
}

summary() {
	jq -c "$1" benchmark_results.json
}

# Runs awk over the rows, $1 the program, with each column's number under its name; prints what is wrong.
rows_hold() {
	run awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } '"$1" request_metrics.csv
	same "rows of which it is not true: $1" "$output" ""
}

@test "cs-load sends N requests, and writes a row with every latency for each" {
	start_hostile
	cs-load --qps 200 --num-requests 50 --output-dir . "$url/"
	same header "$(head -n 1 request_metrics.csv)" \
		request_id,arrival_time,request_scheduling_delay,ttft,tpot,request_e2e_time,status,error,prompt_tokens,completion_tokens
	same ids "$(column request_id | sort -n | paste -sd' ')" "$(seq 0 49 | paste -sd' ')"
	same counts "$(summary '[.summary.num_successful, .summary.num_failed, .errors]')" '[50,0,{}]'
	same "requests at the server" "$(grep -c '^GET / ' requests.log)" 50
	rows_hold '{ d = $c["request_scheduling_delay"]; f = $c["ttft"]; e = $c["request_e2e_time"] }
		!(d > 0 && f >= d && e >= f && $c["status"] == 200) || $c["error"] $c["tpot"] $c["prompt_tokens"] $c["completion_tokens"] != ""'
}

@test "requests are due when the simulator has them due, for every arrival process and seed" {
	start_hostile
	printf 'Time\n0\n0.1\n0.1\n0.25\n' >times.csv
	mkdir simulated
	for fields in '{"interval_type": "poisson", "seed": 1}' '{"interval_type": "poisson", "seed": 2}' \
		'{"interval_type": "gamma", "cv": 2.5, "seed": 3}' '{"interval_type": "gamma", "cv": 0.25}' '{"interval_type": "static"}' \
		'{"interval_type": "trace", "interval_trace_file": "times.csv", "interval_trace_start_time": "1970-01-01 00:00:00",
		"interval_trace_time_scale_factor": 0.5}'; do
		echo "$fields" | jq '. + {qps: 300, num_requests: 40, gpus: "0", sim_model: "queue"}' >config.json
		CS_TRIAL_CONFIG=config.json CS_TRIAL_DIR=simulated CS_QPS=300 cs-sim
		cs-load --config config.json --output-dir . "$url/"
		by_id request_metrics.csv >measured.csv
		by_id simulated/request_metrics.csv >expected.csv
		same "$fields" "$(column arrival_time measured.csv)" "$(column arrival_time expected.csv)"
		[ "$(wc -l <measured.csv)" -ge 5 ]
	done
	cs-load --qps 300 --num-requests 40 --interval-type gamma --cv 2.5 --seed 3 --output-dir . "$url/"
	echo '{"interval_type": "gamma", "cv": 2.5, "seed": 3, "qps": 300, "num_requests": 40, "gpus": "0", "sim_model": "queue"}' >config.json
	CS_TRIAL_CONFIG=config.json CS_TRIAL_DIR=simulated CS_QPS=300 cs-sim
	same "options as fields" "$(by_id request_metrics.csv | cut -d, -f2)" "$(by_id simulated/request_metrics.csv | cut -d, -f2)"
}

@test "latencies count from when requests were due: they grow at a server that takes one at a time" {
	start_hostile
	cs-load --qps 200 --interval-type static --num-requests 12 --output-dir . "$url/serial"
	same successes "$(summary .summary.num_successful)" 12
	# The n-th to finish has had n services of 50 ms before its end, all of them since the start of the run.
	rows_hold '$c["arrival_time"] + $c["request_e2e_time"] < 0.05 * (NR - 1)'
}

@test "a request that waits for a connection counts from when it was due, and the run is limited by the harness" {
	start_hostile
	cs-load --qps 1000 --interval-type static --num-requests 8 --max-connections 1 --output-dir . "$url/serial"
	same summary "$(summary '[.summary.num_successful, .summary.limited_by]')" '[8,"harness"]'
	rows_hold '$c["arrival_time"] + $c["request_e2e_time"] < 0.05 * (NR - 1)'
	rows_hold '$c["arrival_time"] + $c["request_scheduling_delay"] < 0.05 * (NR - 2)'
	summary .summary.limit | grep -q '7 requests had to wait for a free connection, 1 being in use'
}

@test "connections that run out are said, and their requests fail within the time-out" {
	start_hostile
	# All are due within nanoseconds: when the first four are given up, the others are late as well.
	run cs-load --qps 1e9 --interval-type static --num-requests 30 --max-connections 4 --timeout-s 0.3 --output-dir . "$url/never"
	same status "$status" 0
	[[ $output == *"limited by the load generator: "*"no connection"* ]]
	same rows "$(column error | sort -u | paste -sd,)" "no free connection within the time-out,timed out after 0.3 s"
	same summary "$(summary '[.summary.num_failed, .summary.limited_by, (.errors | add)]')" '[30,"harness",30]'
	(ulimit -n 90 && cs-load --qps 1e6 --num-requests 200 --timeout-s 0.5 --output-dir . "$url/never")
	same summary "$(summary '[.summary.num_failed, .summary.limited_by]')" '[200,"harness"]'
}

@test "answers that fail are failed requests, with a cause and without latencies" {
	start_hostile
	while IFS='|' read -r path code error; do
		for version in 1.1 2; do # the second goes through libcurl
			cs-load --http "$version" --qps 1000 --num-requests 5 --timeout-s 20 --output-dir . "$url$path"
			same "$path $version" "$(cut -d, -f3- request_metrics.csv | tail -n +2 | sort -u)" ",,,,$code,$error,,"
			same "$path $version: counts" "$(summary "[.summary.num_failed, .errors[\"$error\"]]")" '[5,5]'
		done
	done <<-'END'
	/close||closed without an answer
	/reset||Recv failure: Connection reset by peer
	/garbage||answer is not HTTP
	/cut|200|answer cut off
	/cut-chunk|200|answer cut off
	/503|503|HTTP status 503
	/302|302|HTTP status 302
	/headers|200|headers too long
	/header|200|headers too long
	END
	cs-load --qps 1000 --num-requests 5 --output-dir . http://127.0.0.1:1/
	same refused "$(cut -d, -f3- request_metrics.csv | tail -n +2 | sort -u)" ",,,,,cannot connect: Connection refused,,"
}

@test "a run ends when the server never does: no answer, a byte a second, endless bodies and interim answers" {
	start_hostile
	for path in /never /drip /body /interim; do
		timeout 60 cs-load --qps 1000 --num-requests 4 --timeout-s 0.5 --output-dir . "$url$path"
		same "$path: rows" "$(column request_id | wc -l)" 4
		same "$path: failed" "$(summary .summary.num_failed)" 4
		rows_hold '$c["error"] !~ /^(timed out after 0.5 s|headers too long)$/'
	done
	timeout 60 cs-load --qps 1000 --num-requests 4 --timeout-s 0.5 --output-dir . "https${url#http}/never"
	same "TLS that never connects" "$(column error | sort | uniq -c | tr -s ' ')" ' 4 timed out after 0.5 s'
}

@test "streams give first token, inter-token time and the usage's counts" {
	start_hostile
	cs-load --stream openai --qps 100 --num-requests 3 --output-dir . "$url/stream"
	same tokens "$(tail -n +2 request_metrics.csv | cut -d, -f7- | sort -u)" 200,,7,5
	# The first chunk with text comes 200 ms after the request, the second after 100 ms, and the end after 100 ms more.
	rows_hold '$c["ttft"] < 0.2 || $c["request_e2e_time"] < 0.4 || $c["tpot"] <= 0'
	rows_hold '$c["ttft"] + 4 * $c["tpot"] > $c["request_e2e_time"]'
	cs-load --stream openai --qps 100 --num-requests 3 --output-dir . "$url/stream-text"
	same "no usage" "$(tail -n +2 request_metrics.csv | cut -d, -f7- | sort -u)" 200,,,
	rows_hold '!($c["ttft"] > 0)'
}

@test "a stream is the same wherever it is cut: line ends, comments, events of several lines, a role before the first token" {
	start_hostile
	for version in 1.1 2; do
		cs-load --http "$version" --stream openai --qps 100 --num-requests 3 --output-dir . "$url/stream-bytes"
		same "$version" "$(tail -n +2 request_metrics.csv | cut -d, -f7- | sort -u)" 200,,7,3
		rows_hold '!($c["ttft"] > 0 && $c["tpot"] > 0.02 && $c["ttft"] < $c["request_e2e_time"])'
	done
	cs-load --stream openai --qps 100 --num-requests 3 --output-dir . "$url/stream-tool"
	same "a call of a tool is a token" "$(tail -n +2 request_metrics.csv | cut -d, -f7- | sort -u)" 200,,,
	rows_hold '!($c["ttft"] > 0)'
}

@test "streams that break off, hold an error or no token, or are none, are failed requests" {
	start_hostile
	while IFS='|' read -r path error; do
		cs-load --stream openai --qps 1000 --num-requests 4 --timeout-s 20 --output-dir . "$url$path"
		same "$path" "$(cut -d, -f3- request_metrics.csv | tail -n +2 | sort -u)" ",,,,200,$error,,"
		same "$path: failed" "$(summary .summary.num_failed)" 4
	done <<-'END'
	/stream-cut|stream ended early
	/stream-error|"error event: out, of \""memory"
	/stream-event-error|error event
	/stream-abort|aborted by the server
	/stream-no-tool|stream without a token
	/stream-garbage|malformed event
	/stream-empty|stream without a token
	/stream-json|stream ended early
	END
}

@test "memory is bounded: 100 MB in one event, endless headers, header lines and bodies" {
	without_sanitizer
	start_hostile
	for path in /event /headers /header /body; do
		for version in 1.1 2; do # the second goes through libcurl
			cs-load --http "$version" --stream openai --qps 100 --num-requests 2 --timeout-s 20 --output-dir . "$url$path" 3>&- &
			peak=0
			while peak_now=$(awk '/^VmHWM/ { print $2 }' "/proc/$!/status" 2>/dev/null) && [ -n "$peak_now" ]; do
				peak=$peak_now
				[ "$peak" -lt 60000 ] || { echo "$path: $peak kB"; return 1; }
				sleep 0.02
			done
			wait $!
			[ "$peak" -gt 0 ]
			same "$path: rows" "$(column request_id | wc -l)" 2
		done
	done
	cs-load --stream openai --qps 100 --num-requests 1 --timeout-s 600 --output-dir . "$url/event"
	same "an event of 100 MB is one chunk" "$(tail -n +2 request_metrics.csv | cut -d, -f7-)" 200,,,
}

@test "the run says when it was late itself, by the threshold that it is given" {
	start_hostile
	cs-load --qps 100 --num-requests 5 --threshold-s 1e-9 --output-dir . "$url/"
	same "no generator is so fast" "$(summary .summary.limited_by)" '"harness"'
	cs-load --qps 1e9 --num-requests 3000 --output-dir . "$url/"
	same "nor offers so much" "$(summary .summary.limited_by)" '"harness"'
	cs-load --qps 50 --num-requests 20 --output-dir . "$url/"
	same "agrees with the quantile" "$(summary '(.summary.limited_by == "harness") == (.generator.lateness_s["q0.5"] > 0.001)')" true
	same quantiles "$(summary '.generator.lateness_s | [.["q0.5"], .["q0.9"], .["q0.99"], .["q0.999"], .max] | . == sort and .[0] > 0')" true
}

@test "cs-trial takes it from the results that the harness was too late" {
	command -v cs-trial >/dev/null || skip "no cs-trial"
	printf '#!/bin/sh\nprintf "request_id,ttft\\n0,1\\n" >"$CS_TRIAL_DIR/request_metrics.csv"
		echo "{\\"summary\\": {\\"num_successful\\": 1, \\"num_failed\\": 0, \\"limited_by\\": $LIMIT}}" >"$CS_TRIAL_DIR/benchmark_results.json"\n' >harness
	chmod +x harness
	printf 'harness: {command: [./harness]}\nbenchmark_base: {}\njobs: [{name: a, qps_list: [1, 2]}]\nsla: [{metric: ttft, quantile: 0.5, op: <=, threshold: 2}]\n' >config.yaml
	cs-expand --config-path config.yaml --output-dir out
	cd out
	LIMIT='"harness"' cs-trial --job jobs/* --qps 1
	same limited "$(jq -c '[.passed, .limited_by]' jobs/*/runs/1/trial_result.json)" '[false,"harness"]'
	LIMIT=null cs-trial --job jobs/* --qps 2
	same "not limited" "$(jq -c '[.passed, .limited_by]' jobs/*/runs/2/trial_result.json)" '[true,null]'
}

@test "rows are appended as requests finish, whole, and a run that is killed leaves no results" {
	start_hostile
	printf 'Time\n0\n0.01\n500\n' >times.csv
	cs-load --interval-type trace --interval-trace-file times.csv --interval-trace-start-time '1970-01-01 00:00:00' \
		--interval-trace-time-scale-factor 1 --output-dir . "$url/" 3>&- &
	eventually 30 sh -c '[ "$(wc -l <request_metrics.csv)" = 3 ]' 2>/dev/null
	kill -0 $!
	kill -TERM $!
	status=0
	wait $! || status=$?
	same "exit status" "$status" 143
	same "last byte" "$(tail -c 1 request_metrics.csv | od -An -c | tr -d ' ')" '\n'
	[ ! -e benchmark_results.json ]
}

@test "method, headers and body are sent as given" {
	start_hostile
	cs-load --qps 100 --num-requests 1 --method PUT --header 'X-One: 1' --body 'a b' --output-dir . "$url/a"
	cs-load --qps 100 --num-requests 1 --method DELETE --output-dir . "$url/b"
	printf 'from a file' >body
	cs-load --qps 100 --num-requests 1 --body-file body --output-dir . "$url/c"
	cs-load --qps 100 --num-requests 1 --header 'X-One: 1' --header 'X-Two: 22' --output-dir . "$url/d"
	cs-load --qps 100 --num-requests 1 --output-dir . "$url/d"
	same requests "$(sed 's/ [0-9]* / /' requests.log)" "PUT /a a b
DELETE /b 
POST /c from a file
GET /d 
GET /d "
	same "bytes of two headers" "$(awk '$2 == "/d" { n[i++] = $3 } END { print n[0] - n[1] }' requests.log)" 21
}

@test "a template is filled in with prompts of the trial's lengths, the same for the same seed" {
	start_hostile
	printf '{"id": {{request_id}}, "m": "{{model}}", "p": "{{prompt}}", "n": [{{prompt_tokens}}, {{completion_tokens}}]}' >template
	for i in 1 2; do
		cs-load --qps 1000 --num-requests 20 --length-type uniform --min-tokens 10 --max-tokens 60 --model 'a "b"' \
			--body-template template --output-dir . "$url/$i"
	done
	grep '/1 ' requests.log | cut -d' ' -f4- | sort >first
	grep '/2 ' requests.log | cut -d' ' -f4- | sort >second
	cmp first second
	same bodies "$(jq -c 'select(.m != "a \"b\"" or (.p | split(" ") | length) != .n[0] or (.n | add) < 10 or (.n | add) > 60)' first)" ""
	same ids "$(jq .id first | sort -n | paste -sd' ')" "$(seq 0 19 | paste -sd' ')"
	[ "$(jq '.n[0]' first | sort -u | wc -l)" -gt 5 ]
	cs-load --qps 1000 --num-requests 1 --seed 7 --body-template template --output-dir . "$url/3"
	[ "$(grep '/3 ' requests.log | jq -R 'split(" ")[3:] | join(" ") | fromjson.p' )" != "$(jq 'select(.id == 0).p' first)" ]
}

@test "a file of requests gives bodies, prompts and conversations, in order, again and again" {
	start_hostile
	cat >requests.jsonl <<-'END'
	{"model": "m", "prompt": "as it is"}
	{"body": {"a": 1}}

	{"body": "plain text"}
	{"id": "x", "conversations": [{"from": "system", "value": "no"}, {"from": "human", "value": "say \"hi\""}, {"from": "gpt", "value": "hi"}]}
	"just a prompt"
	END
	cs-load --qps 50 --interval-type static --num-requests 6 --max-connections 1 --model M --decode-tokens 9 \
		--requests-file requests.jsonl --output-dir . "$url/"
	chat='{"model": "M", "messages": [{"role": "user", "content": "PROMPT"}], "max_tokens": 9, "stream": true, "stream_options": {"include_usage": true}}'
	same bodies "$(cut -d' ' -f4- requests.log)" '{"model": "m", "prompt": "as it is"}
{"a":1}
plain text
'"${chat/PROMPT/say \\\"hi\\\"}"'
'"${chat/PROMPT/just a prompt}"'
{"model": "m", "prompt": "as it is"}'
	echo '<{{prompt}}>' >template
	: >requests.log
	cs-load --qps 50 --interval-type static --num-requests 4 --max-connections 1 --body-template template \
		--requests-file <(sed -n '1p;6p' requests.jsonl) --output-dir . "$url/x"
	same "prompts in a template" "$(grep -c '/x [0-9]* <as it is>\|/x [0-9]* <just a prompt>' requests.log)" 4
}

@test "files of requests and templates that are not what they should be are refused with the line" {
	printf '{"a": 1}\n[1]\n' >list.jsonl
	run cs-load --qps 1 --num-requests 1 --requests-file list.jsonl http://127.0.0.1:1/
	same status "$status" 65
	[[ $output == *"list.jsonl:2: expected an object or a text"* ]]
	printf '{"conversations": [{"from": "gpt", "value": "x"}]}\n' >silent.jsonl
	run cs-load --qps 1 --num-requests 1 --requests-file silent.jsonl http://127.0.0.1:1/
	same status "$status" 65
	[[ $output == *"silent.jsonl:1: no human turn"* ]]
	: >empty.jsonl
	run cs-load --qps 1 --num-requests 1 --requests-file empty.jsonl http://127.0.0.1:1/
	same status "$status" 65
	printf 'a\n{{promt}}' >template
	run cs-load --qps 1 --num-requests 1 --body-template template http://127.0.0.1:1/
	same status "$status" 65
	[[ $output == *"template:2: unknown {{promt}}"* ]]
}

@test "warm-up requests are sent first and leave no row" {
	start_hostile
	cs-load --qps 500 --num-requests 10 --num-warmup-requests 25 --output-dir . "$url/"
	same "requests at the server" "$(wc -l <requests.log)" 35
	same rows "$(column request_id | wc -l)" 10
	same counts "$(summary .summary.num_successful)" 10
}

@test "a config gives the fields, options stand over it, and CS_TRIAL_DIR is where the files go" {
	start_hostile
	echo '{"qps": 1000, "num_requests": 7, "seed": 1, "no_field_of_ours": 1}' >config.json
	mkdir trial
	CS_TRIAL_DIR=trial cs-load --config config.json "$url/"
	same rows "$(wc -l <trial/request_metrics.csv)" 8
	same results "$(jq .summary.num_successful trial/benchmark_results.json)" 7
	CS_TRIAL_DIR=trial cs-load --config config.json --num-requests 3 --output-dir - "$url/" >out.csv
	same "rows on stdout" "$(wc -l <out.csv)" 4
	same "and none in the directory" "$(wc -l <trial/request_metrics.csv)" 8
}

@test "connections are kept: never more than there were requests at a time" {
	start_hostile
	cs-load --qps 50 --interval-type static --num-requests 20 --output-dir . "$url/"
	same connections "$(summary '.generator.connections <= .generator.max_in_flight')" true
}

@test "a kept connection that the server closes just before it is used again is no failed request" {
	start_hostile
	for version in 1.1 2; do
		cs-load --http "$version" --qps 1e6 --num-requests 200 --max-connections 1 --output-dir . "$url/once"
		same "$version" "$(summary '[.summary.num_successful, .summary.num_failed]')" '[200,0]'
	done
}

@test "nginx: HTTP/1.1 and HTTP/2 with and without TLS, over a Unix socket" {
	openssl req -x509 -newkey rsa:2048 -nodes -days 2 -keyout key.pem -out cert.pem -subj /CN=right.example \
		-addext subjectAltName=DNS:right.example 2>/dev/null
	start_nginx <<-'END'
	listen "unix:socket";
	listen "unix:clear2" http2;
	listen "unix:tls" ssl http2;
	ssl_certificate cert.pem;
	ssl_certificate_key key.pem;
	END
	while IFS='|' read -r socket protocol host options; do
		: >access.log
		# shellcheck disable=SC2086 # words
		cs-load --qps 300 --num-requests 30 --unix-socket "$socket" $options --output-dir . "$host/"
		same "$host $options" "$(summary '[.summary.num_successful, .summary.num_failed]')" '[30,0]'
		same "$host $options: protocol" "$(sort access.log | uniq -c | tr -s ' ')" " 30 $protocol"
	done <<-'END'
	socket|HTTP/1.1|http://right.example|
	socket|HTTP/1.1|http://right.example|--http 2
	clear2|HTTP/2.0|http://right.example|--http 2-prior-knowledge
	tls|HTTP/1.1|https://right.example|--cacert cert.pem
	tls|HTTP/2.0|https://right.example|--cacert cert.pem --http 2
	tls|HTTP/2.0|https://wrong.example|--insecure --http 2
	END
	for options in '--cacert cert.pem' ''; do
		host=https://wrong.example
		[ -n "$options" ] || host=https://right.example
		# shellcheck disable=SC2086
		cs-load --qps 300 --num-requests 5 --unix-socket tls $options --output-dir . "$host/"
		same "$host $options" "$(summary '[.summary.num_successful, .summary.num_failed]')" '[0,5]'
		rows_hold '$c["error"] !~ /certificate/ || $c["request_e2e_time"] $c["ttft"] != ""'
	done
}

@test "wrong usage, missing files and a full disk have their exit statuses" {
	for arguments in '' 'http://127.0.0.1:1/' '--qps 1 --num-requests 1 ftp://127.0.0.1/' '--qps 1 --num-requests 0 http://127.0.0.1:1/' \
		'--qps x --num-requests 1 http://127.0.0.1:1/' '--qps 1 --num-requests 1 --stream grpc http://127.0.0.1:1/' \
		'--qps 1 --num-requests 1 --http 3 http://127.0.0.1:1/' '--qps 1 --num-requests 1 --header nonsense http://127.0.0.1:1/' \
		'--qps 1 --num-requests 1 --body a --body-file b http://127.0.0.1:1/' '--qps 1 --num-requests 1 --interval-type x http://127.0.0.1:1/' \
		'--qps 1 --num-requests 1 --timeout-s 0 http://127.0.0.1:1/' '--no-such-option' 'http://127.0.0.1:1/ http://127.0.0.1:2/'; do
		# shellcheck disable=SC2086
		run cs-load $arguments
		same "$arguments" "$status" 64
		[ -n "$output" ]
	done
	run cs-load --config missing.json http://127.0.0.1:1/
	same status "$status" 66
	run cs-load --qps 1 --num-requests 1 --body-file missing http://127.0.0.1:1/
	same status "$status" 66
	run cs-load --qps 1 --num-requests 1 --output-dir missing http://127.0.0.1:1/
	same status "$status" 73
	run cs-load --qps 1 --num-requests 1 http://no-such-host.invalid/
	same status "$status" 69
	echo '{"qps": 1,
"num_requests": "x"}' >config.json
	run cs-load --config config.json http://127.0.0.1:1/
	same status "$status" 65
	[[ $output == *"config.json:2: num_requests"* ]]
	run sh -c 'cs-load --qps 1000 --num-requests 3 http://127.0.0.1:1/ >/dev/full'
	same status "$status" 74
}
