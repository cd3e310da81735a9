# genai-perf and perf_analyzer, profile_export.json: experiments, of which the last counts, with requests that have a
# time in ns for when they were sent and for each response. What a chunk of a stream holds decides whether it is a
# token: the ones with a role alone or [DONE] are not. A server's "event: error" comes with HTTP 200.

include "common";

def is_text: type == "string" and . != "" or (type == "array" and . != []);

# Of the data of one event, or of a plain response: whether it has a token, an error, how many tokens it says there are.
def meaning:
	. as $text
	| (try fromjson catch null) as $json
	| if $text == "[DONE]" or $text == "" then {}
	  elif ($json | type) != "object" then {token: true}
	  elif $json.error != null or $json.object == "error" then {error: ($json.error.message? // $json.message // $json.error | reason("error"))}
	  elif $json.choices != null then {
		token: any($json.choices[]?; .text, (.delta, .message | objects | .content, .reasoning_content, .reasoning, .tool_calls) | is_text),
		usage: $json.usage.completion_tokens?, prompt: $json.usage.prompt_tokens?}
	  else {token: ($json | if has("text_output") then .text_output | is_text else true end)} end;

# What a response means; several events may have come as one.
def meanings:
	if type == "object" and has("response") then
		(.response | tostring | gsub("^\\s+"; "")) as $text
		| if $text | test("^(data|event|id|retry)?:") | not then $text | gsub("^\\s+|\\s+$"; "") | [meaning]
		  else [$text | splits("\\r?\\n\\r?\\n") | select(. != "")
			| [splits("\\r?\\n") | select(startswith("data:")) | .[5:] | ltrimstr(" ")] as $data
			| if test("^event: *error"; "m") or test("\\nevent: *error") then {error: ($data | join(" ") | meaning.error // (. | reason("error event")))}
			  else $data[] | gsub("\\s+$"; "") | meaning end | .event = true] end
	else [{token: true}] end;

# Streams may be cut anywhere: a piece that does not begin an event belongs to the response before.
def joined:
	reduce .[] as $next ([];
		if length > 0 and (.[-1].response | type) == "string" and ($next.response | type) == "string"
			and (.[0].response | test("^(data|event):")) and $next.response != ""
			and ($next.response | test("^(data|event|id|retry)?:") | not)
		then ($next.response | match("(^|\n)data: ").offset // length) as $cut
			| .[:-1] + [.[-1] | .response += $next.response[:$cut]] + [$next | .response |= .[$cut:]]
		else . + [$next] end);

def one($where):
	need("response_timestamps"; "array"; $where) as $stamps
	| (.timestamp | time_of_ns("\($where): timestamp")) as $start
	| (.response_outputs // [range($stamps | length) | {}]) as $outputs
	| if ($outputs | length) != ($stamps | length) then
		refuse("\($where): \($outputs | length) response_outputs and \($stamps | length) response_timestamps, expected as many")
	  else . end
	| [$stamps[] | time_of_ns("\($where): response_timestamps")] as $times
	| [$outputs | joined | .[] | meanings] as $meanings
	| [range($times | length) as $i | select(any($meanings[$i][]; .token)) | $times[$i]] as $tokens
	| ([$meanings[][] | .usage | numbers] | max) as $usage
	| ([$meanings[][] | select(.token)] | length) as $chunks
	| {
		at: $start,
		error: (if $times == [] then "no response"
			else first($meanings[][] | .error | values) // if $tokens == [] then "no token came" else null end end),
		ttft: (if $tokens != [] and (($times | length) > 1 or any($meanings[][]; .event)) then
			$tokens[0] | seconds_since($start) else null end),
		tpot: (if $tokens == [] then null else per_token($tokens[-1] | seconds_since($tokens[0]); $usage // $chunks)
			| if . == 0 and ($tokens | length) < 2 then null else . end end),
		e2e: (if $times == [] then null else $times[-1] | seconds_since($start) end),
		prompt_tokens: ([$meanings[][] | .prompt | numbers] | max),
		completion_tokens: $usage
	  }
	| request($where);

last_document("profile_export.json of genai-perf or perf_analyzer")
| need("experiments"; "array"; "the file")
| (length | if . > 1 then note("\(.) experiments; the last one is converted") else empty end),
  (last // refuse("experiments is empty, expected one at least")
	| need("requests"; "array"; "the last experiment")
	| range(length) as $i | .[$i] | one("request \($i)"))
