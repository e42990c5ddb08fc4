/* SPDX-License-Identifier: BSD-3-Clause */
/* The live handles of this process, with the call that made each, and the handles that were freed
 * recently. Requests of recorded operations are in requests.h instead. Unless stated otherwise,
 * functions are called with the recorder's lock held.
 *
 * A handle can have several references (MPI_Comm_group returns the same handle again, and each
 * one is freed). It is live until the last one is freed. */
#ifndef ORK_HANDLES_H
#define ORK_HANDLES_H

#include "interceptor/site/map.h"
#include "interceptor/ring/recorder.h"

#include <stdatomic.h>

enum ork_handle_kind {
    ORK_HANDLE_COMM,
    ORK_HANDLE_GROUP,
    ORK_HANDLE_DATATYPE,
    ORK_HANDLE_OP,
    ORK_HANDLE_REQUEST,
    ORK_HANDLE_WIN,
    ORK_HANDLE_FILE,
    ORK_HANDLE_INFO,
    ORK_HANDLE_ERRHANDLER,
    ORK_HANDLE_KEYVAL,
    ORK_HANDLE_MESSAGE,
    ORK_HANDLE_KINDS
};

enum ork_handle_state {
    ORK_HANDLE_VALID,
    ORK_HANDLE_NULL,    /* MPI_COMM_NULL, MPI_KEYVAL_INVALID, and so on */
    ORK_HANDLE_FREED,   /* freed, and not made again since */
    ORK_HANDLE_UNKNOWN, /* not made by a call that was seen: no error by itself */
};

/* The call that made or freed a handle. */
struct ork_handle_place {
    uint32_t site; /* as in struct ork_call */
    uint16_t call; /* enum ork_call_id */
    bool is_tools; /* another tool made it for itself: see ork_call_is_tools_own() */
};

/* The null handle of a kind. Call once for each kind, before recording starts. */
void ork_handle_set_null(enum ork_handle_kind kind, uint64_t null);

/* Enter a predefined handle: always valid, never a leak. */
void ork_handle_predefine(enum ork_handle_kind kind, uint64_t value);

/* A call returned this handle. `variable`: the address of the application's variable; of several
 * references, the one that was stored at the same address is freed first. Null and predefined
 * handles are ignored. */
void ork_handle_enter(enum ork_handle_kind kind, uint64_t value, const void *variable,
                      struct ork_handle_place place);

/* A reference that is about to be freed. */
struct ork_handle_reference {
    uint64_t value;
    uint32_t index; /* ORK_HANDLE_NO_REFERENCE: the handle is not live */
};
#define ORK_HANDLE_NO_REFERENCE UINT32_MAX

/* Before the call that frees it. RATIONALE: the handle stays live until the call has returned,
 * because attribute callbacks may use it. Then the value alone is not enough, because another
 * thread may have got the same value for a new handle. */
struct ork_handle_reference ork_handle_find(enum ork_handle_kind kind, uint64_t value,
                                            const void *variable);

/* That call has freed it. True: no other reference to the handle is left. */
bool ork_handle_forget(enum ork_handle_kind kind, struct ork_handle_reference reference,
                       struct ork_handle_place place);

/* `place`: of the call that made the newest reference, or that freed the last one; set if the state
 * is VALID (site and call 0 for a predefined handle) or FREED. */
enum ork_handle_state ork_handle_look(enum ork_handle_kind kind, uint64_t value,
                                      struct ork_handle_place *place);

/* Memory ran out. From then on no handle is known to be freed or to be a leak. Without the lock. */
void ork_handles_set_incomplete(void);
bool ork_handles_are_complete(void);

/* Calls `visit` for each live reference to a handle that is not predefined. */
void ork_handles_visit(void (*visit)(void *context, enum ork_handle_kind kind, uint64_t value,
                                     struct ork_handle_place place),
                       void *context);

/* Changes whenever a handle may get another meaning: it is made, freed or committed. Not those of
 * messages. */
extern _Atomic uint32_t ork_handles_version;
static inline void ork_handles_change(void)
{
    atomic_fetch_add_explicit(&ork_handles_version, 1, memory_order_relaxed);
    ork_recorder.fast_until = 0;
}

/* ---- the fast question ---- */

enum { ORK_HANDLE_CACHE_BITS = 4 };
/* Handles that were valid when last looked up, by their hash. 0: empty. */
extern _Atomic uint64_t ork_handle_cache[ORK_HANDLE_KINDS][1 << ORK_HANDLE_CACHE_BITS];

static inline _Atomic uint64_t *ork_handle_cached(enum ork_handle_kind kind, uint64_t value)
{
    return &ork_handle_cache[kind][ork_hash_short(value) >> (32 - ORK_HANDLE_CACHE_BITS)];
}

bool ork_handle_is_valid_slow(enum ork_handle_kind kind, uint64_t value)
    __attribute__((cold, noinline));

/* Is its state VALID? Without the lock. */
static inline bool ork_handle_is_valid(enum ork_handle_kind kind, uint64_t value)
{
    if (__builtin_expect(
            atomic_load_explicit(ork_handle_cached(kind, value), memory_order_relaxed) == value &&
                value != 0,
            1))
        return true;
    return ork_handle_is_valid_slow(kind, value);
}

#endif
