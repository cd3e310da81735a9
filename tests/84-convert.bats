#!/usr/bin/env bats
# Goal: what other tools write becomes request_metrics.csv without a request lost or made faster, whatever their version;
# a file that is not what it is said to be is refused with its name and the place, and nothing is printed. The inputs in
# data/convert are made by hand after the formats, FORMAT-VERSION.EXT each with what it comes to, .out.

load helper

formats='vllm sglang aiperf genai-perf guidellm inference-perf vegeta k6 ghz h2load pgbench'

# The format of a file of data/convert.
format_of() {
	local name=${1##*/}
	case $name in
	genai-perf* | inference-perf*) echo "$name" | cut -d- -f1,2 | cut -d. -f1 ;;
	*) echo "${name%%[-.]*}" ;;
	esac
}

inputs() { find "$data/convert" -type f ! -name '*.out' | sort; }

# cs-convert refuses FILE with 65, its name first, these words somewhere, and nothing on stdout: refused FORMAT FILE WORDS...
refused() {
	local format=$1 file=$2 status=0
	shift 2
	cs-convert "$format" "$file" >"$T/stdout" 2>"$T/stderr" || status=$?
	same "status of $format $file" "$status" 65
	same stdout "$(cat "$T/stdout")" ""
	[[ "$(tail -n 1 "$T/stderr")" == "cs-convert: $file:"* ]] || { cat "$T/stderr"; return 1; }
	for words; do
		grep -qF -- "$words" "$T/stderr" || { echo "no '$words' in:"; cat "$T/stderr"; return 1; }
	done
}

# The file NAME of data/convert with a jq program applied to it, as $T/edited: edited NAME [OPTION...] PROGRAM
edited() {
	local name=$1
	shift
	cs-json "$data/convert/$name" | jq -c "$@" >"$T/edited"
}

