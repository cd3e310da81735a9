#!/usr/bin/env bats
# Goal: the capacity of a real language model, by the example's config: prompts, streams of tokens, rules on the first and the
# other tokens. It takes two minutes and needs make deps-llm, so make check-llm runs it. The machine says what the capacity
# is; the test, that the answer hangs together.

load ../helper

@test "examples/openai.yaml finds the capacity of a language model, under rules on ttft and tpot" {
	[ -e "$top/build/llm/model.gguf" ] || { echo 'no build/llm/model.gguf; make deps-llm makes it' >&2; return 1; }
	capacity-search --config-path "$top/examples/openai.yaml" --output-dir out >table
	cat table
	result=out/capacity_search_results.json
	for trial in out/jobs/*/runs/*/; do
		same "requests of $trial" "$(wc -l <"$trial/request_metrics.csv")" 201
		# Each answer has the tokens that were asked for. Tokens that a held-up machine hands over all at once have no time
		# between them.
		awk -F, 'NR > 1 && !($10 >= 10 && $10 <= 20 && $9 >= 30 && $4 > 0 && $4 <= $6 && ($5 == "" || $5 > 0)) { print; wrong = 1 }
			END { exit wrong }' "$trial/request_metrics.csv"
		awk -F, 'NR > 1 && $5 == "" { print; without++ } END { exit without > 100 }' "$trial/request_metrics.csv"
		grep -q '^server: ready on port' "$trial/benchmark.log"
	done
	same "servers left" "$(grep -lsF llm/server.mjs /proc/[0-9]*/cmdline)" ""
	jq -e '.[0] | .error == null and (.search_trace | all(.[]; .num_failed == 0))' "$result"
	if jq -e '.[0].search_end == "harness"' "$result"; then
		skip 'a machine too busy for cs-load to send in time'
	fi
	jq -e '.[0] | .max_qps_under_sla > 0 and .num_trials >= 2 and (has("note") | not)' "$result"
	jq -e '.[0].best_metric_values | .["ttft@q0.9"] <= 0.5 and .["tpot@q0.9"] <= 0.1 and .["tpot@q0.9"] > 0' "$result"
	if jq -e '.[0].search_end == "max_qps_cap"' "$result"; then
		skip 'a machine that takes all requests at once in time'
	fi
	# Somewhere it was too much, and then because of a rule.
	jq -e '.[0].search_trace | any(.[]; .passed == false and (.metric_values["ttft@q0.9"] > 0.5 or .metric_values["tpot@q0.9"] > 0.1))' "$result"
}
