# The results of a trial by its rows; fewer than num_requests are failed requests.
# In: request_metrics.csv as `cs-json --csv` prints it, with jq -n; --slurpfile config [trial_config.json]
# Out: benchmark_results.json

[inputs[1]] as $lines
| ($lines[0] | index("error")) as $error
| ([$lines[1:][] | select(.[$error] == "")] | length) as $successful
| ($lines[1:] | length) as $number
| {summary: {
	num_successful: $successful,
	num_failed: ([$number, $config[0].num_requests // 0] | max - $successful)
  }}
