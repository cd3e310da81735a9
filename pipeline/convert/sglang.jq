# sglang.bench_serving --output-details: JSON lines, a run each, of which the last counts. An array per field; no times
# of arrival. Seconds.

include "common";
include "arrays";

last_document("a result of sglang's bench_serving")
| if type != "object" or (has("completed") | not) then
	refuse("found \(shown), expected a result of sglang's bench_serving, with completed")
  elif (.errors | type) != "array" or (.ttfts | type) != "array" or (.itls | type) != "array" then
	refuse("no arrays errors, ttfts and itls, expected a result that was written with --output-details")
  else . end
| [requests_of_arrays] as $requests
| if ($requests | length > 0) and ($requests | all(.error == "no token came")) and .completed == ($requests | length) then
	refuse("every ttft is 0 and no request failed: a run without tokens (embeddings), which has no latencies to convert")
  else . end
| check_counts($requests)
| range($requests | length) as $i | $requests[$i] | request("request \($i)")
