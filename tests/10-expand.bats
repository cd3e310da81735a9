#!/usr/bin/env bats
# Goal: cs-expand reads a config as PyYAML would, gives every job the directory that it always had, says
# all that is wrong with a config, with its line, and writes only what changes, in an order make can trust.

load helper

# A config of one job that needs nothing else; lines on stdin go into benchmark_base.
base_config() {
	printf 'harness: {command: [/bin/true]}\njobs: [{name: x, qps_list: [1]}]\nbenchmark_base:\n  a: 1\n'
	sed 's/^/  /'
}

# Runs cs-expand on the config on stdin and checks that it is refused with a message that has LINE and TEXT.
refused() {
	cat >c.yaml
	run cs-expand --config-path c.yaml --output-dir out
	same "status for $*" "$status" 78
	[ ! -e out ] || { echo "something was written: $*"; return 1; }
	[[ $output == *"c.yaml:$1: "*"$2"* ]] || { printf 'expected %s: %s\nfound: %s\n' "$1" "$2" "$output"; return 1; }
}

# Two jobs with an SLA, searched to the end as far as files tell.
searched() {
	cat >c.yaml <<'YAML'
harness: {command: [/bin/true]}
benchmark_base: {seed: 1}
sla: [{metric: ttft, quantile: 0.5, threshold: 1, op: <=}]
jobs:
  - {name: a, start_qps: 1}
  - {name: b, start_qps: 1}
YAML
	cs-expand --config-path c.yaml --output-dir out
	finish
}

# Summaries and results that are there again, whatever was removed.
finish() {
	local job
	for job in out/jobs/*; do
		echo '{}' >"$job/job_summary.json"
		echo ': ;' >"$job/trials.mk"
	done
	touch out/capacity_search_results.json out/capacity_search_results.csv
}

# same, for JSON texts as this jq prints them: same_json WHAT FOUND EXPECTED
same_json() {
	same "$1" "$(jq -c . <<<"$2")" "$(jq -c . <<<"$3")"
}

# Every file of out with its mtime.
state() {
	find out -printf '%P %T@ %l\n' | sort
}

@test "every case of the config gives its directories, or its fault on its line" {
	local count=0
	while read -r case; do
		rm -rf out
		jq -j .yaml <<<"$case" >c.yaml
		run cs-expand --config-path c.yaml --output-dir out
		name=$(jq -r .name <<<"$case")
		if jq -e 'has("expect_dirs")' <<<"$case" >/dev/null; then
			same "$name: $output" "$status" 0
			same "$name" "$(ls out/jobs)" "$(jq -r '.expect_dirs[]' <<<"$case" | LC_ALL=C sort)"
		else
			same "$name" "$status" 78
			[ ! -e out ]
			jq -e --arg text "$output" '(.expect_line // "" | if . == "" then ":" else ":\(.):" end) as $at | .expect_error as $word
			    | $text | split("\n") | any(contains($at) and test("(^|[^A-Za-z])" + $word; "i"))' <<<"$case" >/dev/null ||
				{ echo "$name: $output"; return 1; }
		fi
		count=$((count + 1))
	done < <(jq -c '.[]' "$data/config_cases.json")
	[ "$count" -ge 47 ]
}

@test "plain scalars are what PyYAML takes them for" {
	grep -v '^#' "$data/scalars.tsv" >rows
	awk -F '\t' '{ printf "f%d: %s\n", NR, $1 }' rows | base_config >c.yaml
	cs-expand --config-path c.yaml --output-dir out
	cut -f 2 rows >expected
	sed -n '/"benchmark_config"/,/}/s/^    "f[0-9]*": \(.*[^,]\),*$/\1/p' out/jobs/*/job.json >found
	[ "$(wc -l <expected)" -ge 400 ]
	paste rows found | awk -F '\t' '$2 != $3 { print; bad = 1 } END { exit bad }'
	cmp found expected
}

