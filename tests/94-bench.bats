#!/usr/bin/env bats
# Goal: anyone can run tests/bench: what is not installed is named and left out, and the table says what was measured.

load helper

bench() {
	TABLE=$T/table PATH=$T/bin "$BATS_TEST_DIRNAME/bench/run" "$@"
}

# A bench that finds these programs, and no others than the project's own: with PROGRAM...
with() {
	mkdir -p bin
	for program in sh dirname basename mktemp rm cat tee sed awk "$@"; do ln -s "$(command -v "$program")" bin; done
}

@test "a tool that is missing is named, with what installs it, and the other subjects are measured" {
	with cc as ld
	run bench trial speculation
	same status "$status" 0
	[[ "$output" == *"hyperfine"*"make deps-bench"*"left out"*"== speculation"*"8 at once"* ]]
	same table "$(cat table)" "$output"
}

@test "a subject that fails makes the status 1, one that is unknown 64" {
	with
	printf '#!/bin/sh\nexit 1\n' >bin/cc
	chmod +x bin/cc
	run bench speculation
	same status "$status" 1
	[[ "$output" == *"speculation: failed"* ]]
	run bench nonsense
	same status "$status" 64
}
