# vllm bench serve --save-result --save-detailed: an object with an array per field; with --append-result one object a
# run, of which the last counts.
#
# latencies and queue_times are there since late versions; before, a latency is the first token's and the gaps'. A
# pooling run has no tokens. Seconds; start_times are when a request was sent, queue_times how long it waited before
# that for --max-concurrency.

include "common";
include "arrays";

last_document("a result of vllm bench serve")
| if type != "object" or (has("completed") | not) then refuse("found \(shown), expected a result of vllm bench serve, with completed")
  elif (.errors | type) != "array" or (.ttfts == null and .latencies == null and .queue_times == null and .input_lens == null) then
	refuse("no arrays of requests, expected a result that was saved with --save-detailed")
  elif .ttfts == null and .latencies == null then
	refuse("no ttfts and no latencies: a pooling run without times, expected one of them")
  else . end
| [requests_of_arrays] as $requests
| check_counts($requests)
| range($requests | length) as $i | $requests[$i] | request("request \($i)")
