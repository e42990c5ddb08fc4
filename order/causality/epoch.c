/* SPDX-License-Identifier: BSD-3-Clause */
/* Epochs of MPI_Win_post and MPI_Win_start (MPI-3.1 section 11.5.2). MPI_Win_wait returns when all
 * origins have called MPI_Win_complete. MPI_Win_start and MPI_Win_complete need not wait for
 * MPI_Win_post, unless the epoch gets data from that target. */
#include "order/causality/internal.h"
#include "record/access.h"

#include <stdlib.h>

/* ---- stamps ---- */

static bool push(struct stamps *to, union stamp stamp)
{
    if (!ork_vec_reserve(&to->item, &to->room, to->count + 1, sizeof(*to->item)))
        return false;
    to->item[to->count++] = stamp;
    return true;
}

/* Has it been told? */
static bool is_there(const struct stamps *s, uint64_t number)
{
    return number >= s->first && number - s->first < s->count;
}

/* Those before this number are not needed any more. */
static void drop_before(const struct clocks *clocks, struct stamps *s, uint64_t number)
{
    uint32_t n = 0;

    while (n < s->count && s->first + n < number)
        clocks->release(s->item[n++]);
    if (n > 0)
        memmove(s->item, s->item + n, (s->count - n) * sizeof(*s->item));
    s->first += n;
    s->count -= n;
}

static void release(const struct clocks *clocks, struct stamps *s)
{
    drop_before(clocks, s, NEVER);
    free(s->item);
}

/* ---- pairs ---- */

static struct pair *pair_of(const struct ork_comm *window, uint32_t origin, uint32_t target)
{
    struct place *place = window->state;

    if (place->pairs == NULL)
        place->pairs = calloc(window->group->size, sizeof(struct pair *));
    if (place->pairs == NULL)
        return NULL;
    struct pair *pair = place->pairs[origin];
    while (pair != NULL && pair->target != target)
        pair = pair->next;
    if (pair != NULL)
        return pair;
    pair = calloc(1, sizeof(*pair));
    if (pair == NULL)
        return NULL;
    pair->target = target;
    pair->next = place->pairs[origin];
    place->pairs[origin] = pair;
    return pair;
}

void ork_causality_pairs_destroy(const struct clocks *clocks, const struct ork_comm *window)
{
    struct place *place = window->state;

    for (uint32_t i = 0; place->pairs != NULL && i < window->group->size; i++) {
        while (place->pairs[i] != NULL) {
            struct pair *pair = place->pairs[i];
            place->pairs[i] = pair->next;
            release(clocks, &pair->posts);
            release(clocks, &pair->completes);
            free(pair->completed);
            free(pair);
        }
    }
    free(place->pairs);
}

/* ---- reading ---- */

/* Is the rank in one of the runs? */
static bool is_listed(const struct ork_record *call, const uint32_t *list, uint32_t rank)
{
    for (uint32_t i = 0; i + 2 < call->count; i += 3) {
        uint32_t first = list[i], stride = list[i + 1], count = list[i + 2];
        if (rank < first || (stride == 0 && rank != first) || count == 0)
            continue;
        if (stride == 0 || ((rank - first) % stride == 0 && (rank - first) / stride < count))
            return true;
    }
    return false;
}

/* The epoch of this kind that the rank is in; NULL: none that is followed. */
static struct epoch *find(const struct rank *p, const struct ork_comm *window, bool is_exposure)
{
    struct epoch *e = p->epoch;

    while (e != NULL && (e->comm != window || e->is_exposure != is_exposure))
        e = e->next;
    return e;
}

static bool add_partner(struct epoch *e, struct rank *p, struct ork_comm_ref ref, uint32_t member)
{
    struct pair *pair =
        e->is_exposure ? pair_of(ref.comm, member, ref.me) : pair_of(ref.comm, ref.me, member);

    if (pair == NULL)
        return false;
    ORK_ASSERT(e->partners < ref.comm->group->size);
    e->partner[e->partners++] =
        (struct partner){.pair = pair,
                         .rank = &p->causality->rank[ork_comms_rank_of(ref.comm, member)],
                         .number = e->is_exposure ? pair->exposures++ : pair->accesses++,
                         .is_needed = e->is_exposure};
    return true;
}

static struct epoch *make(struct rank *p, struct ork_comm_ref ref, const struct ork_record *call,
                          const uint32_t *list)
{
    uint32_t size = ref.comm->group->size;
    struct epoch *e = calloc(1, sizeof(*e) + size * sizeof(e->partner[0]));
    bool good = e != NULL;

    if (e != NULL) {
        *e = (struct epoch){.comm = ref.comm,
                            .is_exposure = call->kind == ORK_KIND_WIN_POST,
                            .serial = ++p->serials,
                            .next = p->epoch};
        p->epoch = e;
    }
    for (uint32_t i = 0; i < size && good; i++) {
        if (is_listed(call, list, ork_comms_rank_of(ref.comm, i)))
            good = add_partner(e, p, ref, i);
    }
    p->causality->failed |= !good;
    return good ? e : NULL;
}

static struct op end_of(struct epoch *e)
{
    return (struct op){.type = OP_EPOCH, .epoch = e, .serial = e->serial};
}

