# Rows of pgbench's --log with -R into rows of request_metrics.csv, each as soon as it is read.
#
# In:  client, transaction, time in us from when it was due (or a word that says why there is none), script,
#      and when it was logged: s and us since the epoch; then how long after its due time it was begun, in us
#      (0 beside a word). A retry count may follow.
# Out: request_id,arrival_time,request_scheduling_delay,request_e2e_time,error in seconds. A transaction that was
#      skipped or failed has no times: the log does not say when it was due.
#
# -v start=S       the epoch of the measurement's start, in seconds
# -v thread=I      which of pgbench's threads wrote this log, from 0
# -v threads=N     of how many; the ids of a thread are I, I + N, I + 2 N, ...

NF < 7 || $5 !~ /^[0-9]+$/ {
	print "not a row of a pgbench log with -R: " $0 > "/dev/stderr"
	exit 1
}

{ id = (NR - 1) * threads + thread }

$3 ~ /^[0-9]+$/ {
	printf "%d,%.6f,%.6f,%.6f,\n", id, ($5 - start) + ($6 - $3) / 1e6, $7 / 1e6, $3 / 1e6
	fflush()
	next
}

{
	printf "%d,,,,%s\n", id, $3
	fflush()
}
