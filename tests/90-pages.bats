#!/usr/bin/env bats
# Goal: the pages are the truth. They are clean mdoc, every program has one, their examples print what
# they say, and the options that --help lists are the options that they describe.

load helper

# The text of a page's EXAMPLES, without markup.
examples_of() {
	sed -n '/^\.Sh EXAMPLES/,/^\.Sh [^E]/p' "$1" | sed -n '/^\.Bd -literal/,/^\.Ed/{/^\.[BE]d/d;p}' |
		sed 's/\\e/\\/g; s/\\&//g; s/\\-/-/g; s/\\(aq/'\''/g'
}

# Turns "$ command", "> more of it" and output lines on stdin into a script that prints, with a marker
# of its own, what each command should print and what it does print.
script_of() {
	awk '
		function flush() {
			if (!command) return
			gsub(/\047/, "\047\\\047\047", expected)
			printf "expected=\047%s\047\nfound=$(mktemp)\n", expected
			printf "{ %s\n} >\"$found\"\n", command
			print "[ \"$(cat \"$found\")\" = \"$(printf %s \"$expected\")\" ] || { echo \"example differs, line " NR "\"; cat \"$found\"; echo; echo \"expected: $expected\"; wrong=1; }"
			command = expected = ""
		}
		/^\$ / { flush(); command = substr($0, 3); next }
		/^> / && expected == "" { command = command "\n" substr($0, 3); next }
		/^>$/ && expected == "" { command = command "\n"; next }
		{ expected = expected $0 "\n" }
		END { flush(); print "exit ${wrong:-0}" }'
}

@test "every program has a page with EXIT STATUS and EXAMPLES" {
	for program in "$built"/bin/*; do
		page=$top/man/${program##*/}.1
		[ -f "$page" ] || { echo "no page for ${program##*/}"; return 1; }
		for section in NAME SYNOPSIS DESCRIPTION 'EXIT STATUS' EXAMPLES ASSUMPTIONS 'SEE ALSO'; do
			grep -q "^\.Sh $section\$" "$page" || { echo "$page: no $section"; return 1; }
		done
	done
}

@test "mandoc has nothing to say of any page" {
	run mandoc -T lint -W warning "$top"/man/*.[157]
	same output "$output" ""
	same status "$status" 0
}

@test "the examples of every page print what the page says" {
	for page in "$top"/man/*.[157]; do
		mkdir "$T/$(basename "$page")"
		cd "$T/$(basename "$page")"
		examples_of "$page" | script_of >"$T/script"
		run timeout 120 sh -u "$T/script"
		[ "$status" = 0 ] || { echo "$page:"; echo "$output"; return 1; }
	done
}

@test "the page of a program describes exactly the options that its --help lists" {
	for program in "$built"/bin/*; do
		name=${program##*/}
		"$program" --help | grep -oE '(^|[ ,[(|])--[a-z][a-z-]*' | grep -oE -- '--[a-z-]+' | sort -u >"$T/help"
		sed -n '/^\.Sh DESCRIPTION/,/^\.Sh FILES/p' "$top/man/$name.1" | grep -E '^\.It Fl' |
			sed 's/\\-/-/g' | grep -oE '(Fl|,) -[a-z][a-z-]+' | sed 's/^[^-]*-/--/' | sort -u >"$T/page"
		diff "$T/help" "$T/page" || { echo "$name: --help (<) and the page (>) differ"; return 1; }
	done
}

# The long options that a program's source takes.
options_in() {
	if [ -f "$top/tools/$1.c" ]; then
		grep -oE '"[a-z-]+", (no|required|optional)_argument|FIELD_OPTION\("[a-z-]+"' "$top/tools/$1.c" | sed 's/^[^"]*"/--/; s/".*//'
	else
		grep -E '^[[:space:]]*-.*(\)|\\)' "$top/pipeline/$1" | sed 's/).*//' | grep -oE -- '--[a-z][a-z-]+'
	fi | sort -u
}

@test "a program takes exactly the options that its --help lists, and says its name and version" {
	for program in "$built"/bin/*; do
		name=${program##*/}
		"$program" --help | grep -oE '(^|[ ,[(|])--[a-z][a-z-]*' | grep -oE -- '--[a-z-]+' | sort -u >"$T/help"
		diff "$T/help" <(options_in "$name") || { echo "$name: --help (<) and the source (>) differ"; return 1; }
		while read -r option; do
			run "$program" "$option" </dev/null
			[[ "$output" != *@(unrecognized|unknown)" option '$option'"* ]] || { echo "$output"; return 1; }
		done <"$T/help"
		run "$program" --no-such-option
		same "status of $name" "$status" 64
		[[ "$output" == *@(unrecognized|unknown)" option '--no-such-option'"* ]]
		[[ "$("$program" --version)" =~ ^"$name (capacity-search) "[0-9.]+$ ]]
	done
}

@test "links between the pages lead to pages" {
	for page in "$top"/man/*.[157]; do
		sed -n 's/^\.Xr \([^ ]*\) \([0-9]\).*/\1.\2/p' "$page" | while read -r other; do
			case $other in
			cs-* | capacity* | *.json.* | *.csv.* | *.yaml.*) ;;
			*) continue ;;
			esac
			[ -f "$top/man/$other" ] || { echo "$page: no page $other"; exit 1; }
		done
	done
}
