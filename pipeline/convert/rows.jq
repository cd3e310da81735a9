# Requests of all files, in the order of the files, into request_metrics.csv.
#
# In:  lists as request() of common.jq makes them, and notes; with jq -n
# Out: the CSV; the notes and the number of requests on stderr

include "common";

# Words that readers of CSV take for a missing value; an error must not look like none.
def is_missing_word:
	["NA", "N/A", "n/a", "NaN", "nan", "-NaN", "-nan", "NULL", "null", "None", "<NA>", "#N/A", "#NA", "#N/A N/A",
	 "1.#IND", "1.#QNAN", "-1.#IND", "-1.#QNAN"] as $words
	| gsub("^\\s+|\\s+$"; "") as $text | any($words[]; . == $text);

def cell:
	if . == null then ""
	elif type == "string" then if test("[\",\\r\\n]") then "\"" + gsub("\""; "\"\"") + "\"" else . end
	else tostring end;

def error_cell:
	if . == null then "" else (explode | map(if . == 0 then 32 else . end) | implode) | .[:4000] | if is_missing_word then "failed: \(.)" else . end | cell end;

def count($one): "\(.) \($one)\(if . == 1 then "" else "s" end)";

[inputs] as $lines
| [$lines[] | arrays] as $rows
| ($rows | length) as $number
| ([$rows[][1] | values] | min) as $start
| "request_id,arrival_time,request_scheduling_delay,ttft,tpot,request_e2e_time,error,prompt_tokens,completion_tokens",
  (range($number) as $i
	| $rows[$i]
	| [(.[0] // $i | cell), (.[1] | if . == null then "" else seconds_since($start) | tostring end),
	   (.[2:6][] | cell), (.[6] | error_cell), (.[7:9][] | cell)]
	| join(",")),
  ([($lines[] | objects | .note),
    "\($number | count("request")), \([$rows[] | select(.[6] != null)] | length) failed"]
	| map("cs-convert: \(.)\n") | add | halt_error(0))
