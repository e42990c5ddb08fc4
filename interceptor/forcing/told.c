/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/forcing/told.h"

#include "interceptor/call/call.h"
#include "interceptor/objects/bounds.h"
#include "record/upcoming.h"

static struct ork_upcoming list;

/* The receive that is being posted. */
static struct {
    bool is;
    bool is_any; /* from any source, and its message is in the list */
    uint32_t place;
    int source, tag;
} post;

static uint32_t id_of(MPI_Comm comm)
{
    ork_lock();
    uint32_t id = ork_comm_id(comm);
    ork_unlock();
    return id;
}

static uint32_t serial_of(void *context, uint32_t id)
{
    (void)context;
    return ork_request_serial(id);
}

void ork_told_read(const struct ork_decision *d)
{
    ork_lock();
    ork_upcoming_read(&list, d, serial_of, NULL);
    ork_unlock();
}

/* Those on all processes of a communicator, which neither post a receive nor take a message. */
static bool is_collective(enum ork_call_id id)
{
    switch ((int)id) {
    case ORK_CALL_MPI_Barrier:
    case ORK_CALL_MPI_Bcast:
    case ORK_CALL_MPI_Gather:
    case ORK_CALL_MPI_Gatherv:
    case ORK_CALL_MPI_Scatter:
    case ORK_CALL_MPI_Scatterv:
    case ORK_CALL_MPI_Allgather:
    case ORK_CALL_MPI_Allgatherv:
    case ORK_CALL_MPI_Alltoall:
    case ORK_CALL_MPI_Alltoallv:
    case ORK_CALL_MPI_Alltoallw:
    case ORK_CALL_MPI_Reduce:
    case ORK_CALL_MPI_Allreduce:
    case ORK_CALL_MPI_Reduce_scatter:
    case ORK_CALL_MPI_Reduce_scatter_block:
    case ORK_CALL_MPI_Scan:
    case ORK_CALL_MPI_Exscan:
    case ORK_CALL_MPI_Ibarrier:
    case ORK_CALL_MPI_Ibcast:
    case ORK_CALL_MPI_Igather:
    case ORK_CALL_MPI_Igatherv:
    case ORK_CALL_MPI_Iscatter:
    case ORK_CALL_MPI_Iscatterv:
    case ORK_CALL_MPI_Iallgather:
    case ORK_CALL_MPI_Iallgatherv:
    case ORK_CALL_MPI_Ialltoall:
    case ORK_CALL_MPI_Ialltoallv:
    case ORK_CALL_MPI_Ialltoallw:
    case ORK_CALL_MPI_Ireduce:
    case ORK_CALL_MPI_Iallreduce:
    case ORK_CALL_MPI_Ireduce_scatter:
    case ORK_CALL_MPI_Ireduce_scatter_block:
    case ORK_CALL_MPI_Iscan:
    case ORK_CALL_MPI_Iexscan:
        return true;
    default:
        return false;
    }
}

static bool keeps_list(enum ork_call_id id)
{
    switch ((int)id) {
    case ORK_CALL_MPI_Send:
    case ORK_CALL_MPI_Ssend:
    case ORK_CALL_MPI_Rsend:
    case ORK_CALL_MPI_Isend:
    case ORK_CALL_MPI_Recv:
    case ORK_CALL_MPI_Irecv:
    case ORK_CALL_MPI_Sendrecv:
    case ORK_CALL_MPI_Sendrecv_replace:
    case ORK_CALL_MPI_Start:
    case ORK_CALL_MPI_Startall:
    case ORK_CALL_MPI_Cancel:
    case ORK_CALL_MPI_Probe:
    case ORK_CALL_MPI_Iprobe:
    case ORK_CALL_MPI_Mprobe:
    case ORK_CALL_MPI_Improbe:
    case ORK_CALL_MPI_Mrecv:
    case ORK_CALL_MPI_Wait:
    case ORK_CALL_MPI_Waitall:
    case ORK_CALL_MPI_Waitany:
    case ORK_CALL_MPI_Waitsome:
    case ORK_CALL_MPI_Test:
    case ORK_CALL_MPI_Testall:
    case ORK_CALL_MPI_Testany:
    case ORK_CALL_MPI_Testsome:
        return true;
    default:
        return is_collective(id);
    }
}

void ork_told_begin(enum ork_call_id id)
{
    if (list.is_on && !keeps_list(id))
        ork_upcoming_drop(&list);
    post.is = false;
}

