#!/usr/bin/env bats
# Goal: trials that name the same GPU, port or lock never overlap, in one search, in several, and whoever is killed;
# those that share nothing do, a trial that waits costs no job slot, and a pool spreads trials over what is free.
# Nothing here depends on the machine's speed: trials wait for each other through files, and log what happened in order.

load helper

setup_file() {
	export stubborn="$BATS_FILE_TMPDIR/stubborn"
	"${CC:-cc}" -o "$stubborn" "$BATS_TEST_DIRNAME/stubborn.c"
}

teardown() {
	local file
	touch "$T/finish"
	for file in "$T"/*.pid; do
		[ ! -e "$file" ] || kill -KILL "$(cut -d' ' -f1 "$file")" 2>/dev/null || :
	done
}

# A harness that logs "start NAME TIME" and "end NAME TIME", NAME being its config's tag and its rate, and in between does
# what the file act, if there is one, says. TIME is in seconds since the machine started.
make_harness() {
	cat >harness <<-'END'
		#!/bin/bash
		set -eu
		name=$(jq -r .tag "$CS_TRIAL_CONFIG")
		note() { (flock 9; echo "$1 $name.$CS_QPS $(cut -d' ' -f1 /proc/uptime)" >&9) 9>>"$T/log"; } # in the order of the times
		await() { # until each of the trials NAME.RATE has started
			for one; do
				for look in $(seq 2400); do
					! grep -q "^start $one " "$T/log" || continue 2
					sleep 0.05
				done
				echo "$one does not start"; exit 3
			done
		}
		await_file() {
			for look in $(seq 2400); do
				[ ! -e "$1" ] || return 0
				sleep 0.05
			done
			exit 3
		}
		note start
		[ ! -e "$T/act" ] || . "$T/act"
		printf 'request_id,ttft\nr1,0.5\n' >"$CS_TRIAL_DIR/request_metrics.csv"
		note end
	END
	chmod +x harness
	export T
}

# config JOBS [RESOURCES]: jobs are objects of benchmark_overrides with tag, and rates. Without an SLA, each rate runs.
config() {
	[ -e harness ] || make_harness
	jq -n --arg harness "$T/harness" --argjson jobs "$1" --argjson resources "${2:-null}" '
	    {harness: {command: [$harness]}, benchmark_base: {benchmark_timeout: 200},
	     jobs: [$jobs[] | {name: .tag, qps_list: (.rates // [1]), benchmark_overrides: del(.rates)}]}
	    + if $resources then {resources: $resources} else {} end'
}

search() {
	capacity-search --config-path "${config:-c.yaml}" "$@"
}

# The greatest number of trials at once that the log shows, counting those whose name matches PATTERN.
most_at_once() {
	awk -v pattern="^${1:-.}" '$2 !~ pattern { next } $1 == "start" { n++ } $1 == "end" { n-- } n > most { most = n } END { print most + 0 }' log
}

# The status of the background process $1.
status_of() {
	status=0
	wait "$1" || status=$?
}

# Holds the locks named until there is the file finish: $! is that cs-trial.
hold() {
	local locks=() name
	for name; do
		locks+=(--lock "$name")
	done
	rm -f "held.$1"
	cs-trial --dir "holder.$1" "${locks[@]}" -- sh -c 'touch "$1"; until [ -e "$2" ]; do sleep 0.05; done' sh "$T/held.$1" "$T/finish" &
	eventually 30 test -e "held.$1"
}

@test "at -j 3 three trials run at once, never more, however the jobs are spread" {
	config '[{"tag": "a", "rates": [1, 2]}, {"tag": "b", "rates": [1, 2]}, {"tag": "c", "rates": [1, 2]},
	    {"tag": "d"}, {"tag": "e"}]' >c.yaml
	echo 'case $name.$CS_QPS in [abc].1) await a.1 b.1 c.1 ;; esac' >act
	search -j 3 2>messages
	same "trials" "$(grep -c ^end log)" 8
	same "at once" "$(most_at_once)" 3
	awk '$3 < last { exit 1 } { last = $3 }' log # the order of the log is that of the times in it
}

@test "extra trials are bounded by -j too: one job fills all slots, and several never take more" {
	config '[{"tag": "a", "rates": [1, 2, 3, 4, 5]}]' >c.yaml
	echo 'case $name.$CS_QPS in a.[123]) await a.1 a.2 a.3 ;; esac' >act
	search -j 3 --speculate 5 2>messages
	same "trials" "$(grep -c ^end log)" 5
	same "at once" "$(most_at_once)" 3
	rm act log
	config '[{"tag": "b", "rates": [1, 2, 3, 4]}, {"tag": "c", "rates": [1, 2, 3, 4]}]' >c.yaml
	search -j 3 --speculate 4 2>messages
	same "trials of two jobs" "$(grep -c ^end log)" 8
	[ "$(most_at_once)" -le 3 ]
}

@test "a trial that waits for a GPU holds no job slot: at -j 2, two jobs on each of two GPUs keep both slots busy" {
	config '[{"tag": "a1", "gpus": 0}, {"tag": "a2", "gpus": 0}, {"tag": "b1", "gpus": 1}, {"tag": "b2", "gpus": 1}]' >c.yaml
	# Whoever is first on its GPU waits for the first on the other, and so do the second: each pair needs both slots.
	cat >act <<-'END'
		mkdir "$T/gpu.${name%?}" || echo "overlap $name" >>"$T/overlaps"
		place=$(grep -c "^start ${name%?}" "$T/log")
		other=$([ "${name%?}" = a ] && echo b || echo a)
		for look in $(seq 2400); do
			[ "$(grep -c "^start $other" "$T/log")" -lt "$place" ] || break
			sleep 0.05
		done
		[ "$(grep -c "^start $other" "$T/log")" -ge "$place" ] || echo "no partner for $name" >>"$T/overlaps"
		rmdir "$T/gpu.${name%?}"
	END
	search -j 2 2>messages
	[ ! -e overlaps ] || same "overlaps" "$(cat overlaps)" ""
	same "trials" "$(grep -c ^end log)" 4
	same "at once" "$(most_at_once)" 2
	same "on one GPU" "$(most_at_once a)$(most_at_once b)" 11
	awk '$3 < last { exit 1 } { last = $3 }' log
	grep -q 'waiting for gpu-[01], held by process [0-9]* (.*cs-trial' messages
	! grep -q 'jobserver tokens' messages
}

@test "the slots come out even: given while a lock is waited for, taken again before the start and on every other way out" {
	mkfifo "$BATS_TEST_TMPDIR/slots"
	exec 8<>"$BATS_TEST_TMPDIR/slots"
	export MAKEFLAGS=" -j2 --jobserver-auth=fifo:$BATS_TEST_TMPDIR/slots"
	no_slot() { ! read -r -t 0 -u 8; }
	a_slot() { read -r -t 0 -u 8; }
	MAKEFLAGS='' hold l
	cs-trial --dir d --lock l -- true 2>messages &
	eventually 30 a_slot
	same "what it waits for" "$(cat d/.waiting)" l
	read -r -N 1 -u 8 slot # somebody takes the slot
	touch finish
	eventually 30 grep -qx "a job slot" d/.waiting
	[ ! -e d/benchmark.log ]
	printf %s "$slot" >&8
	status_of "$!"
	same "status" "$status" 0
	no_slot
	[ ! -e d/.waiting ]

	rm finish
	for signal in TERM:143 KILL:137; do
		MAKEFLAGS='' hold "of $signal"
		cs-trial --dir e --lock "of $signal" -- true 2>messages &
		eventually 30 a_slot
		kill "-${signal%:*}" "$!"
		status_of "$!"
		same "after $signal" "$status" "${signal#*:}"
		eventually 30 no_slot
		# And if the slot is in use when it ends, it is taken as soon as it is free.
		cs-trial --dir f --lock "of $signal" -- true 2>messages &
		eventually 30 a_slot
		read -r -N 1 -u 8 slot
		kill "-${signal%:*}" "$!"
		status_of "$!"
		same "at once after $signal" "$status" "${signal#*:}"
		printf %s "$slot" >&8
		eventually 30 no_slot
	done
}

@test "without make, or with descriptors that are not make's, there are no slots to give" {
	hold l
	MAKEFLAGS=' -j2 --jobserver-auth=7,8' cs-trial --dir d --lock l -- true 7<"$0" 8>written &
	eventually 30 test -e d/.waiting
	touch finish
	status_of "$!"
	same "status" "$status" 0
	[ ! -s written ]
}

@test "under make -n nothing runs, and cs-trial says what would" {
	config '[{"tag": "a"}]' >c.yaml
	cs-expand --config-path c.yaml --output-dir out
	trial=jobs/$(ls out/jobs)/runs/1
	run make -n -C out "$trial"
	same "status" "$status" 0
	[[ "$output" == *"$trial: would run $T/harness"* ]]
	[ ! -e log ] && [ ! -e "out/$trial" ]
	make -C out "$trial"
	[[ "$(make -n -C out "$trial")" == *"$trial: is complete"* ]]
	same "trials" "$(grep -c ^end log)" 1
}

@test "make -n and -q start no launcher; make -q says by its status alone whether there is something to do" {
	config '[{"tag": "a", "rates": [1, 2]}]' >c.yaml
	cs-expand --config-path c.yaml --output-dir out
	printf '#!/bin/sh\necho launched >>"$T/launched"\nexec "$@"\n' >launcher
	chmod +x launcher
	ask() { run make -s "$1" -C out LAUNCHER="'$T/launcher'" "$2"; }
	for goal in all "jobs/$(ls out/jobs)/runs/1"; do
		ask -n "$goal"
		same "status of -n $goal" "$status" 0
		ask -q "$goal"
		same "status of -q $goal" "$status$output" 1
	done
	[ ! -e log ] && [ ! -e launched ]
	make -s -C out LAUNCHER="'$T/launcher'"
	same "launched" "$(wc -l <launched)" 2
	for goal in all "jobs/$(ls out/jobs)/runs/1"; do
		ask -n "$goal"
		ask -q "$goal"
		same "status of -q $goal, done" "$status$output" 0
	done
	same "launched" "$(wc -l <launched)" 2
	touch out/jobs/*/job.json
	ask -q all
	same "status of -q with a job that changed" "$status$output" 1
}

