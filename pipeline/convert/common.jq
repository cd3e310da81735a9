# What the formats share: refusing a file, times, and the requests that they print for rows.jq.
# The environment variable "file" is the name of the file, for messages.
#
# A time is [SECONDS, NANOSECONDS] since some epoch, both whole, so that none of 64 bits is lost; or a number of seconds.

def refuse($text): "cs-convert: \(env.file): \($text)\n" | halt_error(65);

def shown: tojson | if length > 60 then .[:57] + "..." else . end;

# A line to say about the file, on stderr.
def note($text): {note: "\(env.file): \($text)"};

# The object's member, which has to be of this type: "number", "string", "array", "object".
def need($name; $kind; $where):
	if type != "object" then refuse("\($where): found \(shown), expected an object with \($name)")
	elif .[$name] == null then refuse("\($where): no \($name), expected \($kind | if test("^[aeiou]") then "an" else "a" end) \($kind)")
	elif (.[$name] | type) != $kind then refuse("\($where): \($name) is \(.[$name] | shown), expected a \($kind)")
	else .[$name] end;

# A number, or null where there is none.
def maybe($name; $where):
	.[$name] | if . == null or type == "number" then . else refuse("\($where): \($name) is \(shown), expected a number") end;

# Nanoseconds, as cs-json leaves them: a number, or the digits of one that is too large for jq.
def time_of_ns($where):
	if type != "number" and type != "string" then refuse("\($where): found \(shown), expected a time in ns")
	else tostring
	| if test("^[0-9]+$") | not then refuse("\($where): found \(shown), expected a time in ns")
	  elif length <= 9 then [0, tonumber]
	  else [(.[:-9] | tonumber), (.[-9:] | tonumber)] end end;

# 2026-12-01T20:53:00.123456789+01:00
def time_of_text($where):
	. as $text
	| (strings | capture("^(?<date>\\d{4}-\\d\\d-\\d\\d)[Tt ](?<time>\\d\\d:\\d\\d:\\d\\d)(\\.(?<part>\\d+))?(?<zone>[Zz]|[+-]\\d\\d:?\\d\\d)$"))
		// refuse("\($where): found the time \($text | shown), expected one like 2026-12-01T20:53:00.123456789Z")
	| (.zone | if test("^[Zz]$") then 0
		else (.[1:3] | tonumber) * 3600 + (.[-2:] | tonumber) * 60 | if $text | test("-\\d\\d:?\\d\\d$") then -. else . end end) as $ahead
	| [("\(.date)T\(.time)Z" | fromdateiso8601) - $ahead, ((.part // "") + "000000000" | .[:9] | tonumber)];

# Seconds from $time to the time.
def seconds_since($time):
	if type == "number" then . - $time else ((.[0] - $time[0]) * 1e9 + (.[1] - $time[1])) / 1e9 end;

# The time, so many ns earlier.
def earlier_ns($ns): [.[0], .[1] - $ns] | (.[1] / 1e9 | floor) as $carry | [.[0] + $carry, .[1] - $carry * 1e9];

# Why a request failed, as text that is not empty. null stays: it did not fail.
def reason($otherwise):
	if . == null then null
	else (if type == "string" then . else tojson end) | if test("^\\s*$") then $otherwise else . end end;

# In:  {id, at, delay, ttft, tpot, e2e, error, prompt_tokens, completion_tokens}: seconds but for the time "at", from
#      when the request was due where the file says that; null or missing: not known. error: it failed, and only id and
#      at count.
# Out: the same as a list, for rows.jq.
def request($where):
	if .error != null then [.id, .at, null, null, null, null, .error, null, null]
	elif .e2e == null then refuse("\($where): no latency, expected one for a request that did not fail")
	elif ([.e2e, .ttft, .tpot, .delay | numbers | . < 0] | any) then
		refuse("\($where): found a time that is negative, \({e2e, ttft, tpot, delay} | shown)")
	else [.id, .at, .delay, .ttft, .tpot, .e2e, null, .prompt_tokens, .completion_tokens] end;

# Time per token behind the first one.
def per_token($seconds; $tokens):
	if $seconds != null and $tokens != null and $tokens > 1 then $seconds / ($tokens - 1) else null end;

# The last of the JSON values in a file.
def last_document($expected):
	last(inputs) as $last | if $last == null then refuse("found nothing, expected \($expected)") else $last end;
