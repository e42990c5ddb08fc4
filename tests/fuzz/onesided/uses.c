/* SPDX-License-Identifier: BSD-3-Clause */
/* Which bytes of its memory a message or collective call uses, and when (MPI-3.1 sections 3.7.2,
 * 5.5 to 5.12 and 11.7): what is sent may be read from the beginning of the call to its end, unless
 * those that it tells have all of it; what is received is written after its sender has sent it, but
 * a reduction may use the memory from the beginning on. */
#include "tests/fuzz/onesided/program.h"

static bool has_root(const struct event *e)
{
    return e->type == EVENT_BCAST || e->type == EVENT_REDUCE || e->type == EVENT_GATHER ||
           e->type == EVENT_SCATTER;
}

static bool is_reduction(const struct event *e)
{
    return e->type == EVENT_REDUCE || e->type == EVENT_ALLREDUCE;
}

/* Do both sides have the same buffer? */
static bool has_one_buffer(const struct event *e)
{
    return e->type <= EVENT_BCAST;
}

int program_sent_size(const struct program *p, const struct event *e)
{
    bool is_each = e->type == EVENT_SCATTER || e->type == EVENT_ALLTOALL;

    return is_each ? p->ranks * e->length : e->length;
}

int program_received_size(const struct program *p, const struct event *e)
{
    bool is_each =
        e->type == EVENT_GATHER || e->type == EVENT_ALLGATHER || e->type == EVENT_ALLTOALL;

    return is_each ? p->ranks * e->length : e->length;
}

bool event_sends(const struct event *e, int rank)
{
    bool is_root = e->peer == rank;

    if (e->type == EVENT_SCATTER)
        return is_root;
    if (has_one_buffer(e))
        return e->type == EVENT_BCAST ? is_root : e->type == EVENT_SEND || e->type == EVENT_SSEND;
    return !e->is_in_place;
}

bool event_receives(const struct event *e, int rank)
{
    bool is_root = e->peer == rank;

    if (e->type == EVENT_SCATTER)
        return !e->is_in_place;
    if (has_one_buffer(e))
        return !event_sends(e, rank);
    return !has_root(e) || is_root;
}

static unsigned block(int place, int length)
{
    return ((1u << length) - 1) << place;
}

unsigned event_bytes(const struct event *e, int place)
{
    unsigned bytes = 0;

    for (int i = 0; i < e->copies; i++)
        bytes |= block(place + i * e->stride, e->length);
    return bytes;
}

static int add(struct use *use, int n, enum use_time when, bool is_written, unsigned bytes)
{
    use[n] = (struct use){.when = when, .is_written = is_written, .bytes = bytes};
    return n + (bytes != 0);
}

/* Those whom the call tells that the buffer was read have all of it. */
static bool is_read_by_all(const struct event *e)
{
    return e->type == EVENT_SEND || e->type == EVENT_SSEND || e->type == EVENT_GATHER ||
           is_reduction(e);
}

/* In place, the own block is where it belongs; MPI_Allgather sends it to others. */
static int uses_in_place(const struct event *e, int rank, unsigned all, struct use *use)
{
    int place = e->type == EVENT_SCATTER ? e->sent : e->origin, n = 0;
    unsigned own = all & block(place + rank * e->length, e->length), others = all & ~own;
    bool is_read = e->type == EVENT_SCATTER || e->type == EVENT_ALLTOALL;

    if (e->type == EVENT_ALLGATHER)
        n = add(use, n, AT_BEGIN, false, own);
    if (is_read)
        n = add(use, n, AT_BEGIN, false, others);
    if (e->type == EVENT_ALLGATHER)
        n = add(use, n, AT_END, false, own);
    return add(use, n, AT_END, e->type != EVENT_SCATTER, others);
}

int program_uses(const struct program *p, int rank, int index, struct use use[USES_MAX])
{
    const struct event *e = &p->event[rank][index];
    int sent_at = has_one_buffer(e) ? e->origin : e->sent, n = 0;
    bool sends = event_sends(e, rank) && sent_at >= 0;
    bool receives = event_receives(e, rank) && e->origin >= 0;

    if (!event_has_data(e))
        return 0;
    unsigned sent = sends ? block(sent_at, program_sent_size(p, e)) : 0;
    unsigned received = receives ? block(e->origin, program_received_size(p, e)) : 0;
    if (event_is_pending(e)) {
        n = add(use, n, WHILE_PENDING, false, sent);
        return add(use, n, WHILE_PENDING, true, received);
    }
    if ((sent | received) == 0)
        return 0;
    if (e->is_in_place && !is_reduction(e))
        return uses_in_place(e, rank, sent | received, use);
    n = add(use, n, AT_BEGIN, false, sent);
    if (is_reduction(e))
        n = add(use, n, AT_BEGIN, true, received);
    if (!is_read_by_all(e))
        n = add(use, n, AT_END, false, sent);
    return add(use, n, AT_END, true, received);
}

int program_completion(const struct program *p, int rank, int index)
{
    const struct event *e = &p->event[rank][index];

    if (!event_is_pending(e))
        return index;
    for (int i = index + 1; i < p->events[rank]; i++) {
        const struct event *wait = &p->event[rank][i];
        if (wait->type == EVENT_WAIT_REQUEST && wait->request == e->request)
            return i;
    }
    return -1;
}