@test "an interrupt ends the wait for a lock at once; the time spent waiting is not the trial's" {
	hold l
	for signal in INT:130 TERM:143 HUP:129; do
		rm -rf d
		env --default-signal=INT,HUP cs-trial --dir d --lock l -- true 2>messages &
		eventually 30 test -e d/.waiting
		kill "-${signal%:*}" "$!"
		status_of "$!"
		same "after $signal" "$status" "${signal#*:}"
		same "what is left" "$(ls -A d)" .lock
	done
	cs-trial --dir d --lock l --timeout 2 -- true &
	eventually 30 test -e d/.waiting
	sleep 2.2 # longer than the time-out
	touch finish
	status_of "$!"
	same "status" "$status" 0
}

@test "two searches at once on one GPU do not overlap, with a kill -9 in between" {
	config '[{"tag": "a", "gpus": 0, "rates": [1, 2, 3]}]' >c.yaml
	# When it is ended the GPU stays in use for a while.
	cat >act <<-'END'
		mkdir "$T/gpu" || echo "overlap $name" >>"$T/overlaps"
		trap 'sleep 0.5; rmdir "$T/gpu"; echo "end $name.$CS_QPS killed" >>"$T/log"; exit 1' TERM
		[ "$name.$CS_QPS" != a.2 ] || [ -e "$T/finish" ] || { echo $PPID >"$T/guardian"; while :; do sleep 0.05; done; }
		rmdir "$T/gpu"
		trap - TERM
	END
	search --output-dir out1 2>messages.1 &
	first=$!
	eventually 60 test -e guardian
	config '[{"tag": "b", "gpus": "0", "rates": [1, 2, 3]}]' >c2.yaml
	config=c2.yaml search --output-dir out2 -j 2 2>messages.2 &
	second=$!
	eventually 60 grep -q 'waiting for gpu-0' messages.2
	touch finish
	kill -KILL "$(sed 's/.*) //' "/proc/$(cat guardian)/stat" | cut -d' ' -f2)"
	status_of "$first"
	same "the search whose trial was killed" "$status" 1
	status_of "$second"
	same "the other" "$status" 0
	search --output-dir out1 2>messages.3
	[ ! -e overlaps ] || same "overlaps" "$(cat overlaps)" ""
	same "trials" "$(grep -c ^end log)" 7
}

