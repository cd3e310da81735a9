#!/usr/bin/env bats
# Goal: a disk that is full is an error with its words, leaves no half-written file, and costs nothing that
# was measured: with room again the search goes on.

load helper

teardown() {
	umount "$T/small" 2>/dev/null || :
}

@test "a search on a full file system fails, and goes on when there is room" {
	mkdir small
	mount -t tmpfs -o size=256k none small 2>/dev/null || skip "tmpfs cannot be mounted here"
	cat >fill.sh <<-'END'
		#!/bin/sh
		awk 'BEGIN { print "request_id,m"; for (i = 0; i < 1500; i++) print "request-" i ",1" }' >"$CS_TRIAL_DIR/request_metrics.csv"
	END
	chmod +x fill.sh
	echo '{"harness": {"command": ["./fill.sh"]}, "benchmark_base": {}, "jobs": [{"name": "a", "qps_list": [1,2,3,4,5,6,7,8,9,10,11,12]}],
	    "sla": [{"metric": "m", "quantile": 0.5, "threshold": 2, "op": "<="}]}' >c.yaml
	run capacity-search --config-path c.yaml --output-dir small/out
	[ "$status" != 0 ]
	[[ "$output" == *"No space left"* ]]
	complete=$(grep -l '"complete": true' small/out/jobs/*/runs/*/trial_result.json | wc -l)
	[ "$complete" -ge 3 ]
	# Every file that is there is whole, and no temporary one is left.
	find small/out -name '*.json' -print0 | xargs -0 -n 1 jq -e . >/dev/null
	same "temporary files" "$(find small/out -name '*.tmp')" ""
	ls -i small/out/jobs/*/runs/*/request_metrics.csv >before
	mount -o remount,size=8m small
	run capacity-search --config-path c.yaml --output-dir small/out
	same "status: $output" "$status" 0
	same "answer" "$(jq '.[0].max_qps_under_sla' small/out/capacity_search_results.json)" 12
	same "kept" "$(jq '[.[0].search_trace[] | select(.cached)] | length >= '"$complete" small/out/capacity_search_results.json)" true
}

@test "a table that cannot be printed whole is an error" {
	echo '{"benchmark_base": {"num_requests": 10}, "jobs": [{"name": "a", "qps_list": [1]}]}' >c.yaml
	run bash -c 'capacity-search --config-path c.yaml >/dev/full'
	same status "$status" 74
}
