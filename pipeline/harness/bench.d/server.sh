# What the harnesses of this directory share: the trial's own server, and the client that measures it.
#
# Whoever reads this file sets $tool, the harness's name, calls open_trial first, and makes a $plan (see plan.jq); its
# server is what start_server starts and the others watch. Every way out ends both.
# shellcheck shell=sh disable=SC2034,SC2153,SC2154 # plans is for who reads this; tool, plan; the environment

own=${0%/*}
plans=$own/bench.d
server='' client='' message=''

# Ends the script with STATUS; the reason is printed last, below what the server says while it ends.
fail() {
	message=$2
	exit "$1"
}

need() { command -v "$1" >/dev/null || fail 69 "$1 is not installed${2:+ ($2)}"; }

# Runs a command with the words of a part of the plan at its end: with PART COMMAND [WORD...]
with() {
	part=$1
	shift
	while IFS= read -r line; do
		case $line in
		"$part ="*) set -- "$@" "${line#*=}" ;;
		esac
	done <<-END
		$plan
	END
	"$@"
}

# The one word of a part.
word() { with "$1" printf '%s'; }

become() { exec "$@"; }

first() { printf '%s' "$1"; }

# Reads the state of a process and its parent's id: state PID; fails if there is no such process.
state() {
	{ IFS= read -r state <"/proc/$1/stat"; } 2>/dev/null || return
	state=${state##*) }
	parent=${state#* }
	parent=${parent%% *}
	state=${state%% *}
}

# Whether the process runs: one that ended and was not waited for does not.
runs() { state "$1" && [ "$state" != Z ] && [ "$state" != X ]; }

# Signals a process and those in its session until it is gone, up to ten seconds with TERM.
end_session() {
	for signal in TERM KILL; do
		tries=100
		kill -s "$signal" -- "-$1" 2>/dev/null || kill -s "$signal" "$1" 2>/dev/null || :
		while [ "$tries" -gt 0 ] && runs "$1"; do
			sleep 0.1
			tries=$((tries - 1))
		done
	done
}

leave() {
	status=$?
	trap - EXIT
	trap '' TERM INT HUP
	[ -z "$client" ] || end_session "$client"
	[ -z "$server" ] || end_session "$server"
	[ -z "$message" ] || echo "harness $tool: $message" >&2
	[ "$status" -ne 2 ] || status=1
	exit "$status"
}

open_trial() {
	trap leave EXIT
	trap 'exit 129' HUP
	trap 'exit 130' INT
	trap 'exit 143' TERM
	for name in CS_QPS CS_TRIAL_DIR CS_TRIAL_CONFIG; do
		[ -n "$(printenv "$name")" ] || fail 64 "$name is not set; cs-trial runs this program"
	done
	[ -r "$CS_TRIAL_CONFIG" ] || fail 66 "cannot read $CS_TRIAL_CONFIG"
	need jq
}

# Whether the server says that it is ready; $answer is the status of its answer (000: there was none).
answers() {
	answer=$(with asking curl -s -f -o /dev/null -w '%{http_code}' --max-time 5 --noproxy '*' "$ready") || return
	case $answer in
	2?? | 000) ;; # 000: a file
	*) return 1 ;;
	esac
}

# The sockets that listen on the PORT, as their inodes.
listeners() {
	cat /proc/net/tcp /proc/net/tcp6 2>/dev/null |
		awk -v port="$1" '$4 == "0A" && $2 ~ sprintf(":%04X$", port) { print $10 }'
}

# The processes that have the socket, as far as this user may see them.
holders() { find /proc/[0-9]*/fd -maxdepth 1 -lname "socket:\[$1\]" 2>/dev/null | cut -d / -f 3 | sort -u; }