@test "two searches at once that share nothing overlap" {
	config '[{"tag": "a", "gpus": 0, "scheduler_port": 20001}]' >c.yaml
	config '[{"tag": "b", "gpus": 1, "scheduler_port": 20002}]' >c2.yaml
	echo 'await a.1 b.1' >act
	search --output-dir out1 2>messages.1 &
	config=c2.yaml search --output-dir out2 2>messages.2
	status_of "$!"
	same "status" "$status" 0
	same "at once" "$(most_at_once)" 2
}

@test "what a holder that was killed with all its keepers left running is ended by the next" {
	cat >leave <<-'END'
		#!/bin/bash
		(trap '' TERM; exec setsid sleep 300) &
		echo $! >"$T/left.pid"
		echo $PPID >"$T/guardian"
		while :; do sleep 1; done
	END
	chmod +x leave
	export T
	cs-trial --dir a --lock gpu-0 --lock x -- ./leave &
	eventually 30 test -s guardian
	[ -s "$CS_LOCK_DIR/gpu-0.$(id -u).mark" ]
	kill -STOP "$(cat guardian)"
	kill -KILL "$!" "$(cat guardian)"
	! ended "$(cat left.pid)"
	cs-trial --dir b --lock y -- grep -q '^State:.[^Z]' "/proc/$(cat left.pid)/status" # shares nothing
	cs-trial --dir c --lock gpu-0 -- sh -c '! grep -qs "^State:.[^Z]" "$1"' sh "/proc/$(cat left.pid)/status"
	same "its mark" "$(cat "$CS_LOCK_DIR/gpu-0.$(id -u).mark")" ""
}

