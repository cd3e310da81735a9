#!/usr/bin/env bats
# Goal: cs-sla gives the values that numpy and pandas give for the same files, counts failed requests as the
# worst there are, and refuses what it cannot judge with the file and line of the fault.

bats_require_minimum_version 1.5.0
load helper

# Writes DIR/request_metrics.csv from its lines: requests LINE...
requests() {
	printf '%s\n' "$@" >request_metrics.csv
}

# What cs-sla finds here for one rule: its exit status, then the value: value RULE
value() {
	local output status=0
	output=$(cs-sla --rule "$1" . 2>&1) || status=$?
	echo "$status $(jq -c '.metric_values[]' <<<"$output" 2>/dev/null || echo "$output")"
}

# Fails unless cs-sla refuses the files here with STATUS and a message with each TEXT: refused STATUS RULE TEXT...
refused() {
	run --separate-stderr cs-sla --rule "$2" .
	same "status for $2 ($stderr)" "$status" "$1"
	same "output for $2" "$output" ""
	shift 2
	for text; do
		[[ $stderr == "cs-sla: "*"$text"* ]] || same "message" "$stderr" "$text"
	done
}

# jq: whether two values are the same, numbers to 1e-12.
near='def near($a; $b): if ($a | type) == "number" and ($b | type) == "number"
    then ($a - $b | fabs) <= 1e-12 * ([1, ($b | fabs)] | max) else $a == $b end;'

# Two files of COUNT lines of JSON hold the same: same_lines FOUND EXPECTED COUNT
same_lines() {
	same "lines" "$(wc -l <"$1") $(wc -l <"$2")" "$3 $3"
	jq -n --slurpfile found "$1" --slurpfile expected "$2" "$near"'
	    range($expected | length) | select(near($found[.]; $expected[.]) | not)
	        | {line: (. + 1), found: $found[.], expected: $expected[.]}' >differences
	same "values" "$(cat differences)" ""
}

@test "every case gives its values, verdict and error" {
	jq -r 'to_entries[] | "mkdir \(.key)", (.key as $dir | .value.files | to_entries[]
	        | "printf %s \(.value | @sh) >\($dir)/\(.key | @sh)"),
	    "cs-sla \(.value.rules | map("--rule", .) | @sh) \(.key) >output 2>message", "echo $? >>statuses",
	    "[ -s output ] || echo null >output; cat output >>outputs", "cat message | tr \"\\n\" \" \" >>messages",
	    "echo >>messages"' "$data/sla_cases.json" >commands
	sh ./commands
	jq -n --slurpfile cases "$data/sla_cases.json" --slurpfile outputs outputs --slurpfile statuses statuses \
	    --rawfile messages messages "$near"'
	    ($messages / "\n") as $messages | $cases[0] | to_entries[]
	    | .key as $i | .value as $case | .value | {name, status: $statuses[$i], output: $outputs[$i], message: $messages[$i]} as $found
	    | select(if .expect_error then ($found.status | IN(65, 66)) and $found.output == null and
	            ($found.message | ascii_downcase | contains($case.expect_error | ascii_downcase))
	        else $found.output.passed == .expect_passed and $found.status == (if .expect_passed then 0 else 1 end) and
	            (.expect_values | keys) == ($found.output.metric_values | keys) and
	            all(.expect_values | to_entries[]; near($found.output.metric_values[.key]; .value)) end | not)
	    | $found' >differences
	same "cases" "$(cat differences)" ""
	[ "$(wc -l <statuses)" -ge 35 ]
}

