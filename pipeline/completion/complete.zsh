# What the completion of every program does in zsh; completion/make puts a call of _arguments behind it.

# The names of the harnesses that the command finds.
_capacity_search_harnesses() {
	local program=${commands[$words[1]]:-$words[1]} directory
	local -a directories=(${(s.:.)CS_HARNESS_PATH} ${${program:A}:h:h}/share/capacity-search/harness) names
	for directory in $directories; do
		names+=($directory/*~*.*(-.*N:t))
	done
	compadd "$@" -a names
}

# The directories of jobs, as many as three levels on from the word; those in reach, if there are none.
_capacity_search_jobs() {
	local word=${(Q)PREFIX}
	local -a jobs=($word*/job.json(-.N:h) $word*/*/job.json(-.N:h) $word*/*/*/job.json(-.N:h))
	if (($#jobs)); then
		compadd "$@" -f -a jobs
	else
		_directories
	fi
}