@test "locks are for all users, and nothing is written through links or into others' files" {
	umask 077
	cs-trial --dir a --lock l -- true
	same "modes" "$(stat -c %a "$CS_LOCK_DIR" "$CS_LOCK_DIR"/*.lock "$CS_LOCK_DIR"/*.mark | xargs)" "1777 644 600"
	echo precious >victim
	for file in l.lock "l.$(id -u).mark"; do
		rm "$CS_LOCK_DIR/$file"
		ln -s "$T/victim" "$CS_LOCK_DIR/$file"
		run cs-trial --dir a --lock l -- echo "$file"
		same "status with the link $file" "$status" 73
		[[ "$output" == *"$CS_LOCK_DIR/$file: is a link"* ]]
		rm "$CS_LOCK_DIR/$file"
		mkfifo "$CS_LOCK_DIR/$file"
		run cs-trial --dir a --lock l -- echo "$file"
		same "status with the pipe $file" "$status" 73
		rm "$CS_LOCK_DIR/$file"
	done
	ln victim "$CS_LOCK_DIR/l.$(id -u).mark"
	run cs-trial --dir a --lock l -- echo link
	same "status with a second name" "$status" 73
	same "the victim" "$(cat victim)" precious
	mkdir dir
	ln -s dir link
	CS_LOCK_DIR=$T/link run cs-trial --dir a --lock l -- echo directory
	same "status with a link for the directory" "$status" 73
	chmod 777 dir
	CS_LOCK_DIR=$T/dir run cs-trial --dir a --lock l -- echo directory
	same "status where others may remove locks" "$status" 73
	[ ! -e a/benchmark.log ] || same "log" "$(cat a/benchmark.log)" ""
}

@test "a lock file that another user made is locked, a mark that another user made is not believed" {
	[ "$(id -u)" = 0 ] || skip "takes root, to be two users"
	cs-trial --dir a --lock l -- true
	chown 65534 "$CS_LOCK_DIR/l.lock"
	cs-trial --dir a --lock l -- echo again
	chown 65534 "$CS_LOCK_DIR/l.0.mark"
	run cs-trial --dir a --lock l -- echo mark
	same "status" "$status" 73
}