@test "quantiles of random samples with failed requests are those of a plain sort" {
	awk 'function random() { seed = seed * 16807 % 2147483647; return seed / 2147483647 }
	    BEGIN {
	        seed = 20261201
	        for (round = 0; round < 60; round++) {
	            rows = round < 4 ? round : int(random() * 50); values = csv = ""
	            for (i = failed = 0; i < rows; i++) {
	                kind = random(); value = sprintf("%.6f", kind < 0.3 ? int(random() * 4) : (random() - 0.3) * 100)
	                if (kind > 0.9) { failed++; csv = csv "junk,\\\"refused, sorry\\\"\\n" }
	                else if (kind > 0.8) csv = csv "nan,\\n"
	                else { csv = csv value ",\\n"; values = values (values == "" ? "" : ",") value }
	            }
	            printf "{\"csv\": \"delay,error\\n%s\", \"values\": [%s], \"failed\": %d, \"op\": \"%s\", \"quantile\": %.9f}\n",
	                csv, values, failed, random() < 0.5 ? "<=" : ">", round % 7 ? random() : round % 2
	        }
	    }' >samples
	jq -c '(.values | sort) as $sorted | ([range(.failed) | "worst"]) as $worst
	    | (if .op == ">" then $worst + $sorted else $sorted + $worst end) as $all | ($all | length) as $n
	    | if $n == 0 then null else (.quantile * ($n - 1)) as $p | ($p | floor) as $i
	      | $all[$i] as $a | (if $p > $i then $all[$i + 1] else $a end) as $b
	      | if $a == "worst" or $b == "worst" then null else $a + ($b - $a) * ($p - $i) end end' samples >expected
	jq -r '"printf %s \(.csv | @sh) >request_metrics.csv", "cs-sla --rule \("delay@q\(.quantile)\(.op)5" | @sh) ."' samples >commands
	sh ./commands | jq -c '.metric_values[]' >found
	same_lines found expected 60
}

@test "queue depths of random timelines are those of a plain walk over each worker" {
	awk 'function random() { seed = seed * 16807 % 2147483647; return seed / 2147483647 }
	    BEGIN {
	        seed = 7
	        for (round = 0; round < 40; round++) {
	            printf "{\"quantile\": %.9f, \"rows\": [", round % 5 ? int(random() * 17) / 16 : random()
	            for (i = 0; i < 1 + int(random() * 30); i++)
	                printf "%s[\"w%d\",%s,%d]", i ? "," : "", random() * 3, i ? (int(random() * 6) - 1) / 4 : 1, random() * 6
	            print "]}"
	        }
	    }' >timelines
	jq -c '.quantile as $q | [.rows | map(select(.[1] > 0)) | group_by(.[0])[] | sort_by(.[2]) | (map(.[1]) | add) as $total
	    | [foreach .[] as $row (0; . + $row[1]; select(. >= $q * $total) | $row[2])][0]] | max' timelines >expected
	jq -r '"printf '\''%s\n'\'' worker_id,duration_s,queue_depth_waiting \(.rows | map(map(tostring) | join(",")) | @sh) >worker_timeline.csv",
	    "cs-sla --rule \("queue_depth_waiting@q\(.quantile)<3" | @sh) ."' timelines >commands
	sh ./commands | jq -c '.metric_values[]' >found
	same_lines found expected 40
}

@test "the quantile stands in the key as it was written: 1 is an integer, 1.0 is not" {
	requests delay 1 2 4
	run cs-sla --rule 'delay@q1 >= 0' --rule 'delay@q1.0 >= 0' --rule 'delay@q0>=0' --rule 'delay@q0.0>=0' \
	    --rule ' delay @q 5e-1 >= 0' .
	same "keys" "$(jq -c .metric_values <<<"$output")" \
	    '{"delay@q1":4,"delay@q1.0":4,"delay@q0":1,"delay@q0.0":1,"delay@q0.5":2}'
	echo '[{"metric": "delay", "quantile": 1, "op": ">=", "threshold": 0},
	    {"metric": "delay", "quantile": 1.0, "op": ">=", "threshold": 0}]' >rules.json
	run cs-sla --rules rules.json .
	same "keys of a file" "$status $(jq -c .metric_values <<<"$output")" '0 {"delay@q1":4,"delay@q1.0":4}'
}

