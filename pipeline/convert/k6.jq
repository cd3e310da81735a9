# k6 run --out csv (rows of cs-json --csv): a sample a row, columns by the header, which vary. A request is a row of
# http_req_duration, in ms, which leaves connecting out; its time is that of its end, in whole seconds unless
# K6_CSV_TIME_FORMAT says otherwise. dropped_iterations were never offered. Requests of setup() and teardown() are no
# load. Where neither expected_response nor http_req_failed says it, a status from 200 to 399 is what k6 expects. A
# header in the middle begins another run; the last counts.

include "common";

def time_of($where):
	if test("^[0-9]+$") then
		if length < 12 then . + "000000000" elif length < 15 then . + "000000" elif length < 18 then . + "000" else . end
		| time_of_ns($where)
	else time_of_text($where) end;

def number_of($what; $where): (tonumber? // null) // refuse("\($where): \($what) is \(shown), expected a number");

# A row as an object, its line with it.
def sample($columns):
	. as [$line, $cells] | reduce range($columns | length) as $i ({where: "line \($line)"}; .[$columns[$i]] = $cells[$i]);

def is_load: (.group // "") | test("^::(setup|teardown)") | not;

def failure($failed):
	((.expected_response // "") == "" and $failed == null) as $unsaid
	| if .expected_response == "false" or .status == "0" or $failed == 1
		or ($unsaid and (.status // "" | tonumber? // 200 | . < 200 or . > 399)) then
		(.error // "" | if . != "" then . else null end)
		// (.status // "" | if . != "" then "status \(.)" else null end) // "failed"
	else null end;

[foreach inputs as $row (null;
	if $row[1][0] == "metric_name" then
		$row[1] | if index("timestamp") and index("metric_value") then . else
			refuse("line \($row[0]): found the header \(join(",") | shown), expected timestamp and metric_value in it") end
	elif . == null then refuse("line \($row[0]): found \($row[1] | join(",") | shown), expected the header of k6's CSV, with metric_name")
	else . end;
	if $row[1][0] == "metric_name" then "run"
	elif ($row[1] | length) != length then
		refuse("line \($row[0]): found \($row[1] | length) cells, expected the \(length) of the header")
	elif $row[1][0] | . == "http_req_duration" or . == "http_req_failed" or . == "http_reqs" or . == "dropped_iterations" then
		. as $columns | $row | sample($columns) | select(is_load)
		| {where, metric_name, timestamp, metric_value, expected_response, status, error, error_code}
	else empty end)]
| .[(rindex("run") // 0):]
| map(objects)
| . as $samples
| [$samples[] | select(.metric_name == "http_req_duration")] as $durations
| [$samples[] | select(.metric_name == "http_req_failed") | .where as $where | .metric_value | number_of("metric_value"; $where)] as $flags
| ([$samples[] | select(.metric_name == "http_reqs") | .where as $where | .metric_value | number_of("metric_value"; $where)] | add) as $counted
| if $durations == [] and ([$samples[] | select(.metric_name == "dropped_iterations")] == []) then
	refuse("no rows of http_req_duration, expected one a request")
  elif $counted != null and $counted != ($durations | length) then
	refuse("http_reqs counts \($counted) requests and http_req_duration has \($durations | length) rows, expected as many")
  elif $flags != [] and ($flags | length) != ($durations | length) then
	refuse("\($flags | length) rows of http_req_failed and \($durations | length) of http_req_duration, expected as many")
  else . end
| foreach ($samples[] | select(.metric_name == "http_req_duration" or .metric_name == "dropped_iterations")) as $sample (-1;
	. + (if $sample.metric_name == "http_req_duration" then 1 else 0 end);
	$flags[.] as $failed
	| $sample
	| .where as $where
	| (.metric_value | number_of("metric_value"; $where)) as $value
	| if .metric_name == "dropped_iterations" then range($value) | {error: "never offered"} | request($where)
	  else {at: (.timestamp | time_of($where) | earlier_ns($value * 1e6)), e2e: ($value / 1000), error: failure($failed)}
		| request($where) end)
