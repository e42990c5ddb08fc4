/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/findings/describe_usage.h"

#include "common/assert.h"
#include "overlay/findings/describe_internal.h"
#include "overlay/findings/phrase.h"
#include "record/calls.h"
#include "report/escape.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct ork_usage_kind *kind_of(const struct ork_rank_usage *u)
{
    return ork_usage_kind(u->record.mode);
}

bool ork_rank_usage_counts(const struct ork_rank_usage *u)
{
    return !u->is_void && (kind_of(u)->severity != ORK_USAGE_IF_FAILED ||
                           u->end == ORK_USAGE_FAILED || u->end == ORK_USAGE_DIED);
}

static enum ork_status is_same_place(struct ork_call_sites *sites, const struct ork_rank_usage *a,
                                     uint32_t site_a, const struct ork_rank_usage *b,
                                     uint32_t site_b, bool *yes)
{
    uint32_t x = 0, y = 0;
    enum ork_status status = ork_call_sites_number(sites, a->rank, site_a, &x);

    if (status == ORK_OK)
        status = ork_call_sites_number(sites, b->rank, site_b, &y);
    *yes = status == ORK_OK && x == y;
    return status;
}

enum ork_status ork_rank_usage_is_alike(struct ork_call_sites *sites,
                                        const struct ork_rank_usage *a,
                                        const struct ork_rank_usage *b, bool *yes)
{
    const struct ork_record *x = &a->record;
    const struct ork_record *y = &b->record;

    *yes = false;
    if (x->mode != y->mode || x->call != y->call || x->tag != y->tag ||
        strcmp(a->argument, b->argument) != 0)
        return ORK_OK;
    enum ork_status status = is_same_place(sites, a, x->site, b, y->site, yes);
    if (status == ORK_OK && *yes)
        status = is_same_place(sites, a, x->arg2, b, y->arg2, yes);
    return status;
}

/* ---- the headline ---- */

struct group {
    const struct ork_rank_usage *const *usage;
    uint32_t n;
    const struct ork_u32s *ranks;
};

struct range {
    int64_t least, most;
};

static int64_t first_value(const struct ork_record *r)
{
    return (int64_t)r->extra;
}

static int64_t second_value(const struct ork_record *r)
{
    return (int64_t)((uint64_t)(uint32_t)r->tag2 << 32 | (uint32_t)r->peer2);
}

static struct range range_of(const struct group *g, int64_t (*value)(const struct ork_record *))
{
    struct range x = {INT64_MAX, INT64_MIN};

    for (uint32_t i = 0; i < g->n; i++) {
        int64_t v = value(&g->usage[i]->record);
        x.least = v < x.least ? v : x.least;
        x.most = v > x.most ? v : x.most;
    }
    return x;
}

/* Of the sums of the values of each rank. */
static struct range range_of_sums(const struct group *g)
{
    struct range x = {INT64_MAX, INT64_MIN};
    int64_t sum = 0;

    for (uint32_t i = 0; i < g->n; i++) {
        sum += first_value(&g->usage[i]->record);
        if (i + 1 < g->n && g->usage[i + 1]->rank == g->usage[i]->rank)
            continue;
        x.least = sum < x.least ? sum : x.least;
        x.most = sum > x.most ? sum : x.most;
        sum = 0;
    }
    return x;
}

/* "4", "4 to 7" */
static const char *range_words(struct ork_writing *w, struct range x)
{
    return x.least == x.most
               ? ork_writing_keep(w, ork_text("%" PRId64, x.least))
               : ork_say(w, SAYS_USAGE_RANGE, NUMBER('n', x.least), NUMBER('m', x.most));
}

static bool is_one(const struct group *g)
{
    struct range x = range_of_sums(g);

    return x.least == 1 && x.most == 1;
}

/* From the first value to the second one, if that is the same in all ranks. */
static const char *bytes_words(struct ork_writing *w, const struct group *g)
{
    struct range low = range_of(g, first_value), high = range_of(g, second_value);

    if (low.least != low.most || high.least != high.most)
        return ork_plain(SAYS_USAGE_SOME_BYTES);
    if (low.least == high.least)
        return ork_say(w, SAYS_BYTE, NUMBER('n', low.least));
    return ork_say(w, SAYS_USAGE_BYTES, NUMBER('n', low.least), NUMBER('m', high.least));
}

/* One placeholder of usage.def. */
static const char *part_words(struct ork_writing *w, const struct group *g, char part)
{
    const struct ork_rank_usage *u = g->usage[0];
    const struct ork_record *r = &u->record;

    switch (part) {
    case 'a':
        return u->argument;
    case 't':
        return u->text;
    case 'v':
        return range_words(w, range_of(g, first_value));
    case 'n':
        return range_words(w, range_of_sums(g));
    case 'w':
        return range_words(w, range_of(g, second_value));
    case 'x':
        return bytes_words(w, g);
    case 's':
        return is_one(g) ? "" : "s";
    case 'b':
        return is_one(g) ? "was" : "were";
    case 'c':
        return ork_call_in(w, u->rank, r->call, r->site);
    case 'p':
        return ork_place_in(w, u->rank, r->site);
    case 'o':
        return ork_call_in(w, u->rank, (unsigned)r->tag, r->arg2);
    default:
        return ork_writing_keep(w, ork_describe_ranks(g->ranks->item, g->ranks->count));
    }
}

