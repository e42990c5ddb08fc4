/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages that no rank received. */
#include "detector/check/issue.h"
#include "detector/match/match.h"

/* Every rank is in MPI_Finalize: sends that are unmatched remain so. A message that a wildcard
 * receive may have taken is not reported, nor one to a rank of which it is not known what it
 * received: it was in a receive for a send that failed. */
void ork_match_report_lost(struct ork_detector *d)
{
    for (uint32_t i = 0; i < d->matching.exact.buckets; i++) {
        for (struct queue *q = d->matching.exact.bucket[i]; q != NULL; q = q->hash_next) {
            if (d->proc[q->dst]->fault != NULL || d->proc[q->dst]->state_lost)
                continue;
            for (struct op *s = q->sends.head; s != NULL; s = s->side_next) {
                if (!s->cancelling && !s->quiet && !ork_match_is_possible(s))
                    ork_issue_lost_message(d, s);
            }
        }
    }
}