void ork_causality_read_epoch(struct rank *p, const struct ork_record *call, const uint32_t *list,
                              struct op *op)
{
    struct ork_comm_ref ref = ork_comms_ref(p->causality->comms, p->number, call->comm);

    *op = (struct op){0};
    if (ref.comm == NULL || p->causality->user != NULL)
        return;
    if (call->kind == ORK_KIND_WIN_POST || call->kind == ORK_KIND_WIN_START) {
        struct epoch *e = make(p, ref, call, list);
        struct step *s =
            e != NULL && e->is_exposure ? ork_causality_step(p, STEP_POST_EPOCH) : NULL;
        if (s != NULL)
            s->epoch = e;
        return;
    }
    struct epoch *e = find(p, ref.comm, call->kind != ORK_KIND_WIN_COMPLETE);
    if (e == NULL)
        return;
    *op = end_of(e);
    e->comm = NULL; /* it is over for what is read later */
}

struct op ork_causality_exposure(const struct rank *p, const struct ork_record *poll)
{
    struct ork_comm_ref ref = ork_comms_ref(p->causality->comms, p->number, poll->comm);
    struct epoch *e = ref.comm == NULL ? NULL : find(p, ref.comm, true);

    return e == NULL ? (struct op){0} : end_of(e);
}

void ork_causality_read_access(struct rank *p, const struct ork_record *call)
{
    struct ork_comm_ref ref = ork_comms_ref(p->causality->comms, p->number, call->comm);
    struct epoch *e = ref.comm != NULL ? find(p, ref.comm, false) : NULL;

    if (e == NULL || call->bytes == 0 ||
        (call->mode != ORK_ACCESS_GET && call->mode != ORK_ACCESS_FETCH &&
         call->mode != ORK_ACCESS_SWAP))
        return;
    for (uint32_t i = 0; i < e->partners; i++)
        e->partner[i].is_needed |= (uint32_t)call->peer == e->partner[i].pair->target;
}

/* ---- following ---- */

static struct stamps *stamps_of(const struct epoch *e, const struct partner *partner)
{
    return e->is_exposure ? &partner->pair->completes : &partner->pair->posts;
}

static bool note_completed(const struct rank *p, struct pair *pair)
{
    if (p->causality->is_summary)
        return true;
    if (!ork_vec_reserve(&pair->completed, &pair->completed_room, pair->num_completed + 1,
                         sizeof(*pair->completed)))
        return false;
    pair->completed[pair->num_completed++] = p->time;
    return true;
}

/* To the partners. */
static bool tell(struct rank *p, const struct epoch *e)
{
    const struct clocks *clocks = p->causality->clocks;

    for (uint32_t i = 0; i < e->partners; i++) {
        const struct partner *partner = &e->partner[i];
        if (!e->is_exposure && !note_completed(p, partner->pair))
            return false;
        union stamp stamp = clocks->take(p->causality, p->number);
        struct stamps *to = e->is_exposure ? &partner->pair->posts : &partner->pair->completes;
        if (!push(to, stamp)) {
            clocks->release(stamp);
            return false;
        }
        ork_causality_wake(partner->rank);
    }
    return true;
}

bool ork_causality_epoch_begin(struct rank *p, const struct epoch *e)
{
    return tell(p, e);
}

bool ork_causality_epoch_is_over(const struct epoch *e)
{
    for (uint32_t i = 0; i < e->partners; i++) {
        const struct partner *partner = &e->partner[i];
        if (partner->is_needed && !is_there(stamps_of(e, partner), partner->number) &&
            !ork_causality_is_silent(partner->rank))
            return false;
    }
    return true;
}

bool ork_causality_epoch_is_before(const struct epoch *e, const uint64_t *time)
{
    for (uint32_t i = 0; i < e->partners; i++) {
        const struct partner *partner = &e->partner[i];
        const struct pair *pair = partner->pair;
        if (partner->number >= pair->num_completed ||
            pair->completed[partner->number] >= time[partner->rank->number])
            return false;
    }
    return true;
}

static void drop(struct rank *p, struct epoch *epoch)
{
    struct epoch **e = &p->epoch;

    while (*e != epoch) {
        ORK_ASSERT(*e != NULL);
        e = &(*e)->next;
    }
    *e = epoch->next;
    if (p->causality->is_summary) {
        free(epoch);
        return;
    }
    epoch->next = p->old_epoch;
    p->old_epoch = epoch;
}

static void free_all(struct epoch *e)
{
    while (e != NULL) {
        struct epoch *next = e->next;
        free(e);
        e = next;
    }
}

bool ork_causality_epoch_end(struct rank *p, struct epoch *e)
{
    const struct clocks *clocks = p->causality->clocks;
    bool good = true;

    for (uint32_t i = 0; i < e->partners && good; i++) {
        const struct partner *partner = &e->partner[i];
        struct stamps *from = stamps_of(e, partner);
        drop_before(clocks, from, partner->number);
        if (partner->is_needed && is_there(from, partner->number))
            good = clocks->join(p->causality, p->number, from->item[0], p->time);
    }
    if (!e->is_exposure)
        good = good && tell(p, e);
    drop(p, e);
    return good;
}

void ork_causality_epochs_destroy(struct rank *p)
{
    free_all(p->epoch);
    free_all(p->old_epoch);
}
