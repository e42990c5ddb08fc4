/* SPDX-License-Identifier: BSD-3-Clause */
/* The last calls in the answer to a status request. */
#include "overlay/root/root_internal.h"

#include "overlay/findings/describe_internal.h"

#include <stdlib.h>
#include <string.h>

/* Those that hold others up first, as the cause, then as many as are asked. */
static bool add_ranks_to_ask(const struct ork_root *root, struct ork_finding *f)
{
    const struct question *q = &root->question;
    bool ok = (f->roots = calloc(1, sizeof(*f->roots))) != NULL;

    f->num_roots = ok;
    for (uint32_t i = 0; i < q->count && ok; i++)
        ok = ork_describe_add_rank(&f->roots[0], q->rank[i]) &&
             ork_describe_add_rank(&f->ranks, q->rank[i]);
    for (uint32_t r = 0; r < root->nprocs && r < ROOT_ASKED_MAX && ok; r++)
        ok = ork_describe_add_rank(&f->ranks, r);
    if (ok)
        ork_describe_sort_unique(&f->roots[0]);
    return ok;
}

enum ork_status ork_root_ask_for_answer(struct ork_root *root)
{
    struct ork_finding f = {.id = strdup("status"), .message = strdup("")};

    if (f.id == NULL || f.message == NULL || !add_ranks_to_ask(root, &f)) {
        ork_finding_release(&f);
        return ORK_NOMEM;
    }
    root->question.awaits_calls = true;
    return ork_root_collect_for_answer(root, &f);
}
