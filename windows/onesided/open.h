/* SPDX-License-Identifier: BSD-3-Clause */
/* What a rank has begun with a window and not completed, so that a call that completes some of it
 * finds just that: by target, and by request. */
#ifndef ORK_ONESIDED_OPEN_H
#define ORK_ONESIDED_OPEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A call that completes accesses at the origin concerns those of the first kind only. */
enum open_kind { OPEN_AT_ORIGIN, OPEN_AT_TARGET, OPEN_KINDS };

/* The first member of what is open. All zero: in no list. */
struct open_item {
    struct open_item *next,
        **link; /* of its target and kind; link: NULL if it is in no such list */
    struct open_item *next_named, *previous_named; /* of its request, */
    uint32_t request;                              /* if: */
    bool is_named;
    uint32_t target; /* a member of the window */
};

struct open_target {
    struct open_item *first[OPEN_KINDS];
    uint32_t place; /* in busy[] + 1; 0: it has no items */
};

/* All zero: empty. */
struct open_set {
    struct open_target *target; /* by member; NULL: there was no item */
    uint32_t *busy;             /* those that have items */
    uint32_t num_busy, busy_room;
};

struct open_requests {
    struct open_item **first; /* by request */
    uint32_t room;
};

/* `targets`: members of the window. False: out of memory, and it is in no list. */
bool ork_open_add(struct open_set *s, uint32_t targets, uint32_t target, enum open_kind kind,
                  struct open_item *item);
/* It becomes one of the other kind. */
void ork_open_move(struct open_set *s, struct open_item *item, enum open_kind kind);
/* Take it out of the lists that it is in. */
void ork_open_remove(struct open_set *s, struct open_requests *r, struct open_item *item);
void ork_open_release(struct open_set *s);

/* A request completes it. False: out of memory. */
bool ork_open_name(struct open_requests *r, uint32_t request, struct open_item *item);
/* Its request is complete. */
void ork_open_forget_name(struct open_requests *r, struct open_item *item);
/* One of those that it completes; NULL: none. */
static inline struct open_item *ork_open_named(const struct open_requests *r, uint32_t request)
{
    return request < r->room ? r->first[request] : NULL;
}

#endif
