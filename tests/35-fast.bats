#!/usr/bin/env bats
# Goal: the fast ways to read a trial's files give, to the last bit and to the letter of a message, what the CSV parser, strtod and
# sorting give, on random files with a fixed seed; and files too large to keep are judged right where a look at them misleads.

load helper

# Compiles tests/fast.c with the nouns that it needs.
compile() {
	(cd "$top" && "${CC:-cc}" -std=c11 -D_GNU_SOURCE -O2 -ffp-contract=off -Iinclude -o "$T/fast" tests/fast.c \
	    tools/lib/{batch,cell,columns,decimal,error,heading,labels,levels,lines,memory,number,parser,plain,quantile,random,reader,sieve,timeline}.c -lcsv -lm)
}

# Fails unless the program, run with the arguments, finds no difference.
no_difference() {
	run ./fast "$@"
	same "$* ($output)" "$status" 0
}

@test "numbers read fast are those of strtod: 17 digits, exponents, subnormal ones, middles between two doubles" {
	compile
	no_difference numbers 1000000
}

@test "rows read without the parser are those read by it: quotes, CRLF, blanks, wrong rows, messages" {
	compile
	no_difference files 1000 random.csv
}

@test "a quantile of values most of which were only counted is the one of all, with ties, trends and infinities" {
	compile
	no_difference quantiles 2000
}

@test "queue depths by sums for each depth are those of the rows added up one by one" {
	compile
	no_difference timelines 2000 random.csv
}

# 20 MB in request_metrics.csv: the rows of 64 bytes have the value of the awk expression $1, of i, the row from 0, and
# place, how many bytes the row is behind one of the 1,024 places that are looked at.
large_file() {
	awk 'BEGIN {
		printf "%-51s,delay,error\n", "id"
		for (i = 0; i < 320001; i++) {
			place = (i + 1) * 64 % int(320002 * 64 / 1024)
			printf "%054d,%07d,\n", i, '"$1"'
		}
	}' >request_metrics.csv
}

@test "a large file is judged by few of its values, in any order" {
	large_file 'i * 7919 % 320001'
	run cs-sla --rule 'delay@q0.5<=160000' --rule 'delay@q0.99<=1' --rule 'delay@q1<=1' --rule 'delay@q0<=1' .
	same "shuffled" "$(jq -c '.metric_values | map(floor)' <<<"$output")" "[160000,316800,320000,0]"
	large_file 'i'
	run cs-sla --rule 'delay@q0.5<=160000' --rule 'delay@q0.99<=1' .
	same "ascending" "$(jq -c '.metric_values | map(floor)' <<<"$output")" "[160000,316800]"
}

@test "a large file that is something else where it was looked at is read once more" {
	large_file 'place < 5000 ? 0 : i'
	awk -F , 'NR > 1 { print $2 + 0 }' request_metrics.csv | sort -n >sorted
	run cs-sla --rule 'delay@q0.5<=1' --rule 'delay@q0.25<=1' --rule 'delay@q0.75<=1' .
	same "values" "$(jq -c '.metric_values | map(floor)' <<<"$output")" \
	    "[$(sed -n '160001p;80001p;240001p' sorted | sort -n | awk '{ v[NR] = $1 } END { print v[2] "," v[1] "," v[3] }')]"
	same "looked at" "$(sed -n 80001p sorted)" 0
}

@test "a timeline whose sums are as close as they can be is not decided by their order, from a pipe neither" {
	awk 'BEGIN { print "worker_id,duration_s,queue_depth_waiting"; for (i = 0; i < 1000; i++) print "w,0.1," i % 10 }' >timeline
	awk -F , 'NR > 1 { print $3 }' timeline | sort -n | awk '
	    { depth[NR] = $1; sum[NR] = sum[NR - 1] + 0.1 }
	    END { for (i = 1; sum[i] < 0.5 * sum[NR]; i++); print depth[i] }' >expected
	mkfifo worker_timeline.csv
	cat timeline >worker_timeline.csv &
	run timeout 20 cs-sla --rule 'queue_depth_waiting@q0.5<=4' .
	same "pipe" "$(jq -c '.metric_values[] | floor' <<<"$output")" "$(cat expected)"
	mv timeline worker_timeline.csv
	run cs-sla --rule 'queue_depth_waiting@q0.5<=4' .
	same "file" "$(jq -c '.metric_values[] | floor' <<<"$output")" "$(cat expected)"
}
