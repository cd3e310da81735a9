#!/usr/bin/env bats
# Goal: what a reader of cs-report html sees in a real browser: each job's answer, every trial in every plot, on a
# screen of any width, with nothing fetched and nothing run, whatever is in configs and logs.

bats_require_minimum_version 1.5.0
load helper

# The searches that the tests look at: jobs that pass and fail, that nothing passes in, that have an error or a time-out.
setup_file() {
	cd "$BATS_FILE_TMPDIR"
	export PATH=${CS_BIN:-$BATS_TEST_DIRNAME/../build/bin}:$PATH
	unset MAKEFLAGS MFLAGS MAKELEVEL CS_HARNESS_PATH
	cat >base.yaml <<-'YAML'
		benchmark_base:
		  {mode: hybrid, prefill_gpus: "0", hybrid_colocated_gpus: "1", num_requests: 100, interval_type: poisson,
		   length_type: fixed, prefill_tokens: 256, decode_tokens: 64}
		harness: sim
	YAML
	cat base.yaml - >search.yaml <<-'YAML'
		jobs:
		  - {name: fast, qps_list: [1, 4, 64], benchmark_overrides: {decode_tokens: 128}}
		  - {name: slow, qps_list: [4], benchmark_overrides: {sim_pass_time_s: 3.0}}
		  - {name: all pass, qps_list: [1, 2]}
		  - name: <script>alert(1)</script>
		    qps_list: [2]
		    harness: {command: [sh, -c, "echo '</p><img src=http://127.0.0.1:9/x>'; exit 3"]}
		  - {name: late, qps_list: [1, 2], harness: {command: [sh, ./late]}}
		sla:
		  - {metric: request_scheduling_delay, quantile: 0.5, threshold: 2.0, op: "<="}
		  - {metric: ttft, quantile: 0.95, threshold: 9.0, op: "<="}
	YAML
	cat >late <<-'SH'
		[ "${CS_QPS%%.*}" -lt 2 ] || exit 2
		{ echo request_id,request_scheduling_delay,ttft; seq 100 | sed 's/.*/&,0.5,0.&/'; } >"$CS_TRIAL_DIR/request_metrics.csv"
	SH
	cat base.yaml - >free.yaml <<-'YAML'
		jobs: [{name: free, qps_list: [1, 2, 3]}]
	YAML
	capacity-search --config-path search.yaml --output-dir out 2>log || [ $? = 1 ]
	capacity-search --config-path free.yaml --output-dir free 2>log
	cs-report html out >search.html
	cs-report html free >free.html
	browse search.html
}

# Opens a page as a user would and leaves in PAGE.dom what the browser made of it, in PAGE.log what it had to say, and in
# PAGE.net what it asked the network for. No name resolves, so that the browser's own requests stay here. A page that runs
# what it should not, and waits for an answer, is ended.
browse() {
	timeout -k 5 300 chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking \
		--disable-component-update --disable-sync --disable-dev-shm-usage --user-data-dir="$BATS_FILE_TMPDIR/profile" \
		--host-resolver-rules='MAP * ~NOTFOUND' --enable-logging=stderr --v=0 --log-net-log="$PWD/$1.net" \
		--virtual-time-budget=5000 --dump-dom "file://$PWD/$1" >"$1.dom" 2>"$1.log"
}

# The points of a plot: points ID [PAGE]
points() { sed -n "/<svg id=\"$1\"/,/<\/svg>/p" "${2:-search.html}.dom" | grep -c 'class="point' || :; }

# The text of the elements that match PATTERN, without tags, entities as a reader sees them: text PATTERN [PAGE]
text() {
	grep -e "$1" "${2:-search.html}.dom" | sed 's/<[^>]*>//g; s/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g'
}

# Requests that a page is to blame for: all but the browser's own. requests PAGE
requests() { grep -o '"url":"[^"]*"' "$1.net" | grep -v '"url":"https\{0,1\}://[a-z0-9.-]*\.google\(apis\)\{0,1\}\.com/' || :; }

