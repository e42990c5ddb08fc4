/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/objects/context.h"

#include "common/number_map.h"
#include "common/vec.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>

struct object {
    uint64_t group, context;
};
static struct ork_number_map objects; /* that are not freed */

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

static const struct object *find_object(uint32_t id)
{
    return ork_number_map_find(&objects, id, sizeof(struct object));
}

static uint64_t draw(uint64_t group)
{
    struct made *m = group != 0 ? find(group) : NULL;

    return m != NULL ? mix(group, ++m->count) | 1 : 0;
}

uint64_t ork_context_add(uint32_t id, uint64_t group)
{
    int saved = errno;
    struct object *object = ork_number_map_add(&objects, id, sizeof(*object));

    if (object != NULL)
        *object = (struct object){.group = group, .context = draw(group)};
    errno = saved;
    return object != NULL ? object->context : 0;
}

uint64_t ork_context_add_like(uint32_t id, uint32_t parent)
{
    const struct object *object = find_object(parent);

    return ork_context_add(id, object != NULL ? object->group : 0);
}

uint64_t ork_context_of(uint32_t id)
{
    const struct object *object = find_object(id);

    return object != NULL ? object->context : 0;
}

uint64_t ork_context_draw(uint32_t id)
{
    const struct object *object = find_object(id);
    int saved = errno;
    uint64_t context = object != NULL ? draw(object->group) : 0;

    errno = saved;
    return context;
}

void ork_context_forget(uint32_t id)
{
    ork_number_map_remove(&objects, id, sizeof(struct object));
}
