#!/usr/bin/env bats
# Goal: bash and zsh complete what the programs take: every option that --help lists and no other, and the words,
# harnesses, job directories and files that values can be.

load helper

# What bash offers for the last of the words of a command, one a line, sorted: in_bash WORD...
in_bash() {
	bash --norc -c '
		source "$1/share/bash-completion/completions/${2##*/}" || exit
		shift
		COMP_WORDS=("$@")
		COMP_CWORD=$(($# - 1))
		COMP_LINE=$*
		COMP_POINT=${#COMP_LINE}
		_capacity_search "$1" "${!#}" "${COMP_WORDS[COMP_CWORD - 1]}"
		[ "${#COMPREPLY[@]}" = 0 ] || printf "%s\n" "${COMPREPLY[@]}"' bash "$built" "$@" | sort
}

# What zsh offers behind the text of a command line, one a line, sorted: in_zsh LINE
in_zsh() {
	command -v zsh >/dev/null || skip 'zsh is not installed'
	: >found
	LINE_TO_COMPLETE=$1 FUNCTIONS=$built/share/zsh/site-functions FOUND=$T/found ZDOTDIR=$data/zsh DUMP=$BATS_FILE_TMPDIR/dump \
	    timeout 120 script -qec 'zsh -i' /dev/null <&- >/dev/null 2>&1 || :
	sort -u found
}

# The long options that a program's --help lists, and -s where it has a short form.
options_of() {
	"$1" --help | grep -oE '(^|[ ,[(|])--[a-z][a-z-]*' | grep -oE -- '--[a-z-]+' | sort -u
}

two_jobs() {
	mkdir -p out/jobs/a_0123456789 out/jobs/b_0123456789 out/jobs/unfinished other
	touch out/jobs/a_0123456789/job.json out/jobs/b_0123456789/job.json
}

jobs='out/jobs/a_0123456789
out/jobs/b_0123456789'

@test "bash completes exactly the options that --help lists, of every program" {
	for program in "$built"/bin/*; do
		diff <(options_of "$program") <(in_bash "${program##*/}" --) || { echo "$program: --help (<), bash (>)"; return 1; }
	done
}

@test "zsh completes exactly the options that --help lists, of every program" {
	for program in "$built"/bin/*; do
		found=$(in_zsh "${program##*/} --")
		diff <(options_of "$program") <(grep -- -- <<<"$found") || { echo "$program: --help (<), zsh (>)"; return 1; }
	done
}

@test "an option with a value is completed by its value, in both spellings" {
	harnesses=$(find "$built/share/capacity-search/harness" -maxdepth 1 -type f ! -name '*.*' -printf '%f\n' | sort)
	[[ $'\n'$harnesses$'\n' == *$'\n'sim$'\n'* ]]
	same "harnesses" "$(in_bash capacity-search --harness '')" "$harnesses"
	same "after =" "$(in_bash capacity-search --harness = sangam)" "sangam"
	same "nothing yet after =" "$(in_bash cs-expand --harness =)" "$harnesses"
	same "words" "$(in_bash cs-load --http '')" "$(printf '%s\n' 1.1 2 2-prior-knowledge)"
	same "a number" "$(in_bash cs-trial --qps '')" ""
	same "zsh, harnesses" "$(in_zsh 'capacity-search --harness ')" "$harnesses"
	same "zsh, after =" "$(in_zsh 'capacity-search --harness=sang')" sangam
	same "zsh, words" "$(in_zsh 'cs-load --http ')" "$(printf '%s\n' 1.1 2 2-prior-knowledge)"
}

@test "harnesses of the user's own are on offer, their tables of fields are not" {
	mkdir own
	printf '#!/bin/sh\n' >own/mine
	chmod +x own/mine
	touch own/mine.tsv own/notes
	export CS_HARNESS_PATH=$T/none:$T/own
	same "bash" "$(in_bash cs-expand --harness m)" mine
	same "bash, by its path" "$(in_bash "$built/bin/cs-expand" --harness s | grep -x sim)" sim
	same "not a program" "$(in_bash cs-expand --harness n)" ""
	same "zsh" "$(in_zsh 'cs-expand --harness m')" mine
}

@test "job directories are found from where the user is" {
	two_jobs
	for words in 'cs-trial --job' 'cs-next --job' 'cs-report job'; do
		# shellcheck disable=SC2086 # words
		same "bash: $words" "$(in_bash $words '')" "$jobs"
		# shellcheck disable=SC2086 # words
		same "bash, on the way: $words" "$(in_bash $words out/jobs/b)" out/jobs/b_0123456789
		same "zsh: $words" "$(in_zsh "$words ")" "$jobs"
	done
	same "bash, no job there" "$(in_bash cs-trial --job ot)" other
	same "zsh, no job there" "$(in_zsh 'cs-trial --job ot')" other
}

@test "the first word of cs-report and cs-convert is one that --help lists; the next is what that takes" {
	commands=$("$built/bin/cs-report" --help | sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p' | sort)
	[[ $commands == *table* ]]
	same "commands" "$(in_bash cs-report '')" "$commands"
	formats=$(cs-convert x 2>&1 | sed 's/.*expected one of //; q' | tr ' ' '\n' | sort)
	same "formats" "$(in_bash cs-convert '')" "$formats"
	same "begun" "$(in_bash cs-convert g)" "$(printf '%s\n' genai-perf ghz guidellm)"
	same "zsh, commands" "$(in_zsh 'cs-report ')" "$commands"
	same "zsh, formats" "$(in_zsh 'cs-convert ')" "$formats"
	two_jobs
	touch log
	same "a directory" "$(in_bash cs-report table '')" "$(printf '%s\n' other out)"
	same "a file" "$(in_bash cs-convert k6 l)" log
	same "a directory, behind an option" "$(in_bash cs-report --error text table ou)" out
	same "zsh, a directory" "$(in_zsh 'cs-report table o')" "$(printf '%s\n' other out)"
	same "zsh, a file" "$(in_zsh 'cs-convert k6 l')" log
}

@test "a name with spaces is completed so that the program gets it whole" {
	mkdir 'conf dir' bin
	touch 'conf dir/it'\''s.yaml'
	printf '#!/bin/sh\nprintf "%%s\\n" "$@" >"%s/arguments"\n' "$T" >bin/capacity-search
	chmod +x bin/capacity-search
	{
		cat "$built/share/bash-completion/completions/capacity-search"
		printf "PATH='%s':\$PATH\n" "$T/bin"
	} >rc
	printf 'capacity-search --config-path co\ti\t--keep-f\t\nexit\n' |
		timeout 60 script -qec 'bash --noprofile --rcfile rc -i' /dev/null >session 2>&1
	same arguments "$(cat arguments)" "$(printf '%s\n' --config-path "conf dir/it's.yaml" --keep-failed)"
}
