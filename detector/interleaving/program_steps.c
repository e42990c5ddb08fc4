/* SPDX-License-Identifier: BSD-3-Clause */
/* What each record means as steps of a program for probing. Whatever cannot be put as a step
 * (cancelled requests, general active target, locks, shared handles, errors) ends what is known of
 * its rank. */
#include "detector/calls/call.h"
#include "detector/coll/dynamic_comm.h"
#include "detector/interleaving/program_internal.h"

#include <stdlib.h>

static uint32_t add_call(struct program_builder *o, const struct ork_record *rec, uint32_t comm,
                         uint32_t me)
{
    if (!ork_grow(o->d, &o->call, &o->call_cap, o->num_calls + 1, sizeof(*o->call)))
        return ORK_INTERLEAVE_NONE;
    o->call[o->num_calls] = (struct program_call){.call = *rec, .comm = comm, .me = me};
    return o->num_calls++;
}

static bool is_permissive(const struct proc *p, uint32_t site)
{
    return site != 0 && site / 8 < p->relaxed_sites && (p->relaxed_site[site / 8] >> site % 8 & 1);
}

static bool is_buffered(const struct reader *r, const struct ork_record *rec)
{
    const struct ork_model *model = &r->o->d->model;

    return rec->mode == ORK_SEND_BUFFERED || is_permissive(r->p, rec->site) ||
           (rec->mode == ORK_SEND_STANDARD && model->buffered && rec->bytes <= model->eager_bytes);
}

/* Peer and tag of the half of `rec` that is meant. */
static int32_t peer_of(const struct ork_record *rec, bool is_send)
{
    return rec->kind == ORK_KIND_SENDRECV && !is_send ? rec->peer2 : rec->peer;
}

static int32_t tag_of(const struct ork_record *rec, bool is_send)
{
    return rec->kind == ORK_KIND_SENDRECV && !is_send ? rec->tag2 : rec->tag;
}

enum made { MADE_OP, MADE_NOTHING, UNKNOWN };

/* The send or receive that `rec` starts; MADE_NOTHING: it is complete at once (MPI_PROC_NULL). */
static enum made make_op(struct reader *r, const struct ork_record *rec, struct comm_ref ref,
                         bool is_send, struct ork_interleave_op *op)
{
    int32_t peer = peer_of(rec, is_send);
    bool any = !is_send && peer == ORK_ANY_SOURCE;
    uint32_t process = 0;

    if (peer == ORK_PROC_NULL)
        return MADE_NOTHING;
    if (!any && !ork_comm_peer(&ref, peer, &process))
        return UNKNOWN;
    *op = (struct ork_interleave_op){.rank = r->p->rank,
                                     .comm = ref.comm->id,
                                     .is_send = is_send,
                                     .buffered = is_send && is_buffered(r, rec),
                                     .peer = any ? ORK_INTERLEAVE_ANY : process,
                                     .tag = tag_of(rec, is_send),
                                     .took = ORK_INTERLEAVE_ANY,
                                     .took_tag = ORK_ANY_TAG,
                                     .info = add_call(r->o, rec, ref.comm->id, ref.me)};
    op->group = any ? ork_senders_of(r->o, &ref) : ORK_INTERLEAVE_NONE;
    return MADE_OP;
}

/* The call `teller` showed that the receive took a message of `source`. */
static void take(struct reader *r, struct ork_interleave_op *op, int32_t source, int32_t tag,
                 const struct ork_record *teller)
{
    uint32_t process;

    if (op->is_send || op->peer != ORK_INTERLEAVE_ANY || op->info >= r->o->num_calls)
        return;
    const struct program_call *call = &r->o->call[op->info];
    const struct comm_ref ref = {.comm = r->o->d->comm[call->comm], .me = call->me};
    if (!ork_comm_peer(&ref, source, &process))
        return;
    op->took = process;
    op->took_tag = tag;
    op->may_differ = r->o->scope != ORK_AS_OBSERVED;
    op->looked = (teller->flags & ORK_F_BLIND) == 0;
    op->blind = r->o->scope == ORK_OTHERWISE_ANYHOW || !op->looked;
}

static void await(struct reader *r, enum ork_interleave_mode mode,
                  const struct ork_interleave_part *part, uint32_t parts, uint32_t took)
{
    struct comm_ref ref;

    ork_interleave_await(
        r->o->program, r->p->rank, mode, part, parts, took,
        add_call(r->o, &r->rec, ork_read_comm(r, &r->rec, &ref) ? ref.comm->id : 0, 0));
}

