#!/bin/sh
# A whole capacity search in a few lines of shell, on a service of your own:
#   search.sh COMMAND [ARG...]
# COMMAND offers $CS_QPS requests a second and writes request_metrics.csv into $CS_TRIAL_DIR; bench.sh is one.
# Trials are kept in runs/: the same command again goes on where this one stopped.
set -eu

: >results
while qps=$(cs-next --start-qps 10 --min-search-granularity-pct 10 results); do
	cs-trial --dir "runs/$qps" --timeout 60 --env "CS_QPS=$qps" -- "$@" && status=0 || status=$?
	case $status in
	0) cs-sla --rule 'request_e2e_time@q0.9 <= 0.1' "runs/$qps" || [ $? = 1 ] ;;
	2) echo '{"timed_out": true}' ;;
	*) exit "$status" ;;
	esac | jq -c --argjson qps "$qps" '{qps: $qps} + .' | tee -a results
done
jq -s 'map(select(.passed).qps) | max' results
