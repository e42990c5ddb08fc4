/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/stream/rank_numbering.h"

#include "common/vec.h"

#include <stdlib.h>
#include <string.h>

void ork_rank_numbering_release(struct ork_rank_numbering *numbers)
{
    free(numbers->job);
    *numbers = (struct ork_rank_numbering){0};
}

static enum ork_status add(struct ork_rank_numbering *numbers, const struct ork_job_name *name)
{
    const struct ork_numbered_job *last =
        numbers->count > 0 ? &numbers->job[numbers->count - 1] : NULL;
    uint32_t first = last != NULL ? last->first + last->name.size : 0;

    if (name->size > ORK_RANKS_MAX - first ||
        (last != NULL && (last->name.size == 0 || name->size == 0)))
        return ORK_NOTFOUND;
    if (!ork_vec_extend(&numbers->job, numbers->count, numbers->count + 1, sizeof(*numbers->job)))
        return ORK_NOMEM;
    numbers->job[numbers->count++] = (struct ork_numbered_job){.name = *name, .first = first};
    return ORK_OK;
}

enum ork_status ork_rank_numbering_give(struct ork_rank_numbering *numbers,
                                        const struct ork_job_name *name, uint32_t *first)
{
    uint32_t j = 0;

    while (j < numbers->count && strcmp(numbers->job[j].name.name, name->name) != 0)
        j++;
    if (j == numbers->count) {
        enum ork_status status = add(numbers, name);
        if (status != ORK_OK)
            return status;
    }
    *first = numbers->job[j].first;
    return ORK_OK;
}
