/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/fuzz/onesided/feed.h"

#include <stdlib.h>

static void check(enum ork_status status)
{
    if (status != ORK_OK)
        abort();
}

static bool never_wait(void *context, uint32_t rank, uint32_t site, bool is_element)
{
    (void)context;
    (void)rank;
    (void)site;
    (void)is_element;
    return false;
}

void program_feed(struct ork_onesided *o, const struct program *p, uint64_t *random)
{
    static struct ork_record record[RANKS_MAX][RECORDS_MAX];
    uint32_t count[RANKS_MAX], next[RANKS_MAX] = {0};
    int left = p->ranks;

    if (p->never_waits)
        ork_onesided_ask(o, never_wait, NULL);
    for (int r = 0; r < p->ranks; r++)
        count[r] = program_records(p, r, record[r]);
    while (left > 0) {
        uint32_t r = program_random(random, (uint32_t)p->ranks);
        uint32_t most = count[r] - next[r], n = 1 + program_random(random, 12);
        n = n < most ? n : most;
        if (n == 0)
            continue;
        check(ork_onesided_feed(o, r, &record[r][next[r]], n));
        next[r] += n;
        if (next[r] == count[r]) {
            check(ork_onesided_end(o, r));
            left--;
        }
    }
}
