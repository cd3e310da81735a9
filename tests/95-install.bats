#!/usr/bin/env bats
# Goal: what is installed works without the checkout, wherever it is put, and can be taken away again.

load helper

@test "the installed copy runs a search from another directory with the checkout gone" {
	mkdir checkout elsewhere
	(cd "$top" && cp -R Makefile tools include pipeline man examples "$T/checkout")
	cp -R "$top/build" checkout
	make -s -C checkout install DESTDIR="$T/stage" PREFIX="/usr/my \$prefix" >/dev/null
	mv stage/usr/my* "$T/moved prefix"
	cp checkout/examples/capacity_search.yaml .
	rm -rf checkout
	cd elsewhere
	PATH=/usr/bin:/bin "$T/moved prefix/bin/capacity-search" --config-path ../capacity_search.yaml --max-iterations 3 >table 2>messages
	grep -q "hybrid_fixed_short.*simulated" table
	PATH=/usr/bin:/bin make -C capacity_search_output
	[ -f "$T/moved prefix/share/man/man1/cs-trial.1" ]
}

@test "uninstall leaves nothing" {
	make -s -C "$top" install DESTDIR="$T/stage" PREFIX=/usr
	[ -x stage/usr/bin/cs-sla ]
	make -s -C "$top" uninstall DESTDIR="$T/stage" PREFIX=/usr
	same "files left" "$(find stage -type f -o -type l)" ""
	[ ! -e stage/usr/share/capacity-search ]
}
