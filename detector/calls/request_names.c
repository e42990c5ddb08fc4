/* SPDX-License-Identifier: BSD-3-Clause */
#include "detector/calls/request_names.h"

#include "detector/calls/request.h"

#include <stdlib.h>

static bool is_made(const struct ork_record *rec)
{
    return ork_makes_request(rec) && rec->request < ORK_REQUEST_SHARED;
}

static bool is_free(struct proc *p, uint32_t number)
{
    const struct request_names *names = &p->request_names;

    return (number >= names->num_taken || !names->is_taken[number]) &&
           ork_request_find(p, number) == NULL;
}

/* A number that is free; `id` if possible. Others are tried in turn, for the lowest are in use. */
static uint32_t free_number(struct proc *p, uint32_t id)
{
    struct request_names *names = &p->request_names;

    if (is_free(p, id))
        return id;
    for (uint32_t i = 0; i < names->num_taken; i++) {
        names->latest = (names->latest + 1) % names->num_taken;
        if (is_free(p, names->latest))
            return names->latest;
    }
    return names->num_taken;
}

static void name_made(struct mpi_thread *th, uint32_t *id)
{
    struct proc *p = th->proc;
    struct request_names *names = &p->request_names;
    uint32_t number = free_number(p, *id), before = names->num_numbers;

    /* a number far above all others is invalid: see ork_request_new() */
    if (*id > before + REQUEST_IDS_AHEAD ||
        !ork_grow(p->d, &names->number, &names->num_numbers, *id + 1, sizeof(*names->number)) ||
        !ork_grow(p->d, &names->is_taken, &names->num_taken, number + 1, 1) ||
        !ork_grow(p->d, &names->maker, &names->num_makers, number + 1, sizeof(*names->maker)))
        return;
    for (uint32_t i = before; i < names->num_numbers; i++)
        names->number[i] = i;
    names->is_taken[number] = true;
    names->maker[number] = th->instance;
    names->number[*id] = number;
    *id = number;
}

uint32_t ork_request_named(const struct proc *p, uint32_t id)
{
    return id < p->request_names.num_numbers ? p->request_names.number[id] : id;
}

void ork_request_name(struct mpi_thread *th, struct ork_record *rec, uint32_t *list)
{
    const struct proc *p = th->proc;
    uint32_t step = rec->kind == ORK_KIND_TESTED ? 3 : 1;

    if (is_made(rec)) {
        name_made(th, &rec->request);
    } else if (ork_record_has(rec, ORK_NAMES_REQUEST)) {
        rec->request = ork_request_named(p, rec->request);
    } else if (rec->kind == ORK_KIND_TESTED || ork_record_has(rec, ORK_LISTS_REQUESTS)) {
        for (uint32_t i = 0; i < rec->count; i += step)
            list[i] = ork_request_named(p, list[i]);
    }
}

void ork_request_name_reached(struct proc *p, const struct ork_record *call)
{
    if (is_made(call) && call->request < p->request_names.num_taken)
        p->request_names.is_taken[call->request] = false;
}

void ork_request_names_release(struct proc *p)
{
    free(p->request_names.maker);
    free(p->request_names.number);
    free(p->request_names.is_taken);
}
