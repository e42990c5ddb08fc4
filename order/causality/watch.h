/* SPDX-License-Identifier: BSD-3-Clause */
/* The summary of races.h: the places and the latest receives of a rank. */
#ifndef ORK_CAUSALITY_WATCH_H
#define ORK_CAUSALITY_WATCH_H

#include "order/causality/internal.h"
#include "order/causality/races.h"

enum { WATCH_RECEIVES = 64 };

struct watched {
    const struct mailbox *box;
    uint32_t from, got_from;
    int32_t tag;
    uint64_t position, value;
    uint32_t place; /* index */
    bool raced;
    struct ork_race_message took;
    /* Of the component of its sender, when its synchronous send had returned: who knows of it knows
     * that the match was over. 0: not yet, or it is not synchronous. */
    uint64_t returned;
};

struct watch {
    struct watched receive[WATCH_RECEIVES]; /* of the last ones */
    uint64_t receives;                      /* all */
    struct ork_race *place;
    uint32_t places, room;
};

/* The match of a receive from any source is certain. */
void ork_watch_add(struct rank *p, const struct receive *r);
/* The receive takes its message; before the rank joins what its sender knew. */
void ork_watch_take(struct rank *p, const struct receive *r);
/* The synchronous send of a message that was matched has returned: m->returned. */
void ork_watch_returned(const struct rank *receiver, const struct message *m);
/* Was it, or will it be, taken by such a receive? */
bool ork_watch_is_of(const struct message *m);
void ork_watch_destroy(struct watch *w);

#endif
