/* SPDX-License-Identifier: BSD-3-Clause */
#include "detector/calls/message_names.h"

#include <stdlib.h>

/* A new number; UINT32_MAX: out of memory. */
static uint32_t take_number(struct message_names *names, struct ork_detector *d)
{
    uint32_t i = 0;

    while (i < names->num_used && names->is_used[i])
        i++;
    if (i == names->num_used && !ork_grow(d, &names->is_used, &names->num_used, i + 1, 1))
        return UINT32_MAX;
    names->is_used[i] = true;
    return i;
}

static void name_found(struct mpi_thread *th, uint32_t *id)
{
    struct ork_detector *d = th->proc->d;
    struct message_names *names = &th->proc->message_names;

    if (*id >= ORK_REQUEST_SHARED ||
        !ork_grow(d, &names->name, &names->cap, names->count + 1, sizeof(*names->name)))
        return;
    uint32_t number = take_number(names, d);
    if (number == UINT32_MAX)
        return;
    names->name[names->count++] = (struct message_name){*id, number, th->instance};
    *id = number;
}

/* RATIONALE: the number of a message that MPI_Imrecv receives is free before the record of the call
 * is written. Then two messages have one number, and the thread tells them apart. */
static uint32_t find(const struct message_names *names, const struct mpi_thread *th, uint32_t id)
{
    uint32_t found = names->count;

    for (uint32_t i = names->count; i-- > 0;) {
        bool is_own = names->name[i].instance == th->instance;
        if (names->name[i].id == id &&
            (is_own || found == names->count || names->name[found].instance != th->instance))
            found = i;
    }
    return found;
}

static void name_received(struct mpi_thread *th, struct ork_record *rec)
{
    struct message_names *names = &th->proc->message_names;
    uint32_t i = find(names, th, (uint32_t)rec->arg);

    if (rec->arg == ORK_REQUEST_NULL)
        return;
    if (i == names->count) { /* it is not known */
        rec->arg = ORK_REQUEST_SHARED;
        return;
    }
    rec->arg = names->name[i].number;
    names->count--;
    memmove(&names->name[i], &names->name[i + 1], (names->count - i) * sizeof(*names->name));
}

void ork_message_name(struct mpi_thread *th, struct ork_record *rec)
{
    bool is_matched = (rec->flags & ORK_F_MATCHED) != 0;

    if (rec->kind == ORK_KIND_EXIT && (rec->flags & ORK_F_ERROR) == 0)
        name_found(th, &rec->request);
    else if (rec->kind == ORK_KIND_PROBED && is_matched)
        name_found(th, &rec->request);
    else if (rec->kind == ORK_KIND_MRECV)
        name_received(th, rec);
    th->probes_matched = rec->kind == ORK_KIND_PROBE && is_matched;
}

void ork_message_end(struct proc *p, uint32_t message)
{
    if (message < p->message_names.num_used)
        p->message_names.is_used[message] = false;
}

void ork_message_receive_early(struct mpi_thread *th, const struct ork_record *rec)
{
    struct proc *p = th->proc;
    struct message_names *names = &p->message_names;

    if (rec->arg >= names->num_used || !names->is_used[rec->arg] ||
        !ork_grow(p->d, &names->early, &names->early_cap, names->num_early + 1,
                  sizeof(*names->early)))
        return;
    names->early[names->num_early++] = (struct early_receive){.rec = *rec, .thread = th};
}

bool ork_message_take_early(struct proc *p, uint32_t message, struct early_receive *early)
{
    struct message_names *names = &p->message_names;

    for (uint32_t i = 0; i < names->num_early; i++) {
        if (names->early[i].rec.arg != message)
            continue;
        *early = names->early[i];
        names->early[i] = names->early[--names->num_early];
        return true;
    }
    return false;
}

void ork_message_names_release(struct proc *p)
{
    free(p->message_names.name);
    free(p->message_names.early);
    free(p->message_names.is_used);
}
