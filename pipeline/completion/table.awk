# What a program's --help says, as the table that its completion is made from: stdin to stdout, lines of
#
#   option <TAB> --long <TAB> -s <TAB> kind <TAB> value <TAB> again <TAB> text      a field without a value is "-"
#   word <TAB> the word <TAB> text                                                  one the first operand can be
#   operand <TAB> word <TAB> kind <TAB> value                                       the operands after it, "-": always
#
# A kind says what a value is: none (no value), file, directory, job, harness, command, value (anything), or the
# words that it can be, with "|" between them. "again" is yes for what can be given more than once.
#
# The help text is: lines "usage: PROGRAM ...", or their continuation without "usage:"; options as "  -s, --long VALUE  text",
# VALUE in capitals unless it is the words themselves; words as "  word  text"; and more options, all with values,
# in lists with commas between them.

BEGIN { OFS = "\t" }

function kind(name, value) {
	if (value == "")
		return "none"
	if (name == "--harness")
		return "harness"
	if (value ~ /^(FILE|PATH)/ || name ~ /-file$/)
		return "file"
	if (value ~ /^JOB_DIR/)
		return "job"
	if (value ~ /DIR$/)
		return "directory"
	if (value == "COMMAND")
		return "command"
	return value ~ /^[a-z0-9][^A-Z]*$/ ? value : "value"
}

function field(text) {
	return text == "" ? "-" : text
}

# What a usage line leaves when its options are taken away: "WORDS OPERAND..."
function read_usage(line,    n, part, words, i) {
	while (match(line, /\[--[a-z-]+ [^]]*\]\.\.\.|--[a-z-]+ \047[^\047]*\047 \.\.\./)) {
		split(substr(line, RSTART + (substr(line, RSTART, 1) == "[")), part, " ")
		again[part[1]] = "yes"
		line = substr(line, 1, RSTART - 1) substr(line, RSTART + RLENGTH)
	}
	gsub(/\[(--[^]]*|OPTION[^]]*)\](\.\.\.)?|\([^)]*\)|--[a-z-]+ ('[^']*'|[A-Z_]+)( \.\.\.)?/, "", line)
	gsub(/[][.]|-- /, " ", line)
	n = split(line, part, " ")
	if (n == 0)
		return
	if (part[1] ~ /^[a-z]/)
		for (i = split(part[1], words, "|"); i > 0; i--)
			print "operand", words[i], kind("", part[2]), field(part[2])
	else if (part[1] == "FORMAT")
		print "operand", "-", kind("", part[2]), field(part[2])
	else
		print "operand", "-", kind("", part[1]), part[1]
}

tolower($1) == "usage:" { program = $2 }
tolower($1) == "usage:" || (program != "" && $1 == program && /^ /) {
	line = $0
	sub(/^ *([Uu]sage: *)?[^ ]+ */, "", line)
	read_usage(line)
	next
}

/^ +(-[A-Za-z], )?--[a-z]/ {
	text = $0
	sub(/^ +/, "", text)
	short = ""
	if (text ~ /^-[A-Za-z],/) {
		short = substr(text, 1, 2)
		text = substr(text, 5)
	}
	spec = text
	sub(/  .*/, "", spec)
	if (index(text, "  ") == 0 || !sub(/^.*[^ ]  +/, "", text))
		text = ""
	long = value = spec
	sub(/ .*/, "", long)
	if (!sub(/^[^ ]+ /, "", value))
		value = ""
	gsub(/'/, "", value)
	if (text ~ /may be given/)
		again[long] = "yes"
	print "option", long, field(short), kind(long, value), field(value), field(again[long]), field(text)
	next
}

/^  [a-z][a-z0-9-]*  +[^ ]/ {
	word = $1
	text = $0
	sub(/^ +[^ ]+ +/, "", text)
	print "word", word, text
	next
}

/(^|: )--[a-z-]+, --/ {
	line = $0
	while (match(line, /--[a-z-]+/)) {
		long = substr(line, RSTART, RLENGTH)
		line = substr(line, RSTART + RLENGTH)
		print "option", long, "-", kind(long, "VALUE"), "VALUE", "-", "-"
	}
}