@test "the GPUs of a config are those of CUDA_VISIBLE_DEVICES, if it is set" {
	config '[{"tag": "a", "gpus": "1"}]' >c.yaml
	hold gpu-5
	CUDA_VISIBLE_DEVICES=3,5 search --output-dir out 2>messages &
	eventually 30 grep -q 'waiting for gpu-5' messages
	same "status" "$(cs-report status out | sed -n 's/.*\(waiting for gpu-5\).*/\1/p')" "waiting for gpu-5"
	touch finish
	status_of "$!"
	same "status" "$status" 0
	same "locks" "$(ls "$CS_LOCK_DIR" | grep lock | xargs)" "gpu-5.lock"
}

# The locks that the one trial of a config takes: locks_of HARNESS CONFIG.
locks_of() {
	rm -rf "$CS_LOCK_DIR" out
	jq -n --argjson harness "$1" --argjson base "$2" \
		'{harness: $harness, benchmark_base: $base, jobs: [{name: "x", qps_list: [1]}]}' >c.yaml
	cs-expand --config-path c.yaml --output-dir out
	cs-trial --job "out/jobs/$(ls out/jobs)" --qps 1 2>/dev/null
	[ ! -d "$CS_LOCK_DIR" ] || find "$CS_LOCK_DIR" -name '*.lock' -printf '%f\n' | sed 's/.lock$//' | LC_ALL=C sort | xargs
}

@test "each harness locks what it uses: sangam its fields and their defaults, one's own those that are given, others the host" {
	mkdir harnesses
	for name in sangam mine; do
		printf '#!/bin/sh\nprintf "request_id,ttft\\nr1,0.5\\n" >"$CS_TRIAL_DIR/request_metrics.csv"\n' >harnesses/$name
		chmod +x harnesses/$name
	done
	export CS_HARNESS_PATH=$T/harnesses
	same sangam "$(locks_of '"sangam"' '{}')" "gpu-0 gpu-1 port-20100 port-20101 port-29500 port-50051"
	same hybrid "$(locks_of '"sangam"' '{"mode": "hybrid"}')" \
		"gpu-0 gpu-1 gpu-2 gpu-3 port-20100 port-20101 port-20102 port-20103 port-20104 port-29500 port-50051"
	same given "$(locks_of '"sangam"' '{"gpus": "7", "scheduler_port": 1500, "master_port": 1600, "base_worker_port": 1700}')" \
		"gpu-7 port-1500 port-1600 port-1700"
	same "one's own" "$(locks_of '{"command": ["sh", "harnesses/mine"]}' '{"mode": "hybrid"}')" ""
	same "one's own, given" "$(locks_of '{"command": ["sh", "harnesses/mine"]}' '{"gpus": [2, 1], "base_worker_port": 1700}')" \
		"gpu-1 gpu-2 port-1700 port-1701"
	same "one's own, exclusive" "$(locks_of '{"command": ["sh", "harnesses/mine"]}' '{"exclusive": true}')" "host"
	same "a named one" "$(locks_of '"mine"' '{}')" "host"
	same "not exclusive" "$(locks_of '"mine"' '{"exclusive": false, "gpus": 3}')" "gpu-3"
	same simulated "$(locks_of '"sim"' '{"num_requests": 4}')" ""
	cp harnesses/mine harnesses/serving
	cp "$top/pipeline/harness/http.tsv" harnesses/serving.tsv
	same "a server that is there" "$(locks_of '"serving"' '{"base_url": "http://localhost:1711"}')" "host"
	while read -r fields locks; do
		same "its own server, $fields" "$(locks_of '"serving"' "$(jq -nc '{server_command: "x", exclusive: false} + '"$fields")")" "$locks"
	done <<-'END'
		{} port-8080
		{"base_url":"http://localhost:1711/v1","exclusive":true} host port-1711
		{"base_url":"http://u:9@[::1]:1712?x=:3","server_command":["x"]} port-1712
		{"base_url":"https://a:b@localhost"} port-443
		{"base_url":"http://localhost:1711","check_port":false}
		{"unix_socket":"s"}
		{"server_command":"\u0020"}
		{"server_command":[]}
	END
}

