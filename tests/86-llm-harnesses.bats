#!/usr/bin/env bats
# Goal: the harnesses vllm, sglang and guidellm run the tools' own commands with the rate of the trial and what the config
# says, word for word, on a server of the trial's own or one that is there; whatever goes wrong is a failed trial.
# The tools and the server are stand-ins that note their arguments.

load helper

# The tools' stand-ins in PATH, and what they write.
stand_in() {
	export STAND_IN="$T/$1"
	mkdir -p "$T/tools"
	for name in vllm python guidellm; do ln -sf "$data/stand-ins/bench" "$T/tools/$name"; done
	PATH=$T/tools:$PATH
	case $1 in
	vllm) cp "$data/convert/vllm-0.10.json" "$STAND_IN.result" ;;
	sglang) cp "$data/convert/sglang.jsonl" "$STAND_IN.result" ;;
	guidellm) cp "$data/convert/guidellm-0.5.json" "$STAND_IN.result" ;;
	esac
}

# Runs the harness NAME on the config (JSON) with 2.5 requests a second: harness NAME CONFIG
harness() {
	mkdir -p "$T/trial"
	printf '%s\n' "$2" >"$T/trial/trial_config.json"
	CS_QPS=2.5 CS_TRIAL_DIR="$T/trial" CS_TRIAL_CONFIG="$T/trial/trial_config.json" \
		"$(dirname "$(command -v cs-json)")/../share/capacity-search/harness/$1" 3>&-
}

# What the harness of the last run said, with its status: failed STATUS WORDS...
failed() {
	same "status, with output: $output" "$status" "$1"
	shift
	for words; do [[ "$output" == *"$words"* ]] || { echo "no '$words' in: $output"; return 1; }; done
	[ ! -e "$T/trial/request_metrics.csv" ]
}

words() { printf '%s\n' "$@"; }

@test "vllm bench serve gets the rate and the fields, and its file becomes the rows" {
	stand_in vllm
	run harness vllm '{"model": "a/b c", "tokenizer": "t", "prefill_tokens": 64, "decode_tokens": 8, "num_requests": 4,
		"seed": 7, "base_url": "http://10.0.0.1:8000/", "backend": "openai-chat", "endpoint": "/v1/chat/completions",
		"num_warmup_requests": 3, "interval_type": "gamma", "cv": 0.5}'
	same "status, with output: $output" "$status" 0
	same arguments "$(cat "$STAND_IN.arguments")" "$(words vllm bench serve --backend openai-chat \
		--base-url http://10.0.0.1:8000 --endpoint /v1/chat/completions --model 'a/b c' --tokenizer t --dataset-name random \
		--random-input-len 64 --random-output-len 8 --num-prompts 4 --request-rate 2.5 --burstiness 4 --seed 7 \
		--num-warmups 3 --save-result --save-detailed --result-dir "$T/trial/vllm" --result-filename result.json)"
	cmp "$T/trial/request_metrics.csv" <(cs-convert vllm "$STAND_IN.result")
	[[ "$output" == *"cs-convert: 4 requests, 2 failed"* ]]
}

@test "sglang's bench_serving gets the rate and the fields, and its file becomes the rows" {
	stand_in sglang
	run harness sglang '{"backend": "sglang-oai", "num_requests": 3, "dataset_name": "sharegpt", "dataset_path": "x.json"}'
	same "status, with output: $output" "$status" 0
	same arguments "$(cat "$STAND_IN.arguments")" "$(words python -m sglang.bench_serving --backend sglang-oai \
		--base-url http://127.0.0.1:30000 --dataset-name sharegpt --dataset-path x.json --num-prompts 3 --request-rate 2.5 \
		--seed 42 --output-file "$T/trial/sglang/result.jsonl" --output-details)"
	cmp "$T/trial/request_metrics.csv" <(cs-convert sglang "$STAND_IN.result")
}

@test "guidellm benchmark gets the rate and the fields, and its file becomes the rows" {
	stand_in guidellm
	run harness guidellm '{"model": "m", "duration": 100, "num_requests": null, "interval_type": "static"}'
	same "status, with output: $output" "$status" 0
	same arguments "$(cat "$STAND_IN.arguments")" "$(words guidellm benchmark --target http://127.0.0.1:8000 --model m \
		--data prompt_tokens=512,output_tokens=128 --rate-type constant --rate 2.5 --max-requests 250 --random-seed 42 \
		--disable-progress --output-path "$T/trial/guidellm/result.json")"
	cmp "$T/trial/request_metrics.csv" <(cs-convert guidellm "$STAND_IN.result")
}

