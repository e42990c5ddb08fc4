/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/objects/types.h"

#include "interceptor/site/call_record.h"

#include "common/vec.h"
#include "interceptor/objects/handles.h"
#include "interceptor/mpi/next.h"

#include <errno.h>

/* Sequences that are defined: above it, others are unknown. */
enum { DEFINED_MAX = 1 << 16 };

/* States of a type that some call returned, and that is not freed. */
enum { UNCOMMITTED = 1, COMMITTED, ANY_STATE };

struct derived {
    struct ork_type *type;
    struct ork_sequence *sequence; /* of the type; unknown if it cannot be defined */
    bool overlaps;
    int apart,
        overlapping; /* so many elements have no byte in common; so many have one; 0: unknown */
};

_Atomic uint32_t ork_types_pending;

/* RATIONALE: a lock of its own, which may be taken inside of the recorder's, because amounts are
 * needed both with and without that one. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct ork_map by_handle; /* id: index into derived[] */
static struct ork_ids indices;
static struct derived *derived;
static uint32_t derived_room;
static struct ork_map states;  /* by handle; flags: see above */
static struct ork_map defined; /* by type id */
static struct ork_sequence **pending;
static uint32_t pending_room;

static void lock_types(void)
{
    if (ORK_UNLIKELY(ork_recorder.multiple))
        pthread_mutex_lock(&lock);
}

static void unlock_types(void)
{
    if (ORK_UNLIKELY(ork_recorder.multiple))
        pthread_mutex_unlock(&lock);
}

static uint64_t size_of(MPI_Datatype type)
{
    int size = 0;

    if (ORK_NEXT(MPI_Type_size)(type, &size) != MPI_SUCCESS || size < 0)
        return 0;
    return (uint64_t)size;
}

/* Its parts are defined before it. False: memory is short, or there are too many. The lock is
 * held. */
static bool plan_definition(struct ork_sequence *s)
{
    if (s->id < ORK_TYPE_DERIVED || ork_map_find(&defined, s->id) != NULL)
        return true;
    for (uint32_t i = 0; i < s->num_parts; i++) {
        if (!plan_definition(s->part[i].sequence))
            return false;
    }
    uint32_t n = atomic_load_explicit(&ork_types_pending, memory_order_relaxed);
    if (defined.used >= DEFINED_MAX ||
        !ork_vec_reserve(&pending, &pending_room, n + 1, sizeof(struct ork_sequence *)) ||
        ork_map_insert(&defined, s->id) == NULL)
        return false;
    pending[n] = ork_sequence_ref(s);
    atomic_store_explicit(&ork_types_pending, n + 1, memory_order_relaxed);
    return true;
}

static void set_unknown(struct derived *d)
{
    struct ork_sequence *unknown = ork_sequence_unknown(d->sequence->bytes);

    if (unknown == NULL)
        return;
    ork_sequence_unref(d->sequence);
    d->sequence = unknown;
}

/* Is a byte in so many elements more than once? */
static bool overlaps(const struct ork_type *type, int count)
{
    struct ork_span span;
    struct ork_common common;

    return type->has_layout &&
           ork_span_of_layout(&span, &type->layout, 0, count, ork_type_extent(type)) &&
           ork_span_repeats(&span, &common) == ORK_YES;
}

/* Have they a byte in common? RATIONALE: elements that are an extent apart are as long as that, or
 * their extent was shortened; then they may still be apart, as the columns of a matrix. */
static bool copies_overlap(struct derived *d, int count)
{
    if (count <= 1 || count <= d->apart ||
        ork_type_extent(d->type) >= d->type->data.high - d->type->data.low)
        return false;
    if (d->overlapping != 0 && count >= d->overlapping)
        return true;
    bool found = overlaps(d->type, count);
    if (found)
        d->overlapping = count;
    else
        d->apart = count;
    return found;
}

/* NULL: memory is short. The lock is held. */
static struct derived *enter(MPI_Datatype type)
{
    struct ork_type *decoded = ork_type_decode(type);
    uint32_t i = ork_ids_take(&indices);
    struct ork_entry *e = NULL;

