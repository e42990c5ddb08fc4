/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Probe and MPI_Mprobe, their nonblocking forms that found a message, and MPI_Mrecv (MPI-3.1
 * section 3.8). */
#include "detector/calls/call_type.h"
#include "detector/calls/message_names.h"
#include "detector/calls/p2p.h"
#include "detector/check/happens_before.h"
#include "detector/match/match.h"

/* Messages of matched probes are numbered densely: a number far above all others is invalid. */
enum { MESSAGES_AHEAD = 1 << 16 };

/* MPI_Mrecv, or MPI_Imrecv with this request, has begun. */
static void receive(struct mpi_thread *th, const struct ork_record *rec, struct request *request)
{
    struct proc *p = th->proc;
    struct op *op = p->message[rec->arg];

    p->message[rec->arg] = NULL;
    ork_message_end(p, (uint32_t)rec->arg);
    op->thread = th;
    op->call_number = th->num_calls;
    op->bytes = rec->bytes;
    op->type = rec->arg2;
    op->call = rec->call;
    op->site = rec->site;
    ork_match_release_mprobed(p->d, op, request);
}

static void take_message(struct mpi_thread *th, uint32_t message, int32_t source, int32_t tag)
{
    struct proc *p = th->proc;
    struct comm_ref *ref = ork_comm_ref(p, th->call.comm);
    struct early_receive early;
    uint32_t src;

    if (message >= p->num_messages + MESSAGES_AHEAD || message >= ORK_REQUEST_SHARED ||
        ref == NULL || !ork_comm_peer(ref, source, &src) || tag < 0)
        return;
    if (!ork_grow(p->d, &p->message, &p->num_messages, message + 1, sizeof(struct op *)))
        return;
    struct queue_ref queue_ref;
    struct op *op = ork_match_lookup(p->d, ref->comm, src, p->rank, tag, &queue_ref)
                        ? ork_match_post_recv(th, &queue_ref, &th->call)
                        : NULL;
    if (op == NULL)
        return;
    p->message[message] = op;
    ork_match_mprobe(p->d, op);
    if (ork_message_take_early(p, message, &early))
        receive(early.thread, &early.rec, NULL);
}

static void count_choice(const struct mpi_thread *th, const struct comm_ref *ref)
{
    th->proc->d->counts.choices +=
        th->call.peer == ORK_ANY_SOURCE && ref != NULL && ork_comm_has_several(ref);
}

static void enter_probed(struct mpi_thread *th)
{
    const struct ork_record *rec = &th->call;
    struct comm_ref *ref = ork_comm_ref(th->proc, rec->comm);
    uint32_t source;

    count_choice(th, ref);
    if (ref != NULL && ork_comm_peer(ref, rec->peer2, &source)) {
        enum presence found =
            ork_match_probe(th->proc->d, ref->comm, th->proc->rank, (int32_t)source, rec->tag2);
        ork_seen_by_probe(th->proc, ref->comm, source, rec->tag2, found == PRESENCE_SURE);
    }
    if (rec->flags & ORK_F_MATCHED)
        take_message(th, rec->request, rec->peer2, rec->tag2);
}

static void enter_mrecv(struct mpi_thread *th)
{
    const struct ork_record *rec = &th->call;
    struct proc *p = th->proc;
    struct request *request =
        (rec->flags & ORK_F_NONBLOCKING) != 0 ? ork_p2p_give_to_request(th, rec, NULL) : NULL;

    if (rec->arg < p->num_messages && p->message[rec->arg] != NULL)
        receive(th, rec, request);
    else
        ork_message_receive_early(th, rec);
}

static void enter_probe(struct mpi_thread *th)
{
    const struct comm_ref *ref = ork_comm_ref(th->proc, th->call.comm);
    int32_t peer = th->call.peer;
    uint32_t process;

    count_choice(th, ref);
    th->unknown = peer != ORK_PROC_NULL &&
                  (ref == NULL || (peer != ORK_ANY_SOURCE && !ork_comm_peer(ref, peer, &process)));
    th->proc->num_in_probe++;
}

