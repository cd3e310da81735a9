# The plan of a trial with cs-load, for the harnesses http and openai.
# In: trial_config.json; --arg tool NAME, qps RATE, directory DIR (of the trial), load PROGRAM;
#     --slurpfile rules [RULES] (the search's, or nothing).
# Out: what plan.jq says, and: body (as a JSON text, to be written to DIR/body), asking (curl's words for ready).

include "plan";

# The fields that are options of cs-load.
def options:
	option("method"; "--method"), option("body_file"; "--body-file"), option("body_template"; "--body-template"),
	option("requests_file"; "--requests-file"), option("http_version"; "--http"),
	option("request_timeout_s"; "--timeout-s"), option("max_connections"; "--max-connections");

# Those that are options of curl too.
def connection: option("unix_socket"; "--unix-socket"), option("cacert"; "--cacert"),
	(if .insecure then "--insecure" else empty end);

def headers($flag): .headers // empty | if type == "array" then .[] else splits("\n") end | tostring
	| gsub("^\\s+|\\s+$"; "") | select(. != "") | $flag, .;

# A body for cs-load to fill in: a streaming request in the form that the endpoint has, with the members of extra_body.
def chat($endpoint):
	(.extra_body // "{}" | try fromjson catch error("extra_body: expected the text of a JSON object")) as $extra
	| if $extra | type != "object" then error("extra_body: expected the text of a JSON object") else . end
	| (if .model then { model: "{{model}}" } else {} end)
	+ (if $endpoint | test("/chat/completions/?$") then { messages: [{ role: "user", content: "{{prompt}}" }] }
		else { prompt: "{{prompt}}" } end)
	+ { max_tokens: "{{completion_tokens}}", stream: true, stream_options: { include_usage: true } }
	+ $extra
	| tojson | sub("\"{{completion_tokens}}\""; "{{completion_tokens}}");

def body($endpoint):
	if .body // "" != "" then .body
	elif $tool == "openai" and .body_template == null and (.requests_file == null or .extra_body != null) then
		chat($endpoint)
	else null end;

# The smallest latency that the service is judged by, which bounds how late cs-load may be.
def threshold:
	[$rules[] | .[]? | select(.metric | IN("request_scheduling_delay", "ttft", "request_e2e_time"))
		| select((.op | startswith("<")) and .threshold > 0) | .threshold] | min // empty | "--threshold-s", .;

base_url(if $tool == "openai" then "http://127.0.0.1:8000" else "http://127.0.0.1:8080" end) as $url
| (.endpoint // if $tool == "openai" then "/v1/chat/completions" else "/" end) as $endpoint
| body($endpoint) as $body
| server($url; if $tool == "openai" then $url + "/health" else $url + $endpoint end),
  ((connection, headers("--header"), (if .http_version == "2-prior-knowledge" then "--http2-prior-knowledge" else empty end))
	| part("asking")),
  (if $body then $body | tojson | part("body") else empty end),
  (($load, "--config", "\($directory)/trial_config.json", "--output-dir", $directory, "--qps", $qps,
	"--num-warmup-requests", .num_warmup_requests // 4,
	(if $tool == "openai" then "--stream", "openai" else empty end),
	(if $body then (if .body // "" != "" then "--body-file" else "--body-template" end), "\($directory)/body" else empty end),
	options, connection, headers("--header"), threshold,
	$url + $endpoint)
	| part("command"))
