/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/objects/handles.h"

#include "common/vec.h"
#include "interceptor/ring/recorder.h"

#include <errno.h>

/* One reference to a live handle, or the call that freed a handle. */
struct node {
    uint32_t site;
    uint32_t variable; /* of the application, shortened */
    uint32_t next;     /* an older reference to the same handle; of a freed one: its place in the
                        * ring */
    uint16_t call;
    bool is_tools;
};

/* Flags of a map's entry; its number is that of the newest node. */
enum { PREDEFINED = 1, FREED = 2 };
enum { NONE = ORK_HANDLE_NO_REFERENCE };
/* Freed handles of a kind that are remembered. References that are compared with a variable. */
enum { FREED_MAX = 1024, LOOK_BACK_MAX = 16 };

static struct ork_map maps[ORK_HANDLE_KINDS];
static uint64_t nulls[ORK_HANDLE_KINDS];
static struct node *nodes;
static uint32_t node_room;
static struct ork_ids node_ids;

/* Keys of the handles freed last, as a ring. */
static uint64_t freed[ORK_HANDLE_KINDS][FREED_MAX];
static uint32_t num_freed[ORK_HANDLE_KINDS];

static _Atomic bool is_incomplete;
_Atomic uint32_t ork_handles_version;
_Atomic uint64_t ork_handle_cache[ORK_HANDLE_KINDS][1 << ORK_HANDLE_CACHE_BITS];

/* RATIONALE: a keyval, and a file in some libraries, may be 0, which is no key of a map. -1 is
 * no handle of any library, or MPI_KEYVAL_INVALID, which is never entered. */
static uint64_t key_of(uint64_t value)
{
    return value + 1;
}

static struct ork_entry *find(enum ork_handle_kind kind, uint64_t value)
{
    return ork_map_find(&maps[kind], key_of(value));
}

void ork_handles_set_incomplete(void)
{
    atomic_store_explicit(&is_incomplete, true, memory_order_relaxed);
}

bool ork_handles_are_complete(void)
{
    return !atomic_load_explicit(&is_incomplete, memory_order_relaxed);
}

void ork_handle_set_null(enum ork_handle_kind kind, uint64_t null)
{
    nulls[kind] = null;
}

/* ---- nodes ---- */

/* NONE: out of memory. */
static uint32_t node_make(struct ork_handle_place place, const void *variable, uint32_t next)
{
    uint32_t i = ork_ids_take(&node_ids);
    int saved = errno;
    bool done = ork_vec_reserve(&nodes, &node_room, i + 1, sizeof(*nodes));

    errno = saved;
    if (!done) {
        ork_handles_set_incomplete();
        return NONE;
    }
    nodes[i] = (struct node){.site = place.site,
                             .call = place.call,
                             .is_tools = place.is_tools,
                             .variable = ork_hash_short((uint64_t)(uintptr_t)variable),
                             .next = next};
    return i;
}

static void node_drop(uint32_t i)
{
    if (i != NONE)
        ork_ids_give(&node_ids, i);
}

static struct ork_handle_place place_of(uint32_t i)
{
    if (i == NONE)
        return (struct ork_handle_place){.site = 0};
    return (struct ork_handle_place){
        .site = nodes[i].site, .call = nodes[i].call, .is_tools = nodes[i].is_tools};
}

/* ---- handles ---- */

/* The entry of a handle, new if need be. NULL: out of memory. */
static struct ork_entry *obtain(enum ork_handle_kind kind, uint64_t value)
{
    struct ork_entry *e = find(kind, value);

    if (e == NULL) {
        e = ork_map_insert(&maps[kind], key_of(value));
        if (e == NULL)
            ork_handles_set_incomplete();
        else
            e->id = NONE;
    }
    return e;
}

void ork_handle_predefine(enum ork_handle_kind kind, uint64_t value)
{
    struct ork_entry *e = value != nulls[kind] ? obtain(kind, value) : NULL;

    if (e != NULL)
        e->flags = PREDEFINED;
}

/* RATIONALE: a matched message is received once; most programs that match messages do it again and
 * again. */
static void change(enum ork_handle_kind kind)
{
    if (kind != ORK_HANDLE_MESSAGE)
        ork_handles_change();
}

void ork_handle_enter(enum ork_handle_kind kind, uint64_t value, const void *variable,
                      struct ork_handle_place place)
{
    struct ork_entry *e = value != nulls[kind] ? obtain(kind, value) : NULL;

    change(kind);
    if (e == NULL || (e->flags & PREDEFINED) != 0)
        return;
    if ((e->flags & FREED) != 0) { /* the library uses the value again */
        node_drop(e->id);
        e->id = NONE;
        e->flags = 0;
    }
    uint32_t i = node_make(place, variable, e->id);
    if (i != NONE)
        e->id = i;
}

