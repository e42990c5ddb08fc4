/* SPDX-License-Identifier: BSD-3-Clause */
/* Who took the lock of a window that a deadlocked rank waits for, and after how many others. */
#include "overlay/findings/describe_internal.h"

enum { HOLDERS_MAX = 4 };

/* ", before any other lock that excludes it", ", after 3 locks that exclude it had been released"
 * or "". */
static const char *order_words(struct ork_writing *w, const struct ork_lock_holder *h)
{
    if (!h->is_counted)
        return "";
    return h->before == 0 ? ork_plain(SAYS_LOCK_FIRST)
                          : ork_say(w, SAYS_LOCK_AFTER, NUMBER('n', h->before));
}

void ork_describe_add_lock_holders(struct ork_writing *w, struct ork_finding *f)
{
    struct ork_lock_holder h;
    uint32_t said = 0;

    for (uint32_t i = 0; i < f->ranks.count; i++) {
        uint32_t rank = f->ranks.item[i];
        for (uint32_t k = 0; said < HOLDERS_MAX && ork_detector_lock_holder(w->d, rank, k, &h);
             k++, said++)
            ork_writing_detail(w, f,
                               ork_say(w, SAYS_LOCK_HOLDER, RANK('r', rank), RANK('o', h.rank),
                                       TEXT('c', ork_call_in(w, h.rank, h.call.call, h.call.site)),
                                       TEXT('w', order_words(w, &h))));
    }
}
