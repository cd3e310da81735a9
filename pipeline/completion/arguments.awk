# A program's table (see table.awk) as the call of zsh's _arguments that completes it: stdin to stdout.

BEGIN { FS = "\t"; print "local curcontext=$curcontext state line\nlocal -A opt_args\n\n_arguments -C -s -S \\" }

# TEXT with a backslash before each of CHARACTERS, a bracket expression's.
function escape(text, characters,    out, i, c) {
	for (i = 1; i <= length(text); i++) {
		c = substr(text, i, 1)
		out = out (index(characters, c) ? "\\" : "") c
	}
	return out
}

function quote(text) {
	gsub(/\047/, "\047\\\047\047", text)
	return "\047" text "\047"
}

# What completes a value of KIND.
function action(kind,    words) {
	if (kind == "file")
		return "_files"
	if (kind == "directory")
		return "_directories"
	if (kind == "job")
		return "_capacity_search_jobs"
	if (kind == "harness")
		return "_capacity_search_harnesses"
	if (kind == "command")
		return "_command_names -e"
	if (kind == "value" || kind == "none")
		return " "
	words = kind
	gsub(/\|/, " ", words)
	return "(" words ")"
}

$1 == "option" {
	explained = ($7 == "-" ? "" : "[" escape($7, "\\[]") "]") \
	    ($4 == "none" ? "" : ":" escape($5, "\\:") ":" action($4))
	suffix = $4 == "none" ? "" : "="
	if ($6 == "yes")
		print "\t\047*\047" quote($2 suffix explained) " \\"
	else if ($3 == "-")
		print "\t" quote($2 suffix explained) " \\"
	else
		print "\t" quote("(" $3 " " $2 ")") "{" $3 ($4 == "none" ? "" : "+") "," $2 suffix "}" quote(explained) " \\"
}

$1 == "word" { words = words (words == "" ? "" : " ") escape($2, ":") "\\:\"" escape($3, "\\\":$`") "\"" }

$1 == "operand" && !($2 in kinds) {
	kinds[$2] = $3
	values[$2] = $4
	if ($2 != "-")
		cases = cases "\t" $2 ") " action($3) " ;;\n"
}

END {
	if (words != "")
		print "\t" quote("1:what:((" words "))") " \\"
	if ("-" in kinds)
		print "\t" quote("*:" values["-"] ":" action(kinds["-"])) " \\"
	else if (cases != "")
		print "\t\047*: :->operand\047 \\"
	print "\t&& return\n"
	if (cases != "")
		printf "[[ $state != operand ]] || case $line[1] in\n%sesac\n", cases
}
