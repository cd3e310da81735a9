# What the completion of every program does in bash; completion/make puts the program's table behind it.
# shellcheck shell=bash

declare -gA _capacity_search_tables

# Prints the names of the harnesses that COMMAND finds: _capacity_search_harnesses COMMAND
_capacity_search_harnesses() {
	local program file directories directory
	program=$(readlink -f "$(type -P -- "$1")")
	IFS=: read -r -a directories <<<"${CS_HARNESS_PATH-}"
	for directory in "${directories[@]}" "${program%/bin/*}/share/capacity-search/harness"; do
		for file in "${directory:-.}"/*; do
			case ${file##*/} in
			*.*) ;;
			*) [[ ! -f $file || ! -x $file ]] || printf '%s\n' "${file##*/}" ;;
			esac
		done
	done
}

# Prints the directories of jobs, as many as three levels on from the path WORD; those in reach, if there are none.
_capacity_search_jobs() {
	local job found=''
	for job in "$1"*/job.json "$1"*/*/job.json "$1"*/*/*/job.json; do
		[[ -f $job ]] || continue
		printf '%s\n' "${job%/job.json}"
		found=1
	done
	[[ $found ]] || compgen -d -- "$1"
}

# Completes WORD by the KIND of the value that it is part of: _capacity_search_value COMMAND WORD KIND
_capacity_search_value() {
	local plain=${2//\\/}
	plain=${plain#[\'\"]}
	case $3 in
	file | command) compopt -o filenames ;;
	directory | job) compopt -o filenames -o dirnames ;;
	esac 2>/dev/null
	case $3 in
	none | value) ;;
	file) mapfile -t COMPREPLY < <(compgen -f -- "$plain") ;;
	directory) mapfile -t COMPREPLY < <(compgen -d -- "$plain") ;;
	job) mapfile -t COMPREPLY < <(_capacity_search_jobs "$plain") ;;
	command) mapfile -t COMPREPLY < <(compgen -c -- "$plain"; compgen -f -- "$plain") ;;
	harness) mapfile -t COMPREPLY < <(compgen -W "$(_capacity_search_harnesses "$1")" -- "$2") ;;
	*) mapfile -t COMPREPLY < <(compgen -W "${3//|/ }" -- "$2") ;;
	esac
}

# Completes the word at the cursor, as complete -F has it: _capacity_search COMMAND WORD
_capacity_search() {
	local program=${1##*/} word=$2 type a b c
	local -A kinds=() operands=()
	local -a options=() words=()
	while IFS=$'\t' read -r type a b c _; do
		case $type in
		option)
			options+=("$a")
			kinds[$a]=$c
			[[ $b = - ]] || kinds[$b]=$c ;;
		word) words+=("$a") ;;
		operand) operands[$a]=$b ;;
		esac
	done <<<"${_capacity_search_tables[$program]}"

	# The operands so far, and the option whose value comes now; --option=value is three words.
	local i previous='' first='' ended=''
	for ((i = 1; i < COMP_CWORD; i++)); do
		a=${COMP_WORDS[i]}
		if [[ $a = '=' && $previous ]]; then
			continue
		elif [[ $previous ]]; then
			previous=''
		elif [[ $a = -- && ! $ended ]]; then
			ended=1
		elif [[ $a = -* && ! $ended ]]; then
			[[ ${kinds[$a]-none} = none ]] || previous=$a
		else
			first=${first:-$a}
		fi
	done
	[[ $word != '=' ]] || word=''

	COMPREPLY=()
	if [[ $previous ]]; then
		_capacity_search_value "$1" "$word" "${kinds[$previous]}"
	elif [[ $word = -* && ! $ended ]]; then
		mapfile -t COMPREPLY < <(compgen -W "${options[*]}" -- "$word")
	elif [[ ! $first && ${#words[@]} -gt 0 ]]; then
		mapfile -t COMPREPLY < <(compgen -W "${words[*]}" -- "$word")
	else
		_capacity_search_value "$1" "$word" "${operands[${first:--}]-${operands[-]-none}}"
	fi
}
