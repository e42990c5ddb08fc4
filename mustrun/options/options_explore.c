/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/options/setting.h"
#include "mustrun/options/units.h"

#include "common/assert.h"

#include <inttypes.h>
#include <string.h>

/* "7" or "1-7" at *text, which then points behind it. */
static bool read_range(const char **text, uint64_t max, uint64_t *first, uint64_t *last)
{
    size_t length = strspn(*text, "0123456789");

    if (!ork_number_read(*text, length, max, first))
        return false;
    *text += length;
    *last = *first;
    if (**text != '-')
        return true;
    length = strspn(++*text, "0123456789");
    if (!ork_number_read(*text, length, max, last))
        return false;
    *text += length;
    return *last >= *first;
}

bool ork_symmetric_read(const char *text, uint32_t ranks, bool *symmetric)
{
    uint64_t first, last;

    for (;;) {
        if (ranks == 0 || !read_range(&text, ranks - 1, &first, &last))
            return false;
        for (uint64_t r = first; symmetric != NULL && r <= last; r++)
            symmetric[r] = true;
        if (*text == '\0')
            return true;
        if (*text++ != ',')
            return false;
    }
}

static enum ork_status parse_seed(const struct setting *setting, struct ork_explore_options *out)
{
    if (!ork_number_read(setting->value, strlen(setting->value), UINT64_MAX, &out->seed))
        return ork_setting_refuse(setting->error,
                                  "%s: \"%.100s\" is not a number from 0 to %" PRIu64,
                                  setting->origin, setting->value, UINT64_MAX);
    out->samples = true;
    return ORK_OK;
}

static enum ork_status parse_symmetric(const struct setting *setting, char out[ORK_SYMMETRIC_MAX])
{
    if (!ork_symmetric_read(setting->value, ORK_ORDER_RANKS, NULL))
        return ork_setting_refuse(setting->error, "%s: \"%.100s\" is no list of ranks like 1-7,9",
                                  setting->origin, setting->value);
    if (snprintf(out, ORK_SYMMETRIC_MAX, "%s", setting->value) >= ORK_SYMMETRIC_MAX)
        return ork_setting_refuse(setting->error, "%s: the value has more than %d characters",
                                  setting->origin, ORK_SYMMETRIC_MAX - 1);
    return ORK_OK;
}

enum ork_status ork_setting_explore(const struct setting *setting, struct ork_explore_options *out)
{
    enum { MANY = 1000000000 };

    switch ((unsigned)setting->id) {
    case ORK_OPTION_EXPLORE:
        return ork_setting_flag(setting, &out->is_on);
    case ORK_OPTION_EXPLORE_RUNS:
        return ork_setting_unsigned(setting, 0, MANY, &out->runs);
    case ORK_OPTION_EXPLORE_TIME:
        return ork_setting_seconds(setting, 1e9, &out->seconds);
    case ORK_OPTION_EXPLORE_MIXING:
        return ork_setting_unsigned(setting, 0, MANY, &out->mixing);
    case ORK_OPTION_EXPLORE_LOOP:
        return ork_setting_unsigned(setting, 0, MANY, &out->loop);
    case ORK_OPTION_EXPLORE_QUOTA:
        return ork_setting_unsigned(setting, 0, MANY, &out->quota);
    case ORK_OPTION_EXPLORE_SAMPLE:
        return parse_seed(setting, out);
    case ORK_OPTION_EXPLORE_SYMMETRIC:
        return parse_symmetric(setting, out->symmetric);
    case ORK_OPTION_EXPLORE_JOBS:
        return ork_setting_unsigned(setting, 1, 1024, &out->jobs);
    case ORK_OPTION_EXPLORE_RESUME:
        return ork_setting_flag(setting, &out->resumes);
    case ORK_OPTION_EXPLORE_REPLACE:
        return ork_setting_flag(setting, &out->replaces);
    case ORK_OPTION_IGNORE_OUTPUT:
        return ork_setting_text(setting, &out->ignore);
    case ORK_OPTION_COMPARE:
        return ork_setting_text(setting, &out->compare);
    default:
        ORK_ASSERT(false); /* an option that nobody reads */
        return ORK_INVALID;
    }
}

/* An option that an exploration sets itself; NULL: none was given. */
static const char *excluded(const struct ork_options *options)
{
    return options->repeat > 0       ? "repeat"
           : options->replay != NULL ? "replay"
           : options->record != NULL ? "record"
           : options->trace != NULL  ? "trace"
           : options->timestamps     ? "timestamps"
           : options->deterministic  ? "deterministic"
           : options->noise.is_on    ? "noise"
           : options->nodl           ? "nodl"
           : options->races          ? "races"
                                     : NULL;
}

enum ork_status ork_setting_check_explore(const struct ork_options *options, char *error)
{
    const struct ork_explore_options *e = &options->explore;
    const char *other = excluded(options);

    if (!e->is_on)
        return ORK_OK;
    if (e->resumes && e->replaces)
        return ork_setting_refuse(
            error, "--must:explore-resume and --must:explore-replace exclude each other");
    if (other != NULL)
        return ork_setting_refuse(error, "--must:explore and --must:%s exclude each other", other);
    if (e->jobs > 1 && e->compare != NULL)
        return ork_setting_refuse(error, "--must:compare needs --must:explore-jobs 1: runs at the "
                                         "same time would write the same file");
    return ORK_OK;
}
