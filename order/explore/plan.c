/* SPDX-License-Identifier: BSD-3-Clause */
#include "order/explore/plan.h"

#include "common/assert.h"
#include "common/vec.h"

#include <stdlib.h>

static enum ork_status init(struct ork_plan *plan, uint32_t ranks)
{
    *plan = (struct ork_plan){.ranks = ranks};
    plan->rank = calloc(ranks + (size_t)1, sizeof(*plan->rank));
    return plan->rank != NULL ? ORK_OK : ORK_NOMEM;
}

void ork_plan_release(struct ork_plan *plan)
{
    for (uint32_t i = 0; plan->rank != NULL && i < plan->ranks; i++)
        free(plan->rank[i].choice);
    free(plan->rank);
    *plan = (struct ork_plan){0};
}

static enum ork_status add(struct ork_plan *plan, uint32_t rank, struct ork_choice choice)
{
    struct ork_plan_rank *r = &plan->rank[rank];

    ORK_ASSERT(rank < plan->ranks);
    if (!ork_vec_reserve(&r->choice, &r->room, r->num + 1, sizeof(*r->choice)))
        return ORK_NOMEM;
    /* RATIONALE: locks that are free wait, so the number of sections is enough. */
    if (ork_order_is_lock(choice.kind))
        choice.count = 0;
    r->choice[r->num++] = choice;
    return ORK_OK;
}

/* The outcome of a receive that completes where the run is free already. */
static struct ork_choice ahead_of(const struct ork_choice *c)
{
    struct ork_choice to = *c;

    to.kind = ORK_CHOICE_AHEAD;
    to.polls = 0;
    return to;
}

/* RATIONALE: the poll is made by a call like another one, but for other requests or messages, so
 * the place is not enough. */
static struct ork_choice changed_to(struct ork_choice to, const struct ork_change *change)
{
    if (change->polls == ORK_POLLS_AGAIN)
        to.post = change->poll.first + 1;
    return change->post != 0 ? ahead_of(&to) : to;
}

static enum ork_status keep(struct ork_plan *plan, const struct ork_explored *e, uint32_t run,
                            uint32_t rank, uint64_t choices)
{
    enum ork_status status = ORK_OK;

    ORK_ASSERT(choices <= ork_explored_rank(e, run, rank)->num);
    for (uint64_t n = 1; n <= choices && status == ORK_OK; n++)
        status = add(plan, rank, *ork_explored_choice(e, run, rank, n));
    return status;
}

/* All polls that are equal to the first ones are unsuccessful. */
static struct ork_choice all_equal_to(uint64_t polls)
{
    return (struct ork_choice){
        .kind = ORK_CHOICE_FREE, .polls = ORK_CHOICE_POLLS_EQUAL, .post = polls};
}

/* RATIONALE: what the rank does next may depend on how often it polled in vain. The changed choice
 * has its own number of polls. */
static enum ork_status keep_polls(struct ork_plan *plan, const struct ork_explored *e, uint32_t run,
                                  const struct ork_change *change, uint32_t rank)
{
    uint64_t polls = ork_explored_kept_polls(e, run, change, rank);

    if (polls == 0 || (rank == change->rank && change->post == 0))
        return ORK_OK;
    if (change->keep_polls[rank] == ORK_POLLS_ALL &&
        ork_explored_abandoned_last(e, run, rank, change->keep[rank]))
        return add(plan, rank, all_equal_to(polls));
    return add(plan, rank, (struct ork_choice){.kind = ORK_CHOICE_FREE, .polls = polls});
}