@test "every format comes to the rows and counts that were worked out by hand" {
	cd "$data/convert"
	for input in $(inputs); do
		name=${input##*/}
		cs-convert "$(format_of "$name")" "$name" >"$T/stdout" 2>"$T/stderr" || { cat "$T/stderr"; return 1; }
		same "$name" "$(cat "$T/stdout" "$T/stderr")" "$(cat "$name.out")"
	done
}

@test "every format has an input" {
	for format in $formats; do
		compgen -G "$data/convert/$format[-.]*.out"
	done
}

@test "a file of one tool is refused as another's" {
	for input in "$data"/convert/{aiperf-0.2.jsonl,guidellm-0.5.json,vegeta-attacks.csv,h2load.log}; do
		for format in $formats; do
			[ "$format" = "$(format_of "$input")" ] || refused "$format" "$input"
		done
	done
}

@test "a JSON file that is cut off is refused with the line" {
	for input in "$data"/convert/*.json "$data"/convert/*.jsonl; do
		head -c -20 "$input" >"$T/cut"
		refused "$(format_of "$input")" "$T/cut" "$T/cut:$(($(wc -l <"$T/cut") + 1)):" 'the text is cut off'
	done
}

@test "an empty file, one of blanks and one of other text are refused" {
	: >"$T/empty"
	echo >"$T/blank"
	echo 'hello, world' >"$T/text"
	for format in $formats; do
		refused "$format" "$T/text"
	done
	for format in vllm k6 h2load; do
		refused "$format" "$T/empty" 'is empty'
		refused "$format" "$T/blank"
	done
}

@test "without the arrays of --save-detailed or --output-details a run is refused" {
	edited vllm-0.20.json 'del(.input_lens, .output_lens, .ttfts, .itls, .latencies, .start_times, .queue_times, .errors)'
	refused vllm "$T/edited" --save-detailed
	edited vllm-pooling.json 'del(.latencies)'
	refused vllm "$T/edited" pooling
	edited sglang.jsonl 'del(.ttfts, .itls, .errors)'
	refused sglang "$T/edited" --output-details
}

@test "a run of embeddings, whose tokens all came at once, is refused for sglang" {
	edited sglang.jsonl '.ttfts = [0, 0, 0] | .itls = [[], [], []] | .errors = ["", "", ""] | .completed = 3'
	refused sglang "$T/edited" embeddings
}

@test "counts that a file gives of its own have to agree with its rows" {
	edited vllm-0.10.json '.completed = 3'
	refused vllm "$T/edited" 'completed is 3'
	edited vllm-0.10.json '.failed = 0'
	refused vllm "$T/edited" 'failed is 0'
	edited sglang.jsonl '.completed = 3'
	refused sglang "$T/edited" 'completed is 3'
	edited guidellm-0.3.json '.benchmarks[0].request_totals.successful = 200'
	refused guidellm "$T/edited" '2 successful requests are written and request_totals counts 200'
	edited guidellm-0.5.json '.benchmarks[-1].metrics.request_totals.incomplete = 2'
	refused guidellm "$T/edited" 'request_totals counts 2'
	edited ghz.json '.count = 1000002'
	refused ghz "$T/edited" 'count is 1000002 and there are 2 details'
	sed 5d "$data/convert/k6.csv" >"$T/edited"
	refused k6 "$T/edited" 'http_reqs counts 2 requests and http_req_duration has 3 rows'
	sed 's/^0 2/0 4/' "$data/convert/pgbench-R.log" >"$T/edited"
	refused pgbench "$T/edited" 'line 3: transaction 4 of client 0 follows 1'
}

@test "arrays of different lengths are refused, and values that are no numbers" {
	edited vllm-0.20.json '.ttfts[1:] |= .[1:]'
	refused vllm "$T/edited" 'ttfts has 2 elements and errors 3'
	edited vllm-0.20.json '.ttfts[0] = "fast"'
	refused vllm "$T/edited" 'ttfts[0] is "fast", expected a number'
	edited aiperf-0.2.jsonl '.metrics.request_latency.unit? |= "h"'
	refused aiperf "$T/edited" 'record 1' 'in "h"'
	edited genai-perf-openai.json '.experiments[0].requests[2].timestamp = "soon"'
	refused genai-perf "$T/edited" 'request 2: timestamp: found "soon"'
	edited ghz.json '.details[1].timestamp = "noon"'
	refused ghz "$T/edited" 'details[1]: found the time "noon"'
	edited inference-perf-0.5.json '.[1].end_time = 0'
	refused inference-perf "$T/edited" 'request 1: found a time that is negative'
	edited inference-perf-0.5.json '.[1].end_time = null'
	refused inference-perf "$T/edited" 'request 1: no latency'
}

@test "rows with a cell too many or too few are refused with their line" {
	sed '3s/,/,,/' "$data/convert/k6.csv" >"$T/edited"
	refused k6 "$T/edited" 'line 3: found 20 cells, expected the 19 of the header'
	sed '2s/,/,,,/' "$data/convert/vegeta-attacks.csv" >"$T/edited"
	refused vegeta "$T/edited" 'line 2: found 14 cells'
	sed '2s/$/\t1/' "$data/convert/h2load.log" >"$T/edited"
	refused h2load "$T/edited" 'line 2'
	sed '2s/.*/1700000000 22 40000 80000000 1500 2500/' "$data/convert/pgbench.log" >"$T/edited"
	refused pgbench "$T/edited" 'line 2' --aggregate-interval
	printf '1,"2\n' >"$T/edited"
	refused k6 "$T/edited" "$T/edited:1: found the end of the file, expected the quote"
}

@test "times of 64 bits lose no nanosecond" {
	cat >"$T/run.jsonl" <<-'END'
		{"metadata": {"request_start_ns": 9223372036854775803, "request_end_ns": 9223372036854775806}, "metrics": {}, "error": null}
		{"metadata": {"request_start_ns": 9223372036854775802, "request_end_ns": 9223372036854775807}, "metrics": {}, "error": null}
	END
	cs-convert aiperf "$T/run.jsonl" >"$T/rows"
	same rows "$(tail -n +2 "$T/rows")" "$(printf '%s\n' 0,1e-09,,,,3e-09,,, 1,0,,,,5e-09,,,)"
}

@test "an error that looks like a missing value, is blank or holds a NUL still is an error" {
	for text in NaN ' ' nan N/A null 'a\u0000b'; do
		edited sglang.jsonl ".errors[1] = \"$text\" | .completed = 2"
		cs-convert sglang "$T/edited" >"$T/request_metrics.csv"
		cs-sla --rule 'request_e2e_time@q1 <= 1e9' "$T" && return 1
		same "rows of '$text'" "$(wc -l <"$T/request_metrics.csv")" 4
	done
}

@test "the rows can be judged, and those that failed count" {
	cs-convert guidellm "$data/convert/guidellm-0.5.json" >"$T/request_metrics.csv"
	cs-sla --rule 'ttft@q0.25 <= 0.5' --rule 'request_scheduling_delay@q0 <= 0' "$T"
	run cs-sla --rule 'ttft@q0.5 <= 0.5' "$T"
	same status "$status" 1
}

@test "several files are parts of one run, with arrivals from the earliest" {
	sed 's/^\([01]\) /1\1 /; s/ 17000000/ 16999999/' "$data/convert/pgbench-R.log" >"$T/log.1"
	cs-convert pgbench "$data/convert/pgbench-R.log" "$T/log.1" >"$T/rows" 2>"$T/stderr"
	same counts "$(cat "$T/stderr")" 'cs-convert: 8 requests, 2 failed'
	same rows "$(cut -d, -f1,2 "$T/rows" | tr '\n' ' ')" \
		'request_id,arrival_time 0,100 1,100.004 2, 3,101.004 4,0 5,0.004 6, 7,1.004 '
}

@test "a file in order of one that is not prints nothing" {
	status=0
	cs-convert ghz "$data/convert/ghz.json" "$data/convert/k6.csv" >"$T/stdout" || status=$?
	same status "$status" 65
	same stdout "$(cat "$T/stdout")" ""
}

@test "names of files may hold anything, and - and pipes are read" {
	name="$T/it's \"x\" \$(no) % é
line.json"
	cp "$data/convert/ghz.json" "$name"
	cs-convert ghz "$name" >"$T/rows"
	cmp "$T/rows" <(grep -v '^cs-convert' "$data/convert/ghz.json.out")
	cs-convert ghz - <"$name" | cmp - "$T/rows"
	cs-convert ghz <(cat "$name") | cmp - "$T/rows"
	cd "$T"
	cp "$name" ./-x
	cs-convert ghz -- -x | cmp - "$T/rows"
	run cs-convert ghz - </dev/null
	same status "$status" 65
	same output "$output" 'cs-convert: standard input: is empty, expected a file that ghz wrote'
}

@test "wrong usage exits 64 and lists the formats" {
	for arguments in '' 'wrk x' '--csv x' 'vllm'; do
		# shellcheck disable=SC2086 # words
		run cs-convert $arguments
		same "status of '$arguments'" "$status" 64
	done
	run cs-convert wrk x
	for format in $formats; do [[ "$output" == *" $format"* ]]; done
	run cs-json a b
	same status "$status" 64
}

@test "a file that is missing or a directory exits 66" {
	run cs-convert k6 "$T/none"
	same status "$status" 66
	same output "$output" "cs-convert: $T/none: no such file"
	run cs-convert k6 "$T"
	same status "$status" 66
	run cs-json "$T/none"
	same status "$status" 66
}

@test "a full disk is noticed" {
	run sh -c 'cs-convert ghz "$1" >/dev/full' sh "$data/convert/ghz.json"
	same status "$status" 74
	run sh -c 'echo 1 | cs-json >/dev/full'
	same status "$status" 74
}

@test "nothing stays in TMPDIR" {
	mkdir "$T/tmp"
	TMPDIR="$T/tmp" cs-convert ghz "$data/convert/ghz.json" >"$T/rows"
	TMPDIR="$T/tmp" cs-convert ghz "$data/convert/k6.csv" || :
	same TMPDIR "$(ls "$T/tmp")" ""
}

@test "cs-json leaves JSON as it is but for what jq loses" {
	printf '{"a": [NaN, -Infinity, 1764622380000000001, -1234567890123456, 123456789012345, 0.10],\n"NaN 1234567890123456789": "\\u00e9\\"Infinity"}\n[]' |
		cs-json >"$T/out"
	same output "$(cat "$T/out")" '{"a":[null,null,"1764622380000000001","-1234567890123456",123456789012345,0.10],"NaN 1234567890123456789":"é\"Infinity"}
[]'
	same empty "$(cs-json </dev/null)" ""
	same 'byte order mark' "$(printf '\357\273\2771' | cs-json)" 1
}

@test "cs-json refuses what is no JSON with the line" {
	while read -r line text; do
		run sh -c 'printf "$1" | cs-json 2>&1 >/dev/null' sh "$text"
		same "status of $text" "$status" 65
		[[ "${lines[-1]}" == "cs-json: standard input:$line: not JSON: "* ]] || { echo "$output"; return 1; }
	done <<-'END'
		1 {"a":1
		2 [1,\n2
		1 {"a" 1}
		1 [01]
		1 "ab
		1 nope
		1 [1,]
		2 {"a":1}\n}
		1 ["\\x"]
		1 ["\\u12g4"]
		1 [-]
		1 [1e]
		1 [NaNs]
		1 {1:2}
		1 [1\000]
	END
	run sh -c 'yes "[" | head -n 100000 | cs-json'
	same status "$status" 65
}

@test "cs-json --csv prints rows with their lines" {
	printf '\357\273\277a,b\r\n1,"x, ""y""\nz"\n\n,\n"q"' | cs-json --csv >"$T/out"
	same output "$(cat "$T/out")" '[1,["a","b"]]
[2,["1","x, \"y\"\nz"]]
[5,["",""]]
[6,["q"]]'
	run sh -c 'printf "a\n\"q\"x\n" | cs-json --csv'
	same status "$status" 65
	[[ "$output" == *"standard input:2: found 'x', expected a comma"* ]]
}
