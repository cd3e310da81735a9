# Builds into build/, laid out as it is installed: bin, share/capacity-search, share/man.
# all, example, check, bench, deps, install, uninstall, clean; PREFIX, DESTDIR, CC, CFLAGS.

MAKEFLAGS += -rR
.DELETE_ON_ERROR:

PREFIX = /usr/local
DESTDIR =
CC = cc
CFLAGS = -O2 -g
WARNINGS = -Wall -Wextra -Wpedantic -Wshadow -Wmissing-prototypes -Wconversion
LDLIBS = -lyaml -ljson-c -lcsv -lmd -lm

PROGRAMS := $(basename $(notdir $(wildcard tools/*.c)))
NOUNS := $(basename $(notdir $(wildcard tools/lib/*.c)))
SHARED := $(patsubst pipeline/%,%,$(wildcard pipeline/*.mk pipeline/*.sh pipeline/*.tsv pipeline/harness/*))
PAGES := $(notdir $(wildcard man/*.[0-9]))

BUILT := $(PROGRAMS:%=build/bin/%) $(SHARED:%=build/share/capacity-search/%)
BUILT += $(foreach page,$(PAGES),build/share/man/man$(subst .,,$(suffix $(page)))/$(page))

all: $(BUILT)

COMPILE = $(CC) -std=c11 -D_GNU_SOURCE $(WARNINGS) $(CFLAGS) -Iinclude -MMD -MP

build/obj/%.o: tools/%.c Makefile
	@mkdir -p $(@D)
	$(COMPILE) -c -o $@ $<

build/obj/libcs.a: $(NOUNS:%=build/obj/lib/%.o)
	@rm -f $@
	$(AR) rcs $@ $^

AR = ar

$(PROGRAMS:%=build/bin/%): build/bin/%: build/obj/%.o build/obj/libcs.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

build/share/capacity-search/%: pipeline/%
	@mkdir -p $(@D)
	cp -p $< $@

define man_section
build/share/man/man$(1)/%: man/%
	@mkdir -p $$(@D)
	cp -p $$< $$@
endef
$(foreach section,1 5 7,$(eval $(call man_section,$(section))))

clean:
	rm -rf build

.PHONY: all clean
.SECONDARY:
-include $(wildcard build/obj/*.d build/obj/lib/*.d)
