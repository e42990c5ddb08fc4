/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/objects/attribute_keys.h"

#include "common/vec.h"
#include "interceptor/site/map.h"
#include "interceptor/mpi/next.h"

#include <dlfcn.h>
#include <errno.h>
#include <mpi.h>
#include <stdlib.h>

/* A key that has or had attributes. */
struct key {
    int key;
    enum ork_handle_kind kind; /* of the objects */
    uint32_t attributes;
    bool is_unknown; /* it may have further ones */
};

static struct key *keys;
static uint32_t num_keys, room;
/* The attributes of live objects, and of those that are being freed. */
static struct ork_map attributes, dying;
static bool is_incomplete; /* memory ran out */

/* A word of a map has room for the index of a key and for a handle, an address or a number that may
 * be negative. */
enum { INDEX_BITS = 15, HANDLE_BITS = 64 - INDEX_BITS };

/* The newest one of this value. NULL: none. */
static struct key *find(int key)
{
    for (uint32_t i = num_keys; i-- > 0;) {
        if (keys[i].key == key)
            return &keys[i];
    }
    return NULL;
}

/* False: the attribute has no word. */
static bool word_of(const struct key *k, uint64_t object, uint64_t *word)
{
    uint64_t index = (uint64_t)(k - keys);
    uint64_t rest = object >> HANDLE_BITS;

    *word = (object << INDEX_BITS | index) + 1;
    return index >> INDEX_BITS == 0 && (rest == 0 || rest == UINT64_MAX >> HANDLE_BITS);
}

static struct key *obtain(int key, enum ork_handle_kind kind)
{
    struct key *k = find(key);
    int saved = errno;

    if (k != NULL && k->attributes == 0)
        k->kind = kind;
    if (k != NULL)
        return k;
    if (ork_vec_reserve(&keys, &room, num_keys + 1, sizeof(*keys))) {
        keys[num_keys] = (struct key){.key = key, .kind = kind};
        k = &keys[num_keys++];
    } else {
        is_incomplete = true;
    }
    errno = saved;
    return k;
}

static void enter(int key, enum ork_handle_kind kind, uint64_t object)
{
    struct key *k = obtain(key, kind);
    uint64_t word;

    if (k == NULL)
        return;
    if (!word_of(k, object, &word)) {
        k->is_unknown = true;
    } else if (ork_map_find(&attributes, word) == NULL) {
        k->attributes++;
        is_incomplete |= ork_map_insert(&attributes, word) == NULL;
    }
}

/* Is the attribute among them? It is not afterwards. */
static bool take(struct ork_map *from, uint64_t word)
{
    struct ork_entry *e = ork_map_find(from, word);

    if (e != NULL)
        ork_map_remove(from, e);
    return e != NULL;
}

void ork_attribute_set(enum ork_handle_kind kind, uint64_t object, int key, int result)
{
    ork_lock();
    struct key *k = result == MPI_SUCCESS ? NULL : find(key);
    if (k != NULL)
        k->is_unknown = true;
    else if (result == MPI_SUCCESS)
        enter(key, kind, object);
    ork_unlock();
}

/* RATIONALE: if the call fails, the attribute may be there still. */
void ork_attribute_deleted(enum ork_handle_kind kind, uint64_t object, int key, int result)
{
    uint64_t word;

    (void)kind;
    ork_lock();
    struct key *k = result == MPI_SUCCESS ? find(key) : NULL;
    if (k != NULL && word_of(k, object, &word) && (take(&attributes, word) || take(&dying, word)))
        k->attributes--;
    ork_unlock();
}

void ork_attribute_key_made(uint64_t key)
{
    struct key *k = find((int)key);

    if (k != NULL && (k->attributes > 0 || k->is_unknown)) /* the library knows better */
        k->key = MPI_KEYVAL_INVALID;
}

void ork_attributes_before_free(enum ork_handle_kind kind, uint64_t object)
{
    uint64_t word;

    for (uint32_t i = 0; i < num_keys; i++) {
        if (keys[i].kind != kind || !word_of(&keys[i], object, &word) || !take(&attributes, word))
            continue;
        if (ork_map_find(&dying, word) != NULL || ork_map_insert(&dying, word) == NULL)
            keys[i].is_unknown = true;
    }
}

void ork_attributes_after_free(enum ork_handle_kind kind, uint64_t object, bool is_last)
{
    uint64_t word;

    for (uint32_t i = 0; i < num_keys; i++) {
        if (keys[i].kind != kind || !word_of(&keys[i], object, &word) || !take(&dying, word))
            continue;
        if (is_last)
            keys[i].attributes--;
        else
            keys[i].is_unknown = true;
    }
}

bool ork_attribute_key_is_used(uint64_t key)
{
    const struct key *k = find((int)key);

    return is_incomplete || (k != NULL && (k->attributes > 0 || k->is_unknown));
}

/* ---- copies ---- */

/* RATIONALE: the library must not be asked about a key that is gone. The Fortran layer of a library
 * deletes attributes without a call that is seen here, and so may functions without a hook. */
static bool may_ask(void)
{
    static _Atomic int has_fortran = -1;
    int known = atomic_load_explicit(&has_fortran, memory_order_relaxed);

    if (known < 0) {
        known = dlsym(RTLD_DEFAULT, "mpi_attr_delete_") != NULL;
        atomic_store_explicit(&has_fortran, known, memory_order_relaxed);
    }
    return known == 0 && ork_handles_are_complete();
}

static bool has_attribute(enum ork_handle_kind kind, uint64_t object, int key)
{
    void *value;
    int flag = 0;

    if (kind == ORK_HANDLE_COMM)
        ORK_NEXT(MPI_Comm_get_attr)((MPI_Comm)(uintptr_t)object, key, &value, &flag);
    else
        ORK_NEXT(MPI_Type_get_attr)((MPI_Datatype)(uintptr_t)object, key, &value, &flag);
    return flag != 0;
}

/* RATIONALE: whether an attribute is copied is decided by a function of the program. The library is
 * asked for the result; no other call sees the new object yet. */
void ork_attributes_copied(enum ork_handle_kind kind, uint64_t object, bool is_readable)
{
    ork_lock();
    for (uint32_t i = 0; i < num_keys; i++) {
        if (keys[i].kind != kind || keys[i].attributes == 0)
            continue;
        if (!is_readable || !may_ask())
            keys[i].is_unknown = true;
        else if (has_attribute(kind, object, keys[i].key))
            enter(keys[i].key, kind, object);
    }
    ork_unlock();
}