@test "the page shows the answer of each job" {
	cd "$BATS_FILE_TMPDIR"
	same answers "$(text 'class="answer"')" "$(printf '%s\n' '4 requests/s' 'nothing passes' '≥ 2 requests/s' error '≥ 1 requests/s')"
	same jobs "$(text '<h2>')" "$(printf '%s\n' fast slow 'all pass' '<script>alert(1)</script>' late)"
	same table "$(text 'data-label="requests/s"' | sed 's/–.*//; s/[0-9.]*simulated.*//' | grep -c .)" 5
	text '<h1>' | grep -q 'Capacity search out'
	text 'fails at\|does not' | grep -q '64 requests/s does not'
	text 'data-label="note"' | grep -q 'simulated limited by qps_list'
}

@test "every trial is a point in every plot of its job" {
	cd "$BATS_FILE_TMPDIR"
	for plot in search rule-1 rule-2; do
		same "$plot" "$(points "job-1-$plot") $(points "job-2-$plot") $(points "job-3-$plot") $(points "job-4-$plot") \
$(points "job-5-$plot")" '3 1 2 0 2'
	done
	# of 100 requests the quantiles up to 0.99 have one beyond them: 8 points a trial
	same distribution "$(points job-1-distribution-1) $(points job-2-distribution-2) $(points job-5-distribution-1)" '24 8 8'
	same queue "$(points job-1-queue) $(points job-3-queue) $(points job-5-queue)" '3 2 0'
}

