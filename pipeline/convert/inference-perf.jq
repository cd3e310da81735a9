# inference-perf, per_request_lifecycle_metrics.json: a list of requests. Times are those of a monotonic clock; when a
# request was due is not written. output_token_times are in info.response_metrics since 0.6.0, before in info;
# chunk_times may begin with a chunk that holds no token, and are not used.

include "common";

def one($where):
	need("start_time"; "number"; $where) as $start
	| (if has("info") and .info == null and .error != null then {} else need("info"; "object"; $where) end) as $info
	| ($info.response_metrics // {} | if type == "object" then . else {} end) as $response
	| ($response.output_token_times // $info.output_token_times // [] | map(numbers)) as $times
	| ($response.output_tokens // $info.output_tokens // null | numbers // null) as $tokens
	| {
		at: $start,
		error: (.error | if type == "object" then [.error_type, .error_msg | values | tostring] | join(": ") else . end | reason("failed")),
		ttft: (if $times == [] then null else $times[0] - $start end),
		tpot: (if ($times | length) < 2 then null
			else per_token($times[-1] - $times[0]; [$tokens // 0, ($times | length)] | max) end),
		e2e: (maybe("end_time"; $where) | if . == null then null else . - $start end),
		prompt_tokens: ($info.input_tokens // $info.request_metrics.text.input_tokens? // null | numbers // null),
		completion_tokens: $tokens
	  }
	| request($where);

last_document("per_request_lifecycle_metrics.json of inference-perf")
| if type != "array" then refuse("found \(shown), expected a list of requests") else . end
| range(length) as $i | .[$i] | one("request \($i)")
