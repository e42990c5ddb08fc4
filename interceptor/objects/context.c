/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/objects/context.h"

#include "common/vec.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>

struct object {
    uint64_t group, context;
};
static struct object *objects; /* by number */
static uint32_t num_objects;

/* How many objects of a group were made. */
struct made {
    uint64_t group;
    uint32_t count;
};
static struct made *made;
static uint32_t num_made, room;

static uint64_t mix(uint64_t h, uint64_t word)
{
    h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ h >> 29;
}

uint64_t ork_context_group(const uint32_t *word, uint32_t count)
{
    uint64_t h = mix(UINT64_C(0x2545f4914f6cdd1d), count);

    for (uint32_t i = 0; i < count; i++) {
        if (i % 3 == 0 && word[i] == UINT32_MAX)
            return 0;
        h = mix(h, word[i]);
    }
    return h | 1;
}

/* The count of this group; NULL: out of memory. */
static struct made *find(uint64_t group)
{
    for (uint32_t i = 0; i < num_made; i++) {
        if (made[i].group == group)
            return &made[i];
    }
    if (!ork_vec_reserve(&made, &room, num_made + 1, sizeof(*made)))
        return NULL;
    made[num_made] = (struct made){.group = group};
    return &made[num_made++];
}

uint64_t ork_context_add(uint32_t id, uint64_t group)
{
    int saved = errno;
    struct made *m = group != 0 ? find(group) : NULL;
    bool has_room = ork_vec_reserve(&objects, &num_objects, id + 1, sizeof(*objects));

    errno = saved;
    if (!has_room)
        return 0;
    objects[id] = (struct object){.group = group};
    if (m != NULL)
        objects[id].context = mix(group, ++m->count) | 1;
    return objects[id].context;
}

uint64_t ork_context_add_like(uint32_t id, uint32_t parent)
{
    return ork_context_add(id, parent < num_objects ? objects[parent].group : 0);
}

uint64_t ork_context_of(uint32_t id)
{
    return id < num_objects ? objects[id].context : 0;
}