    if (decoded != NULL && ork_vec_reserve(&derived, &derived_room, i + 1, sizeof(*derived)))
        e = ork_map_insert(&by_handle, ORK_KEY(type));
    if (e == NULL) {
        ork_ids_give(&indices, i);
        ork_type_unref(decoded);
        return NULL;
    }
    e->id = i;
    derived[i] = (struct derived){
        .type = decoded,
        .sequence = ork_sequence_ref(decoded->sequence),
        .overlaps = overlaps(decoded, 1),
    };
    if (!plan_definition(derived[i].sequence))
        set_unknown(&derived[i]);
    return &derived[i];
}

static struct derived *find(MPI_Datatype type)
{
    const struct ork_entry *e = ork_map_find(&by_handle, ORK_KEY(type));

    return e != NULL ? &derived[e->id] : NULL;
}

/* RATIONALE: a handle that no call has returned may be invalid, or freed; the library would not
 * survive questions about it. */
static struct derived *obtain(MPI_Datatype type)
{
    struct derived *d = find(type);
    int saved = errno;

    if (ORK_UNLIKELY(d == NULL) && ork_map_find(&states, ORK_KEY(type)) != NULL) {
        d = enter(type);
        errno = saved;
    }
    return d;
}

struct ork_amount ork_amount_of_derived(uint64_t count, MPI_Datatype type)
{
    struct ork_amount amount = {0};

    if (type == MPI_DATATYPE_NULL || type == 0)
        return amount;
    /* the handle may have been freed, and made again, by calls that were not seen */
    if (ORK_UNLIKELY(!ork_handles_are_complete()))
        return (struct ork_amount){.bytes = count * size_of(type)};
    lock_types();
    const struct derived *d = obtain(type);
    if (ORK_LIKELY(d != NULL))
        amount = (struct ork_amount){count * d->sequence->bytes, d->sequence->id};
    else
        amount.bytes = count * size_of(type);
    unlock_types();
    return amount;
}

struct ork_sequence *ork_type_sequence(MPI_Datatype type)
{
    uint32_t id = ork_type_predefined(type);
    struct ork_sequence *sequence = NULL;

    if (id != ORK_TYPE_UNKNOWN)
        return ork_sequence_of_basic(id);
    if (type == MPI_DATATYPE_NULL || !ork_handles_are_complete())
        return NULL;
    lock_types();
    const struct derived *d = obtain(type);
    if (d != NULL)
        sequence = ork_sequence_ref(d->sequence);
    unlock_types();
    return sequence;
}

void ork_type_release_sequence(struct ork_sequence *sequence)
{
    lock_types();
    ork_sequence_unref(sequence);
    unlock_types();
}

uint32_t ork_type_element(MPI_Datatype type)
{
    const struct ork_known_type *known = &ork_known_types[ork_type_slot(type)];
    uint32_t pair[2], id = ORK_TYPE_UNKNOWN;

    if (ORK_LIKELY(known->type == type && known->id != ORK_TYPE_UNKNOWN)) {
        bool is_double = ork_basic_pair(known->id, pair) && pair[0] == pair[1];
        return is_double ? pair[0] : known->id;
    }
    struct ork_sequence *sequence = ork_type_sequence(type);
    if (sequence == NULL)
        return id;
    id = ork_sequence_element(sequence);
    ork_type_release_sequence(sequence);
    return id;
}

struct ork_type *ork_type_with_layout(MPI_Datatype type)
{
    uint32_t id = ork_type_predefined(type);
    struct ork_type *found = NULL;

    if (id != ORK_TYPE_UNKNOWN)
        return ork_type_of_basic(id);
    if (type == MPI_DATATYPE_NULL || !ork_handles_are_complete())
        return NULL;
    lock_types();
    const struct derived *d = obtain(type);
    if (d != NULL && d->type->has_layout)
        found = ork_type_ref(d->type);
    unlock_types();
    return found;
}

void ork_type_release(struct ork_type *type)
{
    lock_types();
    ork_type_unref(type);
    unlock_types();
}

void ork_types_forget(MPI_Datatype type)
{
    ork_handles_change();
    lock_types();
    struct ork_entry *state = ork_map_find(&states, ORK_KEY(type));
    if (state != NULL)
        ork_map_remove(&states, state);
    struct ork_entry *e = ork_map_find(&by_handle, ORK_KEY(type));
    if (e != NULL) {
        ork_sequence_unref(derived[e->id].sequence);
        ork_type_unref(derived[e->id].type);
        ork_ids_give(&indices, e->id);
        ork_map_remove(&by_handle, e);
    }
    unlock_types();
}