# Whether the process is the server, comes from it, or was started in this trial.
is_of_server() {
	ancestor=$1
	while [ "$ancestor" -gt 1 ]; do
		[ "$ancestor" != "$server" ] || return 0
		state "$ancestor" || break
		ancestor=$parent
	done
	[ -n "${CS_TRIAL_ID-}" ] && tr '\0' '\n' <"/proc/$1/environ" 2>/dev/null | grep -qxF "CS_TRIAL_ID=$CS_TRIAL_ID"
}

# Names who listens on a PORT and is not of the server; fails if nobody does.
stranger_on() {
	for inode in $(listeners "$1"); do
		who='a process that cannot be seen from here'
		for pid in $(holders "$inode"); do
			if [ -n "$server" ] && is_of_server "$pid"; then
				continue 2
			fi
			who="process $pid ($(tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null | cut -c 1-200 | sed 's/ *$//'))"
		done
		printf '%s' "$who"
		return
	done
	return 1
}

# Fails if anybody has one of the PORTs.
need_free_ports() {
	for port; do
		! who=$(stranger_on "$port") || fail 1 "port $port is taken: $who listens on it, and is not the trial's server"
	done
}

# Fails unless the server, and nobody else, has all the PORTs.
need_own_ports() {
	for port; do
		! who=$(stranger_on "$port") || fail 1 "port $port: $who answers, and is not the trial's server"
		[ -n "$(listeners "$port")" ] ||
			fail 1 "port $port: the trial's server does not listen on it (check_port: false for one in a container)"
	done
}

# Fails with the status of the server, which has ended.
server_ended() {
	wait "$server" && status=0 || status=$?
	fail 1 "the server ended $1, with status $status; its messages stand above"
}

# Whether the config has a server for the trial to start; a plan begins with it.
has_server() { case $plan in "server ="*) ;; *) return 1 ;; esac; }

# The server that the config has, if it has one; else the one that is said to be there.
start_server() {
	ready=$(word ready)
	[ -z "$ready" ] || need curl
	if has_server; then
		need "$(with server first)"
		with port need_free_ports
		[ -z "$ready" ] || ! answers || fail 1 "something answers at $ready already, and it is not the trial's server"
		with server become setsid &
		server=$!
	else
		echo "harness $tool: no server_command: each trial measures the server that is there, as the one before left it" >&2
	fi
	[ -n "$ready" ] || return 0
	seconds=$(word start_timeout)
	end=$(($(date +%s) + seconds))
	until answers; do
		[ -z "$server" ] || runs "$server" || server_ended 'before it was ready'
		[ "$(date +%s)" -lt "$end" ] ||
			fail 1 "$ready did not answer in $seconds s$([ "$answer" = 000 ] || echo " with success but with status $answer")"
		sleep 0.1
	done
	[ -z "$server" ] || runs "$server" || fail 1 "the server ended, and something else answers at $ready"
	[ -z "$server" ] || with port need_own_ports
}

# Runs the command of the plan while the server lives.
measure() {
	with command become setsid &
	client=$!
	while runs "$client"; do
		[ -z "$server" ] || runs "$server" || server_ended 'in the middle'
		sleep 0.1
	done
	wait "$client" && ended=0 || ended=$?
	client=''
	[ -z "$server" ] || runs "$server" || server_ended 'in the middle'
	[ "$ended" -eq 0 ] || fail 1 "$(with command first) ended with status $ended; its messages stand above"
}

end_server() {
	[ -z "$server" ] || end_session "$server"
	server=''
}

# Results of a server that the trial did not start say so; COMMAND prints them: mark_results COMMAND [WORD...]
mark_results() {
	! has_server || return 0
	marked=$CS_TRIAL_DIR/benchmark_results.json
	"$@" | jq -e '.summary.note = "server not started by the trial"' >"$marked.new" || fail 1 "cannot write $marked"
	mv "$marked.new" "$marked"
}

# The path of a program of this installation.
program() {
	path=$(readlink -f "$own/../../../bin/$1") || path=''
	[ -x "$path" ] || path=$1
	printf '%s' "$path"
}