void ork_told_drop(void)
{
    ork_upcoming_drop(&list);
}

void ork_told_sent(MPI_Comm comm, int dest)
{
    if (list.is_on && ork_bounds_of(comm)->rank == dest)
        ork_upcoming_drop(&list);
}

/* ---- messages ---- */

static int32_t wanted(int value, int any)
{
    return value == any ? -1 : value;
}

static uint32_t find(MPI_Comm comm, int source, int tag)
{
    return ork_upcoming_find(&list, id_of(comm), wanted(source, MPI_ANY_SOURCE),
                             wanted(tag, MPI_ANY_TAG));
}

bool ork_told_probe(struct ork_point *p)
{
    uint32_t place = list.is_on ? find(p->comm, p->source, p->tag) : ORK_UPCOMING_LATER;

    if (place == ORK_UPCOMING_LATER)
        return false;
    p->source = list.message[place].source;
    p->tag = list.message[place].tag;
    ork_upcoming_receive(&list, place);
    if (p->is_matched)
        ork_upcoming_take(&list, place);
    return true;
}

/* RATIONALE: a receive that names its source needs no decision, but the list must know what it
 * takes. */
static bool take(struct ork_receive *r, uint32_t place)
{
    if (place == ORK_UPCOMING_LATER)
        return false;
    ork_upcoming_take(&list, place);
    if (r->source != MPI_ANY_SOURCE)
        return false;
    r->source = list.message[place].source;
    r->tag = list.message[place].tag;
    return true;
}

bool ork_told_receive(struct ork_receive *r)
{
    uint32_t place = list.is_on ? find(r->comm, r->source, r->tag) : ORK_UPCOMING_LATER;

    ork_upcoming_receive(&list, place);
    return take(r, place);
}

bool ork_told_post(struct ork_receive *r)
{
    if (!list.is_on || id_of(r->comm) != list.comm)
        return false;
    post.place = find(r->comm, r->source, r->tag);
    if (r->source == MPI_ANY_SOURCE && !ork_upcoming_is_certain(&list, post.place)) {
        ork_upcoming_drop(&list);
        return false;
    }
    post.is = true;
    post.is_any = take(r, post.place);
    post.source = r->source;
    post.tag = r->tag;
    return post.is_any;
}

/* The tool learns it by a record of its own. */
static void put_taken(const struct ork_call *call, uint32_t id)
{
    struct ork_record r = ORK_RECORD(call, ASK, .mode = ORK_ASK_TAKEN, .comm = list.comm,
                                     .request = id, .peer = ork_peer(post.source),
                                     .tag = ork_tag(post.tag), .bytes = ork_decisions_told_steps());

    ork_send_record(&r);
}

void ork_told_posted(const struct ork_call *call, uint32_t id, int result)
{
    if (!post.is)
        return;
    post.is = false;
    if (result != MPI_SUCCESS || id >= ORK_REQUEST_SHARED) {
        ork_upcoming_drop(&list);
        return;
    }
    ork_upcoming_post(&list, id, ork_request_serial(id), post.place);
    if (post.is_any)
        put_taken(call, id);
}

/* RATIONALE: the record of the call is before that of its messages: it has been written. */
void ork_told_started(MPI_Request request, int result)
{
    const struct ork_call call = {.id = ork_thread.call, .site = ork_thread.site};

    if (!post.is)
        return;
    ork_lock();
    ork_told_posted(&call, ork_request_find(request).id, result);
    ork_unlock();
}

/* ---- requests ---- */

void ork_told_cancels(uint32_t id)
{
    ork_upcoming_forget(&list, id);
}

bool ork_told_index(const struct ork_point *p, uint32_t *index)
{
    uint32_t best = ORK_UPCOMING_LATER, place = 0;
    bool is_known = list.is_on;

    ork_lock();
    for (int i = 0; i < p->count && is_known; i++) {
        const struct ork_request r = ork_request_find(p->request[i]);
        if (!ork_request_is_active(&r))
            continue;
        is_known = ork_upcoming_place_of(&list, r.id, ork_request_serial(r.id), &place);
        if (is_known && place < best) {
            best = place;
            *index = (uint32_t)i;
        }
    }
    ork_unlock();
    if (!is_known || best == ORK_UPCOMING_LATER)
        return false;
    ork_upcoming_receive(&list, best);
    return true;
}
