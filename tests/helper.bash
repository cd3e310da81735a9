# What every test file loads: the built programs first in PATH, and $T, a scratch directory of the test's own
# whose name holds what users' paths hold.

setup() {
	top=$(cd "$BATS_TEST_DIRNAME/.." && pwd)
	data=$top/tests/data
	PATH=${CS_BIN:-$top/build/bin}:$PATH
	export PATH
	unset MAKEFLAGS MFLAGS MAKELEVEL CS_HARNESS_PATH
	T="$BATS_TEST_TMPDIR/a dir"
	mkdir -p "$T"
	cd "$T" || return 1
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