@test "tags, quotes, blocks, anchors and merge keys are read as YAML 1.1 has them" {
	base_config >c.yaml <<'YAML'
b: !!str 5
c: !!int '5'
d: !!float 3
e: ! '12'
f: |
  x
  y
g: 'it''s'
h: "\x41\u00e9"
i: &i {p: 1, q: 2}
j: &j {p: 3, r: 4}
k: {q: 9, <<: [*i, *j]}
l: {<<: *i, p: !!null x}
m: [*i, 2020-01-01, !!timestamp 2020-01-02]
'<<': {'<<': 1}
YAML
	cs-expand --config-path c.yaml >jobs
	same_json config "$(jq -c .benchmark_config jobs)" '{"a":1,"b":"5","c":5,"d":3.0,"e":12,"f":"x\ny\n","g":"it'\''s","h":"Aé","i":{"p":1,"q":2},"j":{"p":3,"r":4},"k":{"p":1,"r":4,"q":9},"l":{"p":null,"q":2},"m":[{"p":1,"q":2},"2020-01-01","2020-01-02"],"<<":{"<<":1}}'
}

@test "JSON is YAML, with pairs of surrogates" {
	printf '{"benchmark_base": {"model": "\\ud83d\\ude00 \\\\ud83d\\\\ude00 a\\/b"}, "jobs": [{"name": "x", "qps_list": [1]}]}' >c.yaml
	cs-expand --config-path c.yaml 2>/dev/null >jobs
	same model "$(jq -r .benchmark_config.model jobs)" '😀 \ud83d\ude00 a/b'
}

@test "all faults are reported, each with its line, and nothing is written" {
	cat >c.yaml <<'YAML'
benchmark_base:
  mode: hybird
  prefil_tokens: 3
  seed: 1
  seed: 2
  sim_service_time: 3
  duration: .inf
  gpus: 010
  model: [a]
  enable_cuda_graphs: 1
  num_requests: 1.5
  trace_file: no
slaa: []
1: x
search: {max_iteration: 3, max_iterations: no, max_qps_cap: 0.00001, max_failed_requests_pct: 101}
sla:
  - {metric: on, quantile: 95, op: "=<"}
  - x
jobs:
  - name: no
    qps_list: [1, 0, .inf, fast, no, 08080]
  - start_qps: 1
    qps_list: [1]
    harness: smi
  - name: "a\nb\x1b"
    start_qpss: 3
    harness: {command: [], comand: 3}
  - 5
  - {name: d, qps_list: 1, benchmark_overrides: [1], harness: 5}
YAML
	run cs-expand --config-path c.yaml --output-dir out
	same status "$status" 78
	[ ! -e out ]
	for line in 2 3 5 6 7 8 9 10 11 12 13 14 15 17 18 20 21 22 24 25 26 27 28 29; do
		[[ $output == *"c.yaml:$line: "* ]] || { echo "nothing of line $line: $output"; return 1; }
	done
	for text in "prefil_tokens'; the nearest it has: prefill_tokens" "'slaa' is not known; the nearest that is: sla" \
		"there is no harness 'smi'" 'the nearest: sim' 'in quotes' "'a\\nb\\u001b'" 'sim_service_time_s'; do
		[[ $output == *"$text"* ]] || { echo "missing: $text"; echo "$output"; return 1; }
	done
	same 'faults of line 15' "$(grep -c 'c.yaml:15: ' <<<"$output")" 4
	same 'faults of line 17' "$(grep -c 'c.yaml:17: ' <<<"$output")" 4
	same 'rates of line 21' "$(grep -c 'c.yaml:21: ' <<<"$output")" 5
	[[ $output != *$'\033'* ]]
}

@test "a fault that two jobs share is reported once" {
	refused 1 "there is no harness 'nosuch'" <<<$'harness: nosuch\nbenchmark_base: {}\njobs: [{name: a, qps_list: [1]}, {name: b, qps_list: [1]}]'
	same lines "${#lines[@]}" 1
	refused 1 "no field 'x'" <<<$'benchmark_base: {x: 1}\njobs: [{name: a, qps_list: [1]}, {name: b, qps_list: [1], harness: sangam}]'
	same lines "${#lines[@]}" 1
}

@test "more faults than a person reads end with a count" {
	for i in $(seq 1200); do echo "k$i: 1"; done >c.yaml
	run cs-expand --config-path c.yaml
	same 'status and lines' "$status ${#lines[@]}" '78 1001'
	[[ ${lines[1000]} == *'1000 faults'* ]]
}