/* ---- requests ---- */

static struct request_slot *request_slot_of(struct reader *r, uint32_t id, bool make)
{
    struct rank_builder *s = &r->o->rank_builder[r->p->rank];

    if (id >= ORK_REQUEST_SHARED)
        return NULL;
    if (make && !ork_grow(r->o->d, &s->request_slot, &s->num_request_slots, id + 1,
                          sizeof(*s->request_slot)))
        return NULL;
    return id < s->num_request_slots ? &s->request_slot[id] : NULL;
}

/* The template of a persistent request, which may be older than the history. */
static bool template_of(struct reader *r, uint32_t id, struct ork_record *rec, struct comm_ref *ref)
{
    struct request_slot *s = request_slot_of(r, id, true);

    if (s == NULL)
        return false;
    if (s->persistent) {
        *rec = s->call;
        *ref = (struct comm_ref){.comm = r->o->d->comm[rec->comm], .me = s->me};
        return ref->comm != NULL;
    }
    const struct request *old = ork_request_find(r->p, id);
    const struct comm_ref *have =
        old == NULL || !old->persistent ? NULL : ork_comm_ref(r->p, old->call.comm);
    if (have == NULL)
        return false;
    *rec = old->call;
    *ref = *have;
    return true;
}

static bool start_one(struct reader *r, uint32_t id, const struct ork_record *rec,
                      struct comm_ref ref)
{
    struct request_slot *s = request_slot_of(r, id, true);
    struct ork_interleave_op op;
    enum made made = make_op(r, rec, ref, rec->kind == ORK_KIND_SEND, &op);

    if (s == NULL || made == UNKNOWN)
        return false;
    s->has_part = made == MADE_OP;
    if (made == MADE_OP)
        s->part = (struct ork_interleave_part){.number = ork_interleave_post(r->o->program, &op)};
    return true;
}

static bool read_start(struct reader *r)
{
    for (uint32_t i = 0; i < r->rec.count; i++) {
        struct ork_record rec;
        struct comm_ref ref;
        if (!template_of(r, r->list[i], &rec, &ref) || !start_one(r, r->list[i], &rec, ref))
            return false;
    }
    return true;
}

/* What the outcome shows of the wildcard receives among the parts of a call. */
static void notify_parts(struct reader *r, const struct ork_record *teller, uint32_t id,
                         int32_t source, int32_t tag)
{
    struct request_slot *s = request_slot_of(r, id, false);

    if (s != NULL && s->has_part && !s->part.is_wave)
        take(r, ork_interleave_change(r->o->program, s->part.number), source, tag, teller);
}

static void consume(struct reader *r, uint32_t id)
{
    struct request_slot *s = request_slot_of(r, id, false);

    if (s != NULL)
        s->has_part = false;
}

/* A member that the run let pass although strict semantics would not. */
static bool is_passed(const struct reader *r, const struct ork_interleave_part *part)
{
    return is_permissive(r->p, r->rec.site) &&
           (part->is_wave || ork_interleave_op(r->o->program, part->number)->is_send);
}

/* ---- shared handles ---- */

static bool start_shared(struct reader *r, const struct ork_record *rec, struct comm_ref ref)
{
    struct rank_builder *s = &r->o->rank_builder[r->p->rank];
    struct ork_interleave_op op;
    enum made made = make_op(r, rec, ref, rec->kind == ORK_KIND_SEND, &op);

    if (made == UNKNOWN ||
        !ork_grow(r->o->d, &s->shared, &s->shared_cap, s->shared_parts + 1, sizeof(*s->shared)))
        return false;
    s->shared_count++;
    if (made == MADE_OP)
        s->shared[s->shared_parts++] =
            (struct ork_interleave_part){.number = ork_interleave_post(r->o->program, &op)};
    return true;
}

/* `n` of them are waited for. Which ones is not known unless it is all: else those that are left
 * are taken for complete, as the run shows that they were at once. */
static void take_shared(struct reader *r, uint32_t n, struct ork_interleave_part *part,
                        uint32_t *parts)
{
    struct rank_builder *s = &r->o->rank_builder[r->p->rank];
    bool all = n >= s->shared_count;

    for (uint32_t i = 0; all && i < s->shared_parts; i++)
        part[(*parts)++] = s->shared[i];
    s->shared_count -= all ? s->shared_count : n;
    s->shared_parts = 0;
}

