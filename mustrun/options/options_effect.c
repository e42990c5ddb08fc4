/* SPDX-License-Identifier: BSD-3-Clause */
/* Options that the user has typed, but that others make idle. RATIONALE: a user who types an option
 * expects something of it. What the environment sets is meant for all runs, also for those in which
 * it has no effect. */
#include "mustrun/options/setting.h"
#include "record/usage.h"

#include <string.h>

typedef bool is_idle(const struct ork_options *options);

static bool explores(const struct ork_options *options)
{
    return options->explore.is_on;
}

static bool does_not_explore(const struct ork_options *options)
{
    return !options->explore.is_on;
}

static bool is_no_replay(const struct ork_options *options)
{
    return options->replay == NULL;
}

/* RATIONALE: the runs of an exploration follow plans. */
static bool follows_no_order(const struct ork_options *options)
{
    return options->replay == NULL && !options->explore.is_on;
}

/* RATIONALE: after --must:on deadlock=continue, it also ends a job that hangs because of an error.
 */
static bool watches_for_no_hang(const struct ork_options *options)
{
    return options->hang_after == 0 && !options->go_on;
}

static bool searches_for_no_deadlock(const struct ork_options *options)
{
    return options->nodl;
}

static bool compares_no_accesses(const struct ork_options *options)
{
    return strcmp(options->rma, "off") == 0;
}

static bool has_no_check_of_buffers(const struct ork_options *options)
{
    bool is_on[ORK_USAGE_MAX];
    const char *unknown;
    size_t length;

    return ork_usage_choose(options->checks, is_on, &unknown, &length) &&
           !is_on[ORK_USAGE_BUFFER_MODIFIED];
}

#define WITHOUT_EXPLORE "without --must:explore"

/* `when`: the end of the sentence "... has no effect". */
static const struct {
    enum ork_option id;
    is_idle *is_idle;
    const char *when;
} rule[] = {
    {ORK_OPTION_EXPLORE_BOUNDS, does_not_explore, WITHOUT_EXPLORE},
    {ORK_OPTION_EXPLORE_JOBS, does_not_explore, WITHOUT_EXPLORE},
    {ORK_OPTION_EXPLORE_RESUME, does_not_explore, WITHOUT_EXPLORE},
    {ORK_OPTION_EXPLORE_REPLACE, does_not_explore, WITHOUT_EXPLORE},
    {ORK_OPTION_IGNORE_OUTPUT, does_not_explore, WITHOUT_EXPLORE},
    {ORK_OPTION_COMPARE, does_not_explore, WITHOUT_EXPLORE},
    {ORK_OPTION_PROBE, explores, "with --must:explore, which runs the other matches"},
    {ORK_OPTION_POLL, explores, "with --must:explore, whose runs poll in any case"},
    {ORK_OPTION_ANNOTATIONS, explores, "with --must:explore"},
    {ORK_OPTION_ERRORS, explores, "with --must:explore, which compares outcomes"},
    {ORK_OPTION_BASELINE, explores, "with --must:explore, which compares outcomes"},
    {ORK_OPTION_ON_FINDING, explores, "with --must:explore, which compares outcomes"},
    {ORK_OPTION_STATUS, explores, "with --must:explore, which shows its progress in any case"},
    {ORK_OPTION_ON_DEADLOCK, explores, "with --must:explore, which ends each deadlocked run"},
    {ORK_OPTION_ON_HANG, explores, "with --must:explore, which ends each run that hangs"},
    {ORK_OPTION_ON_HANG, watches_for_no_hang, "without --must:hang-after TIME"},
    {ORK_OPTION_STOP_AT, is_no_replay, "without --must:replay FILE"},
    {ORK_OPTION_ON_DIVERGENCE, follows_no_order, "without --must:replay FILE"},
    {ORK_OPTION_PROBE, searches_for_no_deadlock, "with --must:nodl"},
    {ORK_OPTION_MEMORY_MODEL, compares_no_accesses, "with --must:rma off"},
    {ORK_OPTION_CHECK_BUFFERS, has_no_check_of_buffers,
     "with these --must:checks, which do not contain buffer-modified"},
};

const char *ork_setting_is_idle(const struct ork_options *options, const bool *typed,
                                enum ork_option *id)
{
    for (size_t i = 0; i < sizeof(rule) / sizeof(rule[0]); i++) {
        *id = rule[i].id;
        if (typed[*id] && rule[i].is_idle(options))
            return rule[i].when;
    }
    return NULL;
}
