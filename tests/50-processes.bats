#!/usr/bin/env bats
# Goal: no process of a trial outlives it, whatever the harness does and whoever is killed, and the trial's
# directory never claims more than what happened.

load helper

setup_file() {
	export stubborn="$BATS_FILE_TMPDIR/stubborn"
	"${CC:-cc}" -o "$stubborn" "$BATS_TEST_DIRNAME/stubborn.c"
}

teardown() {
	local file
	for file in "$T"/*.pid; do
		[ ! -e "$file" ] || kill -KILL "$(cut -d' ' -f1 "$file")" 2>/dev/null || :
	done
}

# Whether the process whose PID a file starts with has ended: a zombie has.
gone() {
	local state
	state=$(sed 's/.*) //; s/ .*//' "/proc/$(cut -d' ' -f1 "$1")/stat" 2>/dev/null) || return 0
	[ -z "$state" ] || [ "$state" = Z ]
}

alive() {
	! gone "$1"
}

all_gone() {
	local file
	for file in "$T"/*.pid; do
		gone "$file" || return 1
	done
}

# The PID of a child of $1.
child_of() {
	sed -n "s/^\([0-9]*\) (.*) [A-Z] $1 .*/\1/p" /proc/[0-9]*/stat 2>/dev/null | head -n 1
}

port_free() {
	"$stubborn" -c "$(cut -d' ' -f2 "$1")"
}

# A harness that reports requests, starts a server that is hard to get rid of, and runs on until it is ended.
stubborn_harness() {
	cat >harness <<-'END'
		#!/bin/bash
		trap '' TERM
		echo $$ >"$T/harness.pid"
		(trap '' TERM; exec setsid sleep 300) &
		echo $! >"$T/session.pid"
		[ ! -e "$T/bare" ] || { env -i setsid sleep 300 & echo $! >"$T/bare.pid"; }
		"$stubborn" "$T/server.pid"
		until [ -e "$T/server.pid" ]; do sleep 0.01; done
		cd "$CS_TRIAL_DIR"
		printf 'request_id,ttft\nr1,0.5\n' >request_metrics.csv
		echo '{"summary": {"num_successful": 1, "num_failed": 0}}' >benchmark_results.json
		touch "$T/ready"
		until [ -e "$T/finish" ]; do sleep 0.05; done
	END
	chmod +x harness
	export T
}

# Starts cs-trial in the background and waits until the harness has all its processes: $! is cs-trial.
start_stubborn() {
	stubborn_harness
	setsid env --default-signal=INT,HUP cs-trial --dir "trial's" --grace 0.2 "$@" -- ./harness 2>messages &
	echo $! >cs-trial.pid
	eventually 20 test -e ready
	child_of "$!" >guardian.pid
}

# Status of the background process $1.
status_of() {
	status=0
	wait "$1" || status=$?
}

nothing_left() {
	all_gone
	port_free server.pid
	same "lock file" "$(cat "trial's/.lock")" ""
}

# Whether the trial directory's lock is free and its file is empty.
lock_free() {
	flock -n "trial's/.lock" true && [ ! -s "trial's/.lock" ]
}