/* One is tested, freed, or waited for among others. */
static void drop_shared(struct reader *r)
{
    struct rank_builder *s = &r->o->rank_builder[r->p->rank];

    s->shared_count -= s->shared_count > 0;
    s->shared_parts = 0;
}

static bool add_part(struct reader *r, uint32_t id, struct ork_interleave_part *part,
                     uint32_t *parts)
{
    struct request_slot *s = request_slot_of(r, id, false);

    if (id == ORK_REQUEST_UNKNOWN)
        return false;
    if (s != NULL && s->has_part && !is_passed(r, &s->part))
        part[(*parts)++] = s->part;
    return true;
}

/* Was it cancelled with success? */
static bool is_withdrawn(struct reader *r, uint32_t id, int32_t source)
{
    const struct request_slot *s = request_slot_of(r, id, false);

    return source == ORK_CANCELLED && s != NULL && s->has_part;
}

static bool read_wait_for_all(struct reader *r, struct ork_interleave_part *part)
{
    uint32_t parts = 0, shared = 0;

    for (uint32_t i = 0; r->has_exit && i + 2 < r->exit.count; i += 3) {
        if (r->outcome[i] >= r->rec.count ||
            is_withdrawn(r, r->list[r->outcome[i]], (int32_t)r->outcome[i + 1]))
            return false;
        notify_parts(r, &r->rec, r->list[r->outcome[i]], (int32_t)r->outcome[i + 1],
                     (int32_t)r->outcome[i + 2]);
    }
    for (uint32_t i = 0; i < r->rec.count; i++) {
        shared += r->list[i] == ORK_REQUEST_SHARED;
        if (!add_part(r, r->list[i], part, &parts))
            return false;
    }
    if (shared > 0)
        take_shared(r, shared, part, &parts);
    await(r, ORK_INTERLEAVE_ALL, part, parts, 0);
    for (uint32_t i = 0; i < r->rec.count; i++)
        consume(r, r->list[i]);
    return true;
}

static bool is_in_outcome(const struct reader *r, uint32_t index)
{
    for (uint32_t i = 0; r->has_exit && i + 2 < r->exit.count; i += 3) {
        if (r->outcome[i] == index)
            return true;
    }
    return false;
}

static bool read_wait_for_some(struct reader *r, struct ork_interleave_part *part)
{
    uint32_t parts = 0, took = 0;

    for (uint32_t i = 0; r->has_exit && i + 2 < r->exit.count; i += 3) {
        uint32_t index = r->outcome[i];
        if (index >= r->rec.count || is_withdrawn(r, r->list[index], (int32_t)r->outcome[i + 1]) ||
            !add_part(r, r->list[index], part, &parts))
            return false;
        notify_parts(r, &r->rec, r->list[index], (int32_t)r->outcome[i + 1],
                     (int32_t)r->outcome[i + 2]);
    }
    took = parts;
    for (uint32_t i = 0; i < r->rec.count; i++) {
        if (!is_in_outcome(r, i) && !add_part(r, r->list[i], part, &parts))
            return false;
    }
    if (parts > 0)
        await(r, took == 0 && r->has_exit ? ORK_INTERLEAVE_SOFT : ORK_INTERLEAVE_ANY_OF, part,
              parts, took);
    for (uint32_t i = 0; i + 2 < r->exit.count && r->has_exit; i += 3) {
        if (r->list[r->outcome[i]] == ORK_REQUEST_SHARED)
            drop_shared(r);
        consume(r, r->list[r->outcome[i]]);
    }
    return true;
}

static bool read_wait(struct reader *r)
{
    size_t room = r->rec.count + (size_t)r->o->rank_builder[r->p->rank].shared_parts + 1;
    struct ork_interleave_part *part = malloc(room * sizeof(*part));
    bool all = r->rec.mode == ORK_WAIT_ONE || r->rec.mode == ORK_WAIT_ALL;

    if (part == NULL) {
        r->o->d->failed = true;
        return false;
    }
    bool good = all ? read_wait_for_all(r, part) : read_wait_for_some(r, part);
    free(part);
    return good;
}