@test "a port that something else listens on is an error that names the process, and the harness does not run" {
	"$stubborn" stranger.pid
	eventually 30 test -e stranger.pid
	read -r pid port <stranger.pid
	run cs-trial --dir d --lock "port-$port" -- touch "$T/ran"
	same "status" "$status" 1
	[[ "$output" == *"port $port: process $pid ($stubborn"* ]]
	[ ! -e ran ] && [ ! -s d/.lock ]
	same "result" "$(jq -c '[.complete, .harness_status, (.error | contains("process '"$pid"'"))]' d/trial_result.json)" '[false,null,true]'
	config "[{\"tag\": \"a\", \"scheduler_port\": $port}]" >c.yaml
	run search
	same "status of the search" "$status" 1
	[ ! -e log ]
	jq -e --arg pid "process $pid" '.[0].error | contains($pid)' capacity_search_output/capacity_search_results.json
	kill -KILL "$pid"
	eventually 30 "$stubborn" -c "$port"
	cs-trial --dir d --lock "port-$port" -- touch "$T/ran"
	search 2>messages
	same "trials" "$(grep -c ^end log)" 1
}

@test "a port that is still in use after the trial is reported" {
	"$stubborn" free.pid
	eventually 30 test -e free.pid
	read -r pid port <free.pid
	kill -KILL "$pid"
	eventually 30 "$stubborn" -c "$port"
	export T
	cs-trial --dir d --lock "port-$port" -- sh -c 'touch "$T/running"; until [ -e "$T/stranger.pid" ]; do sleep 0.05; done' 2>messages &
	eventually 30 test -e running
	STUBBORN_PORT=$port "$stubborn" stranger.pid
	status_of "$!"
	same "status" "$status" 0
	grep -q "still in use after the trial: port $port: process $(cut -d' ' -f1 stranger.pid) " messages
}

@test "a pool spreads jobs written for the same GPUs and ports, tells each what it has, and changes neither key nor cache" {
	jobs='[{"tag": "a", "gpus": "0,1", "scheduler_port": 50051, "scheduler_address": "here:50051", "base_worker_port": 20100},
	    {"tag": "b", "gpus": [0, 1], "scheduler_port": 50051, "base_worker_port": 20100}]'
	cat >act <<-'END'
		await a.1 b.1
		echo "$CUDA_VISIBLE_DEVICES" >"$T/devices.$name"
		cp "$CS_TRIAL_CONFIG" "$T/config.$name"
	END
	config "$jobs" '{"gpus": "4-7", "ports": "21000-21005"}' >c.yaml
	search -j 2 2>messages
	same "GPUs" "$(cat devices.a devices.b | sort | xargs)" "4,5 6,7"
	same "as text" "$(jq -r .gpus config.a)" "$(cat devices.a)"
	same "the address goes with the port" "$(jq -r '.scheduler_address == "here:\(.scheduler_port)"' config.a)" true
	same "as a list" "$(jq -r '.gpus | map(tostring) | join(",")' config.b)" "$(cat devices.b)"
	same "ports, one and two in a row each" "$(jq -s '[.[] | .scheduler_port, .base_worker_port, .base_worker_port + 1] | unique | length' config.a config.b)" 6
	same "in the pool" "$(jq -s 'all(.[] | .scheduler_port, .base_worker_port, .base_worker_port + 1; . >= 21000 and . <= 21005)' config.a config.b)" true
	same "locks" "$(find "$CS_LOCK_DIR" -name 'gpu*.lock' -printf '%f ' | tr ' ' '\n' | sort | xargs)" "gpu-4.lock gpu-5.lock gpu-6.lock gpu-7.lock"
	ls capacity_search_output/jobs >with
	rm act
	config "$jobs" '{"gpus": "0-3", "ports": "22000-22999"}' >c.yaml
	search 2>messages
	config "$jobs" >c.yaml
	search 2>messages
	ls capacity_search_output/jobs >without
	diff with without
	same "trials" "$(grep -c ^end log)" 2
}