@test "a guidellm with the command run gets the same in its words" {
	stand_in guidellm
	export STAND_IN_RUN=yes
	run harness guidellm '{"model": "m,\"x\"", "tokenizer": "t", "num_requests": 250, "interval_type": "poisson", "seed": 7,
		"prefill_tokens": 64, "decode_tokens": 8, "extra_args": "--label a=b"}'
	same "status, with output: $output" "$status" 0
	same arguments "$(cat "$STAND_IN.arguments")" "$(words guidellm run \
		--backend '{"kind":"openai_http","target":"http://127.0.0.1:8000","model":"m,\"x\""}' \
		--tokenizer '{"kind":"huggingface_auto","model":"t"}' \
		--data '{"kind":"synthetic_text","prompt_tokens":64,"output_tokens":8}' --profile '{"kind":"poisson","rate":2.5}' \
		--constraint '{"kind":"max_requests","count":250}' --seed '{"kind":"static","seed":7}' \
		--metrics '{"kind":"generative","sample_size":250}' --disable-console-interactive --label a=b \
		--output "{\"kind\":\"json\",\"path\":\"$T/trial/guidellm/result.json\"}")"
	cmp "$T/trial/request_metrics.csv" <(cs-convert guidellm "$STAND_IN.result")
	# A command of the user's own says by itself which it is.
	run harness guidellm '{"tool_command": "guidellm benchmark run"}'
	same "the older one" "$(sed -n '2,4p' "$STAND_IN.arguments")" "$(words benchmark run --target)"
	unset STAND_IN_RUN
	run harness guidellm '{"tool_command": "guidellm run", "data": "kind=json_file,path=x", "interval_type": "static"}'
	same "the newer one" "$(sed -n '2,8p' "$STAND_IN.arguments")" "$(words run \
		--backend '{"kind":"openai_http","target":"http://127.0.0.1:8000"}' --data kind=json_file,path=x \
		--profile '{"kind":"constant","rate":2.5}')"
}

@test "a file that the tool named itself is found" {
	for tool in vllm sglang guidellm; do
		stand_in "$tool"
		STAND_IN_MODE=other run harness "$tool" '{}'
		same "status, with output: $output" "$status" 0
		cmp "$T/trial/request_metrics.csv" <(cs-convert "$tool" "$STAND_IN.result")
	done
}

@test "no text of the config reaches a shell, and a JSON list keeps its words" {
	stand_in vllm
	run harness vllm '{"model": "$(touch pwned) `touch pwned`; touch pwned \u0027\"\\", "extra_args":
		"[\"--header\", \"a b\", \"\", \"*\", \"--n\", 3]", "tokenizer": "--x"}'
	same "status, with output: $output" "$status" 0
	grep -qxF -- '$(touch pwned) `touch pwned`; touch pwned '"'"'"\' "$STAND_IN.arguments"
	same 'extra arguments' "$(grep -xA 5 -- --header "$STAND_IN.arguments")" "$(words --header 'a b' '' '*' --n 3)"
	[ ! -e pwned ]
	run harness vllm '{"extra_args": "  --a *  --b \"c d\" "}'
	same 'extra arguments' "$(grep -xA 4 -- --a "$STAND_IN.arguments")" "$(words --a '*' --b '"c' 'd"')"
}

@test "another command for the tool is split into words" {
	stand_in sglang
	run harness sglang '{"tool_command": "guidellm -m sglang.bench_serving"}'
	same "status, with output: $output" "$status" 0
	same arguments "$(head -n 3 "$STAND_IN.arguments")" "$(words guidellm -m sglang.bench_serving)"
}

@test "a tool that fails, writes nothing or half a file is a failed trial" {
	for tool in vllm sglang guidellm; do
		stand_in "$tool"
		STAND_IN_MODE=fail run harness "$tool" '{}'
		failed 1 'cannot reach the model' 'ended with status 3'
		STAND_IN_MODE=exit2 run harness "$tool" '{}'
		failed 1 'ended with status 2'
		STAND_IN_MODE=nothing run harness "$tool" '{}'
		failed 1 'wrote no results'
		STAND_IN_MODE=cut run harness "$tool" '{}'
		failed 1 'cut off' 'cannot be converted'
	done
}

@test "what an earlier try wrote is not taken for this one's" {
	stand_in vllm
	harness vllm '{}'
	rm "$T/trial/request_metrics.csv"
	STAND_IN_MODE=nothing run harness vllm '{}'
	failed 1 'wrote no results'
}

@test "the server is started, waited for, and ended" {
	stand_in vllm
	run harness vllm "$(jq -n --arg server "$data/stand-ins/server" --arg file "$T/ready" \
		'{server_command: ([$server, $file, "a b"] | tojson), check_port: false, ready_url: "file://\($file | gsub(" "; "%20"))"}')"
	same "status, with output: $output" "$status" 0
	[[ "$output" == *"server: loading the model"* ]]
	same arguments "$(cat "$T/ready.arguments")" "$(words "$T/ready" 'a b')"
	[ ! -e "$T/ready" ]
}

# Runs the harness vllm with a server that gets WORD: with_server WORD [MEMBERS]
with_server() {
	harness vllm "$(jq -n --arg server "$data/stand-ins/server" --arg file "$T/ready" --arg word "$1" "{
		server_command: ([\$server, \$file, \$word] | tojson), check_port: false, ready_url: \"file://\(\$file | gsub(\" \"; \"%20\"))\" ${2-}}")"
}