/* A Test call that was successful: in another execution it might not have been. */
static bool read_tested(struct reader *r)
{
    for (uint32_t i = 0; i + 2 < r->rec.count; i += 3) {
        struct request_slot *s = request_slot_of(r, r->list[i], false);
        if (is_withdrawn(r, r->list[i], (int32_t)r->list[i + 1]))
            return false;
        if (r->list[i] == ORK_REQUEST_SHARED)
            drop_shared(r);
        if (s == NULL || !s->has_part)
            continue;
        notify_parts(r, &r->rec, r->list[i], (int32_t)r->list[i + 1], (int32_t)r->list[i + 2]);
        await(r, ORK_INTERLEAVE_SOFT, &s->part, 1, 0);
        s->has_part = false;
    }
    return true;
}

/* ---- messages ---- */

static bool keep(struct reader *r, const struct ork_record *rec, struct comm_ref ref)
{
    struct request_slot *s = request_slot_of(r, rec->request, true);

    if (s == NULL)
        return false;
    *s = (struct request_slot){.persistent = true, .call = *rec, .me = ref.me};
    s->call.comm = ref.comm->id;
    return true;
}

static bool read_message(struct reader *r, struct comm_ref ref)
{
    const struct ork_record *rec = &r->rec;
    bool both = rec->kind == ORK_KIND_SENDRECV;
    struct ork_interleave_part part[2];
    struct ork_interleave_op op;
    uint32_t parts = 0;

    if (rec->flags & ORK_F_PERSISTENT)
        return keep(r, rec, ref);
    if (rec->flags & ORK_F_NONBLOCKING) {
        if (rec->request == ORK_REQUEST_SHARED)
            return start_shared(r, rec, ref);
        struct request_slot *s = request_slot_of(r, rec->request, true);
        if (s == NULL)
            return make_op(r, rec, ref, rec->kind == ORK_KIND_SEND, &op) == MADE_NOTHING;
        *s = (struct request_slot){0};
        return start_one(r, rec->request, rec, ref);
    }
    for (unsigned half = 0; half < 2; half++) {
        bool is_send = half == 0;
        if (!both && is_send != (rec->kind == ORK_KIND_SEND))
            continue;
        enum made made = make_op(r, rec, ref, is_send, &op);
        if (made == UNKNOWN)
            return false;
        if (made == MADE_OP && r->has_exit)
            take(r, &op, r->exit.peer, r->exit.tag, rec);
        if (made == MADE_OP)
            part[parts++] = (struct ork_interleave_part){
                .is_whole = !both, .number = ork_interleave_post(r->o->program, &op)};
    }
    await(r, ORK_INTERLEAVE_ALL, part, parts, 0);
    return true;
}

static bool read_probe(struct reader *r, struct comm_ref ref)
{
    struct rank_builder *rank_builder = &r->o->rank_builder[r->p->rank];
    struct ork_interleave_op op;
    enum made made = make_op(r, &r->rec, ref, false, &op);

    if (made != MADE_OP)
        return made == MADE_NOTHING && !(r->rec.flags & ORK_F_MATCHED);
    if (r->has_exit)
        take(r, &op, r->exit.peer, r->exit.tag, &r->rec);
    if (!(r->rec.flags & ORK_F_MATCHED)) {
        op.may_differ = false; /* the receive that follows asks for what was found */
        ork_interleave_peek(r->o->program, &op, op.info);
        return true;
    }
    op.extract = true;
    struct ork_interleave_part part = {.is_whole = true,
                                       .number = ork_interleave_post(r->o->program, &op)};
    await(r, ORK_INTERLEAVE_ALL, &part, 1, 0);
    if (!r->has_exit || r->exit.request >= ORK_REQUEST_SHARED ||
        !ork_grow(r->o->d, &rank_builder->message, &rank_builder->num_messages, r->exit.request + 1,
                  sizeof(*rank_builder->message)))
        return !r->has_exit;
    rank_builder->message[r->exit.request] = part.number + 1;
    return true;
}

static bool read_mrecv(struct reader *r)
{
    struct rank_builder *rank_builder = &r->o->rank_builder[r->p->rank];

    if (r->rec.arg == ORK_REQUEST_NULL)
        return true;
    if (r->rec.arg >= rank_builder->num_messages || rank_builder->message[r->rec.arg] == 0)
        return false;
    ork_interleave_release(r->o->program, rank_builder->message[r->rec.arg] - 1);
    consume(r, r->rec.request);
    return true;
}

