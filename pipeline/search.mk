# The rules of a capacity search. The Makefile that cs-expand writes sets JOBS, the directories below
# jobs/ in the config's order, and includes this file; the current directory is the output directory.
#
#   make                       search every job; -j N runs jobs side by side
#   make jobs/x_KEY/runs/4     that trial, unless it is complete
#   make next                  print what each job would try next
#   make KEEP_FAILED=1         take trials in which too many requests failed as final
#   make -j 8 SPECULATE=4      up to 4 trials of a job at once, on job slots that are free
#
# Files decide by their mtimes what is to be done. A job's summary rests on job.json, on sla.json and,
# as trials.mk in the job's directory lists them, on the benchmark_results.json of its trials; their
# empty recipes keep make from looking for rules and let a missing one bring the job back. Summaries
# and results carry the time of the newest file they rest on, so the clock may go anywhere.

.DEFAULT_GOAL := all
include .capacity-search/trial.mk
export LAUNCHER KEEP_FAILED

ifneq (,$(findstring t,$(firstword -$(MAKEFLAGS))))
$(error make -t would call trials done that never ran)
endif

SUMMARIES := $(JOBS:%=jobs/%/job_summary.json)
RESULTS := capacity_search_results.json capacity_search_results.csv

# A job that was searched has new results whatever the times say: with a clock that jumps its summary can be older
# than the results that do not have it yet. The last command keeps make from saying that there is nothing to be done;
# for make -q it would be something.
all: $(RESULTS)
ifeq (,$(findstring q,$(firstword -$(MAKEFLAGS))))
	@$(if $(SEARCHED),$(BIN)/cs-report results .)
	@:
endif

$(RESULTS) &: $(SUMMARIES)
	@$(BIN)/cs-report results .$(eval SEARCHED :=)

# The loop of one job, which runs under -n too and then says what it would try, and ends where this make is killed. The
# first one is told of a job whose trials hold no lock.
$(SUMMARIES): jobs/%/job_summary.json: jobs/%/job.json sla.json
	+@setpriv --pdeathsig TERM $(CS)/job.sh jobs/$* $(MAKE) $(if $(SEARCHED),,$(UNLOCKED))$(eval SEARCHED := yes)

ifneq (,$(filter next,$(MAKECMDGOALS)))
next: $(JOBS:%=next/%)
$(JOBS:%=next/%): next/%: FORCE
	@$(CS)/next.sh jobs/$*
endif

-include $(JOBS:%=jobs/%/trials.mk)

.PRECIOUS: $(SUMMARIES) $(RESULTS)
.PHONY: all next