@test "a harness that ignores TERM is killed when its time is up, with its children in other sessions and its server" {
	stubborn_harness
	for timeout in 1.5 6 24; do # the first, but for a machine that is too slow to start the harness by then
		rm -f ./*.pid
		run cs-trial --dir "trial's" --timeout "$timeout" --grace 0.2 -- ./harness
		same status "$status" 2
		same message "$output" "trial's: timed out after $timeout s"
		[ ! -e ready ] || break
	done
	nothing_left
	same result "$(jq -c '[.passed, .timed_out, .complete, .error, .harness_status]' "trial's/trial_result.json")" \
		'[false,true,false,null,null]'
	[ ! -e "trial's/benchmark_results.json" ]
	[ -e "trial's/benchmark_results.incomplete.json" ]
}

@test "what a harness left running is ended after it exited 0, and the trial is complete" {
	stubborn_harness
	touch finish
	run cs-trial --dir "trial's" --grace 0.2 -- ./harness
	same status "$status" 0
	nothing_left
	same result "$(jq -c '[.complete, .harness_status, .num_requests]' "trial's/trial_result.json")" '[true,0,1]'
}

@test "no grace is waited out when everything ends by itself, and TERM is enough for the polite, stopped or not" {
	cat >polite <<-'END'
		#!/bin/bash
		setsid sleep 300 &
		echo $! >"$T/polite.pid"
		sleep 300 &
		echo $! >"$T/stopped.pid"
		kill -STOP $!
	END
	chmod +x polite
	export T
	SECONDS=0
	run cs-trial --dir d --grace 100 -- ./polite
	same status "$status" 0
	all_gone
	[ "$SECONDS" -lt 50 ]
}

@test "TERM, INT and HUP to cs-trial end all of the trial, and neither results nor verdict are left" {
	for signal in TERM:143 INT:130 HUP:129; do
		rm -rf ready ./*.pid
		start_stubborn
		kill "-${signal%:*}" "$(cat cs-trial.pid)"
		status_of "$(cat cs-trial.pid)"
		same "status after $signal" "$status" "${signal#*:}"
		nothing_left
		[ ! -e "trial's/benchmark_results.json" ]
		[ ! -e "trial's/trial_result.json" ]
	done
}

@test "a signal that cs-trial was started to ignore does not end the trial" {
	stubborn_harness
	env --ignore-signal=HUP,INT cs-trial --dir "trial's" --grace 0.2 -- ./harness 2>messages &
	eventually 20 test -e ready
	kill -HUP $!
	kill -INT $!
	touch finish
	status_of $!
	same status "$status" 0
	same result "$(jq .complete "trial's/trial_result.json")" true
}

@test "an interrupt from the terminal reaches the harness as TERM only, and it has its grace to clean up" {
	cat >tidy <<-'END'
		#!/bin/bash
		trap 'touch "$T/interrupted"' INT
		trap 'touch "$T/tidied"; exit 0' TERM
		echo $$ >"$T/harness.pid"
		touch "$T/ready"
		while :; do sleep 0.05; done
	END
	chmod +x tidy
	export T
	setsid env --default-signal=INT bash -c 'echo $$ >group; cs-trial --dir d -- ./tidy; echo $? >status' &
	eventually 20 test -e ready
	kill -INT "-$(cat group)"
	eventually 20 all_gone
	[ -e tidied ]
	[ ! -e interrupted ]
	eventually 20 flock -n d/.lock true
	[ ! -e d/trial_result.json ]
}

@test "when cs-trial is killed with -9, its guardian ends all of the trial and frees the lock" {
	start_stubborn
	same "what the guardian has open" "$(find "/proc/$(cat guardian.pid)/fd" -type l -printf '%l\n' |
		sed 's/:\[.*//; s/.*trial/trial/' | sort -u | xargs -d '\n')" "/dev/null anon_inode socket trial's/.lock"
	kill -KILL "-$(cat cs-trial.pid)" # its process group
	eventually 20 all_gone
	eventually 20 lock_free
	port_free server.pid
	[ ! -e "trial's/benchmark_results.json" ]
	[ ! -e "trial's/trial_result.json" ]
}

@test "when the guardian is killed with -9, cs-trial ends all of the trial and says so" {
	touch bare
	start_stubborn
	alive bare.pid
	kill -KILL "$(cat guardian.pid)"
	status_of "$(cat cs-trial.pid)"
	same status "$status" 1
	nothing_left
	[ ! -e "trial's/benchmark_results.json" ]
	same result "$(jq -c '[.complete, .timed_out, .passed]' "trial's/trial_result.json")" '[false,false,null]'
	grep -q 'guarded the harness was killed' messages
}

@test "when both are killed with -9, the next cs-trial ends what they left before it begins" {
	start_stubborn
	kill -STOP "$(cat guardian.pid)"
	kill -KILL "$(cat cs-trial.pid)" "$(cat guardian.pid)"
	eventually 20 gone harness.pid
	alive server.pid
	alive session.pid
	[ -s "trial's/.lock" ]
	run cs-trial --dry-run --dir "trial's" -- ./harness
	same "dry run" "$status$output" 1
	run cs-trial --dir "trial's" -- bash -c 'read -r pid port <"$T/server.pid"; "$stubborn" -c "$port"'
	same status "$status" 0
	nothing_left
	[ ! -e "trial's/benchmark_results.json" ]
}

@test "a second cs-trial waits for the first, runs nothing again, and can be ended while it waits" {
	cat >once <<-'END'
		#!/bin/bash
		echo run >>"$T/runs"
		touch "$T/ready"
		until [ -e "$T/finish" ]; do sleep 0.02; done
	END
	chmod +x once
	export T
	cs-trial --dir d -- ./once &
	first=$!
	eventually 20 test -e ready
	cs-trial --dir d -- ./once 2>second.messages &
	second=$!
	cs-trial --dir d -- ./once 2>third.messages &
	third=$!
	eventually 20 grep -q 'waiting for another cs-trial' second.messages
	eventually 20 grep -q 'waiting for another cs-trial' third.messages
	kill -TERM "$third"
	status_of "$third"
	same "the third" "$status" 143
	touch finish
	status_of "$first"
	same "the first" "$status" 0
	status_of "$second"
	same "the second" "$status" 0
	same "runs" "$(cat runs)" run
	same "cached" "$(jq .cached d/trial_result.json)" true
}

@test "a waiting cs-trial begins only when nothing is left of one that was killed with -9" {
	start_stubborn
	cs-trial --dir "trial's" -- bash -c '! kill -0 $(cat "$T/session.pid")' 2>second.messages &
	second=$!
	eventually 20 grep -q 'waiting for another cs-trial' second.messages
	kill -KILL "$(cat cs-trial.pid)"
	status_of "$second"
	same status "$status" 0
}

