# One run of a tool that writes an array per field, as vllm bench serve does and sglang's bench_serving after it.

include "common";

# The array NAME, which has an element for each of $number requests; null where there is none.
def array_of($name; $number):
	.[$name]
	| if . == null then null
	  elif type != "array" then refuse("\($name) is \(shown), expected a list")
	  elif length != $number then refuse("\($name) has \(length) elements and errors \($number), expected one a request in both")
	  else . end;

def at($i): if . == null then null else .[$i] end;

def number_at($name; $i):
	at($i) | if . == null or type == "number" then . else refuse("\($name)[\($i)] is \(shown), expected a number") end;

# In:  a run
# Out: {error, ...} of its requests as request() takes them; "own": its error is the tool's own
def requests_of_arrays:
	(.errors | length) as $number
	| . as $run
	| (reduce ("input_lens", "output_lens", "ttfts", "itls", "start_times", "latencies", "queue_times") as $name
		({}; .[$name] = ($run | array_of($name; $number)))) as $of
	| range($number) as $i
	| ($of.ttfts | number_at("ttfts"; $i)) as $ttft
	| ($of.latencies | number_at("latencies"; $i)) as $latency
	| ($of.queue_times | number_at("queue_times"; $i)) as $queue
	| ($of.start_times | number_at("start_times"; $i)) as $start
	| ($of.output_lens | number_at("output_lens"; $i)) as $tokens
	| ($run.errors[$i] | if . == "" then null else reason("failed") end) as $error
	| (if $of.itls == null then null else $of.itls[$i] // []
		| if type != "array" then refuse("itls[\($i)] is \(shown), expected a list") else add // 0 end end) as $rest
	| {
		own: ($error != null),
		error: ($error // if $ttft == 0 then "no token came" elif $latency == 0 then "broken off" else null end),
		at: (if $start == null then null else $start - ($queue // 0) end),
		delay: $queue,
		ttft: (if $ttft == null then null else $ttft + ($queue // 0) end),
		e2e: (($latency // if $ttft == null or $rest == null then null else $ttft + $rest end)
			| if . == null then null else . + ($queue // 0) end),
		tpot: (if $ttft == null then null
			else per_token(if $latency == null then $rest else $latency - $ttft end; $tokens) end),
		prompt_tokens: ($of.input_lens | number_at("input_lens"; $i)),
		completion_tokens: $tokens
	};

# The run's own counts against its requests; one without a token and without an error is either to the tools.
def check_counts($requests):
	($requests | length) as $number
	| ([$requests[] | select(.own)] | length) as $errors
	| ([$requests[] | select(.error)] | length) as $failed
	| def fits($name; $low; $high):
		.[$name] | if . != null and (. < $low or . > $high) then
			refuse("\($name) is \(shown) and there are \($number) requests, \($failed) of them failed, expected numbers that agree")
		else . end;
	fits("completed"; $number - $failed; $number - $errors) as $completed
	| fits("failed"; $errors; $failed) as $own
	| if $completed != null and $own != null and $completed + $own != $number then
		refuse("completed is \($completed) and failed \($own) with \($number) requests, expected their sum")
	  else . end;