@test "every operator holds at its side of the threshold, and == at it alone" {
	requests delay 3
	for rule in '<= 3' '>= 3' '== 3' '<3.5' '>2.5' '>=-1e3' '== 3.0'; do
		same "$rule" "$(value "delay@q0.5$rule")" "0 3"
	done
	for rule in '< 3' '> 3' '== 3.0000000001' '<=2.9' '>=3.1'; do
		same "$rule" "$(value "delay@q0.5$rule")" "1 3"
	done
}

@test "infinite values are compared as they are and printed as null" {
	requests delay -inf Infinity +INF
	same "above" "$(value 'delay@q1>=5')" "0 null"
	same "below" "$(value 'delay@q0<=5')" "0 null"
	same "equal neighbours" "$(value 'delay@q0.75>5')" "0 null"
	same "above fails" "$(value 'delay@q1<=5')" "1 null"
	requests delay 1 inf
	same "beside an infinite one" "$(value 'delay@q0.2>=5') $(value 'delay@q0.8>=5')" "0 null 0 null"
	requests delay -inf Infinity
	same "between the two infinities" "$(value 'delay@q0.5>=5') $(value 'delay@q0.5<=5')" "1 null 1 null"
}

@test "a failed request counts as the worst value, and nothing else in its row is looked at" {
	requests delay,error 1, 2,NA 'fast,"refused, sorry"' 4,None 0x5,timeout
	same "at most" "$(value 'delay@q0.5<=4')" "0 4"
	same "at least" "$(value 'delay@q0.5>=1')" "0 1"
	same "into the failed ones" "$(value 'delay@q0.75<=100') $(value 'delay@q0.25>-100')" "1 null 1 null"
	same "exactly" "$(value 'delay@q0==1')" "1 null"
	requests delay,error ,timeout ,timeout
	same "all" "$(value 'delay@q0<=100')" "1 null"
}

@test "benchmark_results.json adds the failed requests that have no row" {
	requests delay,error 1, 2, ,timeout
	echo '{"summary": {"num_successful": 2, "num_failed": 2}}' >benchmark_results.json
	same "one more" "$(value 'delay@q0.33<=4')" "0 1.99"
	same "two of four" "$(value 'delay@q0.5<=4')" "1 null"
	echo '{"summary": {"num_successful": 3, "num_failed": 0}}' >benchmark_results.json
	same "rows count where the file says less" "$(value 'delay@q1<=4')" "1 null"
}

@test "without benchmark_results.json rows short of the planned number are failed requests" {
	requests delay 1 2 3
	echo '{"num_requests": 5}' >trial_config.json
	same "planned" "$(value 'delay@q0.5<=4') $(value 'delay@q0.75<=4')" "0 3 1 null"
	echo '{"summary": {"num_successful": 3, "num_failed": 0}}' >benchmark_results.json
	same "the harness knows" "$(value 'delay@q1<=4')" "0 3"
	rm benchmark_results.json
	for config in '{"num_requests": 2}' '{"num_requests": null}' '{}'; do
		echo "$config" >trial_config.json
		same "$config" "$(value 'delay@q1<=4')" "0 3"
	done
	for config in '{"num_requests": -5}' '{"num_requests": "five"}' '{"num_requests": 5'; do
		echo "$config" >trial_config.json
		refused 65 'delay@q1<=4' trial_config.json
	done
}

