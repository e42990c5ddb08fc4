/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective calls. All ranks make one at the same step. */
#include "tests/fuzz/onesided/generate.h"

void collective(struct state *s, enum event_type type, int window, int root)
{
    int number = s->numbers++;

    for (int r = 0; r < s->p->ranks; r++)
        add_event(s, r, type, window, root, number);
}

/* Only the root is in place where the others pass no buffer for it. */
static bool is_in_place(const struct event *e, int rank, bool wanted)
{
    bool is_at_root =
        e->type == EVENT_REDUCE || e->type == EVENT_GATHER || e->type == EVENT_SCATTER;

    return wanted && e->type != EVENT_BCAST && (!is_at_root || e->peer == rank);
}

/* The two buffers of a rank have no byte in common. */
static void place(struct state *s, struct event *e, int rank)
{
    const struct program *p = s->p;
    int sent = program_sent_size(p, e), received = program_received_size(p, e);
    unsigned taken = 0;

    if (e->type == EVENT_BCAST) {
        e->origin = place_buffer(s, rank, e->length, 0, event_receives(e, rank));
    } else {
        if (event_receives(e, rank))
            e->origin = place_buffer(s, rank, received, 0, true);
        if (e->origin >= 0)
            taken = ((1u << received) - 1) << e->origin;
        if (event_sends(e, rank))
            e->sent = place_buffer(s, rank, sent, taken, false);
    }
    if (!event_has_buffer(e))
        return;
    e->site = any_site(s);
    s->accesses += USES_MAX;
}

void exchange(struct state *s, int root)
{
    enum event_type type = EVENT_BCAST + (enum event_type)any(s, EVENT_FENCE - EVENT_BCAST);
    bool has_root = type <= EVENT_REDUCE || type == EVENT_GATHER || type == EVENT_SCATTER;
    bool wanted = any(s, 2) == 0, pends = s->may_pend && any(s, 2) == 0;
    bool is_each = type >= EVENT_GATHER;
    int length = 1 + any(s, is_each ? SIZE / s->p->ranks : LENGTHS), number = s->numbers++;

    for (int r = 0; r < s->p->ranks; r++)
        pends = pends && s->opened[r] < OPEN_MAX;
    for (int r = 0; r < s->p->ranks; r++) {
        struct event *e = add_event(s, r, type, 0, has_root ? root : -1, number);
        e->length = length;
        e->is_in_place = is_in_place(e, r, wanted);
        place(s, e, r);
        if (pends)
            open_request(s, e, r, -1);
    }
}
