# What the harnesses vllm, sglang and guidellm do, each with its own $tool; they read this file.
#
# Reads CS_TRIAL_CONFIG (the fields of the harness's .tsv and some of the benchmark's own; bench.d/$tool.jq makes commands
# of them), starts the server where the config has one and waits until it is ready, runs the tool's own benchmark at
# CS_QPS, ends the server, and converts what the tool wrote into CS_TRIAL_DIR/$tool/ to CS_TRIAL_DIR/request_metrics.csv.
# Both print to stdout and stderr, the trial's log. Writes benchmark_results.json only to say that the server was not the
# trial's own.
#
# Exits 0 when the tool did and what it wrote could be converted, 1 when not or when the server failed, 64 without its
# environment, 66 without the config, 69 when a program is missing, 78 when a field cannot be used. Never 2.
# shellcheck shell=sh disable=SC2153,SC2154 # the environment; tool
# shellcheck source=pipeline/harness/bench.d/server.sh
. "${0%/*}/bench.d/server.sh"

# Whether it is a guidellm that has the command "run"; older ones have "benchmark".
has_run() {
	if [ "$tool" = guidellm ] && guidellm run --help >/dev/null 2>&1; then echo yes; fi
}

make_plan() {
	python=python
	command -v python >/dev/null || python=python3
	plan=$(jq -r -L "$plans" --arg qps "$CS_QPS" --arg results "$results" --arg python "$python" \
		--arg has_run "$(has_run)" -f "$plans/$tool.jq" "$CS_TRIAL_CONFIG") || fail 78 "the config cannot be used; jq says above why"
	need "$(with command first)"
}

# What the tool wrote: the file it was told to write, or the one of that kind that it wrote beside it.
convert() {
	result=$(word result)
	if [ ! -e "$result" ]; then
		found=$(find "$results" -maxdepth 1 -type f -name "*.${result##*.}" ! -name '*.pytorch.json')
		[ -n "$found" ] || fail 1 "$(with command first) ended with status 0 and wrote no results into $results"
		[ -f "$found" ] || fail 1 "$(with command first) wrote more than one file of results into $results"
		result=$found
	fi
	"$(program cs-convert)" "$tool" "$result" >"$results/request_metrics.csv" ||
		fail 1 "what $(with command first) wrote cannot be converted; cs-convert says above why"
	mv "$results/request_metrics.csv" "$CS_TRIAL_DIR/request_metrics.csv"
}

# benchmark_results.json of the rows, as cs-trial makes it where there is none.
count_requests() {
	"$(program cs-json)" --csv <"$CS_TRIAL_DIR/request_metrics.csv" |
		jq -n --slurpfile config "$CS_TRIAL_CONFIG" -f "$plans/results.jq"
}

open_trial
results=$(cd "$CS_TRIAL_DIR" && pwd)/$tool
rm -rf "$results"
mkdir "$results"
make_plan
start_server
measure
end_server
convert
mark_results count_requests