/* ---- what the program has done with it ---- */

static void set_state(MPI_Datatype type, uint32_t state)
{
    int saved = errno;

    ork_handles_change();
    lock_types();
    struct ork_entry *e = ork_map_find(&states, ORK_KEY(type));
    if (e == NULL && state != COMMITTED)
        e = ork_map_insert(&states, ORK_KEY(type));
    if (e != NULL)
        e->flags = state;
    unlock_types();
    errno = saved;
}

void ork_type_made(MPI_Datatype type, bool is_constructor)
{
    set_state(type, is_constructor ? UNCOMMITTED : ANY_STATE);
}

void ork_type_commit(MPI_Datatype type)
{
    set_state(type, COMMITTED);
}

static uint32_t state_of(MPI_Datatype type)
{
    const struct ork_entry *e = ork_map_find(&states, ORK_KEY(type));

    return e != NULL && ork_handles_are_complete() ? e->flags : 0;
}

bool ork_type_is_committed(MPI_Datatype type)
{
    lock_types();
    bool is_committed = state_of(type) == COMMITTED;
    unlock_types();
    return is_committed;
}

static enum ork_type_fault fault_of_received(MPI_Datatype type, int count)
{
    struct derived *d = obtain(type);

    if (d != NULL && d->overlaps)
        return ORK_TYPE_OVERLAPS;
    return d != NULL && copies_overlap(d, count) ? ORK_TYPE_COPIES_OVERLAP : ORK_TYPE_IS_READY;
}

bool ork_type_extents(MPI_Datatype type, int64_t *extent, int64_t *data)
{
    lock_types();
    const struct derived *d = obtain(type);
    if (d != NULL) {
        *extent = ork_type_extent(d->type);
        *data = d->type->data.high - d->type->data.low;
    }
    unlock_types();
    return d != NULL;
}

bool ork_type_hull(MPI_Datatype type, int count, int64_t *low, int64_t *high)
{
    int64_t last;

    if (type == MPI_DATATYPE_NULL || !ork_handles_are_complete())
        return false;
    lock_types();
    const struct derived *d = obtain(type);
    const bool is_known =
        d != NULL && d->type->has_layout && ork_type_has_data(d->type) &&
        !__builtin_mul_overflow(count - (int64_t)1, ork_type_extent(d->type), &last) &&
        !__builtin_add_overflow(d->type->data.low, last < 0 ? last : 0, low) &&
        !__builtin_add_overflow(d->type->data.high, last > 0 ? last : 0, high);
    unlock_types();
    return is_known;
}

enum ork_type_fault ork_type_fault(MPI_Datatype type, int received)
{
    enum ork_type_fault fault = ORK_TYPE_IS_READY;

    if (type == MPI_DATATYPE_NULL || !ork_handles_are_complete())
        return fault;
    lock_types();
    if (state_of(type) == UNCOMMITTED)
        fault = ORK_TYPE_IS_UNCOMMITTED;
    else if (received > 0)
        fault = fault_of_received(type, received);
    unlock_types();
    return fault;
}

/* ---- records ---- */

static void define(const struct ork_sequence *s)
{
    struct ork_record r = {.kind = ORK_KIND_TYPE_DEF,
                           .thread = ork_thread.index,
                           .request = ORK_REQUEST_NULL,
                           .peer = ORK_NO_PEER,
                           .count = 3 * s->num_parts,
                           .arg = s->id,
                           .bytes = s->bytes};
    struct ork_list list;

    ork_list_begin(&list, &r);
    for (uint32_t i = 0; i < s->num_parts; i++) {
        ork_list_add(&list, (uint32_t)s->part[i].count);
        ork_list_add(&list, (uint32_t)(s->part[i].count >> 32));
        ork_list_add(&list, s->part[i].sequence->id);
    }
    ork_list_end(&list);
}

void ork_types_define(void)
{
    lock_types();
    uint32_t n = atomic_load_explicit(&ork_types_pending, memory_order_relaxed);
    for (uint32_t i = 0; i < n; i++) {
        define(pending[i]);
        ork_sequence_unref(pending[i]);
    }
    atomic_store_explicit(&ork_types_pending, 0, memory_order_relaxed);
    unlock_types();
}
