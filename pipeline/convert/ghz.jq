# ghz -O json: an object with details, a list of calls. A timestamp is that of the end, a latency in ns. Past a million
# calls ghz counts on and writes none.

include "common";

def one($where):
	need("timestamp"; "string"; $where) as $ended
	| need("latency"; "number"; $where) as $ns
	| {
		at: ($ended | time_of_text($where) | earlier_ns($ns)), e2e: ($ns / 1e9),
		error: (if (.error // "") != "" then .error | reason("failed")
			elif .status != null and .status != "OK" then "status \(.status)" else null end)
	  }
	| request($where);

last_document("a report of ghz")
| need("details"; "array"; "the file") as $details
| if .count != null and .count != ($details | length) then
	refuse("count is \(.count | shown) and there are \($details | length) details, expected as many")
  else $details end
| range(length) as $i | .[$i] | one("details[\($i)]")
