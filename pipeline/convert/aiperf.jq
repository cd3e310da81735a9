# aiperf, profile_export.jsonl: a line a request. metadata has times in ns, metrics {value, unit}. credit_issued_ns, when
# a request was due, is there in newer versions. Other phases than profiling are warm-up. The first versions said
# timestamp_ns for request_start_ns, credit_phase for benchmark_phase, ttft for time_to_first_token, and had the error in
# metadata.

include "common";

def metric($name; $where):
	.metrics[$name]?
	| if . == null then null
	  elif (.value | type) != "number" then refuse("\($where): \($name) is \(shown), expected a number")
	  else . as {$value, $unit}
	  | {ms: 1e3, msec: 1e3, milliseconds: 1e3, s: 1, sec: 1, seconds: 1, us: 1e6, microseconds: 1e6, ns: 1e9, nanoseconds: 1e9}
	  | if .[$unit // ""] then $value / .[$unit]
		else refuse("\($where): \($name) is in \($unit | shown), expected ms, sec, us or ns") end end;

def tokens($name): .metrics[$name]?.value? | numbers // null;

def failure:
	(.error // .metadata.error) as $error
	| if $error != null then
		$error | if type == "object" then [.code, .type, .message | values | tostring] | join(" ") else . end | reason("failed")
	  elif .metadata.was_cancelled == true then "cancelled" else null end;

foreach inputs as $record (0; . + 1; "record \(.)" as $where | $record
	| need("metadata"; "object"; $where) as $about
	| if has("metrics") then . else refuse("\($where): no metrics, expected profile_export.jsonl, not the raw one") end
	| if ($about.benchmark_phase // $about.credit_phase // "profiling") != "profiling" then {warm: true} else
	  ($about | .request_start_ns // .timestamp_ns | time_of_ns("\($where): request_start_ns")) as $start
	| (if $about.credit_issued_ns == null then null
		else $about.credit_issued_ns | time_of_ns("\($where): credit_issued_ns") end) as $due
	| (if $due == null then null else $start | [seconds_since($due), 0] | max end) as $delay
	| metric("request_latency"; $where) as $latency
	| (metric("time_to_first_token"; $where) // metric("ttft"; $where)) as $ttft
	| {
		id: $about.x_request_id, at: ($due // $start), delay: $delay, error: failure,
		ttft: (if $ttft == null then null else $ttft + ($delay // 0) end),
		tpot: metric("inter_token_latency"; $where),
		e2e: (if $latency != null then $latency + ($delay // 0)
			elif $about.request_end_ns != null then
				$about.request_end_ns | time_of_ns("\($where): request_end_ns") | seconds_since($due // $start)
			else null end),
		prompt_tokens: tokens("input_sequence_length"),
		completion_tokens: (tokens("output_sequence_length") // tokens("output_token_count"))
	  }
	| request($where) end)
| arrays