@test "a result file that is cut off or counts no requests is refused with its line" {
	requests delay 1
	while IFS='|' read -r line text; do
		printf %b "$text" >benchmark_results.json
		refused 65 'delay@q0.5<=4' "benchmark_results.json:$line:"
	done <<-'LINES'
		1|{"summary": {"num_successful": 10, "num_fai
		1|
		3|{"summary":\n{"num_successful": 10,\n"num_failed": -1}}
		2|{"summary":\n{"num_successful": 1.5, "num_failed": 0}}
		2|{"summary":\n{"num_successful": "9", "num_failed": 0}}
		1|{"summary": {"num_successful": 9}}
		2|{\n"summary": 9}
		1|[]
		1|null
		1|{"summary": {"num_successful": 9, "num_failed": null}}
		2|{"summary": {"num_successful": 9, "num_failed": 0}}\nmore
		1|{"summary": {"num_successful": 1e300, "num_failed": 0}}
	LINES
}

@test "a row with more or fewer cells than the header is refused with its line" {
	requests a,delay 1,2 3
	refused 65 'delay@q0.5<=4' request_metrics.csv:3: "1 cell; expected 2"
	requests a,delay 1,2 '' '"x' 'y",2,3'
	refused 65 'delay@q0.5<=4' request_metrics.csv:4: "3 cells; expected 2"
	requests a,delay,error 1,2, 3,timeout
	refused 65 'delay@q0.5<=4' request_metrics.csv:3:
}

@test "text where a number belongs is refused with its physical line and the word" {
	for word in fast True 0x10 1e 1e999 1_000 --1 ' NA' '1 2' - . Infinit nan1 '  '; do
		requests note,delay '"two' 'lines",1' '' "x,$word"
		refused 65 'delay@q0.5<=4' request_metrics.csv:5: "'$word'" "'delay'"
	done
	requests note,delay "x,$(printf 'long%.0s' {1..1000})"
	refused 65 'delay@q0.5<=4' request_metrics.csv:2: longlong...
	requests delay $'"a\nb"'
	refused 65 'delay@q0.5<=4' "'a?b'"
}

@test "numbers are read as pandas reads them" {
	requests delay ' 1' $'\t2 ' +3 4. .5e1 '"6"' 7e0 0008 900E-2 1e1
	local rules=()
	for ninths in 0 1 2 3 4 5 6 7 8 9; do
		rules+=(--rule "delay@q$(jq -n "$ninths / 9") > 0")
	done
	same "values" "$(cs-sla "${rules[@]}" . | jq -c '[.metric_values[]]')" '[1,2,3,4,5,6,7,8,9,10]'
}

@test "every word that pandas takes for a missing value is skipped, and in the error column is no error" {
	requests delay,error 1, NA,NA N/A,N/A n/a,n/a NaN,NaN nan,nan -NaN,-NaN -nan,-nan NULL,NULL null,null None,None \
	    '<NA>,<NA>' '#N/A,#N/A' '#NA,#NA' '#N/A N/A,#N/A N/A' 1.#IND,1.#IND 1.#QNAN,1.#QNAN -1.#IND,-1.#IND \
	    -1.#QNAN,-1.#QNAN ', ' 3,
	same "values" "$(value 'delay@q0.5<=2') $(value 'delay@q1<=3')" "0 2 0 3"
}

@test "every missing column is named, with the columns there are" {
	requests request_id,ttft 1,2
	run --separate-stderr cs-sla --rule 'delay@q0.5<=4' --rule 'tpot@q0.5<=4' --rule 'ttft@q0.5<=4' .
	same "status" "$status" 65
	same "messages" "$stderr" "cs-sla: ./request_metrics.csv:1: no column 'delay'; the columns are request_id, ttft
cs-sla: ./request_metrics.csv:1: no column 'tpot'; the columns are request_id, ttft"
	requests 'request_id;delay' '1;2'
	refused 65 'delay@q0.5<=4' "the only column is request_id;delay"
}

@test "a NUL byte, quotes that never close and text behind a closing quote are refused with their line" {
	printf 'a,delay\n1,2\n1,\0\n' >request_metrics.csv
	refused 65 'delay@q0.5<=4' request_metrics.csv:3: NUL
	requests a,delay 1,2 '"cut' 'off,2' '3,4'
	refused 65 'delay@q0.5<=4' request_metrics.csv:3: quotes
	requests a,delay '"x"y,2' '3,4'
	refused 65 'delay@q0.5<=4' request_metrics.csv:2: quote
	requests 'a,"delay'
	refused 65 'delay@q0.5<=4' request_metrics.csv:1: quotes
}

@test "an empty file and one of blank lines have no header, and a header alone has no value" {
	: >request_metrics.csv
	refused 65 'delay@q0.5<=4' request_metrics.csv:1: empty
	requests '' ' ' ''
	refused 65 'delay@q0.5<=4' request_metrics.csv:1: empty
	printf 'a,delay' >request_metrics.csv
	same "header only" "$(value 'delay@q0.5<=4')" "1 null"
}

@test "blank lines, a byte order mark, CRLF and a missing last newline do not matter" {
	printf '\xef\xbb\xbfdelay , b\r\n\r\n1,x\r\n  \r\n\r\n3,"a ""quote"""' >request_metrics.csv
	same "CRLF" "$(value 'delay@q0.5<=4')" "0 2"
	printf '\n\ndelay,b\n\n1,5" disk\n\t\n3,say "hi"\n\n' >request_metrics.csv
	same "LF" "$(value 'delay@q0.5<=4')" "0 2"
	requests delay 1 '' '""' 3
	same "one column" "$(value 'delay@q0.5<=4')" "0 2"
}

@test "of two columns with one name the first counts, and the error column may be judged too" {
	requests delay,delay,error 1,x, 3,y,
	same "first" "$(value 'delay@q0.5<=4')" "0 2"
	requests delay,error,arrival_time 1,,0 3,,noon
	same "errors" "$(value 'error@q0.5<=4')" "1 null"
	same "a word among the arrivals" "$(value 'delay@q0.5<=4')" "0 2"
	refused 65 'arrival_time@q0.5<=4' "'noon'"
}

@test "a row or line too long to be one is refused before it fills the memory" {
	{ echo delay,note; echo '1,"never closed'; yes 1,x | head -c 3000000; } >request_metrics.csv
	refused 65 'delay@q0.5<=4' request_metrics.csv:2: "1048576 bytes"
	{ echo delay,note; yes 1,x | head -c 3000000 | tr '\n' x; } >request_metrics.csv
	refused 65 'delay@q0.5<=4' request_metrics.csv:2: "1048576 bytes"
}

@test "a large file of one column is read in bounded memory, whatever its order" {
	without_sanitizer
	seq 0 300000 | sed '1i delay' >request_metrics.csv
	same "ascending" "$(value 'delay@q0.25<=75000')" "0 75000"
	seq 300000 -1 0 | sed '1i delay' >request_metrics.csv
	same "descending" "$(value 'delay@q0.75<=225000')" "0 225000"
	{ echo delay; yes 7 | head -n 300000; } >request_metrics.csv
	(ulimit -v 100000; cs-sla --rule 'delay@q0.99<=7' .) >output
	same "equal" "$(jq -c . output)" '{"passed":true,"metric_values":{"delay@q0.99":7}}'
}

@test "each file is read once, however many rules there are" {
	mkfifo request_metrics.csv worker_timeline.csv
	{ printf 'delay,ttft\n1,2\n' >request_metrics.csv
	  printf 'worker_id,duration_s,queue_depth_waiting\nw,1,2\n' >worker_timeline.csv; } &
	run timeout 20 cs-sla --rule 'delay@q0.5<=4' --rule 'delay@q0.9<=4' --rule 'ttft@q0<=4' \
	    --rule 'queue_depth_waiting@q0.5<=4' --rule 'queue_depth_waiting@q1<=4' .
	wait
	same "verdict" "$status $(jq -c '.metric_values | length' <<<"$output")" "0 5"
}

@test "a timeline needs its columns and a row of positive duration; what is missing in a row leaves it out" {
	printf '%s\n' worker_id,duration_s,queue_depth_waiting w,0,1 w,-1,2 w,,3 w,1, ,1,9 >worker_timeline.csv
	refused 65 'queue_depth_waiting@q0.5<=4' worker_timeline.csv duration_s
	echo w,1,2 >>worker_timeline.csv
	same "one row" "$(value 'queue_depth_waiting@q1<=4')" "0 2"
	echo w,long,2 >>worker_timeline.csv
	refused 65 'queue_depth_waiting@q0.5<=4' worker_timeline.csv:8: "'long'" "'duration_s'"
	echo worker,depth >worker_timeline.csv
	refused 65 'queue_depth_waiting@q0.5<=4' "no column 'worker_id'" "no column 'duration_s'" "worker, depth"
}

@test "faults in several files are all reported" {
	requests delay fast
	echo '{' >benchmark_results.json
	refused 65 'delay@q0.5<=4' benchmark_results.json:2: request_metrics.csv:2:
	run --separate-stderr cs-sla --rule 'delay@q0.5<=4' --rule 'queue_depth_waiting@q0.5<=4' .
	[[ $status == 65 && $stderr == *worker_timeline.csv* ]]
}

@test "a missing file or directory is 66, and one that cannot be read an error" {
	refused 66 'delay@q0.5<=4' request_metrics.csv
	refused 66 'queue_depth_waiting@q0.5<=4' worker_timeline.csv
	run --separate-stderr cs-sla --rule 'delay@q0.5<=4' nowhere
	[[ $status == 66 && $stderr == *nowhere* ]]
	: >file
	run --separate-stderr cs-sla --rule 'delay@q0.5<=4' file
	[[ $status == 66 && $stderr == *"file: not a directory"* ]]
	mkdir request_metrics.csv
	refused 74 'delay@q0.5<=4' request_metrics.csv
	rmdir request_metrics.csv
	requests delay 1
	chmod 0 request_metrics.csv
	[ -r request_metrics.csv ] || refused 66 'delay@q0.5<=4' "request_metrics.csv: cannot open"
}

@test "a rule that is none is refused as usage, with what was expected, and so is every other one" {
	requests delay 1
	while IFS='|' read -r rule expected; do
		refused 64 "$rule" "$expected"
	done <<-'RULES'
		delay|METRIC@qQUANTILE OP THRESHOLD
		|METRIC@qQUANTILE OP THRESHOLD
		delay@0.5<=1|there is no @q
		@q0.5<=1|metric is missing
		delay@q<=1|number from 0 to 1
		delay@q1.5<=1|number from 0 to 1
		delay@q-0.1<=1|number from 0 to 1
		delay@qnan<=1|number from 0 to 1
		delay@q0x1<=1|number from 0 to 1
		delay@q0.5|one of <= < >= > ==
		delay@q0.5=1|one of <= < >= > ==
		delay@q0.5!=1|one of <= < >= > ==
		delay@q0.5=<1|one of <= < >= > ==
		delay@q0.5< =1|threshold is not a number
		delay@q0.5<=|threshold is not a number
		delay@q0.5<=inf|threshold is not a number
		delay@q0.5<=1s|threshold is not a number
	RULES
	run --separate-stderr cs-sla --rule 'delay@q2<=1' --rule 'delay@q0.5<=1' --rule 'delay@q0.5<=fast' .
	same "both" "$status $(grep -c "^cs-sla: rule 'delay" <<<"$stderr")" "64 2"
}

@test "--rules takes the sla.json of an output directory" {
	requests delay 1 2 3
	echo '[{"metric": "delay", "quantile": 0.5, "op": "<=", "threshold": 1}]' >sla.json
	run cs-sla --rules sla.json .
	same "fails" "$status $(jq -c . <<<"$output")" '1 {"passed":false,"metric_values":{"delay@q0.5":2}}'
	run cs-sla --rules /dev/stdin . <sla.json
	same "from a pipe" "$status" 1
	echo null >sla.json
	run cs-sla --rules sla.json .
	same "no SLA" "$status $(jq -c . <<<"$output")" '0 {"passed":null,"metric_values":{}}'
}

@test "--rules refuses a file that holds no rules, with the line of each fault" {
	requests delay 1
	while IFS='|' read -r line text; do
		printf %b "$text" >rules.json
		run --separate-stderr cs-sla --rules rules.json .
		[[ $status == 65 && $stderr == *"rules.json:$line:"* ]] || same "$text" "$status $stderr" "65, line $line"
	done <<-'RULES'
		1|
		1|[]
		1|{}
		1|[{"metric": "delay"
		2|[\n{"metric": "delay", "quantile": 2, "op": "<=", "threshold": 1}]
		2|[\n{"metric": "delay", "quantile": "0.5", "op": "<=", "threshold": 1}]
		2|[\n{"metric": "delay", "quantile": 0.5, "op": "=<", "threshold": 1}]
		2|[\n{"metric": "delay", "quantile": 0.5, "op": "<="}]
		2|[\n{"metric": "delay", "quantile": 0.5, "op": "<=", "threshold": true}]
		2|[\n{"metric": "", "quantile": 0.5, "op": "<=", "threshold": 1}]
		2|[\n{"metric": "delay", "quantile": 0.5, "op": "<=", "threshold": 1, "unit": "s"}]
		3|[{"metric": "a, {]\\"", "quantile": 0.5,\n"op": "<=", "threshold": 1},\n7]
	RULES
	printf '[7,\n{"quantile": 1},\n\n{"metric": 1}]' >rules.json
	run --separate-stderr cs-sla --rules rules.json .
	same "all" "$(cut -d: -f1-4 <<<"$stderr" | tr '\n' ' ')" \
	    "cs-sla: rules.json:1: rule 1 cs-sla: rules.json:2: rule 2 cs-sla: rules.json:4: rule 3 "
	run --separate-stderr cs-sla --rules nowhere.json .
	[[ $status == 66 && $stderr == *"nowhere.json: cannot open"* ]]
}

@test "wrong usage is 64 with a message, --help and --version print on standard output" {
	requests delay 1
	local rule='delay@q0.5<=1'
	echo null >sla.json
	run --separate-stderr cs-sla .
	[[ $status == 64 && -z $output && $stderr == *--rule* ]]
	for arguments in "--rule $rule" "--rule $rule . ." "--rule $rule --rules sla.json ." "--frobnicate $rule ." "--rule"; do
		# shellcheck disable=SC2086 # words
		run --separate-stderr cs-sla $arguments
		[[ $status == 64 && -z $output && -n $stderr ]] || same "$arguments" "$status $output" 64
	done
	run --separate-stderr cs-sla --help
	[[ $status == 0 && $output == Usage:* && -z $stderr ]]
	run --separate-stderr cs-sla --version
	[[ $status == 0 && $output == "cs-sla "* && -z $stderr ]]
}

@test "nothing on standard input is asked for, and a full standard output is an error" {
	requests delay 1
	run cs-sla --rule 'delay@q0.5<=1' . </dev/null
	same "no input" "$status" 0
	for rule in 'delay@q0.5<=1' 'delay@q0.5>1'; do
		run --separate-stderr bash -c 'cs-sla --rule "$1" . >/dev/full' - "$rule"
		[[ $status == 74 && $stderr == *"standard output"* ]]
	done
}

@test "several rules on one column see the same values" {
	requests delay,error NA, 1, ,refused 2, 3,
	run cs-sla --rule 'delay@q0.25<=9' --rule 'delay@q0.5<=9' --rule 'delay@q0.75>0' --rule 'delay@q0.5<=9.5' .
	same "values" "$(jq -c '.metric_values' <<<"$output")" \
	    '{"delay@q0.25":1.75,"delay@q0.5":2.5,"delay@q0.75":2.25}'
}

@test "of two rules with one key the value that fails is shown" {
	requests delay,error 1, 2, 3, ,timeout
	run cs-sla --rule 'delay@q0.5<=9' --rule 'delay@q0.5>=2' .
	same "fails" "$status $(jq -c '.metric_values' <<<"$output")" '1 {"delay@q0.5":1.5}'
	run cs-sla --rule 'delay@q0.5<=2' --rule 'delay@q0.5>=1' .
	same "fails, the other way round" "$status $(jq -c '.metric_values' <<<"$output")" '1 {"delay@q0.5":2.5}'
}
