/* SPDX-License-Identifier: BSD-3-Clause */
/* Who took the lock of a window that a deadlocked rank waits for, and after how many others. */
#include "overlay/findings/describe_internal.h"

#include "overlay/findings/phrase.h"
#include "record/calls.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { HOLDERS_MAX = 4 };

/* ", before any other lock that excludes it", ", after 3 locks that exclude it had been released"
 * or
 * "". */
static char *order_words(const struct ork_lock_holder *h)
{
    if (!h->is_counted)
        return strdup("");
    if (h->before == 0)
        return strdup(", before any other lock that excludes it");
    return ork_text(", after %" PRIu32 " lock%s that exclude%s it had been released", h->before,
                    h->before == 1 ? "" : "s", h->before == 1 ? "s" : "");
}

/* "Rank 1 waits for the lock that rank 0 took in MPI_Win_lock (a.c:27), after 3 locks that exclude
 * it had been released." */
static char *holder_words(struct ork_call_sites *sites, uint32_t rank,
                          const struct ork_lock_holder *h)
{
    char *place = ork_phrase_in_call_at(sites, h->rank, ork_call_name(h->call.call), h->call.site);
    char *order = order_words(h);
    char *text =
        place == NULL || order == NULL
            ? NULL
            : ork_text("Rank %" PRIu32 " waits for the lock that rank %" PRIu32 " took in %s%s.",
                       rank, h->rank, place, order);

    free(place);
    free(order);
    return text;
}

enum ork_status ork_describe_add_lock_holders(const struct ork_detector *d,
                                              struct ork_call_sites *sites, struct ork_finding *f)
{
    enum ork_status status = ORK_OK;
    struct ork_lock_holder holder;
    uint32_t said = 0;

    for (uint32_t i = 0; i < f->ranks.count; i++) {
        uint32_t rank = f->ranks.item[i];
        for (uint32_t k = 0; said < HOLDERS_MAX && status == ORK_OK &&
                             ork_detector_lock_holder(d, rank, k, &holder);
             k++) {
            status = ork_describe_add_detail(f, holder_words(sites, rank, &holder));
            said++;
        }
    }
    return status;
}
