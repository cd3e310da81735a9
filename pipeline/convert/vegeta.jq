# vegeta encode -to csv (rows of cs-json --csv; no header; 12 columns, 9 in old versions) or -to json (objects). Rows come
# in order of completion. A run numbers its requests from 0; of several in one file the last counts, unless they
# overlap: those are one attack from several places.

include "common";

def whole($what; $where): if test("^[0-9]+$") then tonumber else refuse("\($where): \($what) is \(shown), expected a whole number") end;

def of_csv:
	"line \(.[0])" as $where | .[1]
	| if length < 9 or length > 12 then
		refuse("\($where): found \(length) cells, expected the 12 of vegeta encode -to csv (9 in old versions)")
	  else {where: $where, at: (.[0] | time_of_ns($where)), code: (.[1] | whole("the status"; $where)),
		ns: (.[2] | whole("the latency"; $where)), error: .[5], seq: (.[8] | whole("the number"; $where))} end;

def of_json($number):
	"record \($number)" as $where
	| need("timestamp"; "string"; $where) as $time
	| {$where, at: ($time | time_of_text($where)), code: need("code"; "number"; $where), ns: need("latency"; "number"; $where),
	   error: (.error // ""), seq: maybe("seq"; $where)};

# Where the last run begins.
def last_run:
	. as $rows
	| ([$rows[] | select(.seq == 0) | .at] | if length > 1 then max else null end) as $start
	| if $start == null then 0 else
		([range($rows | length) | select($rows[.].at < $start)] | max // -1) as $before
		| ([range($rows | length) | select($rows[.].at >= $start)] | min) as $from
		| if $before < $from and all($rows[:$from][]; .at | seconds_since($start) <= -1e-9)
			and all($rows[:$from][]; .ns / 1e9 <= (. as $row | $start | seconds_since($row.at)))
			and ($rows[$from:] | map(.seq) | length == (unique | length))
		  then $from else 0 end end;

[foreach inputs as $row (0; . + 1; . as $number | $row | if type == "array" then of_csv else of_json($number) end)]
| last_run as $from
| (if $from > 0 then note("\($from) requests of earlier runs are left out") else empty end),
  (.[$from:][]
	| {id: (.seq | if . == null then null else tostring end), at, e2e: (.ns / 1e9),
	   error: (if .error != "" then .error | reason("failed") elif .code < 200 or .code >= 400 then "status \(.code)" else null end)}
	+ {where} | request(.where))