@test "verdicts differ in shape, and say what they are" {
	cd "$BATS_FILE_TMPDIR"
	same shapes "$(grep -o 'class="point [a-z]*" [^>]* d="[^"]*"' search.html.dom | grep -v curve |
		sed 's/transform="[^"]*" //' | sort -u | sed 's/.*d="//' | sort | uniq -d)" ''
	same late "$(grep -c 'class="point late"' search.html.dom)" 3
	text 'class="point failed"' | grep -q 'trial 3: 64 requests/s, failed: '
	text 'class="point late"' | grep -q 'trial 2: 2 requests/s, timed out: no value'
	text 'limit-text' | grep -q 'SLA: ≤ 2'
	# A cross is a trial that did not pass, in curves too; and one that did is the first curve.
	same crosses "$(grep -o '^<svg id="[^"]*\|class="point curve-[bd]"' search.html.dom | grep -B1 'class=' | grep -c 'svg id="job-[35]-')" 0
	same 'all pass' "$(sed -n '/<svg id="job-3-distribution-1"/,/<\/svg>/p' search.html.dom | grep -o 'point curve-.' | sort -u | xargs)" \
		'point curve-a point curve-c'
}

@test "plots have titles, descriptions and axes with units" {
	cd "$BATS_FILE_TMPDIR"
	for svg in $(grep -o '<svg id="[^"]*"' search.html.dom | sed 's/.*"\(.*\)"/\1/'); do
		grep -q "<title id=\"$svg-t\">..*</title>" search.html.dom
		grep -q "<desc id=\"$svg-d\">..*</desc>" search.html.dom
		sed -n "/<svg id=\"$svg\"/,/<\/svg>/p" search.html.dom | grep 'class="axis"' |
			grep -q 'per second\|seconds\|requests waiting'
	done
	same log "$(text 'class="axis"' | grep -c 'requests per second, log scale')" 4 # the bars, and job 1
}

@test "simulated results say so on top and at each job" {
	cd "$BATS_FILE_TMPDIR"
	text 'class="banner"' | grep -q 'Simulated results In 3 of 5 jobs no real service was measured'
	same tags "$(grep -c '^<p class="tags"><span class="tag simulated">' search.html.dom)" 3
	echo '{"job_name": "a", "job_key": "0", "harness": "mine", "search": {"qps_list": [2]}}' >"$T/job.json"
	mkdir -p "$T/o/jobs/a_0"
	mv "$T/job.json" "$T/o/jobs/a_0"
	printf 'JOBS = \\\n  a_0 \\\n\n' >"$T/o/Makefile"
	echo null >"$T/o/sla.json"
	cs-report html "$T/o" >"$T/real.html" || [ $? = 65 ]
	grep -q 'there is no job_summary.json' "$T/real.html"
	if grep -q '[Ss]imulated' <(sed '1,/<\/style>/d' "$T/real.html"); then return 1; fi
}

@test "nothing in a config or a log becomes markup" {
	cd "$BATS_FILE_TMPDIR"
	same elements "$(grep -ic '<script\|<img\|<iframe\|<object\|<link\|<base\| on[a-z]*=' search.html.dom)" 0
	text 'class="error"' | grep -q '</p><img src=http://127.0.0.1:9/x>'
}

@test "a hostile summary and hostile rules stay text, and their links stay links into the output directory" {
	cp -r "$BATS_FILE_TMPDIR/out" out
	echo '[{"metric": "a\"><script>alert(2)</script>", "quantile": 0.5, "op": "<=", "threshold": 2.0}]' >out/sla.json
	for summary in out/jobs/fast_*/job_summary.json; do
		jq '.search_trace[0].run_dir = "javascript:alert(3)//\"onclick=\"x" | .harness = "\u0000\u001b[31m</style>\u202e"
			| .search_trace[1].metric_values = "x" | .search_trace[2] = 7 | .limited_by = "<b>"' "$summary" >s
		mv s "$summary"
	done
	cs-report html out >page.html
	browse page.html
	same elements "$(grep -ic '<script\|<b>\| onclick=' page.html.dom)" 0
	same attributes "$(sed 's/="[^"]*"//g' page.html.dom | grep -c 'onclick\|javascript')" 0
	grep -q 'href="out/javascript%3Aalert%283%29//%22onclick%3D%22x/"' page.html.dom
	text 'class="rules"\|<li>' page.html | grep -q 'a"><script>alert(2)</script>@q0.5 ≤ 2'
	if LC_ALL=C grep -q "$(printf '[\001-\010\033]')" page.html; then return 1; fi
}

@test "the browser has nothing to complain of, and asks no network for anything" {
	cd "$BATS_FILE_TMPDIR"
	if grep CONSOLE search.html.log; then return 1; fi
	same requests "$(requests search.html)" ''
	same references "$(grep -o '\(src\|href\|url\|import\)[=(]"[^"]*"' search.html.dom | grep -v 'href="\(#job-[0-9]*\|out/jobs/.*\)"')" ''
	# and it would have told:
	echo '<!DOCTYPE html><img src="http://127.0.0.1:9/x.png"><script>nowhere()</script>' >bad.html
	browse bad.html
	grep -q CONSOLE bad.html.log
	requests bad.html | grep -q 127.0.0.1:9
}

@test "even markup that got into a page runs and fetches nothing: its policy forbids it" {
	cp -r "$BATS_FILE_TMPDIR/out" .
	cs-report compare --format html out out >compare.html
	cp "$BATS_FILE_TMPDIR/search.html" .
	for page in search compare; do
		sed 's|</body>|<p id="injected">x</p><script>document.getElementById("injected").textContent = "ran"</script><img src="http://127.0.0.1:9/x.png"></body>|' \
			"$page.html" >injected.html
		browse injected.html
		same "$page" "$(text 'id="injected"' injected.html | cut -c 1)" x
		same "requests of $page" "$(requests injected.html | grep -c 127.0.0.1:9)" 0
	done
}

@test "links lead to the trials from wherever the page is" {
	mkdir -p 'o #%é/pages' sub
	cp -r "$BATS_FILE_TMPDIR/out" 'o #%é/out'
	cs-report html 'o #%é/out' >here.html
	cs-report html 'o #%é/out' >'o #%é/out/report.html'
	cs-report html "$PWD/o #%é/out/" >'o #%é/pages/up.html'
	cs-report html 'o #%é/out' | cat >piped.html
	(cd 'o #%é/out/jobs' && cs-report html .. >"$T/sub/page.html")
	for page in here.html piped.html 'o #%é/out/report.html' 'o #%é/pages/up.html' sub/page.html; do
		same "$page" "$(grep -o 'href="[^#"][^"]*"' "$page" | wc -l)" 23
		grep -o 'href="[^#"][^"]*"' "$page" | sed 's/href="//; s/"$//; s/%/\\x/g' | while read -r link; do
			(cd "$(dirname "$page")" && path=$(printf '%b' "$link") && [ -e "$path" ]) || { echo "$page: $link"; return 1; }
		done
	done
	grep -q 'href="\./jobs/fast' 'o #%é/out/report.html'
	grep -q 'href="\.\./out/jobs/fast' 'o #%é/pages/up.html'
}

@test "without an SLA the trials and the common metrics are there, and nothing is judged" {
	cd "$BATS_FILE_TMPDIR"
	browse free.html
	same answer "$(text 'class="answer"' free.html)" 'no SLA'
	for plot in search metric-1 metric-2 metric-3 metric-4 queue; do
		same "$plot" "$(points "job-1-$plot" free.html)" 3
	done
	same distribution "$(points job-1-distribution-2 free.html)" 24
	same judged "$(grep -c 'class="point \(passed\|failed\)"' free.html.dom)" 0
}

@test "the page fits a phone and a wide screen, and the banner is large" {
	cd "$BATS_FILE_TMPDIR"
	probe='<script>onload = () => { const d = document.documentElement; let small = 0;
		for (const t of document.querySelectorAll("svg text")) {
			const s = t.ownerSVGElement.getBoundingClientRect(), v = t.ownerSVGElement.viewBox.baseVal;
			if (parseFloat(getComputedStyle(t).fontSize) * (v \&\& v.width ? s.width / v.width : 1) < 8) small++; }
		parent.postMessage([innerWidth, d.scrollWidth > d.clientWidth, small,
			parseFloat(getComputedStyle(document.querySelector(".banner strong")).fontSize) >= 22].join(" "), "*") }</script>'
	sed "/Content-Security-Policy/d; s|</body>|$(echo "$probe" | tr '\n\t' '  ')</body>|" search.html >probe.html
	cat >frames.html <<-'HTML'
		<!DOCTYPE html><pre id="found"></pre>
		<script>onmessage = e => { found.append(e.data + "\n") }</script>
		<iframe src="probe.html" style="border:0;width:390px;height:800px"></iframe>
		<iframe src="probe.html" style="border:0;width:1280px;height:800px"></iframe>
	HTML
	browse frames.html
	found=$(sed -n 's/.*<pre id="found">//; /^[0-9]* [a-z]* [0-9]* [a-z]*$/p' frames.html.dom | sort -n)
	same 'width, does it scroll, letters that are too small, banner is large' "$found" \
		"$(printf '%s\n' '390 false 0 true' '1280 false 0 true')"
}

@test "trials whose files are broken or gone are missed in their plots, and the page says why" {
	cp -r "$BATS_FILE_TMPDIR/out" out
	printf 'request_id,request_scheduling_delay,ttft\n1,x,2\n' | tee out/jobs/fast_*/runs/1/request_metrics.csv >/dev/null
	rm out/jobs/fast_*/runs/64/request_metrics.csv out/jobs/slow_*/job.json
	echo worker_id >"$(echo out/jobs/fast_*/runs/4/worker_timeline.csv)"
	cs-report html out >page.html
	browse page.html
	same distribution "$(points job-1-distribution-1 page.html)" 8
	same queue "$(points job-1-queue page.html)" 2
	same rule "$(points job-1-rule-1 page.html)" 3
	same notes "$(text 'class="note"' page.html | grep -c "request_metrics.csv:2: 'x'\|worker_timeline.csv:1: no column\|job.json: ")" 3
}

@test "the configuration is there, with what the job overrides" {
	cd "$BATS_FILE_TMPDIR"
	same overridden "$(text 'class="overridden"')" "$(printf '%s\n' 'decode_tokens128overridden by the job' 'sim_pass_time_s3.0overridden by the job')"
	same fields "$(text '<th>interval_type</th>' | sort -u)" interval_typepoisson
	text '<th>qps_list</th>' | grep -qF '[ 1.0, 4.0, 64.0 ]'
}

@test "cs-report html exits 64, 65, 66 and 74, and then prints no page" {
	cp -r "$BATS_FILE_TMPDIR/out" out
	run -64 cs-report html
	run -64 cs-report html out out
	run -66 cs-report html nowhere
	run -74 sh -c 'cs-report html out >/dev/full'
	echo '[' >out/sla.json
	run -65 cs-report html out
	[[ $output = *sla.json* && $output != *DOCTYPE* ]]
	rm out/sla.json
	run -66 cs-report html out
	[[ $output = *sla.json* && $output != *DOCTYPE* ]]
}
