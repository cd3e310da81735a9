#!/bin/sh
# job.sh JOB_DIR MAKE [UNLOCKED]: searches one job and writes its summary.
#
# Asks cs-next for a rate, has make run that trial, asks again with the trials' results; cs-report writes the summary.
# Where one trial runs at a time, and no launcher starts it, cs-trial goes that way alone, which starts fewer processes.
# Errors of the job are in its summary and do not stop other jobs: the exit status is 0 unless the summary could not be
# written. The current directory is the output directory. TERM, INT and HUP end the trials first: what runs them gets
# TERM, and is waited for.
#
# With SPECULATE=K in the environment up to K trials run at once: the one that the search needs, and
# those that it is most likely to need next. What those come to counts when the search comes to them.
#
# JOB_DIR/.lock is held meanwhile: where two makes run in one output directory, the second one waits, and what the
# first one found is the job's result.
set -eu

job=$1
make=$2
pipeline=${0%/*}
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

# No more at once than make has job slots: one after the other, extra trials would only take time.
at_once=${SPECULATE:-1}
case $at_once in
*[!0-9]* | 0*)
	echo "SPECULATE=$at_once will not do; expected a whole number above 0" >&2
	exit 64 ;;
esac
case ${MAKEFLAGS%%-- *}' ' in
*' -j '*) slots=$at_once ;;
*' -j'*) slots=${MAKEFLAGS#* -j} slots=${slots%% *} ;;
*) slots=1 ;;
esac
[ "$slots" -ge "$at_once" ] || at_once=$slots

round=$job/.round
running=
stop() {
	trap '' INT TERM HUP
	if [ -n "$running" ]; then
		kill -TERM "$!" 2>/dev/null || :
		wait "$!" || :
	fi
	rm -f "$round"
	exit "$1"
}
trap 'stop 129' HUP
trap 'stop 130' INT
trap 'stop 143' TERM

exec 9>>"$job/.lock"
if ! flock -n 9; then
	running=yes
	flock 9 &
	wait "$!"
	running=
	[ ! -e "$job/job_summary.json" ] || exit 0
fi

# Runs what is given in the background, so that a signal is answered at once; $ended is its status.
run() {
	running=yes
	"$@" 9>&- &
	wait "$!" && ended=0 || ended=$?
	running=
}

[ ! -e "$job/job_summary.json" ] || rm -f "$job/job_summary.json"

if [ "$at_once" = 1 ] && [ -z "${LAUNCHER-}" ]; then
	run "$bin/cs-trial" ${KEEP_FAILED:+--keep-failed} --job "$job" --search >/dev/null
	[ "$ended" != 0 ] || exec "$bin/cs-report" job "$job"
	next=$("$pipeline/next.sh" "$job") || exit
	why=
	[ "$ended" -le 128 ] || why=": cs-trial was ended by signal $((ended - 128))"
	case $next in
	*' over') exec "$bin/cs-report" job "$job" ;;
	*) exec "$bin/cs-report" job --error "the trial at ${next##* is } could not be run$why" "$job" ;;
	esac
fi

results=
report() {
	rm -f "$round"
	# shellcheck disable=SC2086 # a word for each result
	set -- "$@" --num-results "$(set -- $results && echo $#)" "$job"
	exec "$bin/cs-report" job "$@"
}

# Has make run the trials at the given rates, and takes the names of the results of those that were run to an end.
build() {
	for one; do
		set -- "$@" "$job/runs/$one"
		shift
	done
	run "$make" -k -rR --no-print-directory -f "$pipeline/trial.mk" TRIAL_FLAGS=--status-in-file TRIAL_ROUND="$round" "$@" >"$round"
	while read -r line; do
		case $line in
		"$job"/runs/*/trial_result.json) results="$results $line" ;;
		*) echo "$line" ;; # of make --trace and the like
		esac
	done <"$round"
}

status=0
# shellcheck disable=SC2086 # a word for each result, a word for each rate
while "$bin/cs-next" -n "$at_once" --job "$job" $results >"$round" || { status=$?; false; }; do
	wanted=
	while read -r rate; do wanted="$wanted $rate"; done <"$round"
	rate=${wanted# } rate=${rate%% *}
	# A trial that was run before takes no time, and the next rate is certain then.
	[ ! -e "$job/runs/$rate/benchmark_results.json" ] || wanted=$rate
	build $wanted
	case "$results " in
	*" $job/runs/$rate/trial_result.json "*) ;;
	*) report --error "the trial at $rate qps could not be run" ;;
	esac
done
[ "$status" = 1 ] || report --error "cs-next failed with status $status"
report