/* ---- collectives ---- */

/* Calls after which it is not certain that all members were there, or whose participants are others
 * than the communicator's. */
static bool is_plain(const struct ork_detector *d, const struct comm *c, unsigned coll)
{
    return !ork_coll_has(coll, ORK_HAS_OWN_GROUP | ORK_IS_DYNAMIC) && !d->model.dataflow &&
           !c->inter;
}

static bool read_coll(struct reader *r, struct comm_ref ref)
{
    struct comm *c = ref.comm;
    struct comm_builder *comm_builder = &r->o->comm_builder[c->id];
    struct request_slot *s =
        request_slot_of(r, r->rec.request, (r->rec.flags & ORK_F_NONBLOCKING) != 0);

    if ((!is_plain(r->o->d, c, r->rec.mode) && c->ends == NULL) ||
        (r->rec.flags & ORK_F_PERSISTENT) ||
        (c->ends != NULL ? comm_builder->next[ref.me] > 0 : !ork_call_arrives(c, &r->rec)))
        return false;
    if (s != NULL && (r->rec.flags & ORK_F_NONBLOCKING))
        *s = (struct request_slot){0};
    if (c->self)
        return true;
    struct ork_interleave_part part = {.is_whole = (r->rec.flags & ORK_F_NONBLOCKING) == 0,
                                       .is_wave = true,
                                       .number =
                                           ork_wave_of(r->o, c, comm_builder->next[ref.me]++)};
    ork_interleave_arrive(r->o->program, r->p->rank, part.number);
    if (r->rec.flags & ORK_F_NONBLOCKING) {
        if (s == NULL)
            return false;
        s->part = part;
        s->has_part = true;
    } else if (!ork_call_never_waits(r->o->d, r->rec.mode) || r->rec.kind == ORK_KIND_FINALIZE) {
        bool is_permissive_here = is_permissive(r->p, r->rec.site);
        await(r, is_permissive_here ? ORK_INTERLEAVE_SOFT : ORK_INTERLEAVE_ALL, &part, 1, 0);
    }
    return true;
}

/* Did a call fail before it was made? Then there is nothing to read. */
static bool was_rejected(const struct reader *r)
{
    return r->rec.kind == ORK_KIND_COLL && (r->exit.flags & ORK_F_MATCHED) == 0 &&
           (r->rec.flags & (ORK_F_FALLIBLE | ORK_F_NONBLOCKING)) == ORK_F_FALLIBLE;
}

bool ork_read_record(struct reader *r)
{
    struct comm_ref ref = {0};
    bool known = ork_read_comm(r, &r->rec, &ref);

    if (r->has_exit && (r->exit.flags & ORK_F_ERROR))
        return was_rejected(r);
    switch ((int)r->rec.kind) {
    case ORK_KIND_SEND:
    case ORK_KIND_RECV:
    case ORK_KIND_SENDRECV:
        return known && read_message(r, ref);
    case ORK_KIND_PROBE:
        return known && read_probe(r, ref);
    case ORK_KIND_MRECV:
        return read_mrecv(r);
    case ORK_KIND_START:
        return read_start(r);
    case ORK_KIND_WAIT:
        return read_wait(r);
    case ORK_KIND_TESTED:
        return (r->rec.flags & ORK_F_ERROR) == 0 && read_tested(r);
    case ORK_KIND_REQUEST_FREE:
        if (r->rec.request == ORK_REQUEST_SHARED)
            drop_shared(r);
        consume(r, r->rec.request);
        return true;
    case ORK_KIND_COLL:
        return known && read_coll(r, ref);
    case ORK_KIND_FINALIZE:
        return r->o->d->num_jobs == 1 &&
               read_coll(r, (struct comm_ref){.comm = r->p->job->finalize, .me = r->p->rank});
    case ORK_KIND_EARLY:
        notify_parts(r, &r->rec, r->rec.request, r->rec.peer, r->rec.tag);
        return true;
    case ORK_KIND_INIT:
    case ORK_KIND_JOB:
    case ORK_KIND_COMM_DEF:
    case ORK_KIND_COMM_NAME:
    case ORK_KIND_CONTROL:
    case ORK_KIND_EXIT:
        return true;
    default:
        return false;
    }
}