/* The newest reference that was stored in this variable, or the newest one. */
static uint32_t choose(const struct ork_entry *e, const void *variable)
{
    uint32_t short_variable = ork_hash_short((uint64_t)(uintptr_t)variable);
    uint32_t i = e->id;

    for (int n = 0; i != NONE && n < LOOK_BACK_MAX; n++, i = nodes[i].next) {
        if (nodes[i].variable == short_variable)
            return i;
    }
    return e->id;
}

struct ork_handle_reference ork_handle_find(enum ork_handle_kind kind, uint64_t value,
                                            const void *variable)
{
    const struct ork_entry *e = value != nulls[kind] ? find(kind, value) : NULL;
    uint32_t index = e == NULL || e->flags != 0 ? NONE : choose(e, variable);

    return (struct ork_handle_reference){.value = value, .index = index};
}

/* Remove a reference from those of a handle. False: it is not among them. */
static bool unlink_node(struct ork_entry *e, uint32_t index)
{
    uint32_t newer = NONE;

    for (uint32_t i = e->id; i != NONE; newer = i, i = nodes[i].next) {
        if (i != index)
            continue;
        if (newer == NONE)
            e->id = nodes[i].next;
        else
            nodes[newer].next = nodes[i].next;
        node_drop(i);
        return true;
    }
    return false;
}

/* Forget the oldest handle of the ring, unless the library has used its value again since. */
static void forget_oldest(enum ork_handle_kind kind, uint32_t at)
{
    struct ork_entry *e = freed[kind][at] != 0 ? ork_map_find(&maps[kind], freed[kind][at]) : NULL;

    if (e == NULL || (e->flags & FREED) == 0 || (e->id != NONE && nodes[e->id].next != at))
        return;
    node_drop(e->id);
    ork_map_remove(&maps[kind], e);
}

static void uncache(enum ork_handle_kind kind, uint64_t value)
{
    _Atomic uint64_t *slot = ork_handle_cached(kind, value);

    if (atomic_load_explicit(slot, memory_order_relaxed) == value)
        atomic_store_explicit(slot, 0, memory_order_relaxed);
}

bool ork_handle_forget(enum ork_handle_kind kind, struct ork_handle_reference reference,
                       struct ork_handle_place place)
{
    struct ork_entry *e = reference.index != NONE ? find(kind, reference.value) : NULL;
    uint32_t at = num_freed[kind] % FREED_MAX;

    change(kind);
    if (e == NULL || e->flags != 0 || !unlink_node(e, reference.index) || e->id != NONE)
        return false;
    uncache(kind, reference.value);
    forget_oldest(kind, at);
    e = find(kind, reference.value); /* it may have moved */
    e->flags = FREED;
    e->id = node_make(place, NULL, at);
    freed[kind][at] = key_of(reference.value);
    num_freed[kind]++;
    return true;
}

enum ork_handle_state ork_handle_look(enum ork_handle_kind kind, uint64_t value,
                                      struct ork_handle_place *place)
{
    const struct ork_entry *e;

    if (value == nulls[kind])
        return ORK_HANDLE_NULL;
    e = find(kind, value);
    if (e == NULL || ((e->flags & FREED) != 0 && !ork_handles_are_complete()))
        return ORK_HANDLE_UNKNOWN;
    *place = place_of(e->id);
    if ((e->flags & FREED) != 0)
        return ORK_HANDLE_FREED;
    atomic_store_explicit(ork_handle_cached(kind, value), value, memory_order_relaxed);
    return ORK_HANDLE_VALID;
}

bool ork_handle_is_valid_slow(enum ork_handle_kind kind, uint64_t value)
{
    struct ork_handle_place place;

    ork_lock();
    enum ork_handle_state state = ork_handle_look(kind, value, &place);
    ork_unlock();
    return state == ORK_HANDLE_VALID;
}

void ork_handles_visit(void (*visit)(void *context, enum ork_handle_kind kind, uint64_t value,
                                     struct ork_handle_place place),
                       void *context)
{
    for (int kind = 0; kind < ORK_HANDLE_KINDS; kind++) {
        const struct ork_map *map = &maps[kind];
        for (uint32_t s = 0; map->slot != NULL && s <= map->mask; s++) {
            const struct ork_entry *e = &map->slot[s];
            uint32_t i = e->key != 0 && e->flags == 0 ? e->id : NONE;
            for (; i != NONE; i = nodes[i].next)
                visit(context, (enum ork_handle_kind)kind, e->key - 1, place_of(i));
        }
    }
}