/* ", 3 times", ", 1 to 5 times each", ", the first of 3 times", or nothing. */
static const char *times_words(struct ork_writing *w, const struct group *g)
{
    struct range t = {INT64_MAX, 0};
    bool varies = false;

    for (uint32_t i = 0; i < g->n; i++) {
        int64_t times = (int64_t)g->usage[i]->times;
        varies |= g->usage[i]->varies;
        t.least = times < t.least ? times : t.least;
        t.most = times > t.most ? times : t.most;
    }
    if (t.most <= 1)
        return "";
    return ork_say(w, SAYS_USAGE_TIMES, NUMBER('i', varies), COUNT('n', t.least),
                   NUMBER('x', t.most != t.least), COUNT('m', t.most), NUMBER('j', g->n > 1));
}

static const char *message_of(struct ork_writing *w, const struct group *g)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    if (out == NULL)
        return ork_writing_keep(w, NULL);
    for (const char *c = kind_of(g->usage[0])->headline; *c != '\0'; c++) {
        if (*c == '$')
            fputs(part_words(w, g, *++c), out);
        else
            fputc(*c, out);
    }
    fputs(times_words(w, g), out);
    if (fclose(out) == 0)
        return ork_writing_keep(w, text);
    free(text);
    return ork_writing_keep(w, NULL);
}

/* ---- what else is known ---- */

static uint32_t count_ends(const struct group *g, enum ork_usage_end end)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < g->n; i++)
        n += g->usage[i]->end == end;
    return n;
}

static enum ork_severity severity_of(const struct group *g)
{
    switch (kind_of(g->usage[0])->severity) {
    case ORK_USAGE_WARNING:
        return ORK_WARNING;
    case ORK_USAGE_NOTE:
        return ORK_NOTE;
    case ORK_USAGE_ERROR:
    case ORK_USAGE_IF_FAILED:
        break;
    }
    return count_ends(g, ORK_USAGE_FAILED) == g->n ? ORK_WARNING : ORK_ERROR;
}

/* "A count must not be negative (MPI-3.1 section 3.2.2)." */
static const char *rule_words(struct ork_writing *w, const struct ork_usage_kind *kind)
{
    size_t length = strlen(kind->rule);

    ORK_ASSERT(length > 0 && kind->rule[length - 1] == '.');
    return ork_say(w, SAYS_USAGE_RULE,
                   TEXT('w', ork_writing_keep(w, ork_text("%.*s", (int)(length - 1), kind->rule))),
                   TEXT('s', kind->section));
}

/* Is its text in the headline? */
static bool says_text(const struct ork_rank_usage *u)
{
    return strstr(kind_of(u)->headline, "$t") != NULL;
}

/* RATIONALE: a temporary copy may be where another one was, or where the program has put something
 * else meanwhile; so such findings are true, but of no array that the program names. */
static bool is_of_fortran_buffer(const struct ork_writing *w, const struct ork_rank_usage *u)
{
    const struct ork_record *r = &u->record;

    return kind_of(u)->is_of_buffer && (ork_call_sites_copies(w->sites, u->rank, r->site) ||
                                        ork_call_sites_copies(w->sites, u->rank, r->arg2));
}

static void add_details(struct ork_writing *w, const struct group *g, struct ork_finding *f)
{
    const struct ork_rank_usage *failed = NULL;

    if (g->usage[0]->text[0] != '\0' && !says_text(g->usage[0]))
        ork_writing_detail(w, f, ork_say(w, SAYS_SENTENCE, TEXT('w', g->usage[0]->text)));
    ork_writing_detail(w, f, rule_words(w, kind_of(g->usage[0])));
    if (is_of_fortran_buffer(w, g->usage[0]))
        ork_writing_detail(w, f, ork_plain(SAYS_USAGE_SECTION));
    for (uint32_t i = 0; i < g->n && failed == NULL; i++)
        failed = g->usage[i]->end == ORK_USAGE_FAILED ? g->usage[i] : NULL;
    if (failed != NULL)
        ork_writing_detail(w, f, ork_say(w, SAYS_USAGE_RETURNED, TEXT('e', failed->error)));
}

/* An access of the program itself is no call, and another function of it none of MPI. */
static const char *name_of(struct ork_writing *w, const struct ork_rank_usage *u)
{
    const struct ork_record *record = &u->record;
    bool is_load =
        record->mode == ORK_USAGE_LOAD_WHILE_WRITTEN || record->mode == ORK_USAGE_LOAD_WHILE_GOT;

    if (record->call != ORK_CALL_NONE)
        return ork_call_name(record->call);
    if (u->argument[0] != '\0')
        return ork_writing_keep(w, ork_text("%s", u->argument));
    return ork_plain(is_load ? SAYS_ACCESS_LOAD : SAYS_ACCESS_STORE);
}

enum ork_status ork_describe_usage(struct ork_call_sites *sites,
                                   const struct ork_rank_usage *const *usage, uint32_t n,
                                   struct ork_finding *finding)
{
    struct group g = {.usage = usage, .n = n};
    struct ork_writing w = {.sites = sites};
    struct ork_finding f = ork_writing_begin(&w, kind_of(usage[0])->id, severity_of(&g), n);

    for (uint32_t i = 0; i < n && w.status == ORK_OK; i++) {
        const struct ork_record *r = &usage[i]->record;
        if (i == 0 || usage[i]->rank != usage[i - 1]->rank)
            ork_writing_row(&w, &f, usage[i]->rank, name_of(&w, usage[i]), r->site);
    }
    g.ranks = &f.ranks;
    ork_writing_headline(&w, &f, message_of(&w, &g));
    add_details(&w, &g, &f);
    return ork_writing_end(&w, &f, finding);
}
