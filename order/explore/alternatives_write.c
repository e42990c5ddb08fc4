/* SPDX-License-Identifier: BSD-3-Clause */
#include "order/explore/alternatives.h"

#include "order/explore/matches_internal.h"

#include <errno.h>
#include <jansson.h>

struct writing {
    FILE *out;
    uint32_t ranks;
    enum ork_status status;
};

/* Takes over `line`. */
static bool put(struct writing *w, json_t *line)
{
    errno = 0;
    if (line == NULL)
        w->status = ORK_NOMEM;
    else if (json_dumpf(line, w->out, JSON_COMPACT) != 0 || fputc('\n', w->out) == EOF)
        w->status = errno == ENOMEM || errno == 0 ? ORK_NOMEM : ORK_IO;
    json_decref(line);
    return w->status == ORK_OK;
}

static bool add_pending(void *context, const struct ork_causal_choice *r)
{
    json_array_append_new(context, json_pack("[I, I, i, i]", (json_int_t)r->rank,
                                             (json_int_t)r->post, (int)r->source, (int)r->tag));
    return true;
}

static bool add_polled(void *context, const struct ork_polled_choice *p)
{
    json_array_append_new(
        context, json_pack("[I, I, I, I, I, I, I, I, I, i, I]", (json_int_t)p->rank,
                           (json_int_t)p->number, (json_int_t)p->polls, (json_int_t)p->different,
                           (json_int_t)p->same, (json_int_t)p->num_distinct,
                           (json_int_t)p->poll_index, (json_int_t)p->series_abandoned,
                           (json_int_t)p->all_abandoned, (int)p->call, (json_int_t)p->place));
    return true;
}

static bool add_locked(void *context, const struct ork_locked_choice *l)
{
    json_t *item =
        json_pack("[I, I, i]", (json_int_t)l->rank, (json_int_t)l->number, (int)l->is_repeated);

    for (uint32_t i = 0; i < l->count; i++)
        json_array_append_new(item, json_integer(l->before[i]));
    json_array_append_new(context, item);
    return true;
}

static json_t *pack_gaps(const struct ork_causality *c)
{
    uint32_t gap[ORK_GAPS];
    json_t *list = json_array();

    ork_causality_gaps(c, gap);
    for (unsigned i = 0; i < ORK_GAPS; i++)
        json_array_append_new(list, json_integer(gap[i]));
    return list;
}

static json_t *pack_unordered(struct ork_unordered_calls calls)
{
    json_t *list = json_array();

    for (uint32_t i = 0; i < calls.count; i++)
        json_array_append_new(list, json_string(calls.call[i]));
    return list;
}

/* The line of the run. */
static bool put_run(struct writing *w, struct ork_causality *c,
                    struct ork_unordered_calls unordered, struct ork_call_places places)
{
    json_t *lost = NULL, *pending = json_array(), *polls = json_array(), *locks = json_array();

    for (uint32_t r = 0; r < w->ranks && lost == NULL; r++) {
        const char *why = ork_causality_lost(c, r);
        if (why != NULL)
            lost = json_sprintf("rank %u: %s", r, why);
    }
    ork_causality_pending(c, add_pending, pending);
    ork_causality_polled_choices(c, add_polled, polls);
    w->status = ork_causality_locked_choices(c, add_locked, locks);
    json_t *line = json_pack("{s:I, s:o*, s:o, s:o, s:o, s:o, s:o}", "ranks", (json_int_t)w->ranks,
                             "lost", lost, "gaps", pack_gaps(c), "pending", pending, "polls", polls,
                             "locks", locks, "unordered", pack_unordered(unordered));
    if (w->status == ORK_OK && line != NULL)
        w->status = ork_matches_put(c, places, line);
    if (w->status == ORK_OK)
        return put(w, line);
    json_decref(line);
    return false;
}

static json_t *pack_indices(const struct ork_alternative *a)
{
    json_t *list = json_array();

    for (uint32_t i = 0; i < a->count; i++)
        json_array_append_new(list, json_integer(a->index[i]));
    return list;
}

static json_t *pack_keep(const uint64_t *keep, uint32_t ranks)
{
    json_t *list = json_array();

    for (uint32_t r = 0; r < ranks; r++)
        json_array_append_new(list, json_integer((json_int_t)keep[r]));
    return list;
}

/* ORK_POLLS_ALL is -1. Most ranks have none. */
static json_t *pack_keep_polls(const uint64_t *polls, uint32_t ranks)
{
    json_t *list = json_array();

    for (uint32_t r = 0; r < ranks; r++) {
        if (polls[r] != 0)
            json_array_append_new(list, json_pack("[I, I]", (json_int_t)r, (json_int_t)polls[r]));
    }
    return list;
}

/* [call, site, place, polls, different, same, num_distinct, poll_index, first]; ORK_POLLS_ALL is
 * -1. */
static json_t *pack_poll(const struct ork_alternative *a)
{
    return json_pack("[i, I, I, I, I, I, I, I, I]", (int)a->poll.call, (json_int_t)a->choice.site,
                     (json_int_t)a->poll.place, (json_int_t)a->poll.polls,
                     (json_int_t)a->poll.different, (json_int_t)a->poll.same,
                     (json_int_t)a->poll.num_distinct, (json_int_t)a->poll.poll_index,
                     (json_int_t)a->poll.first);
}

static json_t *pack_ahead(const struct ork_alternative *a)
{
    json_t *list = json_array();

    for (uint32_t i = 0; i < a->num_ahead; i++)
        json_array_append_new(list, json_pack("[I, I, I, i, i]", (json_int_t)a->ahead[i].rank,
                                              (json_int_t)a->ahead[i].number,
                                              (json_int_t)a->ahead[i].post, (int)a->ahead[i].source,
                                              (int)a->ahead[i].tag));
    return list;
}

static bool put_alternative(void *context, const struct ork_alternative *a)
{
    struct writing *w = context;

    return put(w,
               json_pack("{s:I, s:I, s:I, s:i, s:i, s:i, s:[i, i], s:i, s:o, s:o, s:o, s:o, s:o}",
                         "rank", (json_int_t)a->choice.rank, "number", (json_int_t)a->choice.number,
                         "post", (json_int_t)a->choice.post, "kind", (int)a->choice.kind, "source",
                         (int)a->source, "tag", (int)a->tag, "took", (int)a->choice.source,
                         (int)a->choice.tag, "polls", (int)a->polls, "poll", pack_poll(a), "index",
                         pack_indices(a), "keep", pack_keep(a->keep, w->ranks), "kept_polls",
                         pack_keep_polls(a->keep_polls, w->ranks), "ahead", pack_ahead(a)));
}

enum ork_status ork_alternatives_write(struct ork_causality *c, uint32_t ranks,
                                       struct ork_unordered_calls unordered,
                                       struct ork_call_places places, FILE *out)
{
    struct writing w = {.out = out, .ranks = ranks};

    if (put_run(&w, c, unordered, places)) {
        enum ork_status status = ork_causality_alternatives(c, put_alternative, &w);
        w.status = w.status == ORK_OK ? status : w.status;
    }
    if (w.status == ORK_OK && fflush(out) != 0)
        w.status = ORK_IO;
    return w.status;
}
