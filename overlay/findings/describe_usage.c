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
    return kind_of(u)->severity != ORK_USAGE_IF_FAILED || u->end == ORK_USAGE_FAILED ||
           u->end == ORK_USAGE_DIED;
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
    struct ork_call_sites *sites;
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

static void write_range(FILE *out, struct range x)
{
    fprintf(out, "%" PRId64, x.least);
    if (x.most != x.least)
        fprintf(out, " to %" PRId64, x.most);
}

/* False: out of memory. */
static bool write_call(FILE *out, const struct group *g, unsigned call, uint32_t site)
{
    char *text = ork_phrase_in_call_at(g->sites, g->usage[0]->rank, ork_call_name(call), site);

    if (text != NULL)
        fputs(text, out);
    free(text);
    return text != NULL;
}

static bool write_place(FILE *out, const struct group *g)
{
    char *text = ork_phrase_in_call_at(g->sites, g->usage[0]->rank, "", g->usage[0]->record.site);

    if (text != NULL)
        fputs(text, out);
    free(text);
    return text != NULL;
}

static bool write_ranks(FILE *out, const struct group *g)
{
    char *text = ork_describe_ranks(g->ranks->item, g->ranks->count);

    if (text != NULL)
        fputs(text, out);
    free(text);
    return text != NULL;
}

static bool is_one(const struct group *g)
{
    struct range x = range_of_sums(g);

    return x.least == 1 && x.most == 1;
}

/* From the first value to the second one, if that is the same in all ranks. */
static void write_bytes(FILE *out, const struct group *g)
{
    struct range low = range_of(g, first_value), high = range_of(g, second_value);

    if (low.least != low.most || high.least != high.most)
        fputs("some bytes", out);
    else if (low.least == high.least)
        fprintf(out, "byte %" PRId64, low.least);
    else
        fprintf(out, "bytes %" PRId64 " to %" PRId64, low.least, high.least);
}

/* One placeholder of usage.def. */
static bool write_part(FILE *out, const struct group *g, char part)
{
    const struct ork_rank_usage *u = g->usage[0];
    const struct ork_record *r = &u->record;

    switch (part) {
    case 'a':
        return fputs(u->argument, out) >= 0;
    case 't':
        return fputs(u->text, out) >= 0;
    case 'v':
        write_range(out, range_of(g, first_value));
        return true;
    case 'n':
        write_range(out, range_of_sums(g));
        return true;
    case 'w':
        write_range(out, range_of(g, second_value));
        return true;
    case 'x':
        write_bytes(out, g);
        return true;
    case 's':
        return fputs(is_one(g) ? "" : "s", out) >= 0;
    case 'b':
        return fputs(is_one(g) ? "was" : "were", out) >= 0;
    case 'c':
        return write_call(out, g, r->call, r->site);
    case 'p':
        return write_place(out, g);
    case 'o':
        return write_call(out, g, (unsigned)r->tag, r->arg2);
    default:
        return write_ranks(out, g);
    }
}

/* ", 3 times", ", 1 to 5 times each", ", the first of 3 times", or nothing. */
static void write_times(FILE *out, const struct group *g)
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
        return;
    fputs(varies ? ", the first of " : ", ", out);
    ork_put_count(out, (uint64_t)t.least);
    if (t.most != t.least) {
        fputs(" to ", out);
        ork_put_count(out, (uint64_t)t.most);
    }
    fprintf(out, " times%s", g->n > 1 ? " each" : "");
}

static char *message_of(const struct group *g)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    bool done = out != NULL;

    if (out == NULL)
        return NULL;
    for (const char *c = kind_of(g->usage[0])->headline; *c != '\0' && done; c++) {
        if (*c == '$')
            done = write_part(out, g, *++c);
        else
            fputc(*c, out);
    }
    write_times(out, g);
    if (fclose(out) != 0 || !done) {
        free(text);
        return NULL;
    }
    return text;
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
static char *rule_words(const struct ork_usage_kind *kind)
{
    size_t length = strlen(kind->rule);

    ORK_ASSERT(length > 0 && kind->rule[length - 1] == '.');
    return ork_text("%.*s (MPI-3.1 section %s).", (int)(length - 1), kind->rule, kind->section);
}

static enum ork_status add_details(const struct group *g, struct ork_finding *f)
{
    const struct ork_rank_usage *failed = NULL;
    enum ork_status status = ork_describe_add_detail(f, rule_words(kind_of(g->usage[0])));

    for (uint32_t i = 0; i < g->n && failed == NULL; i++)
        failed = g->usage[i]->end == ORK_USAGE_FAILED ? g->usage[i] : NULL;
    if (failed == NULL || status != ORK_OK)
        return status;
    return ork_describe_add_detail(
        f, ork_text("The error was returned to the application: %s.", failed->error));
}

/* An access of the program itself is no call. */
static const char *name_of(const struct ork_record *record)
{
    bool is_load =
        record->mode == ORK_USAGE_LOAD_WHILE_WRITTEN || record->mode == ORK_USAGE_LOAD_WHILE_GOT;

    if (record->call != ORK_CALL_NONE)
        return ork_call_name(record->call);
    return is_load ? "load" : "store";
}

static enum ork_status add_row(struct ork_call_sites *sites, const struct ork_rank_usage *u,
                               struct ork_finding *f)
{
    if (f->num_waits > 0 && f->waits[f->num_waits - 1].rank == u->rank)
        return ORK_OK;

    struct ork_rank_row *w = &f->waits[f->num_waits++];
    w->rank = u->rank;
    w->call = strdup(name_of(&u->record));
    w->state = strdup("");
    if (w->call == NULL || w->state == NULL || !ork_describe_add_rank(&f->ranks, u->rank))
        return ORK_NOMEM;
    return ork_call_sites_fill(sites, u->rank, u->record.site, w);
}

static enum ork_status fill(struct group *g, struct ork_finding *f)
{
    enum ork_status status = ORK_OK;

    f->waits = calloc(g->n, sizeof(*f->waits));
    if (f->id == NULL || f->waits == NULL)
        return ORK_NOMEM;
    for (uint32_t i = 0; i < g->n && status == ORK_OK; i++)
        status = add_row(g->sites, g->usage[i], f);
    if (status != ORK_OK)
        return status;
    g->ranks = &f->ranks;
    f->message = message_of(g);
    f->summary = f->message == NULL ? NULL : ork_describe_sentence(strdup(f->message));
    return f->summary == NULL ? ORK_NOMEM : add_details(g, f);
}

enum ork_status ork_describe_usage(struct ork_call_sites *sites,
                                   const struct ork_rank_usage *const *usage, uint32_t n,
                                   struct ork_finding *finding)
{
    struct group g = {.sites = sites, .usage = usage, .n = n};
    struct ork_finding f = {.severity = severity_of(&g), .id = strdup(kind_of(usage[0])->id)};
    enum ork_status status = fill(&g, &f);

    if (status == ORK_OK)
        *finding = f;
    else
        ork_finding_release(&f);
    return status;
}
