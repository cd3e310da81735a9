# An interactive zsh's start: completes the text $LINE_TO_COMPLETE as if TAB were pressed behind it, writes what is on
# offer to the file $FOUND, one a line, and exits. $FUNCTIONS is the directory of the functions under test,
# $DUMP compinit's own file.
fpath=($FUNCTIONS $fpath)
autoload -Uz compinit
compinit -u -d $DUMP
compadd() {
	local -a hits before
	zparseopts -E -a ignored O: A: D: p:=before
	if (($ignored[(I)-[OAD]*])); then
		builtin compadd "$@"
		return
	fi
	builtin compadd -A hits "$@"
	((! $#hits)) || print -rl -- ${before[2]}${^hits} >>$FOUND
	builtin compadd "$@"
}
zle -C capture complete-word _main_complete
zle-line-init() {
	BUFFER=$LINE_TO_COMPLETE
	CURSOR=$#BUFFER
	zle capture
	exit
}
zle -N zle-line-init
