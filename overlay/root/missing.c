/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks that wait in MPI_Init for others that ended before they called it: for ever, if the
 * launcher does not end the job. Nothing is ever recorded of the others; but mustrun sees how many
 * of the processes live that the launcher has started. */
#include "overlay/root/root_internal.h"

#include "overlay/findings/describe.h"
#include "overlay/findings/describe_internal.h"

enum ork_status ork_root_note_starting(struct ork_root *root, uint32_t rank)
{
    if (root->detector != NULL)
        return ORK_OK;
    return ork_describe_add_rank(&root->input.starting, rank) ? ORK_OK : ORK_NOMEM;
}

/* Are all living processes ranks in MPI_Init, and are they not the whole job? RATIONALE: without a
 * detector, no rank has returned from MPI_Init. */
static bool is_waiting(const struct ork_root *root, uint32_t living)
{
    const struct root_input *in = &root->input;

    return root->detector == NULL && in->numbers.count == 1 && in->ended == 0 && in->attached > 0 &&
           in->attached == living && in->attached < in->numbers.job[0].name.size &&
           !ork_policy_is_ending(&root->policy);
}

static enum ork_status report(struct ork_root *root)
{
    struct ork_finding finding;
    enum ork_status status =
        ork_describe_missing(&root->input.starting, root->input.numbers.job[0].name.size, &finding);

    if (status != ORK_OK)
        return status;
    ork_policy_take(&root->policy, ROOT_FATAL_IS_REPORTED);
    root->sink->finding(root->sink->context, &finding, true);
    ork_finding_release(&finding);
    return ORK_OK;
}

/* RATIONALE: told twice, because a rank may just connect, or be just about to end. */
enum ork_status ork_root_take_living(struct ork_root *root, uint32_t living)
{
    struct root_input *in = &root->input;
    bool was_waiting = in->living == living && in->living_attached == living;

    in->living = living;
    in->living_attached = in->attached;
    return was_waiting && is_waiting(root, living) ? report(root) : ORK_OK;
}
