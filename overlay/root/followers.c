/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/root/followers.h"

#include "common/assert.h"
#include "overlay/root/root_internal.h"

/* Call a member of each follower for which `takes` holds, and which has it. Returns from the
 * function with what they return. */
#define CALL_EACH(root, takes, member, ...)                                                        \
    for (uint32_t i = 0; i < (root)->following.count; i++) {                                       \
        const struct ork_follower *f = (root)->following.follower[i];                              \
        enum ork_status status = f->member != NULL && (takes) ? f->member(__VA_ARGS__) : ORK_OK;   \
        if (status != ORK_OK)                                                                      \
            return status;                                                                         \
    }                                                                                              \
    return ORK_OK

enum ork_status ork_followers_create(struct ork_root *root, uint32_t nprocs)
{
    const struct ork_root_options *o = &root->options;
    /* RATIONALE: `alternatives` asks `unordered`, and that asks `conflicts`, when they finish. */
    const struct {
        const struct ork_follower *follower;
        bool is_wanted;
    } list[] = {
        {&ork_follow_replay, o->replay != NULL},
        {&ork_follow_decisions, o->is_deterministic},
        {&ork_follow_alternatives, o->alternatives != NULL},
        {&ork_follow_expiry, o->alternatives != NULL},
        {&ork_follow_races, o->races},
        {&ork_follow_conflicts, o->rma != ORK_RMA_OFF},
        {&ork_follow_unread, true},
        {&ork_follow_unhooked, true},
        {&ork_follow_unlooked, true},
        {&ork_follow_unordered, ork_root_wants_order(o)},
        {&ork_follow_pause, o->stop.choice != 0},
    };
    struct root_following *to = &root->following;

    _Static_assert(sizeof(list) / sizeof(list[0]) == ORK_FOLLOWERS_MAX, "each follower has room");
    ORK_ASSERT(to->count == 0 && nprocs > 0);
    to->first_job = nprocs;
    for (uint32_t i = 0; i < ORK_FOLLOWERS_MAX; i++) {
        if (!list[i].is_wanted)
            continue;
        const struct ork_follower *f = to->follower[to->count++] = list[i].follower;
        enum ork_status status = f->create != NULL ? f->create(root, nprocs) : ORK_OK;
        if (status != ORK_OK)
            return status;
    }
    return ORK_OK;
}

void ork_followers_destroy(struct ork_root *root)
{
    while (root->following.count > 0) {
        const struct ork_follower *f = root->following.follower[--root->following.count];
        if (f->destroy != NULL)
            f->destroy(root);
    }
}

enum ork_status ork_followers_feed(struct ork_root *root, uint32_t rank,
                                   const struct ork_record *record, size_t n)
{
    bool is_in_first = rank < root->following.first_job;

    CALL_EACH(root, is_in_first || !f->is_of_first_job, feed, root, rank, record, n);
}

enum ork_status ork_followers_end(struct ork_root *root, uint32_t rank, enum ork_causal_end how)
{
    bool is_in_first = rank < root->following.first_job;

    CALL_EACH(root, is_in_first || !f->is_of_first_job, end, root, rank, how);
}

enum ork_need ork_followers_need(const struct ork_root *root)
{
    enum ork_need most = ORK_NEED_CHANGES;

    for (uint32_t i = 0; i < root->following.count; i++) {
        const struct ork_follower *f = root->following.follower[i];
        enum ork_need need = f->need != NULL ? f->need(root) : ORK_NEED_CHANGES;
        most = need > most ? need : most;
    }
    return most;
}

bool ork_followers_state(const struct ork_root *root, size_t limit, struct ork_words *state)
{
    state->count = 0;
    for (uint32_t i = 0; i < root->following.count; i++) {
        const struct ork_follower *f = root->following.follower[i];
        if (f->state != NULL)
            return f->state(root, limit, state);
    }
    return true;
}

enum ork_status ork_followers_finish(struct ork_root *root)
{
    CALL_EACH(root, true, finish, root);
}

enum ork_status ork_followers_report(struct ork_root *root)
{
    CALL_EACH(root, true, report, root);
}

enum ork_status ork_followers_summary(struct ork_root *root, struct ork_report *report)
{
    CALL_EACH(root, true, summary, root, report);
}
