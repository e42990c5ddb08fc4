/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the ranks were when the user, or a batch system, stopped the run. What is known is reported
 * at once, because the signal may also end the tool. The rest follows: what the ranks do, and their
 * call stacks, as in the answer to a request (status.c). A rank that the same signal ended has left
 * its stack. */
#include "overlay/root/root_internal.h"

#include "overlay/findings/describe.h"

#include <stdlib.h>
#include <string.h>

/* How soon the leaves notice that ranks have ended; and what has not come by then is left out. */
#define NOTICE_NS   (300 * MS)
#define PATIENCE_NS (2000 * MS)

static const char message[] = "where the ranks were when the run was stopped";

static int compare_rows(const void *a, const void *b)
{
    const struct ork_rank_row *x = a;
    const struct ork_rank_row *y = b;

    return (x->rank > y->rank) - (x->rank < y->rank);
}

/* Call stacks that ranks have left, and since when each rank is where it is. */
static enum ork_status add_rest(struct ork_root *root, struct ork_finding *f)
{
    enum ork_status status = ork_root_describe_left_stacks(root, f);

    if (status == ORK_OK)
        status = ork_root_describe_longest(root, ork_root_now(root), f);
    qsort(f->waits, f->num_waits, sizeof(*f->waits), compare_rows);
    return status;
}

enum ork_status ork_root_report_stopped(struct ork_root *root)
{
    struct ork_search *search;
    struct ork_finding f;
    enum ork_status status = ork_detector_search(root->detector, ORK_STRICT, &search);

    if (status != ORK_OK)
        return status;
    status =
        ork_describe_state(root->detector, root->sites, search, root->nprocs, "state", message, &f);
    ork_search_destroy(search);
    if (status != ORK_OK)
        return status;
    status = ork_root_describe_places(root, &f);
    if (status == ORK_OK)
        status = add_rest(root, &f);
    if (status == ORK_OK) {
        root->sink->state(root->sink->context, &f);
        root->stopped.is_pending = true;
        root->stopped.since_ns = ork_root_now(root);
    }
    ork_finding_release(&f);
    return status;
}

static bool is_any_asked_for(const struct ork_ends *ends)
{
    for (uint32_t i = 0; i < ends->count; i++) {
        if (ork_ending_is_asked_for(&ends->ended[i].ending))
            return true;
    }
    return false;
}

bool ork_root_awaits_ends(struct ork_root *root, uint64_t at)
{
    const struct stopped *s = &root->stopped;
    uint64_t passed = ork_elapsed_ns(at, s->since_ns);

    if (!s->is_pending || ork_root_have_all_ended(root) || passed >= PATIENCE_NS)
        return false;
    return passed < NOTICE_NS || is_any_asked_for(&root->abnormal.ends) ||
           is_any_asked_for(&s->ends);
}

enum ork_status ork_root_complete_stopped(struct ork_root *root, struct ork_finding *f)
{
    char *id = strdup("state"), *text = strdup(message);

    root->stopped.is_pending = false;
    if (id == NULL || text == NULL) {
        free(id);
        free(text);
        return ORK_NOMEM;
    }
    free(f->id);
    free(f->message);
    f->id = id;
    f->message = text;
    enum ork_status status = ork_root_describe_died(root, f);
    if (status == ORK_OK)
        status = add_rest(root, f);
    if (status == ORK_OK)
        root->sink->stacks(root->sink->context, f, false);
    return status;
}