@test "every harness but sangam, which goes by its fields, is told its GPUs of the pool in CUDA_VISIBLE_DEVICES" {
	mkdir harnesses
	export CS_HARNESS_PATH=$T/harnesses T
	for name in sangam mine; do
		cat >"harnesses/$name" <<-'END'
			#!/bin/sh
			echo "${0##*/}: $(jq -r .gpus "$CS_TRIAL_CONFIG") of ${CUDA_VISIBLE_DEVICES-all}" >>"$T/told"
			printf 'request_id,ttft\nr1,0.5\n' >"$CS_TRIAL_DIR/request_metrics.csv"
		END
		chmod +x "harnesses/$name"
		cat >c.yaml <<-END
			harness: $name
			resources: {gpus: "2-5", ports: "21000-21999"}
			benchmark_base: {gpus: "0,1"}
			jobs: [{name: a, qps_list: [1]}]
		END
		search --output-dir "$name" >/dev/null 2>&1
		CUDA_VISIBLE_DEVICES=9,8,7,6 search --output-dir "$name.visible" >/dev/null 2>&1
	done
	same "told" "$(cat told)" "$(printf '%s\n' 'sangam: 2,3 of all' 'sangam: 2,3 of 9,8,7,6' 'mine: 2,3 of 2,3' 'mine: 2,3 of 7,6')"
}

@test "from a pool, a trial that finds too few free waits for as many as it names, and skips a stranger's port" {
	"$stubborn" stranger.pid
	eventually 30 test -e stranger.pid
	read -r pid port <stranger.pid
	hold gpu-1
	config '[{"tag": "a", "gpus": "0,1", "scheduler_port": 1}]' "{\"gpus\": \"0-1\", \"ports\": \"$port,$((port > 60000 ? port - 7 : port + 7))\"}" >c.yaml
	echo 'cp "$CS_TRIAL_CONFIG" "$T/config"' >act
	search 2>messages &
	eventually 30 grep -q 'waiting for 2 of the GPUs 0-1' messages
	cs-trial --dir other --lock gpu-0 -- true # is not kept while the other is waited for
	touch finish
	status_of "$!"
	same "status" "$status" 0
	same "devices" "$(jq -r .gpus config)" 0,1
	same "port" "$(jq .scheduler_port config)" $((port > 60000 ? port - 7 : port + 7))
	export CUDA_VISIBLE_DEVICES=7
	rm -rf capacity_search_output
	run search
	same "status with too few visible" "$status" 1
	[[ "$output" == *"CUDA_VISIBLE_DEVICES shows 1"* ]]
}

@test "demands that a pool cannot meet are faults of the config, with their lines, before anything runs" {
	cat >c.yaml <<-'END'
		resources: {gpus: "0-2", ports: "21000-21001,21003"}
		harness: {command: [./harness]}
		benchmark_base: {gpus: "0,1"}
		jobs:
		  - {name: fits, qps_list: [1], benchmark_overrides: {scheduler_port: 1, base_worker_port: 2}}
		  - {name: gpus, qps_list: [1], benchmark_overrides: {gpus: "0,1,2,3"}}
		  - {name: row, qps_list: [1], benchmark_overrides: {gpus: "0,1,2", base_worker_port: 2}}
		  - {name: count, qps_list: [1], benchmark_overrides: {scheduler_port: 1, master_port: 2, base_worker_port: 3}}
	END
	run cs-expand --config-path c.yaml --output-dir out
	same "status" "$status" 78
	same "lines" "$(printf '%s\n' "${lines[@]}" | cut -d: -f3 | xargs)" "6 7 8"
	[[ "${lines[0]}" == *"job 'gpus': 4 GPUs are named, and resources has 3 (0-2)"* ]]
	[ ! -e out ]
}

@test "trials without any lock are warned about once at -j above 1; simulated ones and a search of one at a time are not" {
	config '[{"tag": "a"}, {"tag": "b"}]' >c.yaml
	search -j 2 2>messages
	same "warnings" "$(grep -c 'hold no lock' messages)" 1
	rm -rf capacity_search_output
	search 2>messages
	same "one at a time" "$(grep -c 'hold no lock' messages)" 0
	config '[{"tag": "a", "gpus": 0}, {"tag": "b", "gpus": 1}]' >c.yaml
	search -j 2 2>messages
	same "with locks" "$(grep -c 'hold no lock' messages)" 0
}

@test "names of locks" {
	for name in '' a/b .hidden "$(printf 'a\nb')" "$(printf 'x%.0s' $(seq 300))"; do
		run cs-trial --dir d --lock "$name" -- true
		same "status of '$name'" "$status" 64
	done
	cs-trial --dir d --lock 'a b$%#é' --lock 'a b$%#é' -- true
	run cs-trial --job d --qps 1 --lock x
	same "status with --job" "$status" 64
}
