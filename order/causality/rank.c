/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps of a rank, and whether they can be followed. */
#include "order/causality/internal.h"

#include <stdlib.h>

void ork_causality_wake(struct rank *p)
{
    if (p->ready || p->first_step == NULL)
        return;
    p->ready = true;
    p->ready_next = p->causality->ready;
    p->causality->ready = p;
}

void ork_causality_wake_all(struct ork_causality *c)
{
    for (uint32_t r = 0; r < c->nprocs; r++)
        ork_causality_wake(&c->rank[r]);
}

void ork_causality_lose(struct rank *p, const char *why)
{
    if (p->lost != NULL)
        return;
    p->lost = why;
    if (p->causality->lost == NULL)
        p->causality->lost = why;
    p->ended = true;
    p->queued = 0;
    ork_causality_wake_all(p->causality);
}

bool ork_causality_is_silent(const struct rank *p)
{
    return p->ended && p->first_step == NULL;
}

struct step *ork_causality_step(struct rank *p, enum step_type type)
{
    struct step *s = malloc(sizeof(*s)); /* calloc of the C library is slower */

    if (s == NULL) {
        p->causality->failed = true;
        return NULL;
    }
    ORK_ASSERT((p->first_step == NULL) == (p->steps == 0));
    *s = (struct step){.type = type,
                       .at = {.number = p->calls, .site = p->call.site, .call = p->call.call}};
    *(p->last_step != NULL ? &p->last_step->next : &p->first_step) = s;
    p->last_step = s;
    p->steps++;
    return s;
}

void ork_causality_step_end(struct rank *p)
{
    struct step *s = p->first_step;

    ORK_ASSERT(p->steps > 0);
    p->first_step = s->next;
    p->steps--;
    if (p->first_step == NULL)
        p->last_step = NULL;
    ORK_ASSERT((p->first_step == NULL) == (p->steps == 0));
    free(s->op);
    free(s->call);
    free(s);
}

void ork_causality_free_buffer(struct rank *p, const struct op *op)
{
    if (!op->has_buffer || p->causality->user == NULL)
        return;
    struct step *s = ork_causality_step(p, STEP_RETURN);
    if (s == NULL)
        return;
    s->op = malloc(sizeof(*s->op));
    if (s->op == NULL) {
        p->causality->failed = true;
        return;
    }
    *s->op = (struct op){.type = OP_DONE, .request = op->request, .has_buffer = true};
    s->ops = 1;
}