@test "results of a server that the trial did not start say so, down to the table, and count the same requests" {
	for tool in vllm sglang guidellm; do
		stand_in "$tool"
		for member in 'extra_args: ["x server =y"]' \
			"server_command: ['$data/stand-ins/server', '$T/ready', x], check_port: false, ready_url: 'file://${T// /%20}/ready'"; do
			cat >"$T/config.yaml" <<-END
				harness: $tool
				benchmark_base: {num_requests: 9, $member}
				search: {max_failed_requests_pct: 90}
				jobs: [{name: one, qps_list: [2]}]
			END
			capacity-search --config-path "$T/config.yaml" --output-dir "$T/${member%%:*}" >"$T/${member%%:*}.table"
		done
		grep -q 'server not started by the trial' "$T/extra_args.table"
		! grep -q 'not started' "$T/server_command.table" || false
		same "requests and failed ones of $tool" \
			"$(jq -c '[.num_requests, .num_failed]' "$T"/extra_args/jobs/*/runs/2/trial_result.json)" \
			"$(jq -c '[.num_requests, .num_failed]' "$T"/server_command/jobs/*/runs/2/trial_result.json)"
		rm -r "$T/extra_args" "$T/server_command"
	done
}

@test "a server that ends before it is ready or in the middle is a failed trial at once" {
	stand_in vllm
	run with_server early
	failed 1 'no memory left' 'the server ended before it was ready'
	touch "$T/ready.die"
	STAND_IN_MODE=wait run with_server die
	failed 1 'out of pages' 'the server ended'
}

@test "a server that is not ready in time is a failed trial, and is ended" {
	stand_in vllm
	run harness vllm "$(jq -n --arg server "$data/stand-ins/server" --arg file "$T/ready" \
		'{server_command: ([$server, $file] | tojson), check_port: false, ready_url: "file:///nonexistent", server_startup_timeout: 1}')"
	failed 1 'did not answer in 1 s'
	[ ! -e "$T/ready" ]
}

@test "where something answers already, the trial's server is not started" {
	stand_in vllm
	echo 1 >"$T/ready"
	run with_server x
	failed 1 'answers' 'already'
	[ ! -e "$T/ready.arguments" ]
}

@test "TERM ends the tool and the server" {
	stand_in vllm
	with_server x
	rm "$STAND_IN.arguments" "$T/trial/request_metrics.csv"
	STAND_IN_MODE=wait CS_QPS=2.5 CS_TRIAL_DIR="$T/trial" CS_TRIAL_CONFIG="$T/trial/trial_config.json" \
		"$(dirname "$(command -v cs-json)")/../share/capacity-search/harness/vllm" 3>&- &
	eventually 20 test -s "$STAND_IN.arguments"
	server=$(cat "$T/ready")
	kill -TERM $!
	status=0
	wait $! || status=$?
	same status "$status" 143
	[ ! -e "/proc/$server" ]
	[ -e "$STAND_IN.ended" ]
	[ ! -e "$T/trial/request_metrics.csv" ]
}

@test "a tool that is not installed exits 69, and fields that cannot be used 78" {
	stand_in vllm
	rm "$T/tools/vllm"
	command -v vllm && skip 'vllm is installed'
	run harness vllm '{}'
	failed 69 'vllm is not installed'
	stand_in vllm
	run harness vllm '{"extra_args": "[1, [2]]"}'
	failed 78 extra_args
	run harness vllm '{"extra_args": "[1, 2"}'
	failed 78 extra_args
	run harness vllm '{"model": "a\nb"}'
	failed 78 'a line break'
}

@test "without its environment a harness exits 64" {
	for tool in vllm sglang guidellm; do
		run env -u CS_QPS "$(dirname "$(command -v cs-json)")/../share/capacity-search/harness/$tool"
		failed 64 'CS_QPS is not set'
	done
}

@test "a search with the harness reads its fields, and a failed trial is an error of the job" {
	stand_in vllm
	cat >"$T/config.yaml" <<-END
		harness: vllm
		benchmark_base: {model: m, num_requests: 4, extra_args: --ignore-eos}
		sla: [{metric: ttft, quantile: 0, op: <=, threshold: 1}]
		search: {max_failed_requests_pct: 50, max_iterations: 1}
		jobs: [{name: one, start_qps: 2}]
	END
	capacity-search --config-path "$T/config.yaml" --output-dir "$T/out" >"$T/table"
	same result "$(jq -c '.[0] | [.num_trials, .search_trace[0].num_requests, .search_trace[0].num_failed, .error]' \
		"$T/out/capacity_search_results.json")" '[1,4,2,null]'
	grep -qx -- --ignore-eos "$STAND_IN.arguments"
	rm -r "$T"/out/jobs/*/runs
	STAND_IN_MODE=fail run capacity-search --config-path "$T/config.yaml" --output-dir "$T/out"
	same status "$status" 1
	[[ "$(jq -r '.[0].error' "$T/out/capacity_search_results.json")" == *'cannot reach the model'* ]]
}
