#!/bin/sh
# job.sh JOB_DIR MAKE [UNLOCKED]: searches one job and writes its summary.
#
# Asks cs-next for a rate, has make build the trial directory of that name, asks again with the trial's
# result; cs-report writes the summary. Errors of the job are in its summary and do not stop other jobs:
# the exit status is 0 unless the summary could not be written. The current directory is the output
# directory. TERM, INT and HUP end the trial first: the make that runs it gets TERM, and is waited for.
set -eu

job=$1
make=$2
pipeline=$(dirname "$0")
bin=$pipeline/../../bin

# make runs this under -n and -q too; its one-letter options are the first word of MAKEFLAGS.
case ${MAKEFLAGS%% *} in
*q*) exit 1 ;;
*n*) exec "$pipeline/next.sh" "$job" ;;
esac

# The first job of a search is given one whose trials hold no lock.
case ${3:+$MAKEFLAGS} in
*--jobserver-*)
	echo "warning: trials may disturb each other: those of $3 hold no lock; give them GPUs, ports or exclusive: true" >&2 ;;
esac

running=
stop() {
	trap '' INT TERM HUP
	if [ -n "$running" ]; then
		kill -TERM "$!" 2>/dev/null || :
		wait "$!" || :
	fi
	exit "$1"
}
trap 'stop 129' HUP
trap 'stop 130' INT
trap 'stop 143' TERM

# In the background, so that a signal is answered at once.
build() {
	running=yes
	"$make" -rR --no-print-directory -f "$pipeline/trial.mk" TRIAL_FLAGS=--status-in-file "$@" &
	wait "$!" && built=0 || built=$?
	running=
	return "$built"
}

rm -f "$job/job_summary.json"
set --
status=0
while rate=$("$bin/cs-next" --job "$job" "$@") || { status=$?; false; }; do
	build "$job/runs/$rate" ||
		exec "$bin/cs-report" job --error "the trial at $rate qps could not be run" "$job"
	set -- "$@" "$job/runs/$rate/trial_result.json"
done
[ "$status" = 1 ] || exec "$bin/cs-report" job --error "cs-next failed with status $status" "$job"
exec "$bin/cs-report" job "$job"
