/* SPDX-License-Identifier: BSD-3-Clause */
/* The choices that decide, in the run of an outcome and in the first run: the messages that they
 * took or completed, and the locks before them. */
#include "mustrun/explore/exploring.h"

#include "common/text.h"
#include "order/explore/matches.h"
#include "record/calls.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Of an outcome. RATIONALE: a drawing of more says less. */
enum { SWITCHED_MAX = 8 };

struct switching {
    struct ork_exploring *x;
    struct ork_matches *first, *own; /* of the first run, and of that of the outcome */
};

uint64_t ork_exploring_number_in(const struct ork_exploring *x, uint32_t node, uint32_t rank,
                                 uint64_t number, const struct ork_choice *choice)
{
    const struct ork_explored *e = ork_search_explored(x->search);
    const struct ork_choice *c = NULL;
    uint64_t n = number;

    if (ork_choice_is_posted(choice)) {
        for (n = 1; (c = ork_explored_choice(e, node, rank, n)) != NULL; n++) {
            if (ork_choice_is_posted(c) && c->post == choice->post)
                break;
        }
    } else {
        c = ork_explored_choice(e, node, rank, n);
    }
    bool is_same_kind = c != NULL && (c->kind == choice->kind || choice->kind == ORK_CHOICE_FREE);
    return is_same_kind && c->place == choice->place ? n : 0;
}

/* ---- matches of a run ---- */

/* NULL: they are not known. RATIONALE: without them only a drawing is missing. */
static enum ork_status read_matches(struct ork_exploring *x, uint64_t run, struct ork_matches **out)
{
    struct ork_stored_blob blob;
    void *bytes = NULL;
    char error[ORK_MATCHES_ERROR] = "";
    int fd = -1;
    enum ork_status status = ork_store_read_alternatives(x->store, run, &bytes, &blob.size);

    *out = NULL;
    if (status != ORK_OK)
        return status == ORK_NOMEM ? status : ORK_OK;
    blob.bytes = bytes;
    char *path = ork_blob_path(blob, &fd);
    status = path == NULL ? ORK_NOMEM : ork_matches_read(path, out, error);
    if (fd >= 0)
        close(fd);
    free(path);
    free(bytes);
    return status == ORK_NOMEM ? status : ORK_OK;
}

static bool fill_end(const struct ork_matches *m, const struct ork_matched_call *call,
                     struct ork_match_end *to)
{
    struct ork_call_place p = ork_matches_place(m, call);

    to->rank = call->rank;
    to->where.line = p.line;
    to->where.offset = p.offset;
    return ork_text_copy(&to->call, ork_call_name(call->call)) &&
           ork_text_copy(&to->where.function, p.function) &&
           ork_text_copy(&to->where.file, p.file) && ork_text_copy(&to->where.module, p.module);
}

/* ---- of an outcome ---- */

static bool is_same_call(const struct ork_match_end *a, const struct ork_match_end *b)
{
    return a->rank == b->rank && strcmp(a->call, b->call) == 0 &&
           ork_text_is_same(a->where.file, b->where.file) && a->where.line == b->where.line &&
           a->where.offset == b->where.offset;
}

/* A choice of the run of the outcome; `first`: its number in the first run, which may have none. */
struct decided {
    uint32_t rank;
    uint64_t number, first;
    bool is_message; /* a receive or probe */
    const struct ork_forced_choice *words;
};

/* What decided it in one run. */
struct deciders {
    const struct ork_matches *of;
    const struct ork_run_match *item; /* NULL: nothing is known */
    size_t count;
};

static struct deciders find(const struct ork_matches *m, uint32_t rank, uint64_t number)
{
    struct deciders d = {.of = m};

    d.item = m != NULL ? ork_matches_find(m, rank, number, &d.count) : NULL;
    return d;
}

static bool has_message(struct deciders d)
{
    return d.item != NULL && d.item->has_send;
}

/* Messages of one call cannot be told apart in a drawing. */
static bool add_message(struct deciders own, struct deciders was, struct ork_outcome *to)
{
    struct ork_switched_choice *r = &to->switched[to->num_switched++];
    if (!fill_end(own.of, &own.item->receive, &r->receive) ||
        !fill_end(own.of, &own.item->send, &r->took) ||
        !fill_end(was.of, &was.item->send, &r->first_took))
        return false;
    if (is_same_call(&r->took, &r->first_took))
        ork_switched_choice_release(&to->switched[--to->num_switched]);
    return true;
}

/* Is this one of the calls? False in *done: out of memory. */
static bool is_among(const struct ork_match_end *end, struct deciders d, bool *done)
{
    bool is_one = false;

    for (size_t i = 0; i < d.count && !is_one && *done; i++) {
        struct ork_match_end other = {0};
        *done = !d.item[i].has_send || fill_end(d.of, &d.item[i].send, &other);
        is_one = *done && other.call != NULL && is_same_call(end, &other);
        ork_match_end_release(&other);
    }
    return is_one;
}

/* The first call that the other run does not have there; without one, the first of all.
 * RATIONALE: one of each run shows what changed; the words name all of them. */