@test "stopped processes, and ones that start successors faster than one can look, are ended too" {
	name=hydra-$RANDOM-$$
	cp "$stubborn" "$name"
	export T
	cs-trial --dir d --grace 0.1 -- bash -c 'setsid sleep 300 & echo $! >"$T/stopped.pid"; kill -STOP $!
		"$1" -s "$T/over"; touch "$T/ready"; while :; do sleep 1; done' sh "./$name" &
	eventually 20 test -e ready
	kill "$!"
	status_of "$!"
	echo "$name" >pattern # in a file, or grep would find itself
	for look in $(seq 20); do
		grep -lsFf pattern /proc/[0-9]*/cmdline >found || continue
		touch over
		same "still there" "$(cat found)" ""
	done
	same status "$status" 143
	all_gone
}

@test "processes of others are let live" {
	sleep 300 &
	echo $! >mine.pid
	bash -c 'sleep 300 & echo $! >before.pid
		exec cs-trial --dir d --grace 0.1 -- bash -c "trap \"\" TERM; touch ready; while :; do sleep 0.05; done"' &
	trial=$!
	eventually 20 test -e ready
	kill -KILL "$(sed -n "s/^\([0-9]*\) (cs-guardian) [A-Z] $trial .*/\1/p" /proc/[0-9]*/stat 2>/dev/null)"
	status_of "$trial"
	same status "$status" 1
	alive mine.pid
	alive before.pid
	kill "$(cat mine.pid)" "$(cat before.pid)"
}

@test "a harness starts with an empty stdin, its streams in the log, no other descriptor and no signal set aside" {
	exec 7<"$0"
	env --ignore-signal=HUP,INT,QUIT cs-trial --dir d -- bash -c '
		read -r line; echo "stdin: $line."; ls -l /proc/self/fd | sed -n "s/.* \([0-9]\) -> .*/\1/p" | tr "\n" " "
		echo; grep -E "Sig(Blk|Ign)" /proc/self/status; echo "to stderr" >&2; cut -d" " -f5,6,8 /proc/self/stat'
	exec 7<&-
	mapfile -t lines <d/benchmark.log
	same stdin "${lines[0]}" "stdin: ."
	same descriptors "${lines[1]}" "0 1 2 3 " # 3 is the directory that ls reads
	same blocked "${lines[2]}" "SigBlk:	0000000000000000"
	# Signals 32 and 33 are libc's own: nobody can set them, they stay as they were inherited.
	same ignored "${lines[3]/0000000180000000/0000000000000000}" "SigIgn:	0000000000000000"
	same stderr "${lines[4]}" "to stderr"
	read -r group session foreground <<<"${lines[5]}"
	same "no terminal" "$foreground" -1
	[ "$session" != "$(cut -d' ' -f6 /proc/$$/stat)" ]
}

@test "a harness finds its trial in its environment, and nothing of make" {
	MAKEFLAGS=-j4 MFLAGS=-j MAKELEVEL=2 MAKEOVERRIDES=x MAKE_TERMOUT=1 MAKE_TERMERR=1 GNUMAKEFLAGS=-k LAUNCHER=l \
		SPECULATE=3 KEEP_FAILED=1 TRIAL_COMMAND=c TRIAL_FLAGS=f cs-trial --dir "a 'b' \$c#%:" --env CS_QPS=7.5 --env 'X=1 = 2' -- env
	d=$(cd "a 'b' \$c#%:" && pwd)
	run grep -E '^(MAKE|MFLAGS|GNUMAKE|LAUNCHER|SPECULATE|KEEP_FAILED|TRIAL_)' "$d/benchmark.log"
	same "make's variables" "$output" ""
	same directory "$(grep ^CS_TRIAL_DIR= "$d/benchmark.log")" "CS_TRIAL_DIR=$d"
	same config "$(grep ^CS_TRIAL_CONFIG= "$d/benchmark.log")" "CS_TRIAL_CONFIG=$d/trial_config.json"
	same rate "$(grep ^CS_QPS= "$d/benchmark.log")" CS_QPS=7.5
	same pair "$(grep ^X= "$d/benchmark.log")" "X=1 = 2"
	grep -qE '^CS_TRIAL_ID=[0-9a-f]{32}$' "$d/benchmark.log"
	bin=$(dirname "$(readlink -f "$(command -v cs-trial)")")
	grep -qF "PATH=$bin:" "$d/benchmark.log"
	# Of two of one name the last counts; what is given for a variable that is here, or that is make's, is given.
	X=0 cs-trial --dir given --env X=1 --env X=2 --env LAUNCHER=l --env "PATH=$PATH" -- env
	same "given" "$(grep -E '^(X|LAUNCHER|PATH)=' given/benchmark.log | sort)" "$(printf 'LAUNCHER=l\nPATH=%s\nX=2' "$PATH")"
}