@test "documents that would eat the machine are refused at once" {
	{
		echo 'a0: &a0 [x,x,x,x,x,x,x,x,x]'
		for i in 1 2 3 4 5 6 7 8 9; do
			echo "a$i: &a$i [*a$((i - 1)),*a$((i - 1)),*a$((i - 1)),*a$((i - 1)),*a$((i - 1)),*a$((i - 1)),*a$((i - 1)),*a$((i - 1)),*a$((i - 1))]"
		done
	} >laughs
	refused 6 'more than 100000 values' <laughs
	refused 1 "the alias 'a' is inside what it stands for" <<<'benchmark_base: &a [*a]'
	refused 1 "the alias 'a' is inside what it stands for" <<<'benchmark_base: &a {x: *a}'
	{ echo 'a0: &a0 {k: 1}'; for i in $(seq 110); do echo "a$i: &a$i {k: *a$((i - 1))}"; done; } >deep
	refused 100 'more than 100 levels' <deep
	head -c 200000 /dev/zero | tr '\0' '[' >flow
	refused 1 'more than 100 levels' <flow
	{ printf 'benchmark_base: {}\njobs: [{name: x, qps_list: [1]}]\n#'; head -c 1048576 /dev/zero | tr '\0' x; } >large
	run cs-expand --config-path large
	same status "$status" 78
	[[ $output == *'more than 1048576 bytes'* ]]
	head -c 1048576 large >c.yaml
	cs-expand --config-path c.yaml >jobs 2>/dev/null
	run timeout 10 cs-expand --config-path /dev/zero
	same status "$status" 78
}

@test "bytes that are no text are refused with their line" {
	local good=$'benchmark_base: {}\njobs: [{name: x, qps_list: [1]}]\n'
	printf '%s\0\n' "$good" | refused 3 'control characters'
	printf '%s\001\n' "$good" | refused 3 'control characters'
	printf '%s\377\n' "$good" | refused 3 'UTF-8'
	refused 2 'NUL' <<<$'benchmark_base:\n  model: "a\\0b"'
	refused 2 'NUL' <<<$'benchmark_base:\n  "mo\\0del": b'
	refused 2 'not YAML' <<<$'benchmark_base:\n\tmode: hybrid'
	refused 3 'second document' <<<"$good---"
	refused 1 'nothing in it' <<<'# only a comment'
	refused 1 'is 5; expected a mapping' <<<5
	refused 1 'beyond 64 bits' <<<'benchmark_base: {seed: 9223372036854775808}'
	refused 1 'without digits' <<<'benchmark_base: {seed: 0x_}'
	refused 1 'cannot be' <<<'benchmark_base: {seed: !!int x}'
	refused 1 "'!foo'" <<<'benchmark_base: {seed: !foo 1}'
	refused 2 "the anchor 'a'" <<<$'a: &a 1\nb: &a 2'
	refused 1 'merges mappings' <<<'benchmark_base: {<<: 3}'
	refused 1 'merges mappings' <<<'benchmark_base: {<<: [{a: 1}, 3]}'
	refused 1 'merges mappings' <<<'benchmark_base: {<<: [{a: 1}, [1]]}'
	refused 2 'expected finite numbers' <<<$'harness: {command: [x]}\nbenchmark_base: {a: [1, {b: .inf}]}\njobs: [{name: x, qps_list: [1]}]'
}

@test "line ends of other systems and a byte order mark do no harm" {
	printf 'benchmark_base: {}\njobs:\n  - name: x\n    qps_list: [1]\n' >lf.yaml
	sed 's/$/\r/' lf.yaml >crlf.yaml
	{ printf '\357\273\277'; cat lf.yaml; } >bom.yaml
	iconv -f UTF-8 -t UTF-16 lf.yaml >utf16.yaml
	cs-expand --config-path lf.yaml >expected 2>/dev/null
	for kind in crlf bom utf16; do
		cs-expand --config-path $kind.yaml >found 2>/dev/null
		cmp found expected
	done
}

@test "numbers given as text and text given as numbers become what the field is" {
	cat >c.yaml <<'YAML'
benchmark_base: {num_requests: 1e3, cv: 5e-1, duration: 12, seed: "7", gpus: 0, master_addr: 1.50, server_startup_timeout: -.5}
search: {qps_list: [1e0, 2.00004, "4"], max_iterations: 1e1}
jobs: [{name: 12}]
YAML
	cs-expand --config-path c.yaml --harness sangam >jobs
	same_json config "$(jq -c .benchmark_config jobs)" \
		'{"num_requests":1000,"cv":0.5,"duration":12,"seed":7,"gpus":"0","master_addr":"1.5","server_startup_timeout":-0.5}'
	same_json search "$(jq -c '[.search.qps_list, .search.max_iterations, .job_name]' jobs)" '[[1.0,2.0,4.0],10,"12"]'
}