enum ork_status ork_plan_change(const struct ork_explored *e, uint32_t run,
                                const struct ork_change *change, struct ork_plan *plan)
{
    ORK_ASSERT(ork_explored_fits(e, run, change));
    struct ork_choice was = ork_explored_changed(e, run, change);
    struct ork_choice to = ork_change_apply(&was, change);
    enum ork_status status = init(plan, ork_explored_ranks(e));

    plan->is_closed = true;
    for (uint32_t r = 0; r < plan->ranks && status == ORK_OK; r++)
        status = keep(plan, e, run, r, change->keep[r]);
    for (uint32_t r = 0; r < plan->ranks && status == ORK_OK; r++)
        status = keep_polls(plan, e, run, change, r);
    if (status == ORK_OK)
        status = add(plan, change->rank, changed_to(to, change));
    for (uint32_t i = 0; i < change->num_ahead && status == ORK_OK; i++) {
        const struct ork_kept_receive *a = &change->ahead[i];
        struct ork_choice kept = {.post = a->post, .source = a->source, .tag = a->tag};
        status = add(plan, a->rank, ahead_of(&kept));
    }
    if (status != ORK_OK)
        ork_plan_release(plan);
    return status;
}

static bool has_ended_polls(const struct ork_trace_rank *own)
{
    return own->last_polls > 0 && !own->has_ended;
}

bool ork_plan_is_needed(const struct ork_explored *e, uint32_t run)
{
    bool is_needed = false;

    for (uint32_t r = 0; r < ork_explored_ranks(e); r++) {
        const struct ork_trace_rank *own = ork_explored_rank(e, run, r);
        if (own->has_threads)
            return false;
        is_needed |= own->num_pending > 0 || has_ended_polls(own);
    }
    return is_needed;
}

static enum ork_status keep_all(struct ork_plan *plan, const struct ork_explored *e, uint32_t run,
                                uint32_t rank)
{
    const struct ork_trace_rank *own = ork_explored_rank(e, run, rank);
    enum ork_status status = keep(plan, e, run, rank, own->num);

    for (uint32_t i = 0; i < own->num_pending && status == ORK_OK; i++) {
        const struct ork_pending_receive *p = &own->pending[i];
        struct ork_choice kept = {.post = p->post, .source = p->source, .tag = p->tag};
        status = add(plan, rank, ahead_of(&kept));
    }
    if (status == ORK_OK && ork_explored_abandoned_last(e, run, rank, own->num))
        return add(plan, rank, all_equal_to(own->last_polls));
    if (status == ORK_OK && (own->last_polls > 0 || own->has_ended))
        status = add(plan, rank,
                     (struct ork_choice){.kind = own->has_ended ? ORK_CHOICE_END : ORK_CHOICE_FREE,
                                         .polls = own->last_polls});
    return status;
}

enum ork_status ork_plan_run(const struct ork_explored *e, uint32_t run, struct ork_plan *plan)
{
    enum ork_status status = init(plan, ork_explored_ranks(e));

    plan->is_whole = true;
    for (uint32_t r = 0; r < plan->ranks && status == ORK_OK; r++)
        status = keep_all(plan, e, run, r);
    if (status != ORK_OK)
        ork_plan_release(plan);
    return status;
}

/* Free choices of the rank up to the one before `number`. */
static enum ork_status leave_free(struct ork_plan *plan, const struct ork_explored *e, uint32_t run,
                                  const struct ork_choice_of_run *c, uint64_t *next)
{
    enum ork_status status = ORK_OK;

    for (; *next < c->number && status == ORK_OK; ++*next) {
        struct ork_choice to = *ork_explored_choice(e, run, c->rank, *next);
        to.kind = ORK_CHOICE_FREE;
        to.polls = 0;
        to.count = 0;
        status = add(plan, c->rank, to);
    }
    return status;
}

/* RATIONALE: a receive that was posted is forced by its ordinal, wherever it completes. */
static enum ork_status choose(struct ork_plan *plan, const struct ork_explored *e, uint32_t run,
                              const struct ork_choice_of_run *c, uint64_t *next)
{
    const struct ork_choice *choice = ork_explored_choice(e, run, c->rank, c->number);
    struct ork_choice in_vain;

    if (choice != NULL && ork_choice_is_posted(choice))
        return add(plan, c->rank, ahead_of(choice));
    bool is_known = choice != NULL || ork_explored_ends_in_vain(e, run, c->rank, &in_vain);
    ORK_ASSERT(is_known);
    enum ork_status status = leave_free(plan, e, run, c, next);
    ++*next;
    return status == ORK_OK ? add(plan, c->rank, choice != NULL ? *choice : in_vain) : status;
}

