# What every test file loads: the built programs first in PATH, and $T, a scratch directory of the test's own
# whose name holds what users' paths hold.

# A test that failed is tried once more, in a directory of its own: on a machine that is too busy a limit of
# time can be missed, while a fault stays one. tests/run says which were.
BATS_TEST_RETRIES=1

setup() {
	top=$(cd "${BASH_SOURCE[0]%/*}/.." && pwd)
	data=$top/tests/data
	built=${CS_BIN:-$top/build/bin}
	built=${built%/bin}
	PATH=$built/bin:$PATH
	export PATH
	unset MAKEFLAGS MFLAGS MAKELEVEL CS_HARNESS_PATH CUDA_VISIBLE_DEVICES
	export CS_LOCK_DIR="$BATS_TEST_TMPDIR/locks" # the locks of trials hold within one test
	T="$BATS_TEST_TMPDIR/a dir${BATS_TEST_TRY_NUMBER#1}"
	mkdir -p "$T"
	[ "$BATS_TEST_TRY_NUMBER" = 1 ] || echo "${BATS_TEST_FILENAME##*/}: $BATS_TEST_DESCRIPTION" >>"${CS_TRIED_AGAIN:-/dev/null}"
	cd "$T" || return 1
}

# Skips a test that limits memory when the programs are built with AddressSanitizer, which reserves terabytes.
without_sanitizer() {
	grep -q __asan_init "$built/bin/cs-sla" || return 0
	skip "AddressSanitizer needs more memory"
}

# Runs COMMAND until it succeeds, at most SECONDS long: eventually SECONDS COMMAND [ARG...]
eventually() {
	local end=$((SECONDS + $1))
	shift
	until "$@"; do
		if [ "$SECONDS" -ge "$end" ]; then
			echo "not in time: $*" >&2
			return 1
		fi
		sleep 0.05
	done
}

# Fails, with both texts, unless they are equal: same WHAT FOUND EXPECTED
same() {
	[ "$2" = "$3" ] && return
	printf '%s\nfound:    %s\nexpected: %s\n' "$1" "$2" "$3" >&2
	return 1
}

# Whether no process PID lives; one that only waits to be reaped does not.
ended() {
	[ ! -e "/proc/$1" ] || grep -qs '^State:.Z' "/proc/$1/status"
}