@test "a text field refuses numbers that people do not read as YAML does" {
	for value in 010 0x10 12:30:45 1_000 yes .inf; do
		refused 1 'in quotes' <<<"{benchmark_base: {gpus: $value}, jobs: [{name: x, qps_list: [1]}]}"
	done
}

@test "early_stop is fail, both, yes for both, or no, and not in job.json where it is off" {
	base='benchmark_base: {}, harness: {command: [x]}, jobs: [{name: x, qps_list: [1]}]'
	for value in fail both true yes false off null; do
		echo "{search: {early_stop: $value}, $base}" >c.yaml
		cs-expand --config-path c.yaml | jq -c '[.search.early_stop, (.search | has("early_stop"))]'
	done >found
	same "early_stop" "$(xargs <found)" '[fail,true] [both,true] [both,true] [both,true] [null,false] [null,false] [null,false]'
	for value in pass 1 '[both]' '"true"' '""'; do
		refused 1 'expected fail, both, true (the same as both) or false' <<<"{search: {early_stop: $value}, $base}"
	done
	for requests in 'num_requests: 5' 'num_requests: null' ''; do
		echo "{benchmark_base: {$requests}, harness: {command: [x]}, jobs: [{name: x, qps_list: [1]}], search: {early_stop: fail}}" >c.yaml
		cs-expand --config-path c.yaml 2>&1 >/dev/null | grep -c 'early_stop ends no trial of the job x, which gives no num_requests' || :
	done >found
	same warnings "$(xargs <found)" "0 1 1"
}

@test "keys of later versions are refused as such" {
	for key in confidence max_num_requests vary_seed confirm; do
		refused 1 "search: this version does not have the key '$key' yet" <<<"search: {$key: 1}"
	done
}

@test "a pool of resources has GPUs, ports or both, as numbers and ranges, and is in each job" {
	base='benchmark_base: {gpus: "0"}, harness: {command: [x]}, jobs: [{name: x, qps_list: [1]}]'
	for case in '{gpus: "0-7"}' '{gpus: 3, ports: "21000-21001, 22000"}' '{ports: [21000, 22000-22001]}'; do
		echo "{resources: $case, $base}" >c.yaml
		cs-expand --config-path c.yaml | jq -c .resources
	done >found
	same pools "$(xargs -d '\n' <found)" \
		'{"gpus":"0-7"} {"gpus":"3","ports":"21000-21001, 22000"} {"ports":"21000,22000-22001"}'
	for case in '{gpus: "7-0"}' '{gpus: "-1"}' '{gpus: "0-"}' '{gpus: "a"}' '{gpus: "0,,1"}' '{gpus: []}' '{gpus: 4096}' '{gpus: "0,1,1"}' '{gpus: "0-3,2"}'; do
		refused 1 'resources: gpus is' <<<"{resources: $case, $base}"
	done
	for case in '{ports: 0}' '{ports: 65536}' '{ports: {}}' '{ports: [21000, 21000]}' '{ports: 1-99999999999999999999}'; do
		refused 1 'resources: ports is' <<<"{resources: $case, $base}"
	done
	refused 1 "'gpu' is not known; the nearest that is: gpus" <<<"{resources: {gpu: 1}, $base}"
	refused 1 'resources is' <<<"{resources: 0-7, $base}"
}

