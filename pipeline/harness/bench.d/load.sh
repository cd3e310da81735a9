# What the harnesses http and openai do, each with its own $tool; they read this file.
#
# Reads CS_TRIAL_CONFIG (the fields of the harness's .tsv and those of cs-load; bench.d/load.jq makes commands of them),
# starts the server where the config has one and waits until it is ready and is the one that answers, has cs-load send
# requests at CS_QPS, and ends the server. cs-load writes request_metrics.csv and benchmark_results.json. What all print
# is in the trial's log. The rules of the search, beside the jobs, tell cs-load how late it may be itself.
#
# Exits 0 when cs-load did, however many requests failed, 1 when not or when the server failed, 64 without its
# environment, 66 without the config, 69 when a program is missing, 78 when a field cannot be used. Never 2.
# shellcheck shell=sh disable=SC2153,SC2154 # the environment; tool
# shellcheck source=pipeline/harness/bench.d/server.sh
. "${0%/*}/bench.d/server.sh"

make_plan() {
	directory=$(cd "$CS_TRIAL_DIR" && pwd)
	rules=$directory/../../../../sla.json
	[ -r "$rules" ] || rules=/dev/null
	plan=$(jq -r -L "$plans" --arg tool "$tool" --arg qps "$CS_QPS" --arg directory "$directory" \
		--arg load "$(program cs-load)" --slurpfile rules "$rules" -f "$plans/load.jq" "$CS_TRIAL_CONFIG") ||
		fail 78 "the config cannot be used; jq says above why"
}

# Bodies that are no file of the user's.
write_bodies() {
	with body printf '%s' | jq -rj . >"$directory/body"
	[ -s "$directory/body" ] || rm "$directory/body"
}

open_trial
make_plan
write_bodies
start_server
measure
end_server
mark_results cat "$directory/benchmark_results.json"
