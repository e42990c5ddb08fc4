/* SPDX-License-Identifier: BSD-3-Clause */
/* Records of accesses to windows, and of the memory of windows: MPI-3.1 chapter 11. All functions
 * are called with the recorder's lock held. */
#ifndef ORK_ACCESSES_H
#define ORK_ACCESSES_H

#include "interceptor/call/call.h"
#include "record/access.h"

/* Call once, when MPI is initialised. */
void ork_accesses_init(void);

/* The ACCESS record of a call; with ORK_F_NONBLOCKING after it has returned without an error, else
 * before it. mode: enum ork_access, flags:
 * ORK_F_NONBLOCKING or 0. */
void ork_access_put(const struct ork_call *call, const struct ork_args *a, unsigned mode,
                    unsigned flags);

/* The predefined datatype of all elements of `type`, as arg2 of the record of an accumulate has it
 * (record/access.h). 0: unknown, or they are of several. */
uint32_t ork_access_type(MPI_Datatype type);

/* An access whose record repeats one of the block (record/ring.h), at the position of that record.
 * RATIONALE: the next time, it is enough to compare its arguments. */
struct ork_repeated_access {
    uint64_t first;   /* of the repetition, see ork_recorder; */
    uint32_t version; /* ork_handles_version; */
    uint32_t site;    /* of the call */
    const void *origin, *result;
    MPI_Aint target_disp;
    MPI_Win win;
    MPI_Datatype datatype, datatype2, datatype3;
    MPI_Op op;
    int count, count2, count3, target;
    uint16_t call; /* enum ork_call_id */
    uint16_t next; /* the position after its record and list */
    uint16_t slots;
};
extern struct ork_repeated_access ork_repeated_access[ORK_REPEAT_BLOCK_MAX];

/* Has the access, which is of the same function, these arguments? */
ORK_INLINE bool ork_access_is(const struct ork_repeated_access *s, const struct ork_args *a,
                              unsigned mode)
{
    const bool has_result = mode == ORK_ACCESS_FETCH || mode == ORK_ACCESS_SWAP;
    const bool has_op = mode != ORK_ACCESS_PUT && mode != ORK_ACCESS_GET;

    return s->origin == a->origin && s->target_disp == a->target_disp && s->win == a->win &&
           s->datatype == a->datatype && s->datatype2 == a->datatype2 && s->count == a->count &&
           s->count2 == a->count2 && s->target == a->target && (!has_op || s->op == a->op) &&
           (!has_result ||
            (s->result == a->result && s->datatype3 == a->datatype3 && s->count3 == a->count3));
}

/* The record of an access without a request is the next one of the repetition, because the access
 * is the one that was made there before: count it. False: it has to be put. */
ORK_INLINE bool ork_access_repeat(const struct ork_call *call, const struct ork_args *a,
                                  unsigned mode)
{
    struct ork_recorder *r = &ork_recorder;
    const struct ork_repeated_access *s = &ork_repeated_access[r->at];

    if (r->block == 0 || s->first != r->first || s->site != call->site || s->call != call->id ||
        !ork_access_is(s, a, mode) ||
        s->version != atomic_load_explicit(&ork_handles_version, memory_order_relaxed) ||
        r->is_locked || r->head >= r->limit)
        return false;
    r->at = s->next;
    r->head += s->slots;
    ork_publish();
    return true;
}

/* MPI_Win_sync has returned: a record, if the model of the window makes it matter. */
void ork_access_put_sync(const struct ork_call *call, MPI_Win win);

/* The WIN_MEMORY record of a new window. mode: enum ork_coll of its constructor. */
void ork_access_put_memory(const struct ork_call *call, MPI_Win win, unsigned mode);

#endif
