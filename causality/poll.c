/* SPDX-License-Identifier: BSD-3-Clause */
/* Unsuccessful polls. They are no choices: the next choice, if it is of the same call, stands for
 * them, too, and could have come in place of the first one. */
#include "causality/internal.h"

bool ork_causality_is_poll_open(const struct rank *p)
{
    return p->has_poll && p->poll.arg == 0; /* what is decided was successful in another run */
}

/* What comes if it is successful is not followed. */
static void leave_poll(struct rank *p)
{
    p->has_untried_poll |= ork_causality_is_poll_open(p);
    p->has_poll = false;
}

void ork_causality_read_poll(struct rank *p, const struct ork_record *poll)
{
    if (p->causality->is_summary)
        return;
    leave_poll(p); /* RATIONALE: the choice in between has no record */
    p->poll = *poll;
    p->has_poll = true;
    ork_causality_step(p, STEP_POLL);
}

void ork_causality_end_poll(struct rank *p, struct choice *c, uint64_t before)
{
    bool is_poll = p->call.kind == ORK_KIND_TESTED || p->call.kind == ORK_KIND_PROBED;

    if (!p->has_poll)
        return;
    c->was_other_poll = !is_poll || p->call.call != p->poll.call || p->call.site != p->poll.site ||
                        c->number != before + 1;
    if (c->was_other_poll)
        leave_poll(p);
    p->has_poll = false;
}