enum ork_status ork_plan_choices(const struct ork_explored *e, uint32_t run,
                                 const struct ork_choice_of_run *choice, uint32_t num,
                                 struct ork_plan *plan)
{
    enum ork_status status = init(plan, ork_explored_ranks(e));
    uint64_t next = 1;

    for (uint32_t i = 0; i < num && status == ORK_OK; i++) {
        if (i == 0 || choice[i].rank != choice[i - 1].rank)
            next = 1;
        status = choose(plan, e, run, &choice[i], &next);
    }
    if (status != ORK_OK)
        ork_plan_release(plan);
    return status;
}

/* ---- the file ---- */

struct stream {
    uint8_t *byte;
    uint32_t size, room;
};

static enum ork_status append(struct stream *s, struct ork_order_encoder *encoder,
                              const struct ork_choice *choice)
{
    uint32_t count = choice != NULL ? choice->count : 0;

    if (count > ORK_CHOICE_INDICES ||
        !ork_vec_reserve(&s->byte, &s->room, s->size + (uint32_t)ORK_CHOICE_ROOM(count),
                         sizeof(*s->byte)))
        return ORK_NOMEM;
    if (choice != NULL)
        s->size += (uint32_t)ork_order_encode(encoder, choice, s->byte + s->size);
    else
        s->size += (uint32_t)ork_order_encode_pending(encoder, s->byte + s->size);
    return ORK_OK;
}

static enum ork_status encode(const struct ork_plan *plan, const struct ork_plan_rank *rank,
                              struct stream *stream)
{
    const struct ork_choice open = {.kind = ORK_CHOICE_OPEN, .tag = plan->is_closed};
    struct ork_order_encoder *encoder = ork_order_encoder_create();
    enum ork_status status = encoder == NULL ? ORK_NOMEM : ORK_OK;

    for (uint32_t i = 0; i < rank->num && status == ORK_OK; i++)
        status = append(stream, encoder, &rank->choice[i]);
    if (status == ORK_OK && !plan->is_whole)
        status = append(stream, encoder, &open);
    if (status == ORK_OK)
        status = append(stream, encoder, NULL);
    ork_order_encoder_destroy(encoder);
    return status;
}

static enum ork_status write_places(struct ork_order_writer *w, const struct ork_order_file *of,
                                    uint32_t rank, const struct ork_plan_rank *plan)
{
    enum ork_status status = ORK_OK;

    for (uint32_t i = 0; i < plan->num && status == ORK_OK; i++) {
        uint32_t site = plan->choice[i].site;
        const char *place = of != NULL ? ork_order_file_place(of, rank, site) : NULL;
        if (place != NULL)
            status = ork_order_writer_site(w, rank, site, place);
    }
    return status;
}

static enum ork_status write_rank(struct ork_order_writer *w, const struct ork_order_file *of,
                                  uint32_t rank, const struct ork_plan *plan)
{
    struct stream stream = {0};
    enum ork_status status = encode(plan, &plan->rank[rank], &stream);

    if (status == ORK_OK && stream.size > 0)
        status = ork_order_writer_add(w, rank, 0, stream.byte, stream.size);
    free(stream.byte);
    return status == ORK_OK ? write_places(w, of, rank, &plan->rank[rank]) : status;
}

enum ork_status ork_plan_write(const struct ork_plan *plan, const struct ork_order_header *header,
                               const struct ork_order_file *of, const char *path)
{
    struct ork_order_writer *w;
    enum ork_status status = ork_order_writer_create(path, header, &w);

    if (status != ORK_OK)
        return status;
    for (uint32_t r = 0; r < plan->ranks && status == ORK_OK; r++)
        status = write_rank(w, of, r, plan);
    enum ork_status closed = ork_order_writer_close(w, false);
    return status == ORK_OK ? closed : status;
}
