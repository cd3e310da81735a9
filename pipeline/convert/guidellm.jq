# guidellm, benchmarks.json: benchmarks, of which the last counts, with lists of requests that were successful, errored,
# or incomplete when the time was up. Names before 0.4.0: start_time, end_time, scheduler_info. time_per_output_token_ms
# counts the first token and is not used.

include "common";

def totals: .metrics.request_totals? // .request_totals;

# With --sample-requests only some are written.
def check_totals($state):
	(totals[$state]? // null) as $total
	| (.requests[$state] // [] | length) as $number
	| if $total != null and $total != $number then
		refuse("\($number) \($state) requests are written and request_totals counts \($total), expected all of them")
	  else . end;

def due: .info.timings.targeted_start? // .info.targeted_start? // .scheduler_info.targeted_start_time? // .scheduler_info.targeted_start? // null;

def one($state; $where):
	(maybe("request_start_time"; $where) // maybe("start_time"; $where)) as $start
	| (maybe("request_end_time"; $where) // maybe("end_time"; $where)) as $ended
	| due as $due
	| (if $due == null or $start == null then null else [$start - $due, 0] | max end) as $delay
	| (maybe("request_latency"; $where) // if $start == null or $ended == null then null else $ended - $start end) as $latency
	| maybe("time_to_first_token_ms"; $where) as $ttft
	| maybe("output_tokens"; $where) as $tokens
	| {
		id: .request_id, at: ($due // $start), delay: $delay,
		error: (if $state == "successful" then null
			else .error // .info.error? // .scheduler_info.error? // $state | reason($state) end),
		ttft: (if $ttft == null then null else $ttft / 1000 + ($delay // 0) end),
		tpot: (maybe("inter_token_latency_ms"; $where)
			| if . == null or ($tokens != null and $tokens < 2) then null else . / 1000 end),
		e2e: (if $latency == null then null else $latency + ($delay // 0) end),
		prompt_tokens: maybe("prompt_tokens"; $where), completion_tokens: $tokens
	  }
	| request($where);

last_document("benchmarks.json of guidellm")
| need("benchmarks"; "array"; "the file")
| (length | if . > 1 then note("\(.) benchmarks; the last one is converted") else empty end),
  (last // refuse("benchmarks is empty, expected one at least")
	| need("requests"; "object"; "the last benchmark") as $requests
	| check_totals("successful") | check_totals("errored") | check_totals("incomplete")
	| $requests | to_entries[] | select(.key == ("successful", "errored", "incomplete")) | .key as $state
	| .value // [] | range(length) as $i | .[$i] | one($state; "\($state)[\($i)]"))
