/* SPDX-License-Identifier: BSD-3-Clause */
/* A deterministic run: decisions for the ranks of this node, and the bell by which they wake the
 * leaf. */
#include "overlay/leaf/leaf_internal.h"

#include "common/log.h"
#include "common/vec.h"
#include "record/upcoming.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

enum ork_status ork_leaf_set_deterministic(struct ork_leaf *leaf)
{
    leaf->bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (leaf->bell >= 0)
        return ORK_OK;
    ork_error("cannot make an event file: %s", strerror(errno));
    return ORK_IO;
}

void ork_leaf_clear_bell(const struct ork_leaf *leaf)
{
    uint64_t rung;

    if (leaf->bell < 0)
        return;
    /* RATIONALE: whether it was rung or not, the rings are looked at. */
    ssize_t size = read(leaf->bell, &rung, sizeof(rung));
    (void)size;
}

void ork_leaf_watch(struct ork_leaf *leaf, bool is_watched)
{
    leaf->is_watched = is_watched;
    for (uint32_t i = 0; i < leaf->num_local; i++) {
        if (leaf->local[i].attached && leaf->local[i].fd >= 0)
            atomic_store(&leaf->local[i].ring->decisions.is_watched, is_watched);
    }
}

/* RATIONALE: the rank may have overwritten its page; then it gets what it deserves, and the leaf
 * reads and writes within the page. */
void ork_leaf_pass_decisions(struct local *l)
{
    struct ork_decision_page *page = &l->ring->decisions;
    uint32_t head = atomic_load_explicit(&page->head, memory_order_relaxed), passed = 0;

    if (l->num_decisions == 0)
        return;
    /* RATIONALE: the rank waits for what comes after a list of messages. */
    bool is_answer = !ork_decided_is_upcoming(l->decision[l->num_decisions - 1].decided);
    while (passed < l->num_decisions &&
           head - atomic_load_explicit(&page->tail, memory_order_acquire) < ORK_DECISIONS) {
        page->slot[head % ORK_DECISIONS] = l->decision[passed++];
        atomic_store_explicit(&page->head, ++head, memory_order_release);
    }
    l->num_decisions -= passed;
    memmove(l->decision, l->decision + passed, l->num_decisions * sizeof(*l->decision));
    if (is_answer || l->num_decisions > 0)
        syscall(SYS_futex, &page->head, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

enum ork_status ork_leaf_decide(struct ork_leaf *leaf, uint32_t rank,
                                const struct ork_decision *decision)
{
    if (rank >= leaf->num_ranks || leaf->by_rank[rank] == 0)
        return ORK_OK;
    struct local *l = &leaf->local[leaf->by_rank[rank] - 1];
    if (l->fd < 0 || l->broken)
        return ORK_OK;
    if (!ork_vec_reserve(&l->decision, &l->cap_decisions, l->num_decisions + 1,
                         sizeof(*l->decision)))
        return ORK_NOMEM;
    l->decision[l->num_decisions++] = *decision;
    ork_leaf_pass_decisions(l);
    return ORK_OK;
}
