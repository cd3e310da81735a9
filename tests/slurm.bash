# A Slurm of the test's own on this machine: one node with two GPUs, devices that are there anywhere. Root only.

# Starts munged, slurmctld and slurmd with all that they write below the directory $1 (a short path).
slurm_start() {
	local dir=$1 host
	host=$(uname -n)
	mkdir -p "$dir/state" "$dir/spool" "$dir/munge"
	ln -s /dev/null "$dir/gpu0"
	ln -s /dev/zero "$dir/gpu1"
	head -c 1024 /dev/urandom >"$dir/munge/key"
	chmod 400 "$dir/munge/key"
	munged --key-file="$dir/munge/key" --socket="$dir/munge/socket" --pid-file="$dir/munge/pid" \
		--log-file="$dir/munge/log" --seed-file="$dir/munge/seed" --force 2>/dev/null
	cat >"$dir/slurm.conf" <<-END
		ClusterName=test
		SlurmctldHost=$host(127.0.0.1)
		SlurmctldPort=26817
		SlurmdPort=26818
		AuthInfo=socket=$dir/munge/socket
		ProctrackType=proctrack/pgid
		TaskPlugin=task/none
		JobAcctGatherType=jobacct_gather/none
		SelectType=select/cons_tres
		SelectTypeParameters=CR_Core
		SchedulerParameters=sched_min_interval=0,sched_interval=1,bf_interval=1
		ReturnToService=2
		KillWait=2
		MpiDefault=none
		SlurmUser=root
		StateSaveLocation=$dir/state
		SlurmdSpoolDir=$dir/spool
		SlurmctldPidFile=$dir/slurmctld.pid
		SlurmdPidFile=$dir/slurmd.pid
		SlurmctldLogFile=$dir/slurmctld.log
		SlurmdLogFile=$dir/slurmd.log
		GresTypes=gpu
		NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) Gres=gpu:2 State=UNKNOWN
		PartitionName=p Nodes=ALL Default=YES OverSubscribe=FORCE:4
	END
	echo "Name=gpu File=$dir/gpu[0-1]" >"$dir/gres.conf"
	export SLURM_CONF=$dir/slurm.conf
	slurmctld -c
	slurmd
	eventually 60 slurm_is_idle
}

slurm_is_idle() {
	[ "$(sinfo -h -o %t 2>/dev/null)" = idle ]
}

# Ends them, and comes back when they have written their last.
slurm_stop() {
	local file pid
	for file in slurmd.pid slurmctld.pid munge/pid; do
		pid=$(cat "$1/$file") || continue
		kill "$pid" 2>/dev/null || :
		eventually 60 ended "$pid"
	done
}