static bool fill_decider(struct deciders d, struct deciders others, struct ork_match_end *to)
{
    bool done = true;

    for (size_t i = 0; i < 2 * d.count && done && to->call == NULL; i++) {
        const struct ork_run_match *m = &d.item[i % d.count];
        done = !m->has_send || fill_end(d.of, &m->send, to);
        if (to->call != NULL && i < d.count && done && is_among(to, others, &done))
            ork_match_end_release(to);
    }
    return done;
}

static bool fill_call(struct deciders own, struct deciders was, const struct decided *c,
                      struct ork_match_end *to)
{
    struct deciders known = own.item != NULL ? own : was;

    if (known.item != NULL)
        return fill_end(known.of, &known.item->receive, to);
    to->rank = c->rank;
    return ork_text_copy(&to->call, c->words->site.call);
}

/* A wait or test, a lock or an atomic; a receive or probe that took no message in one of the runs,
 * or an unknown one. */
static bool add_other(struct deciders own, struct deciders was, const struct decided *c,
                      struct ork_outcome *to)
{
    if (c->words->outcome == NULL || c->words->instead == NULL)
        return true;
    struct ork_switched_choice *r = &to->switched[to->num_switched++];
    return fill_call(own, was, c, &r->receive) && fill_decider(own, was, &r->took) &&
           fill_decider(was, own, &r->first_took) &&
           ork_text_copy(&r->outcome, c->words->outcome) &&
           ork_text_copy(&r->instead, c->words->instead);
}

static bool add(const struct switching *s, const struct decided *c, struct ork_outcome *to)
{
    struct deciders own = find(s->own, c->rank, c->number), was = find(s->first, c->rank, c->first);

    if (to->num_switched == SWITCHED_MAX)
        return true;
    return c->is_message && has_message(own) && has_message(was) ? add_message(own, was, to)
                                                                 : add_other(own, was, c, to);
}

static bool is_message(const struct ork_choice *choice)
{
    return choice->kind == ORK_CHOICE_RECEIVE || choice->kind == ORK_CHOICE_PROBE ||
           choice->kind == ORK_CHOICE_AHEAD;
}

/* The only choice that was changed between the first run and this one. */
static bool add_change(const struct switching *s, const struct ork_outcome_runs *o,
                       const struct ork_exploration *e, struct ork_outcome *to)
{
    const struct ork_taken_run *run = &s->x->run[o->first - 1];
    struct ork_decision_of_run made;

    if (run->parent != 0 || run->diverged || !ork_search_take(s->x->search, 0, run->index, &made) ||
        made.change->number == 0)
        return true;
    struct ork_choice was =
        ork_explored_changed(ork_search_explored(s->x->search), made.run, made.change);
    uint64_t number = ork_exploring_number_in(s->x, (uint32_t)o->node, made.change->rank,
                                              made.change->number, &was);
    const struct decided c = {.rank = made.change->rank,
                              .number = number,
                              .first = made.change->number,
                              .is_message = is_message(&was),
                              .words = &e->run[o->first - 1].change};
    return add(s, &c, to);
}

static bool add_forced(const struct switching *s, const struct ork_outcome_runs *o,
                       struct ork_outcome *to)
{
    const struct ork_explored *e = ork_search_explored(s->x->search);
    bool done = true;

    for (uint32_t i = 0; i < o->num_forced && done; i++) {
        const struct ork_choice_of_run *f = &o->forced[i];
        struct ork_choice in_vain;
        const struct ork_choice *choice =
            ork_explored_choice(e, (uint32_t)o->node, f->rank, f->number);
        if (choice == NULL && ork_explored_ends_in_vain(e, (uint32_t)o->node, f->rank, &in_vain))
            choice = &in_vain;
        if (choice == NULL)
            continue;
        const struct decided c = {.rank = f->rank,
                                  .number = f->number,
                                  .first =
                                      ork_exploring_number_in(s->x, 0, f->rank, f->number, choice),
                                  .is_message = is_message(choice),
                                  .words = &to->forced[i]};
        done = add(s, &c, to);
    }
    return done;
}

static bool fill(struct switching *s, const struct ork_outcome_runs *o,
                 const struct ork_exploration *e, struct ork_outcome *to)
{
    bool done = true;

    if (o->node <= 0 || s->first == NULL)
        return true;
    to->switched = calloc(SWITCHED_MAX, sizeof(*to->switched));
    if (to->switched == NULL || read_matches(s->x, o->first, &s->own) != ORK_OK)
        return false;
    if (s->own != NULL)
        done = add_forced(s, o, to) && (to->num_switched > 0 || add_change(s, o, e, to));
    ork_matches_destroy(s->own);
    return done;
}

bool ork_exploring_fill_switched(struct ork_exploring *x, struct ork_exploration *e)
{
    struct switching s = {.x = x};
    bool done = x->num_runs == 0 || read_matches(x, 1, &s.first) == ORK_OK;

    for (uint32_t i = 0; i < x->num_outcomes && done; i++)
        done = fill(&s, &x->outcome[i], e, &e->outcome[i]);
    ork_matches_destroy(s.first);
    return done;
}
