/* SPDX-License-Identifier: BSD-3-Clause */
/* What the arbiter keeps for each communicator, window and file. */
#include "order/arbiter/internal.h"

#include <stdlib.h>

static bool make(void *context, struct ork_comm *comm)
{
    struct place *place = calloc(1, sizeof(*place));

    (void)context;
    comm->state = place;
    if (place == NULL)
        return false;
    place->mailbox = calloc(comm->group->size, sizeof(struct mailbox *));
    place->calls = calloc(comm->group->size, sizeof(*place->calls));
    return place->mailbox != NULL && place->calls != NULL;
}

static void destroy(void *context, struct ork_comm *comm)
{
    struct place *place = comm->state;

    (void)context;
    if (place == NULL)
        return;
    for (uint32_t i = 0; place->mailbox != NULL && i < comm->group->size; i++) {
        if (place->mailbox[i] != NULL)
            ork_arbiter_mailbox_destroy(place->mailbox[i]);
    }
    ork_arbiter_waves_destroy(place);
    ork_arbiter_locks_destroy(place);
    free(place->mailbox);
    free(place->calls);
    free(place);
}

bool ork_arbiter_comm_init(struct ork_arbiter *a)
{
    a->comms =
        ork_comms_create(a->nprocs, (struct ork_comm_user){.make = make, .destroy = destroy});
    return a->comms != NULL;
}

/* All its members have freed it. */
static void remove_comm(struct ork_arbiter *a, struct ork_comm *comm)
{
    const struct place *place = comm->state;

    for (uint32_t i = 0; i < comm->group->size; i++) {
        if (place->mailbox[i] != NULL && !ork_arbiter_mailbox_is_empty(place->mailbox[i]))
            return; /* freed with all others in the end */
    }
    if (place->first_wave == NULL)
        ork_comms_remove(a->comms, comm);
}

void ork_arbiter_comm_define(struct rank *p, const struct ork_record *record, const uint32_t *list)
{
    struct ork_arbiter *a = p->arbiter;
    struct ork_comm *dropped;
    enum ork_status status = ork_comms_define(a->comms, p->number, record, list, &dropped);

    if (dropped != NULL)
        remove_comm(a, dropped);
    if (status == ORK_INVALID)
        ork_arbiter_rank_lose(p);
    else if (status != ORK_OK)
        a->failed = true;
}

void ork_arbiter_comm_drop(struct rank *p, uint32_t id)
{
    struct ork_comm *dropped = ork_comms_drop(p->arbiter->comms, p->number, id);

    if (dropped != NULL)
        remove_comm(p->arbiter, dropped);
}
