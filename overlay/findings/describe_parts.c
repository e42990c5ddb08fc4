/* SPDX-License-Identifier: BSD-3-Clause */
/* Used by all parts of a description: a rank's row, and one more detail. */
#include "overlay/findings/describe_internal.h"

#include "common/vec.h"

#include <stdlib.h>

const struct ork_rank_row *ork_describe_row(const struct ork_finding *f, uint32_t rank)
{
    uint32_t low = 0, high = f->num_waits;

    while (low < high) { /* ranks of rows below low are lower; those from high on are not */
        uint32_t middle = low + (high - low) / 2;
        if (f->waits[middle].rank < rank)
            low = middle + 1;
        else
            high = middle;
    }
    return low < f->num_waits && f->waits[low].rank == rank ? &f->waits[low] : NULL;
}

enum ork_status ork_describe_add_detail(struct ork_finding *f, char *text)
{
    size_t n = f->num_details;

    if (text != NULL && text[0] == '\0') {
        free(text);
        return ORK_OK;
    }
    if (text == NULL || !ork_vec_extend(&f->detail, n, n + 1, sizeof(*f->detail))) {
        free(text);
        return ORK_NOMEM;
    }
    f->detail[f->num_details++] = text;
    return ORK_OK;
}
