/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of functions without a hook: how many there were, and which ranks may have done anything
 * since their first one. */
#include "overlay/root/root_internal.h"

#include "common/vec.h"
#include "overlay/findings/writing.h"
#include "record/calls.h"

#include <stdlib.h>

static void destroy(struct ork_root *root)
{
    struct root_unhooked *u = &root->unhooked;

    for (uint32_t i = 0; i < u->count; i++)
        free(u->function[i].times);
    free(u->function);
}

/* NULL: out of memory. */
static struct root_unhooked_function *find(struct root_unhooked *u, uint16_t call)
{
    for (uint32_t i = 0; i < u->count; i++) {
        if (u->function[i].call == call)
            return &u->function[i];
    }
    if (!ork_vec_reserve(&u->function, &u->room, u->count + 1, sizeof(*u->function)))
        return NULL;
    struct root_unhooked_function *made = &u->function[u->count++];
    *made = (struct root_unhooked_function){.call = call};
    return made;
}

static enum ork_status feed(struct ork_root *root, uint32_t rank, const struct ork_record *record,
                            size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (record[i].kind != ORK_KIND_UNHOOKED)
            continue;
        struct root_unhooked_function *f = find(&root->unhooked, record[i].call);
        if (f == NULL || !ork_vec_reserve(&f->times, &f->ranks, rank + 1, sizeof(*f->times)))
            return ORK_NOMEM;
        if (record[i].extra > f->times[rank]) /* untrusted */
            f->times[rank] = record[i].extra;
    }
    return ORK_OK;
}

static uint64_t count(const struct root_unhooked_function *f)
{
    uint64_t times = 0;

    for (uint32_t r = 0; r < f->ranks; r++)
        times += f->times[r];
    return times;
}

bool ork_root_is_open(const struct ork_root *root, uint32_t rank)
{
    const struct root_unhooked *u = &root->unhooked;

    for (uint32_t i = 0; i < u->count; i++) {
        if (rank < u->function[i].ranks && u->function[i].times[rank] > 0)
            return true;
    }
    return false;
}

/* "12 calls of MPIX_Comm_agree and 1 call of MPI_Isendrecv"; adds up the calls. */
static const char *calls_of(struct ork_writing *w, const struct root_unhooked *u, uint64_t *times)
{
    const char *text = "";

    for (uint32_t i = 0; i < u->count; i++) {
        const struct root_unhooked_function *f = &u->function[i];
        *times += count(f);
        text = ork_join(w, text, i + 1 == u->count ? " and " : ", ",
                        ork_say(w, SAYS_UNHOOKED_CALLS, COUNT('n', count(f)),
                                TEXT('c', ork_call_name(f->call))));
    }
    return text;
}

static enum ork_status summary(struct ork_root *root, struct ork_report *report)
{
    struct ork_writing w = {0};
    struct ork_u32s ranks = {0};
    uint64_t times = 0;

    if (root->unhooked.count == 0)
        return ORK_OK;
    const char *calls = calls_of(&w, &root->unhooked, &times);
    for (uint32_t r = 0; r < root->nprocs; r++) {
        if (ork_root_is_open(root, r))
            ork_writing_add(&w, &ranks, r);
    }
    report->complete = false;
    ork_writing_check(&w,
                      ork_report_add_note(report, ork_say(&w, SAYS_UNHOOKED, TEXT('w', calls),
                                                          NUMBER('n', times), RANKS('r', &ranks))));
    return ork_writing_release(&w);
}

const struct ork_follower ork_follow_unhooked = {
    .destroy = destroy, .feed = feed, .summary = summary};