static bool probe_is_over(struct mpi_thread *th)
{
    const struct ork_record *rec = &th->call;
    struct comm_ref *ref = ork_comm_ref(th->proc, rec->comm);
    struct ork_detector *d = th->proc->d;
    uint32_t src;

    if (th->unknown)
        return ork_thread_run_is_ahead(th);
    if (rec->peer == ORK_PROC_NULL)
        return true;
    bool observed = th->exited && ork_comm_peer(ref, th->found_source, &src);
    bool moved = !observed && ork_thread_run_is_ahead(th) && rec->tag != ORK_ANY_TAG &&
                 !(rec->flags & ORK_F_MATCHED) && ork_comm_peer(ref, rec->peer, &src);
    if (observed || moved) {
        enum presence found = ork_match_probe(d, ref->comm, th->proc->rank, (int32_t)src,
                                              observed ? th->found_tag : rec->tag);
        /* a pending receive may have taken that message before: then the probe found another one */
        th->proc->depends_on_buffering |= found == PRESENCE_MAYBE && !(rec->flags & ORK_F_MATCHED);
        return found != PRESENCE_NONE;
    }
    if (rec->peer == ORK_ANY_SOURCE || (rec->flags & ORK_F_MATCHED) ||
        !ork_comm_peer(ref, rec->peer, &src))
        return false;
    return ork_match_probe(d, ref->comm, th->proc->rank, (int32_t)src, rec->tag) == PRESENCE_SURE;
}

static void leave_probe(struct mpi_thread *th)
{
    ORK_ASSERT(th->proc->num_in_probe > 0);
    th->proc->num_in_probe--;
    if ((th->call.flags & ORK_F_MATCHED) && !th->unknown && th->exited)
        take_message(th, th->found_message, th->found_source, th->found_tag);
    ork_seen_everything(th->proc);
}

static void fail_probe(struct mpi_thread *th, const struct ork_record *exit)
{
    (void)exit;
    th->unknown = true;
}

static bool release_probe(struct mpi_thread *th)
{
    th->unknown = true;
    return true;
}

static bool probe_condition(struct wait_graph_builder *b, struct mpi_thread *th)
{
    struct proc *p = th->proc;
    struct comm_ref *ref = ork_comm_ref(p, th->call.comm);
    uint32_t src = 0;

    if (th->unknown || ref == NULL || th->call.peer == ORK_PROC_NULL)
        return ork_graph_emit_true(b);
    bool any = th->call.peer == ORK_ANY_SOURCE;
    if (!any && !ork_comm_peer(ref, th->call.peer, &src))
        return ork_graph_emit_true(b);
    if (ork_match_probe(b->d, ref->comm, p->rank, any ? ORK_ANY_SOURCE : (int32_t)src,
                        th->call.tag) != PRESENCE_NONE)
        return ork_graph_emit_true(b);
    return any ? ork_graph_emit_any(b, ref->comm, ref->me, 0) : ork_graph_emit_atom(b, src, 0);
}

/* ---- steps ---- */

static bool read_probe(struct reader *r)
{
    struct rank_builder *rank_builder = &r->o->rank_builder[r->p->rank];
    struct ork_interleave_op op;
    struct comm_ref ref;

    if (!ork_program_comm(r, &r->rec, &ref))
        return false;
    enum made made = ork_program_make_op(r, &r->rec, ref, false, &op);

    if (made != MADE_OP)
        return made == MADE_NOTHING && !(r->rec.flags & ORK_F_MATCHED);
    if (r->has_exit)
        ork_program_take(r, &op, r->exit.peer, r->exit.tag, &r->rec);
    if (!(r->rec.flags & ORK_F_MATCHED)) {
        op.may_differ = false; /* the receive that follows names what the probe found */
        ork_interleave_peek(r->o->program, &op, op.info);
        return true;
    }
    op.extract = true;
    struct ork_interleave_part part = {.is_whole = true,
                                       .number = ork_interleave_post(r->o->program, &op)};
    ork_program_await(r, ORK_INTERLEAVE_ALL, &part, 1, 0);
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
    ork_program_consume(r, r->rec.request);
    return true;
}

const struct call_type ork_call_type_probe = {
    .enter = enter_probe,
    .is_complete = probe_is_over,
    .leave = leave_probe,
    .on_error = fail_probe,
    .release_completed = release_probe,
    .wait_condition = probe_condition,
    .to_steps = read_probe,
};

const struct call_type ork_call_type_probed = {.enter = enter_probed};

const struct call_type ork_call_type_mrecv = {.enter = enter_mrecv, .to_steps = read_mrecv};
