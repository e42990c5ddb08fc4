/* SPDX-License-Identifier: BSD-3-Clause */
/* What the tool did not look at, if the run has it: the other orders of its messages, loads and
 * stores to windows, all bytes of large send buffers. A note for each, at the end of a run that
 * went well. */
#include "overlay/root/root_internal.h"

#include "overlay/findings/writing.h"
#include "record/access.h"
#include "record/unread.h"

#include <stdlib.h>

static enum ork_status create(struct ork_root *root, uint32_t nprocs)
{
    root->unlooked.has_window = calloc(nprocs, sizeof(*root->unlooked.has_window));
    return root->unlooked.has_window != NULL ? ORK_OK : ORK_NOMEM;
}

static void destroy(struct ork_root *root)
{
    free(root->unlooked.has_window);
}

static bool is_unseen_memory(const struct ork_record *r)
{
    return r->kind == ORK_KIND_WIN_MEMORY && r->bytes > 0 && (r->arg2 & ORK_WINDOW_TOUCHED) == 0;
}

static enum ork_status feed(struct ork_root *root, uint32_t rank, const struct ork_record *record,
                            size_t n)
{
    struct root_unlooked *u = &root->unlooked;

    for (size_t i = 0; i < n; i++) {
        u->has_window[rank] |= is_unseen_memory(&record[i]);
        u->is_sampled |= record[i].kind == ORK_KIND_UNREAD && record[i].mode == ORK_UNREAD_SOME;
        u->has_spawned |=
            record[i].kind == ORK_KIND_COMM_DEF && record[i].mode == ORK_COLL_COMM_SPAWN;
    }
    return ORK_OK;
}

/* RATIONALE: an exploration runs the other orders. */
static const char *orders(const struct ork_root *root, struct ork_writing *w)
{
    uint64_t raced = 0, n = ork_detector_counts(root->detector).choices;
    bool is_known = ork_root_count_raced(root, &raced);

    n = is_known ? raced : n;
    if (n == 0 || root->options.alternatives != NULL)
        return "";
    return ork_say(w, SAYS_UNLOOKED_ORDERS, COUNT('n', n), NUMBER('i', is_known));
}

/* RATIONALE: other notes say it of a program with another runtime, and of windows that are not
 * followed at all. */
static const char *windows(const struct ork_root *root, struct ork_writing *w)
{
    struct ork_u32s ranks = {0};

    if (ork_root_onesided(root) == NULL || root->input.other_runtimes > 0)
        return "";
    for (uint32_t r = 0; r < root->following.first_job; r++) {
        if (root->unlooked.has_window[r])
            ork_writing_add(w, &ranks, r);
    }
    return ranks.count > 0 ? ork_say(w, SAYS_UNLOOKED_MEMORY, RANKS('r', &ranks)) : "";
}

static bool went_well(const struct ork_root *root)
{
    return root->reports.count == 0 && root->abnormal.stage == ABNORMAL_NONE &&
           !ork_policy_is_ending(&root->policy);
}

static enum ork_status summary(struct ork_root *root, struct ork_report *report)
{
    struct ork_writing w = {0};

    if (!went_well(root))
        return ORK_OK;
    const char *const note[] = {orders(root, &w), windows(root, &w),
                                root->unlooked.is_sampled ? ork_plain(SAYS_UNLOOKED_BYTES) : ""};
    for (size_t i = 0; i < sizeof(note) / sizeof(note[0]) && w.status == ORK_OK; i++) {
        if (note[i][0] != '\0')
            ork_writing_check(&w, ork_report_add_note(report, note[i]));
    }
    return ork_writing_release(&w);
}

const struct ork_follower ork_follow_unlooked = {.is_of_first_job = true,
                                                 .create = create,
                                                 .destroy = destroy,
                                                 .feed = feed,
                                                 .summary = summary};
