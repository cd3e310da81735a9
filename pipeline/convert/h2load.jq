# h2load --log-file (lines of text): start in us since the epoch, status, us taken, with tabs between. -1 is a stream that
# failed. The file is opened for append and does not say where a run begins: where nothing is under way and the next
# start is more than a second away, and ten times further than the next longest gap, another run begins; the last counts.

include "common";

def row($number):
	"line \($number)" as $where
	| if test("^[0-9]+\\t-?[0-9]+\\t[0-9]+$") | not
	  then refuse("\($where): found \(shown), expected a start in us, a status and a time in us, with tabs between")
	  else split("\t") | {$where, us: (.[0] | tonumber), status: (.[1] | tonumber), taken: (.[2] | tonumber)} end;

# When the last run starts; null: there is one run.
def last_start:
	length as $number
	| [sort_by(.us) | foreach .[] as $row (null;
		{us: $row.us, gap: ($row.us - (.us // 0)), is_idle: (.ended != null and $row.us > .ended), ended: ([.ended, $row.us + $row.taken] | max)};
		.)]
	| .[1:] | sort_by(-.gap) as $gaps
	| first(range($gaps | length - 1) | select((. + 1) * 3 <= $number and $gaps[.].gap > 1e6
		and $gaps[.].gap > 10 * $gaps[. + 1].gap and all($gaps[:. + 1][]; .is_idle))) // null
	| if . == null then null else [$gaps[:. + 1][].us] | max end;

[foreach (inputs | select(. != "")) as $line (0; . + 1; . as $number | $line | row($number))]
| last_start as $start
| map(select($start == null or .us >= $start)) as $rows
| (if length > ($rows | length) then note("\(length - ($rows | length)) requests of earlier runs are left out") else empty end),
  ($rows[]
	| .where as $where
	| {at: [(.us / 1e6 | floor), (.us % 1000000) * 1000], e2e: (.taken / 1e6),
	   error: (if .status < 0 then "stream failed" elif .status >= 400 then "status \(.status)" else null end)}
	| request($where))
