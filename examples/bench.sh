#!/bin/bash
# A benchmark of your own, to start from: offers $CS_QPS requests a second, in an open loop, to a service
# that answers one request at a time, in 20 ms, and writes $CS_TRIAL_DIR/request_metrics.csv.
# The latency counts from the time at which a request was due, so time in the queue is part of it.
set -eu

num_requests=${NUM_REQUESTS:-40}
now_us() { us=${EPOCHREALTIME/[.,]/}; }
seconds() { printf -v s '%d.%06d' $(($1 / 1000000)) $(($1 % 1000000)); }

# The service: takes requests from a pipe, one after the other.
service() {
	local id arrival_us
	echo request_id,arrival_time,request_e2e_time
	while read -r id arrival_us; do
		sleep 0.02
		now_us
		seconds "$arrival_us"
		local arrival=$s
		seconds $((us - start_us - arrival_us))
		echo "$id,$arrival,$s"
	done
}

# The load: request i is due i intervals after the start, whatever the service does.
load() {
	local interval_us i
	interval_us=$(awk -v qps="$CS_QPS" 'BEGIN { printf "%d", 1000000 / qps }')
	for ((i = 0; i < num_requests; i++)); do
		now_us
		local wait_us=$((start_us + i * interval_us - us))
		if ((wait_us > 0)); then
			seconds "$wait_us"
			sleep "$s"
		fi
		echo "$i $((i * interval_us))"
	done
}

now_us
start_us=$us
load | service >"$CS_TRIAL_DIR/request_metrics.csv"
