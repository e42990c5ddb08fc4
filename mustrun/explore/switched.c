/* SPDX-License-Identifier: BSD-3-Clause */
/* The messages that decide: what receives took in the run of an outcome, and in the first run. */
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

/* The choice `number` of the run is `first` in the first run; 0: it did not make it. Messages of
 * one call cannot be told apart in a drawing. */
static bool add(const struct switching *s, uint32_t rank, uint64_t number, uint64_t first,
                struct ork_outcome *to)
{
    const struct ork_run_match *own = ork_matches_find(s->own, rank, number);
    const struct ork_run_match *was = ork_matches_find(s->first, rank, first);

    if (own == NULL || was == NULL || to->num_switched == SWITCHED_MAX)
        return true;
    struct ork_switched_receive *r = &to->switched[to->num_switched++];
    if (!fill_end(s->own, &own->receive, &r->receive) || !fill_end(s->own, &own->send, &r->took) ||
        !fill_end(s->first, &was->send, &r->first_took))
        return false;
    if (is_same_call(&r->took, &r->first_took))
        ork_switched_receive_release(&to->switched[--to->num_switched]);
    return true;
}

/* The only choice that was changed between the first run and this one. */
static bool add_change(const struct switching *s, const struct ork_outcome_runs *o,
                       struct ork_outcome *to)
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
    return add(s, made.change->rank, number, made.change->number, to);
}

static bool add_forced(const struct switching *s, const struct ork_outcome_runs *o,
                       struct ork_outcome *to)
{
    const struct ork_explored *e = ork_search_explored(s->x->search);
    bool done = true;

    for (uint32_t i = 0; i < o->num_forced && done; i++) {
        const struct ork_choice_of_run *f = &o->forced[i];
        const struct ork_choice *choice =
            ork_explored_choice(e, (uint32_t)o->node, f->rank, f->number);
        if (choice != NULL)
            done = add(s, f->rank, f->number,
                       ork_exploring_number_in(s->x, 0, f->rank, f->number, choice), to);
    }
    return done;
}

static bool fill(struct switching *s, const struct ork_outcome_runs *o, struct ork_outcome *to)
{
    bool done = true;

    if (o->node <= 0 || s->first == NULL)
        return true;
    to->switched = calloc(SWITCHED_MAX, sizeof(*to->switched));
    if (to->switched == NULL || read_matches(s->x, o->first, &s->own) != ORK_OK)
        return false;
    if (s->own != NULL)
        done = o->num_forced > 0 ? add_forced(s, o, to) : add_change(s, o, to);
    ork_matches_destroy(s->own);
    return done;
}

bool ork_exploring_fill_switched(struct ork_exploring *x, struct ork_exploration *e)
{
    struct switching s = {.x = x};
    bool done = x->num_runs == 0 || read_matches(x, 1, &s.first) == ORK_OK;

    for (uint32_t i = 0; i < x->num_outcomes && done; i++)
        done = fill(&s, &x->outcome[i], &e->outcome[i]);
    ork_matches_destroy(s.first);
    return done;
}
