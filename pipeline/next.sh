#!/bin/sh
# next.sh JOB_DIR: prints the rate that a job would try next, and runs nothing.
# The search is replayed over the trials that are complete, with KEEP_FAILED=1 in the environment those of which too many
# requests failed, too; the current directory is the output directory.
set -eu

job=$1
bin=$(dirname "$0")/../../bin
results=
status=0

while rate=$(printf '%s' "$results" | "$bin/cs-next" --job "$job") || { status=$?; false; }; do
	if ! result=$("$bin/cs-trial" ${KEEP_FAILED:+--keep-failed} --dry-run --job "$job" --qps "$rate"); then
		echo "${job#jobs/}: next is $rate qps"
		exit
	fi
	results="$results$result
"
done
[ "$status" = 1 ] || exit "$status"
echo "${job#jobs/}: nothing, the search is over"
