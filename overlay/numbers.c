/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/numbers.h"

#include <stdlib.h>
#include <string.h>

enum { RANKS_MAX = 1 << 24 };

/* The processes of one MPI_COMM_WORLD. */
struct ork_numbered_job {
    char name[sizeof(((struct ork_hello *)NULL)->job)];
    uint32_t first; /* number of its rank 0 */
    uint32_t size;  /* 0 unknown: no other job can follow */
};

void ork_numbers_release(struct ork_numbers *numbers)
{
    free(numbers->job);
    *numbers = (struct ork_numbers){0};
}

static enum ork_status add(struct ork_numbers *numbers, const struct ork_hello *hello)
{
    const struct ork_numbered_job *last =
        numbers->count > 0 ? &numbers->job[numbers->count - 1] : NULL;
    uint32_t first = last != NULL ? last->first + last->size : 0;

    if (hello->size > RANKS_MAX - first || (last != NULL && (last->size == 0 || hello->size == 0)))
        return ORK_NOTFOUND;
    struct ork_numbered_job *bigger = realloc(numbers->job, (numbers->count + 1) * sizeof(*bigger));
    if (bigger == NULL)
        return ORK_NOMEM;
    numbers->job = bigger;
    struct ork_numbered_job *job = &bigger[numbers->count++];
    *job = (struct ork_numbered_job){.first = first, .size = hello->size};
    memcpy(job->name, hello->job, sizeof(job->name));
    return ORK_OK;
}

enum ork_status ork_numbers_give(struct ork_numbers *numbers, const struct ork_hello *hello,
                                 uint32_t *rank)
{
    uint32_t j = 0;

    while (j < numbers->count && strcmp(numbers->job[j].name, hello->job) != 0)
        j++;
    if (j == numbers->count) {
        enum ork_status status = add(numbers, hello);
        if (status != ORK_OK)
            return status;
    }
    const struct ork_numbered_job *job = &numbers->job[j];
    if (hello->rank >= (job->size > 0 ? job->size : RANKS_MAX))
        return ORK_NOTFOUND;
    *rank = job->first + hello->rank;
    return ORK_OK;
}