@test "the search settings have their defaults, and options that win over the config" {
	cat >c.yaml <<'YAML'
benchmark_base: {seed: 1}
sla: [{metric: ttft, quantile: 1, threshold: 1e-1, op: ==}]
jobs: [{name: a, start_qps: 2}]
YAML
	cs-expand --config-path c.yaml 2>warning >jobs
	same_json defaults "$(jq -c '[.search, .benchmark_timeout]' jobs)" \
		'[{"start_qps":2.0,"max_iterations":20,"min_search_granularity_pct":2.5,"max_qps_cap":null,"max_failed_requests_pct":0.0},900.0]'
	grep -q simulated warning
	cs-expand --config-path c.yaml --max-iterations 7 --min-search-granularity-pct 1 --max-qps-cap 3.99999 \
		--benchmark-timeout 5 >options 2>/dev/null
	same_json options "$(jq -c '[.search, .benchmark_timeout, .benchmark_config.benchmark_timeout]' options)" \
		'[{"start_qps":2.0,"max_iterations":7,"min_search_granularity_pct":1.0,"max_qps_cap":3.9999,"max_failed_requests_pct":0.0},5.0,5.0]'
	same key "$(jq .job_key options)" "$(jq .job_key jobs)"
	for timeout in 0 -1; do
		cs-expand --config-path c.yaml --benchmark-timeout $timeout 2>/dev/null | jq -e '.benchmark_timeout == null'
	done
	for timeout in 0 -3 null; do
		sed "s/seed: 1/benchmark_timeout: $timeout/" c.yaml >d.yaml
		cs-expand --config-path d.yaml 2>/dev/null | jq -e '.benchmark_timeout == null'
	done
	cs-expand --config-path c.yaml --output-dir out 2>/dev/null
	same_json rules "$(jq -c . out/sla.json)" '[{"metric":"ttft","quantile":1,"op":"==","threshold":0.1}]'
}

@test "the harness in effect is part of the key, but for sangam" {
	printf 'benchmark_base: {}\nsearch: {qps_list: [1]}\njobs: [{name: a}, {name: b, harness: sim}]\n' >c.yaml
	cs-expand --config-path c.yaml --harness sangam >jobs 2>messages
	same harnesses "$(jq -r '.harness + " " + .directory' jobs)" $'sangam jobs/a_1f7a57a632\nsim jobs/b_b4d2814c32'
	[ ! -s messages ]
	run cs-expand --config-path c.yaml --harness nosuch
	same status "$status" 64
	same lines "${#lines[@]}" 1
}

