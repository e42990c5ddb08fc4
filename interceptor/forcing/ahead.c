/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/forcing/ahead.h"

void ork_ahead_begin(struct ork_ahead_wait *w, int64_t allowed, uint64_t posted, uint64_t now_ns)
{
    *w = (struct ork_ahead_wait){
        .limit = allowed + ORK_AHEAD / 2, .begun = now_ns, .changed = now_ns, .posted = posted};
}

enum ork_ahead_state ork_ahead_look(struct ork_ahead_wait *w, int64_t length, uint64_t posted,
                                    uint64_t now_ns)
{
    if (length <= w->limit)
        return ORK_AHEAD_SHORT;
    if (posted != w->posted)
        w->changed = now_ns;
    w->posted = posted;
    bool is_over =
        now_ns - w->changed > ORK_AHEAD_STALLED_NS || now_ns - w->begun > ORK_AHEAD_LIMIT_NS;
    return is_over ? ORK_AHEAD_STALLED : ORK_AHEAD_WAITS;
}

int64_t ork_ahead_end(int64_t allowed, int64_t length, enum ork_ahead_state state)
{
    if (state == ORK_AHEAD_SHORT)
        return allowed - allowed / 2;
    return length > 0 ? length : 0;
}
