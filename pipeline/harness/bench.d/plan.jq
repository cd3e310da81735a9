# What the plans of the tools share.
#
# A plan is lines "PART =WORD": server (the words of its command; none: it is there already), ready (a URL; none: not
# asked), port (that it is to listen on; none: not looked at), start_timeout (s), command (the words of the
# tool's), result (the file that it writes).

def part($name): tostring | if explode | any(. == 0 or . == 10) then error("a line break in \(.)") else "\($name) =\(.)" end;

# A text with blanks between words, or a JSON list of words, which may hold anything but line breaks.
def words($name):
	.[$name] // "" | tostring | gsub("^\\s+"; "")
	| if startswith("[") then
		(try fromjson catch error("\($name): expected a JSON list of words or words with blanks between them"))
		| if all(.[]; type == "string" or type == "number") then .[] else error("\($name): expected a list of words") end
	  else splits("\\s+") | select(. != "") end;

# The option with the field's value, where the config gives it.
def option($name; $flag): .[$name] // empty | tostring | select(. != "") | $flag, .;

def base_url($otherwise): .base_url // $otherwise | sub("/+$"; "");

def requests($qps): if .num_requests == null and .duration != null then [.duration * ($qps | tonumber) | round, 1] | max
	else .num_requests // 100 end;

# The port of an http URL.
def port:
	"^https?://([^/@]*@)?(\\[[^]]*\\]|[^:/?#]+)(:(?<port>[0-9]+))?([/?#]|$)" as $form
	| if test($form) then . else error("base_url: expected http://HOST or http://HOST:PORT, found \(.)") end
	| capture($form).port // if startswith("https:") then "443" else "80" end;

# With $ready as what to ask where ready_url does not say it.
def server($url; $ready):
	([words("server_command")] | .[] | part("server")),
	((.ready_url // if [words("server_command")] == [] then empty else $ready end) | part("ready")),
	(if .check_port == false or .unix_socket then empty else $url | port | part("port") end),
	(.server_startup_timeout // 300 | ceil | part("start_timeout"));
def server($url): server($url; $url + "/health");

def command($otherwise): [words("tool_command")] | if . == [] then $otherwise[] else .[] end;
