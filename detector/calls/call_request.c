/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that start, cancel and free requests (MPI-3.1 sections 3.7 to 3.9); call_completion.c has
 * those that complete them. */
#include "detector/calls/call_type.h"
#include "detector/calls/collective.h"
#include "detector/calls/p2p.h"
#include "detector/calls/request.h"
#include "detector/match/match.h"

static void enter_start(struct mpi_thread *th)
{
    for (uint32_t i = 0; i < th->call.count; i++) {
        struct request *r = ork_request_find(th->proc, th->list[i]);
        if (r == NULL || !r->persistent)
            continue;
        if (r->active)
            ork_request_consume(th, th->list[i], ORK_NO_PEER, ORK_ANY_TAG);
        struct ork_record again = r->call;
        again.site = th->call.site;
        if (again.kind == ORK_KIND_COLL)
            ork_collective_start(th, r, &again);
        else if (again.kind == ORK_KIND_SEND)
            ork_p2p_start_send(th, &again, &r->on);
        else
            ork_p2p_start_recv(th, &again, &r->on);
    }
}

/* MPI_Start and MPI_Startall: none of the requests is active. */
static void fail_start(struct mpi_thread *th, const struct ork_record *exit)
{
    (void)exit;
    for (uint32_t i = 0; i < th->call.count; i++) {
        struct request *r = ork_request_find(th->proc, th->list[i]);
        struct op *op = r == NULL ? NULL : r->op;
        if (op == NULL && r != NULL && r->call.kind == ORK_KIND_SEND) {
            struct ork_record again = r->call;
            again.site = th->call.site;
            r->active &= !ork_p2p_withdraw_buffered(th, &again, &r->on);
        } else if (op != NULL) {
            r->op = NULL;
            r->active = false;
            ork_match_withdraw(th->proc->d, op);
        }
    }
}

static void enter_cancel(struct mpi_thread *th)
{
    ork_request_cancel(th, th->call.request);
}

static void enter_free(struct mpi_thread *th)
{
    ork_request_free(th, th->call.request);
}

/* ---- steps ---- */

/* The template of a persistent request, which may be older than the history. */
static bool template_of(struct reader *r, uint32_t id, struct ork_record *rec, struct comm_ref *ref)
{
    struct request_slot *s = ork_program_request(r, id, true);

    if (s == NULL)
        return false;
    if (s->persistent) {
        *rec = s->call;
        *ref = (struct comm_ref){.comm = ork_comm_numbered(r->o->d, rec->comm), .me = s->me};
        return ref->comm != NULL;
    }
    const struct request *old = ork_request_find(r->p, id);
    const struct comm_ref *have =
        old == NULL || !old->persistent || old->on.comm == NULL ? NULL : &old->on;
    if (have == NULL)
        return false;
    *rec = old->call;
    *ref = *have;
    return true;
}

static bool read_start(struct reader *r)
{
    for (uint32_t i = 0; i < r->rec.count; i++) {
        struct ork_record rec;
        struct comm_ref ref;
        if (!template_of(r, r->list[i], &rec, &ref) || !ork_program_start(r, r->list[i], &rec, ref))
            return false;
    }
    return true;
}

static bool read_free(struct reader *r)
{
    if (r->rec.request == ORK_REQUEST_SHARED)
        ork_program_drop_shared(r);
    ork_program_consume(r, r->rec.request);
    return true;
}

const struct call_type ork_call_type_start = {
    .enter = enter_start,
    .on_error = fail_start,
    .to_steps = read_start,
};

const struct call_type ork_call_type_cancel = {.enter = enter_cancel};

const struct call_type ork_call_type_request_free = {.enter = enter_free, .to_steps = read_free};
