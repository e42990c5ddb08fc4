/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/supervise/gone.h"

static void count(struct ork_gone *gone, const struct ork_gone_look *look)
{
    bool is_late = look->is_read && !look->has_children;
    bool is_stopped = look->state == 'T' && !look->has_children;

    gone->asleep = is_late && look->state == 'S' ? gone->asleep + look->ms : 0;
    gone->late = is_late ? gone->late + look->ms : 0;
    gone->stopped = is_stopped ? gone->stopped + look->ms : 0;
    gone->had_children |= look->has_children;
}

static bool is_to_be_killed(const struct ork_gone *gone, const struct ork_gone_look *look,
                            bool hangs, int slowness)
{
    if (!hangs)
        return look->is_certain && gone->stopped >= ORK_GONE_STOPPED;
    if (!look->is_certain)
        return gone->had_children && gone->late >= ORK_GONE_STOPPED;
    return gone->asleep >= ORK_GONE_ASLEEP * slowness || gone->late >= ORK_GONE_STOPPED;
}

enum ork_gone_verdict ork_gone_judge(struct ork_gone *gone, const struct ork_gone_look *look,
                                     bool hangs, int slowness)
{
    int before = gone->seen;

    count(gone, look);
    gone->seen += look->ms;
    if (is_to_be_killed(gone, look, hangs, slowness))
        return ORK_GONE_KILL;
    return hangs && look->is_certain && before < ORK_GONE_REPORTED &&
                   gone->seen >= ORK_GONE_REPORTED
               ? ORK_GONE_SAY
               : ORK_GONE_WAIT;
}
