/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/explore/words.h"

#include "common/text.h"
#include "record/atomic_calls.h"
#include "record/record.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void put_indices(const struct ork_choice *c, FILE *out)
{
    fputs(c->count == 1 ? "completed request" : "completed requests", out);
    for (uint32_t i = 0; i < c->count; i++)
        fprintf(out, "%s %" PRIu32, i > 0 ? "," : "", c->index[i]);
    fputs(" of the array", out);
}

static void put_message(const struct ork_choice *c, FILE *out)
{
    const char *verb = c->kind == ORK_CHOICE_PROBE ? "found" : "took";

    if (c->source == ORK_CANCELLED)
        fputs("was cancelled", out);
    else
        fprintf(out, "%s the message of rank %" PRId32 ", tag %" PRId32, verb, c->source, c->tag);
}

/* "locked before all others", "locked after 2 locks of rank 0 and 1 lock of rank 3". RATIONALE:
 * others are those of the rank itself, or it is not known whose they were. */
static void put_lock(const struct ork_choice *c, FILE *out)
{
    const bool is_atomic = ork_call_is_atomic(c->call);
    const char *verb = is_atomic ? "made" : "locked", *what = is_atomic ? "atomic" : "lock";

    if (c->tag == ORK_CHOICE_FAILED) {
        fputs("failed", out);
        return;
    }
    if (c->count == 0 && c->tag != 0) {
        fprintf(out, "%s after %" PRId32 " %s%s, none known to be of another rank", verb, c->tag,
                what, c->tag == 1 ? "" : "s");
        return;
    }
    fprintf(out, c->count == 0 ? "%s before all others" : "%s after", verb);
    for (uint32_t i = 0; i + 1 < c->count; i += 2) {
        const char *gap = i + 2 < c->count ? "," : " and";
        fprintf(out, "%s %" PRIu32 " %s%s of rank %" PRIu32, i == 0 ? "" : gap, c->index[i + 1],
                what, c->index[i + 1] == 1 ? "" : "s", c->index[i]);
    }
}

static void put_polls(uint64_t polls, FILE *out)
{
    if (polls > 0)
        fprintf(out, " after %" PRIu64 " unsuccessful poll%s", polls, polls == 1 ? "" : "s");
}

/* A poll. */
static void put_failure(const struct ork_choice *c, FILE *out)
{
    fputs("was unsuccessful", out);
    if (c->polls >= ORK_CHOICE_POLLS_EQUAL)
        fputs(" until the rank gave up", out);
    else if (c->polls > 1)
        fprintf(out, ", as %s %" PRIu64 " poll%s before it", c->polls == 2 ? "was" : "were",
                c->polls - 1, c->polls == 2 ? "" : "s");
}

static void put_choice(const struct ork_choice *c, FILE *out)
{
    switch ((enum ork_choice_kind)c->kind) {
    case ORK_CHOICE_RECEIVE:
    case ORK_CHOICE_PROBE:
    case ORK_CHOICE_AHEAD:
        put_message(c, out);
        break;
    case ORK_CHOICE_TEST:
    case ORK_CHOICE_WAIT:
        if (c->count > 0)
            put_indices(c, out);
        else
            fputs("was successful", out);
        break;
    case ORK_CHOICE_CANCEL:
        fputs(c->source != 0 ? "was cancelled" : "was not cancelled", out);
        break;
    case ORK_CHOICE_LOCK:
    case ORK_CHOICE_LATE_LOCK:
        put_lock(c, out);
        break;
    case ORK_CHOICE_FREE:
        put_failure(c, out);
        return;
    case ORK_CHOICE_END:
    case ORK_CHOICE_OPEN:
    case ORK_CHOICE_MAX:
        break;
    }
    put_polls(c->kind != ORK_CHOICE_AHEAD ? c->polls : 0, out);
}

char *ork_choice_words(const struct ork_choice *c)
{
    struct ork_text_stream stream;
    FILE *out = ork_text_open(&stream);

    if (out == NULL)
        return NULL;
    put_choice(c, out);
    return ork_text_close(&stream);
}
