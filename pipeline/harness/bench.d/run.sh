# What the harnesses vllm, sglang and guidellm do, each with its own $tool; they read this file.
#
# Reads CS_TRIAL_CONFIG (the fields of the harness's .tsv and some of the benchmark's own; bench.d/$tool.jq makes commands
# of them), starts the server where the config has one and waits until it is ready, runs the tool's own benchmark at
# CS_QPS, ends the server, and converts what the tool wrote into CS_TRIAL_DIR/$tool/ to CS_TRIAL_DIR/request_metrics.csv.
# Both print to stdout and stderr, the trial's log.
#
# Exits 0 when the tool did and what it wrote could be converted, 1 when not or when the server failed, 64 without its
# environment, 66 without the config, 69 when a program is missing, 78 when a field cannot be used. Never 2.
# shellcheck shell=sh disable=SC2154 # tool

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

# Whether the process runs; one that ended and was not waited for has no directory.
runs() { [ -e "/proc/$1/cwd" ]; }

# Signals a process and those in its session until it is gone, up to ten seconds with TERM.
end_session() {
	for signal in TERM KILL; do
		tries=100
		kill -s "$signal" -- "-$1" 2>/dev/null || :
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

make_plan() {
	python=python
	command -v python >/dev/null || python=python3
	plan=$(jq -r -L "$plans" --arg qps "$CS_QPS" --arg results "$results" --arg python "$python" -f "$plans/$tool.jq" \
		"$CS_TRIAL_CONFIG") || fail 78 "the config cannot be used; jq says above why"
	need "$(with command first)"
}

first() { printf '%s' "$1"; }

answers() { curl -s -f -o /dev/null --max-time 5 --noproxy '*' "$ready"; }

# The server that the config has, if it has one; else the one that is said to be there.
start_server() {
	ready=$(word ready)
	[ -z "$ready" ] || need curl
	case $plan in
	*"server ="*)
		need "$(with server first)"
		! answers || fail 1 "something answers at $ready already, and it is not the trial's server"
		with server become setsid &
		server=$! ;;
	esac
	[ -n "$ready" ] || return 0
	seconds=$(word start_timeout)
	end=$(($(date +%s) + seconds))
	until answers; do
		[ -z "$server" ] || runs "$server" || fail 1 "the server ended before it was ready; its messages stand above"
		[ "$(date +%s)" -lt "$end" ] || fail 1 "$ready did not answer in $seconds s"
		sleep 0.1
	done
	[ -z "$server" ] || runs "$server" || fail 1 "the server ended, and something else answers at $ready"
}

measure() {
	with command become setsid &
	client=$!
	while runs "$client"; do
		[ -z "$server" ] || runs "$server" || fail 1 "the server ended in the middle; its messages stand above"
		sleep 0.1
	done
	wait "$client" && ended=0 || ended=$?
	client=''
	[ "$ended" -eq 0 ] || fail 1 "$(with command first) ended with status $ended; its messages stand above"
}

# What the tool wrote: the file it was told to write, or the one of that kind that it wrote beside it.
convert() {
	result=$(word result)
	if [ ! -e "$result" ]; then
		found=$(find "$results" -maxdepth 1 -type f -name "*.${result##*.}" ! -name '*.pytorch.json')
		[ -n "$found" ] || fail 1 "$(with command first) ended with status 0 and wrote no results into $results"
		[ -f "$found" ] || fail 1 "$(with command first) wrote more than one file of results into $results"
		result=$found
	fi
	program=$(readlink -f "$own/../../../bin/cs-convert") || program=''
	[ -x "$program" ] || program=cs-convert
	"$program" "$tool" "$result" >"$results/request_metrics.csv" ||
		fail 1 "what $(with command first) wrote cannot be converted; cs-convert says above why"
	mv "$results/request_metrics.csv" "$CS_TRIAL_DIR/request_metrics.csv"
}

trap leave EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
for name in CS_QPS CS_TRIAL_DIR CS_TRIAL_CONFIG; do
	[ -n "$(printenv "$name")" ] || fail 64 "$name is not set; cs-trial runs this program"
done
[ -r "$CS_TRIAL_CONFIG" ] || fail 66 "cannot read $CS_TRIAL_CONFIG"
need jq
results=$(cd "$CS_TRIAL_DIR" && pwd)/$tool
rm -rf "$results"
mkdir "$results"
make_plan
start_server
measure
if [ -n "$server" ]; then
	end_session "$server"
	server=''
fi
convert
