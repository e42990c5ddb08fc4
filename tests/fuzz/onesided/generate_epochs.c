/* SPDX-License-Identifier: BSD-3-Clause */
/* Epochs of windows. */
#include "tests/fuzz/onesided/generate.h"

void start(struct state *s, int target, int origin)
{
    if (s->posted[target] >= 0 || s->started[origin] >= 0)
        return;
    s->epoch[target] = s->numbers++;
    s->posted[target] = origin;
    s->started[origin] = target;
    s->is_complete[target] = false;
    if (any(s, 2) == 0 || (s->is_real && target == origin)) {
        add_event(s, target, EVENT_POST, STARTED, origin, s->epoch[target]);
        add_event(s, origin, EVENT_START, STARTED, target, s->epoch[target]);
    } else {
        add_event(s, origin, EVENT_START, STARTED, target, s->epoch[target]);
        add_event(s, target, EVENT_POST, STARTED, origin, s->epoch[target]);
    }
}

void complete(struct state *s, int origin)
{
    int target = s->started[origin];

    if (target < 0)
        return;
    add_event(s, origin, EVENT_COMPLETE, STARTED, target, s->epoch[target]);
    s->started[origin] = -1;
    s->is_complete[target] = true;
}

void wait_window(struct state *s, int target)
{
    if (s->posted[target] < 0 || !s->is_complete[target])
        return;
    add_event(s, target, EVENT_WAIT_WINDOW, STARTED, s->posted[target], s->epoch[target]);
    s->posted[target] = -1;
}

static bool is_lockable(const struct state *s, int target, bool exclusive)
{
    for (int r = 0; r < s->p->ranks; r++) {
        if (s->lock[r][target] == 2 || (exclusive && (s->lock[r][target] != 0 || s->has_all[r])))
            return false;
    }
    return true;
}

/* RATIONALE: a real lock may be granted in any order. So no rank waits for others while it holds
 * one, if some are exclusive. */
static void lock_and_unlock(struct state *s, int origin, int target, bool exclusive)
{
    s->lock[origin][target] = exclusive ? 2 : 1;
    add_event(s, origin, EVENT_LOCK, LOCKED, target, 0)->is_exclusive = exclusive;
    for (int n = 1 + any(s, 2); n > 0; n--) {
        make_access(s, origin, LOCKED, target);
        if (any(s, 3) == 0)
            add_event(s, origin, any(s, 2) == 0 ? EVENT_FLUSH : EVENT_FLUSH_LOCAL, LOCKED, target,
                      0);
    }
    unlock(s, origin, target);
}

void lock(struct state *s, int origin, int target, bool exclusive)
{
    if (s->is_real && s->has_exclusive && s->may_lock) {
        lock_and_unlock(s, origin, target, exclusive);
        return;
    }
    exclusive = exclusive && !s->is_real;
    if (s->lock[origin][target] != 0 || s->has_all[origin] || !is_lockable(s, target, exclusive))
        return;
    s->lock[origin][target] = exclusive ? 2 : 1;
    add_event(s, origin, EVENT_LOCK, LOCKED, target, 0)->is_exclusive = exclusive;
}

void lock_all(struct state *s, int origin)
{
    bool good = !s->has_all[origin] && !(s->is_real && s->has_exclusive);

    for (int t = 0; t < s->p->ranks; t++)
        good = good && s->lock[origin][t] == 0 && is_lockable(s, t, false);
    if (!good)
        return;
    s->has_all[origin] = true;
    add_event(s, origin, EVENT_LOCK_ALL, LOCKED, -1, 0);
}

void unlock(struct state *s, int origin, int target)
{
    if (s->has_all[origin]) {
        s->has_all[origin] = false;
        add_event(s, origin, EVENT_UNLOCK, LOCKED, -1, 0);
    } else if (s->lock[origin][target] != 0) {
        s->lock[origin][target] = 0;
        add_event(s, origin, EVENT_UNLOCK, LOCKED, target, 0);
    }
}

void flush(struct state *s, int origin, int target)
{
    enum event_type type = any(s, 2) == 0 ? EVENT_FLUSH : EVENT_FLUSH_LOCAL;

    if (s->has_all[origin])
        add_event(s, origin, type, LOCKED, any(s, 2) == 0 ? -1 : target, 0);
    else if (s->lock[origin][target] != 0)
        add_event(s, origin, type, LOCKED, target, 0);
}