@test "a harness brings fields of its own, and the search path brings harnesses" {
	mkdir h
	printf '#!/bin/sh\n' >h/mine
	printf 'field\ttype\tdefault\tallowed\tflag\tnote\nseed\tstring\tx\tred green\t-\t\nspeed\tint?\tnull\n' >h/mine.tsv
	printf 'harness: mine\nbenchmark_base: {seed: red, speed: 3, exclusive: no}\njobs: [{name: x, qps_list: [1]}]\n' >c.yaml
	run env CS_HARNESS_PATH="$T/none:$T/h" cs-expand --config-path c.yaml
	same 'not executable' "$status" 78
	chmod +x h/mine
	CS_HARNESS_PATH="$T/none:$T/h" cs-expand --config-path c.yaml >jobs
	same_json config "$(jq -c .benchmark_config jobs)" '{"seed":"red","speed":3,"exclusive":false}'
	sed -i 's/red/blue/' c.yaml
	run env CS_HARNESS_PATH="$T/h" cs-expand --config-path c.yaml
	[[ $output == *'c.yaml:2: benchmark_base: seed is the text '\''blue'\''; expected one of: red green'* ]]
	printf 'seed\twhole\t1\n' >h/mine.tsv
	run env CS_HARNESS_PATH="$T/h" cs-expand --config-path c.yaml
	[[ $output == *"mine.tsv:1: the type 'whole' is not known"* ]]
	for harness in sim sangam; do
		refused 2 "harness $harness has no field 'exclusive'" <<<"harness: $harness
benchmark_base: {exclusive: true}
jobs: [{name: x, qps_list: [1]}]"
	done
}

@test "without an output directory the jobs are lines of JSON that say where they would be" {
	searched
	cs-expand --config-path c.yaml >jobs
	same jobs "$(wc -l <jobs)" 2
	while read -r job; do
		directory=$(jq -r .directory <<<"$job")
		same "$directory" "$(jq -c 'del(.directory)' <<<"$job")" "$(jq -c . "out/$directory/job.json")"
	done <jobs
	same config_dir "$(jq -r .config_dir jobs | sort -u)" "$(pwd -P)"
}

@test "the Makefile names the jobs in the config's order and has no text of the config" {
	cat >c.yaml <<'YAML'
benchmark_base: {model: "$(shell touch pwned) `touch pwned`"}
search: {qps_list: [1]}
jobs:
  - name: 'z $(shell touch pwned)'
  - name: "`touch pwned`; # % : = \\\n\tx:"
  - name: ../../a
  - name: "漢 -n"
  - name: -f
YAML
	cs-expand --config-path c.yaml --output-dir out 2>/dev/null
	cat >expected <<'MAKEFILE'
  z_shell_touch_pwned_KEY \
  touch_pwned_x_KEY \
  a_KEY \
  -n_KEY \
  -f_KEY \
MAKEFILE
	sed -n '/^JOBS = \\$/,/^$/p' out/Makefile | sed '1d;$d; s/_[0-9a-f]\{10\} / _KEY /; s/ _KEY/_KEY/' >found
	diff found expected
	[[ $(head -n 1 out/Makefile) == '# '*cs-expand* ]]
	same 'last line' "$(tail -n 1 out/Makefile)" 'include .capacity-search/search.mk'
	[ -e out/.capacity-search/benchmark_fields.tsv ]
	same directories "$(sed -n 's/^  \(.*\) \\$/\1/p' out/Makefile | sort)" "$(ls out/jobs | sort)"
}

@test "what does not change keeps its mtime" {
	searched
	state >before
	cs-expand --config-path c.yaml --output-dir out
	state >after
	diff before after
}

@test "a job that changes loses its summary, and the results go, before anything is written" {
	searched
	sed -i 's/{name: b, start_qps: 1}/{name: b, start_qps: 2}/' c.yaml
	cs-expand --config-path c.yaml --output-dir out
	[ -e out/jobs/a_*/job_summary.json ]
	[ ! -e out/jobs/b_*/job_summary.json ]
	[ -e out/jobs/b_*/trials.mk ]
	[ ! -e out/capacity_search_results.json ]
	[ ! -e out/capacity_search_results.csv ]
	same_json start "$(jq .search.start_qps out/jobs/b_*/job.json)" 2.0
}

@test "another SLA takes all summaries away, another list of jobs the results only" {
	searched
	sed -i 's/threshold: 1/threshold: 2/' c.yaml
	cs-expand --config-path c.yaml --output-dir out
	run ls out/jobs/*/job_summary.json out/capacity_search_results.json
	same found "$(ls out/jobs/*/job_summary.json out/capacity_search_results.* 2>/dev/null)" ''
	same rules "$(jq '.[0].threshold' out/sla.json)" 2
	finish
	sed -i '/name: a/d' c.yaml
	cs-expand --config-path c.yaml --output-dir out
	same summaries "$(ls out/jobs/*/job_summary.json | wc -l)" 2
	[ ! -e out/capacity_search_results.json ]
}

@test "a job that comes back is summed up anew, whatever happened to the SLA meanwhile" {
	searched
	cp c.yaml both.yaml
	sed -i '/name: a/d' c.yaml
	cs-expand --config-path c.yaml --output-dir out
	[ -e out/jobs/a_*/job_summary.json ]
	cs-expand --config-path both.yaml --output-dir out
	[ ! -e out/jobs/a_*/job_summary.json ]
	[ -e out/jobs/b_*/job_summary.json ]
}

@test "a bad config leaves the output directory as it was" {
	searched
	state >before
	sed -i 's/benchmark_base/benchmark_bas/; s/name: a/name: c/' c.yaml
	run cs-expand --config-path c.yaml --output-dir out
	same status "$status" 78
	state >after
	diff before after
}

@test "a directory with a Makefile of somebody else's is left alone" {
	searched
	mkdir other
	echo 'all: ; echo mine' >other/Makefile
	run cs-expand --config-path c.yaml --output-dir other
	same status "$status" 73
	same contents "$(ls -A other)" Makefile
	[[ $output == *'other/Makefile:1: '* ]]
}

@test "an output directory that cannot be written is an error" {
	searched
	run cs-expand --config-path c.yaml --output-dir c.yaml
	same file "$status" 73
	run cs-expand --config-path c.yaml --output-dir /proc/nothing
	same proc "$status" 73
	mkdir -p blocked/Makefile
	run cs-expand --config-path c.yaml --output-dir blocked
	same Makefile "$status" 73
	mkdir -p full/.capacity-search/x
	run cs-expand --config-path c.yaml --output-dir full
	same link "$status" 73
	same 'left over' "$(find full -name '*.tmp')" ''
}

@test "paths may hold what they like: config, output directory and installation" {
	searched
	odd="it's a \$HOME #1 100% x:y \"q\" é"
	mkdir -p "$odd/bin" "$odd/share"
	cp "$(command -v cs-expand)" "$odd/bin/"
	cp -R "$(dirname "$(command -v cs-expand)")/../share/capacity-search" "$odd/share/"
	cp c.yaml "$odd/the \$config.yaml"
	"$odd/bin/cs-expand" --config-path "$odd/the \$config.yaml" --output-dir "$odd/out \\ put"
	same rules "$(readlink "$odd/out \\ put/.capacity-search")" "$(pwd -P)/$odd/share/capacity-search"
	same directory "$(jq -r .config_dir "$odd/out \\ put"/jobs/a_*/job.json)" "$(pwd -P)/$odd"
	cs-expand --config-path "$odd/the \$config.yaml" --output-dir "$odd/out \\ put"
	[ "$(readlink "$odd/out \\ put/.capacity-search")" != "$(pwd -P)/$odd/share/capacity-search" ]
	mkdir $'bad\377'
	cp c.yaml $'bad\377'
	run cs-expand --config-path $'bad\377/c.yaml'
	same 'no UTF-8' "$status" 78
}

@test "killed in the middle, cs-expand leaves whole files only, and the next run finishes" {
	{
		printf 'harness: {command: [/bin/true]}\nbenchmark_base: {}\nsearch: {qps_list: [1]}\njobs:\n'
		for i in $(seq 60); do echo "  - name: job$i"; done
	} >c.yaml
	for delay in 0.005 0.01 0.02 0.04; do
		rm -rf out
		timeout -s KILL $delay cs-expand --config-path c.yaml --output-dir out || :
		[ -d out ] || continue
		find out -name job.json -exec jq -e .job_key {} + >/dev/null
		if [ -e out/Makefile ]; then
			same 'jobs before the Makefile' "$(find out -name job.json | wc -l)" 60
		fi
		cs-expand --config-path c.yaml --output-dir out
		same jobs "$(find out -name job.json | wc -l)" 60
		jq -e '. == null' out/sla.json
	done
}

@test "cs-expand refuses wrong usage, missing files and a full disk" {
	searched
	for arguments in '' '--nosuch' '--config-path' '--config-path c.yaml more' '--config-path c.yaml --max-iterations 0' \
		'--config-path c.yaml --max-iterations 1.5' '--config-path c.yaml --max-qps-cap 0' \
		'--config-path c.yaml --min-search-granularity-pct -1' '--config-path c.yaml --benchmark-timeout soon' \
		'--config-path c.yaml --output-dir='; do
		# shellcheck disable=SC2086 # words are meant to be split
		run cs-expand $arguments
		same "status for $arguments" "$status" 64
	done
	run cs-expand --config-path nosuch.yaml
	same missing "$status" 66
	run cs-expand --config-path .
	[ "$status" = 66 ] || [ "$status" = 74 ]
	run cs-expand --config-path /dev/stdin </dev/null
	same 'empty stdin' "$status" 78
	run sh -c 'cs-expand --config-path c.yaml >/dev/full'
	same 'full disk' "$status" 74
	cs-expand --help | grep -q -- --config-path
	cs-expand --version | grep -q '^cs-expand '
}

@test "the page of the config has every benchmark field with its type and default, and no other" {
	page=$top/man/capacity_search.yaml.5
	sed -n 's/^\.It Cm \(.*\) Ta \(.*\) Ta \(.*\)$/\1 \2 \3/p' "$page" >found
	awk -F '\t' 'NR > 1 && $6 !~ /^REJECTED/ { print $1, $2, $3 }' "$top/pipeline/benchmark_fields.tsv" >expected
	[ "$(wc -l <expected)" -gt 80 ]
	diff expected found
	awk -F '\t' 'NR > 1 && $4 != "" { print $1; n = split($4, words, " "); for (i = 1; i <= n; i++) print words[i] }' \
		"$top/pipeline/benchmark_fields.tsv" >expected
	sed -n '/these values only/,/^\.El/p' "$page" | sed -n 's/^\.\(It \)*Cm //p' | tr -s ', ' '\n\n' | grep . >found
	diff expected found
}

@test "the page of the config names every other key that is known" {
	for key in benchmark_base jobs sla search harness name start_qps qps_list benchmark_overrides metric quantile op \
		threshold max_iterations min_search_granularity_pct max_qps_cap max_failed_requests_pct early_stop command exclusive; do
		grep -q "Cm.*$key" "$top/man/capacity_search.yaml.5" || { echo "no $key"; return 1; }
	done
}
