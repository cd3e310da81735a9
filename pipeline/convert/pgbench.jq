# pgbench --log (lines of text): client, transaction, us, script, epoch of the end in s and us. With -R a seventh column,
# how late it began in us, and the us count from when it was due; with --max-tries other than 1 a last column of
# retries. A word instead of the us: it was skipped or failed, and is not said to have been due at any time.
# A run counts each client's transactions on; where a number comes again, another run begins, and the last counts.

include "common";

def row($number):
	"line \($number)" as $where
	| if test("^[0-9]+ [0-9]+ ([0-9]+|[a-z_]+) [0-9]+ [0-9]+ [0-9]+( [0-9]+){0,2}$") | not then
		refuse("\($where): found \(shown), expected the 6 to 8 columns of pgbench --log")
	  else split(" ") end
	| if (.[0] | tonumber) >= 1e8 then
		refuse("\($where): found \(.[0]) as the client: a log of --aggregate-interval, expected one of transactions")
	  else {$where, columns: length, client: .[0], number: (.[1] | tonumber), word: (.[2] | if test("^[0-9]") then null else . end),
		us: (.[2] | tonumber? // null), at: [(.[4] | tonumber), (.[5] | tonumber) * 1000], seventh: (.[6] // null | if . == null then null else tonumber end)} end;

# Seven columns may be of -R or of --max-tries: most are not late by 0 us, and a failed one is never late.
def is_late_column:
	if .[0].columns != 7 then .[0].columns == 8
	else all(.[] | select(.word != null); .seventh == 0)
		and ([.[] | select(.word == null)] | length == 0 or ([.[] | select(.seventh > 0)] | length) * 2 >= length)
		and all(.[] | select(.word == null); .seventh <= .us) end;

# Where the last run begins.
def last_run:
	. as $rows
	| last(foreach range(length) as $i ({seen: {}, from: 0};
		if (.seen[$rows[$i].client] // -1) >= $rows[$i].number then {seen: {}, from: $i} else . end
		| .seen[$rows[$i].client] = $rows[$i].number; .from)) // 0;

# With --sampling-rate some are not written.
def check_numbers:
	reduce .[] as $row ({}; .[$row.client] as $before
		| if $before != null and $row.number != $before + 1 then
			refuse("\($row.where): transaction \($row.number) of client \($row.client) follows \($before), expected all of them (--sampling-rate 1)")
		  else .[$row.client] = $row.number end)
	| empty;

[foreach (inputs | select(. != "")) as $line (0; . + 1; . as $number | $line | row($number))]
| (.[0].columns) as $columns
| (first(.[] | select(.columns != $columns)) // null) as $odd
| if $odd != null then refuse("\($odd.where): found \($odd.columns) columns, expected the \($columns) of the first line") else . end
| last_run as $from
| (if $from > 0 then note("\($from) transactions of earlier runs are left out") else empty end),
  (.[$from:]
	| check_numbers, (is_late_column as $is_late
	| .[]
	| .where as $where
	| .us as $us
	| if .word != null then {error: .word}
	  else {at: (.at | earlier_ns($us * 1000)), e2e: (.us / 1e6), delay: (if $is_late then .seventh / 1e6 else null end)} end
	| request($where)))
