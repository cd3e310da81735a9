# One trial: its directory is the target, jobs/NAME_KEY/runs/RATE, and cs-trial decides whether there
# is anything to do. Read by the make that runs several trials of a job at once, and by search.mk, for
# "make jobs/x/runs/4".
#
#   KEEP_FAILED   not empty: trials in which too many requests failed are final
#   TRIAL_FLAGS   more options for cs-trial, set by job.sh
#   TRIAL_ROUND   set by job.sh when it names several trials: the file that gets the results' names. The first
#                 trial is needed; the others are extra: they wait for no lock, and do not start any more
#                 when it has ended

MAKEFLAGS += -rR --no-print-directory

CS := .capacity-search
BIN := $(CS)/../../bin

TRIALS := $(foreach goal,$(MAKECMDGOALS),$(if $(filter %/runs/,$(dir $(goal:/=))),$(goal)))

IS_EXTRA = $(and $(TRIAL_ROUND),$(filter-out $(firstword $(TRIALS)),$@))
IF_WANTED = grep -qxF $(firstword $(TRIALS))/trial_result.json $(TRIAL_ROUND) || exec

# Under make -n and -q nothing is to be launched: cs-trial itself says here what it would do.
IS_RUN = $(if $(findstring n,$(firstword -$(MAKEFLAGS)))$(findstring q,$(firstword -$(MAKEFLAGS))),,yes)
TRIAL_COMMAND = $(if $(IS_RUN),$(LAUNCHER)) $(BIN)/cs-trial $(if $(KEEP_FAILED),--keep-failed)

# The + lets cs-trial give its job slot back while it waits for a lock. Under -n it runs nothing.
$(TRIALS): FORCE
	+@$(if $(IS_EXTRA),$(IF_WANTED)) $(TRIAL_COMMAND) $(TRIAL_FLAGS) $(if $(IS_EXTRA),--no-wait) --job $(patsubst %/runs/,%,$(dir $(@:/=))) --qps $(notdir $(@:/=))

FORCE:
.PHONY: FORCE
