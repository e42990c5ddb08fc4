/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/feed.h"

#include "bench/ring_peer.h"

#include <stdlib.h>

static struct {
    struct ring_peer *peer;
    uint32_t ranks;
} feed;

bool feed_begin(const char *session, uint32_t ranks, uint32_t leaf_ranks, bool repeats)
{
    feed.peer = calloc(ranks, sizeof(*feed.peer));
    if (feed.peer == NULL)
        return false;
    for (feed.ranks = 0; feed.ranks < ranks; feed.ranks++) {
        if (!ring_peer_attach(&feed.peer[feed.ranks], session, FEED_TOKEN, feed.ranks / leaf_ranks,
                              feed.ranks, ranks))
            return false;
        feed.peer[feed.ranks].repeats = repeats;
    }
    return true;
}

void feed_end(void)
{
    for (uint32_t r = 0; r < feed.ranks; r++)
        ring_peer_release(&feed.peer[r]);
    free(feed.peer);
    feed.peer = NULL;
    feed.ranks = 0;
}

bool feed_put(uint32_t rank, const struct ork_record *record, size_t n)
{
    return ring_peer_put(&feed.peer[rank], record, n);
}

void feed_leave(uint32_t rank)
{
    ring_peer_leave(&feed.peer[rank]);
}

uint64_t feed_backlog(void)
{
    uint64_t records = 0;

    for (uint32_t r = 0; r < feed.ranks; r++)
        records += ring_peer_backlog(&feed.peer[r]);
    return records;
}
