/* SPDX-License-Identifier: BSD-3-Clause */
#include "windows/onesided/open.h"

#include "common/assert.h"
#include "common/vec.h"

#include <stdlib.h>

/* ---- by target ---- */

static void link_in(struct open_target *t, enum open_kind kind, struct open_item *item)
{
    ORK_ASSERT(item->link == NULL);
    item->next = t->first[kind];
    item->link = &t->first[kind];
    if (item->next != NULL)
        item->next->link = &item->next;
    t->first[kind] = item;
}

static void link_out(struct open_item *item)
{
    ORK_ASSERT(item->link != NULL && *item->link == item);
    *item->link = item->next;
    if (item->next != NULL)
        item->next->link = item->link;
    item->next = NULL;
    item->link = NULL;
}

bool ork_open_add(struct open_set *s, uint32_t targets, uint32_t target, enum open_kind kind,
                  struct open_item *item)
{
    ORK_ASSERT(target < targets);
    if (s->target == NULL)
        s->target = calloc(targets, sizeof(*s->target));
    if (s->target == NULL ||
        !ork_vec_reserve(&s->busy, &s->busy_room, s->num_busy + 1, sizeof(*s->busy)))
        return false;
    struct open_target *t = &s->target[target];
    if (t->place == 0) {
        s->busy[s->num_busy++] = target;
        t->place = s->num_busy;
    }
    item->target = target;
    link_in(t, kind, item);
    return true;
}

void ork_open_move(struct open_set *s, struct open_item *item, enum open_kind kind)
{
    link_out(item);
    link_in(&s->target[item->target], kind, item);
}

static void remove_if_idle(struct open_set *s, struct open_target *t)
{
    if (t->first[OPEN_AT_ORIGIN] != NULL || t->first[OPEN_AT_TARGET] != NULL)
        return;
    ORK_ASSERT(t->place > 0 && t->place <= s->num_busy);
    ORK_ASSERT(&s->target[s->busy[t->place - 1]] == t);
    uint32_t last = s->busy[--s->num_busy];
    s->busy[t->place - 1] = last;
    s->target[last].place = t->place;
    t->place = 0;
}

void ork_open_remove(struct open_set *s, struct open_requests *r, struct open_item *item)
{
    if (item->is_named)
        ork_open_forget_name(r, item);
    if (item->link == NULL)
        return;
    link_out(item);
    remove_if_idle(s, &s->target[item->target]);
}

void ork_open_release(struct open_set *s)
{
    free(s->target);
    free(s->busy);
    *s = (struct open_set){0};
}

/* ---- by request ---- */

bool ork_open_name(struct open_requests *r, uint32_t request, struct open_item *item)
{
    if (!ork_vec_reserve(&r->first, &r->room, request + 1, sizeof(struct open_item *)))
        return false;
    item->request = request;
    item->is_named = true;
    item->previous_named = NULL;
    item->next_named = r->first[request];
    if (item->next_named != NULL)
        item->next_named->previous_named = item;
    r->first[request] = item;
    return true;
}

void ork_open_forget_name(struct open_requests *r, struct open_item *item)
{
    ORK_ASSERT(item->is_named && item->request < r->room);
    ORK_ASSERT((item->previous_named == NULL) == (r->first[item->request] == item));
    if (item->previous_named != NULL)
        item->previous_named->next_named = item->next_named;
    else
        r->first[item->request] = item->next_named;
    if (item->next_named != NULL)
        item->next_named->previous_named = item->previous_named;
    item->is_named = false;
}
