/* SPDX-License-Identifier: BSD-3-Clause */
/* What comes before the number of ranks is known is kept. */
#include "overlay/root/input.h"

#include "common/assert.h"

#include <stdlib.h>
#include <string.h>

static struct early *add_early(struct ork_root *root, uint32_t rank, size_t n)
{
    struct early *e = calloc(1, sizeof(*e) + n * sizeof(e->record[0]));

    if (e == NULL)
        return NULL;
    ORK_ASSERT(*root->input.early_end == NULL);
    e->rank = rank;
    e->n = n;
    *root->input.early_end = e;
    root->input.early_end = &e->next;
    return e;
}

/* RATIONALE: untrusted like every record, but it sets the size of all that follows. */
static bool is_init(uint32_t rank, const struct ork_record *record)
{
    return record->kind == ORK_KIND_INIT && record->arg2 > rank && record->arg2 < ORK_RANKS_MAX &&
           record->peer == (int32_t)rank;
}

/* The size of the first job, by the first record of a rank; 0: unknown. */
static uint32_t size_of_job(const struct ork_root *root)
{
    for (const struct early *e = root->input.early; e != NULL; e = e->next) {
        const struct ork_record *r = e->record;
        if (e->n > 0 && r->kind == ORK_KIND_JOB && r->peer == (int32_t)e->rank &&
            r->arg2 > e->rank && r->arg2 < ORK_RANKS_MAX)
            return r->arg2;
    }
    return 0;
}

/* RATIONALE: a rank that finds a wrong call before MPI_Init may not live to return from it. */
enum ork_status ork_root_keep_early(struct ork_root *root, uint32_t rank,
                                    const struct ork_record *record, size_t n, uint32_t *nprocs)
{
    struct early *e = add_early(root, rank, n);

    *nprocs = 0;
    if (e == NULL)
        return ORK_NOMEM;
    memcpy(e->record, record, n * sizeof(*record));
    for (size_t i = 0; i < n && *nprocs == 0; i++)
        *nprocs = record[i].kind == ORK_KIND_USAGE ? size_of_job(root)
                  : is_init(rank, &record[i])      ? record[i].arg2
                                                   : 0;
    return ORK_OK;
}

enum ork_status ork_root_keep_early_end(struct ork_root *root, uint32_t rank, enum ork_end end)
{
    struct early *e = add_early(root, rank, 0);

    if (e == NULL)
        return ORK_NOMEM;
    e->is_end = true;
    e->end = end;
    return ORK_OK;
}

void ork_root_forget_early(struct ork_root *root)
{
    while (root->input.early != NULL) {
        struct early *next = root->input.early->next;
        free(root->input.early);
        root->input.early = next;
    }
}
