/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/exitcode.h"
#include "common/log.h"
#include "mustview/output.h"
#include "mustview/stamps.h"
#include "mustview/stamps_words.h"
#include "report/escape.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

enum { TEXT_MAX = 200 };

/* ---- the events that the user names ---- */

static bool read_number(const char **at, uint64_t *out)
{
    char *end;

    errno = 0;
    *out = strtoull(*at, &end, 10);
    bool is_good = errno == 0 && end != *at && **at >= '0' && **at <= '9';
    *at = end;
    return is_good;
}

/* RANK:EVENT */
static bool find_event(const struct ork_stamps *s, const char *name, const char *word,
                       struct ork_stamps_event *out)
{
    uint64_t rank, number;
    const char *at = word;

    if (!read_number(&at, &rank) || *at++ != ':' || !read_number(&at, &number) || *at != '\0') {
        ork_error("%s is no event: an event is named RANK:NUMBER (--timestamps shows all of %s)",
                  word, name);
        return false;
    }
    if (rank >= ork_stamps_ranks(s)) {
        ork_error("there is no event %s in %s: it has the ranks 0 to %" PRIu32, word, name,
                  ork_stamps_ranks(s) - 1);
        return false;
    }
    uint64_t count = ork_stamps_count(s, (uint32_t)rank);
    if (number == 0 || number > count) {
        ork_error("there is no event %s in %s: rank %" PRIu64 " has %" PRIu64, word, name, rank,
                  count);
        return false;
    }
    *out = ork_stamps_get(s, (uint32_t)rank, number);
    return true;
}

/* ---- the answer ---- */

struct answer {
    const struct ork_stamps *stamps;
    const struct ork_stamps_event *first, *second; /* NULL: nothing orders them */
    bool only_at_origin;
};

static bool are_ordered(struct answer *a, const struct ork_stamps_event *first,
                        const struct ork_stamps_event *second, bool at_origin)
{
    if (!ork_stamps_is_before(a->stamps, first, second, at_origin))
        return false;
    a->first = first;
    a->second = second;
    a->only_at_origin = at_origin;
    return true;
}

static void put_name(const struct ork_stamps_event *e, FILE *out)
{
    fprintf(out, "event %" PRIu64 " of rank %" PRIu32, e->number, e->rank);
}

static void put_headline(const struct answer *a, const struct ork_stamps_event *x,
                         const struct ork_stamps_event *y, FILE *out)
{
    if (a->first == NULL) {
        fputs("nothing orders ", out);
        put_name(x, out);
        fputs(" and ", out);
        put_name(y, out);
        fputc('\n', out);
        return;
    }
    put_name(a->first, out);
    fputs(a->only_at_origin ? " is complete only at its origin before " : " is complete before ",
          out);
    put_name(a->second, out);
    fputs(" begins\n", out);
}

/* RATIONALE: what the file does not show may order them. */
static void put_doubt(const struct answer *a, FILE *out)
{
    const char *lost = ork_stamps_why_lost(a->stamps);

    if (lost == NULL || (a->first != NULL && !a->only_at_origin))
        return;
    fputs("this is not certain, because the order is not known to the end of the run: ", out);
    ork_escape_text(out, lost, TEXT_MAX);
    fputc('\n', out);
}

/* What this event of a path does for the one before it. */
static const char *link_of(const struct ork_stamps_step *step, uint32_t i)
{
    if (i == 1 && step[0].event.access == ORK_STAMPS_BY_CALL && step[0].why == ORK_STAMPS_SAME_RANK)
        return ", completes it";
    if (i == 1 && step[0].event.is_private && step[1].event.access != ORK_STAMPS_BY_PROGRAM &&
        step[0].event.end <= step[1].event.own && step[0].why == ORK_STAMPS_SAME_RANK)
        return ", publishes it";
    return i > 0 && step[i - 1].why == ORK_STAMPS_TOLD ? ", learns of it" : "";
}

static bool put_path(const struct answer *a, FILE *out)
{
    struct ork_stamps_step *step;
    uint32_t count;

    if (!ork_stamps_path(a->stamps, a->first, a->second, a->only_at_origin, &step, &count))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        fputs("  ", out);
        ork_stamps_put_event(&step[i].event, out);
        fprintf(out, "%s\n", link_of(step, i));
    }
    free(step);
    return true;
}

static int put_answer(const struct ork_view_options *options, const struct answer *a,
                      const struct ork_stamps_event event[2])
{
    FILE *out;
    int code = ork_view_open(options, &out);

    if (code != 0)
        return code;
    put_headline(a, &event[0], &event[1], out);
    bool is_whole = true;
    if (a->first != NULL)
        is_whole = put_path(a, out);
    for (unsigned i = 0; i < 2 && a->first == NULL; i++) {
        fputs("  ", out);
        ork_stamps_put_event(&event[i], out);
        fputc('\n', out);
    }
    put_doubt(a, out);
    if (!is_whole)
        ork_error("%s: it does not show how the events are ordered", options->input[2]);
    code = ork_view_close(options, out, is_whole);
    return code == 0 && !is_whole ? ORK_EXIT_USAGE : code;
}

static int answer(const struct ork_view_options *options, const struct ork_stamps *stamps, bool *is)
{
    const char *name = options->input[2];
    struct ork_stamps_event event[2];
    struct answer a = {.stamps = stamps};

    if (!find_event(stamps, name, options->input[0], &event[0]) ||
        !find_event(stamps, name, options->input[1], &event[1]))
        return ORK_EXIT_USAGE;
    *is = are_ordered(&a, &event[0], &event[1], false) ||
          are_ordered(&a, &event[1], &event[0], false);
    if (!*is && !are_ordered(&a, &event[0], &event[1], true))
        are_ordered(&a, &event[1], &event[0], true);
    return put_answer(options, &a, event);
}

int ork_view_ordered(const struct ork_view_options *options, bool *is)
{
    struct ork_stamps *stamps;
    int code = ork_view_load_stamps(options->input[2], &stamps);

    if (code != 0)
        return code;
    code = answer(options, stamps, is);
    ork_stamps_destroy(stamps);
    return code;
}
