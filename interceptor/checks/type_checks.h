/* SPDX-License-Identifier: BSD-3-Clause */
/* Is a datatype ready for communication: MPI-3.1 sections 4.1.9 and 4.1.11? */
#ifndef ORK_INTERCEPTOR_TYPE_CHECKS_H
#define ORK_INTERCEPTOR_TYPE_CHECKS_H

#include "interceptor/mpi/args.h"
#include "interceptor/objects/handles.h"
#include "interceptor/objects/types.h"
#include "interceptor/usage/usage.h"

static inline bool ork_type_is_predefined(MPI_Datatype type)
{
    return ork_known_types[ork_type_slot(type)].type == type;
}

/* An examination, as in check.h: of a datatype in a call that communicates. `received`: the call
 * stores so many elements of that type. */
bool ork_wrong_type(const struct ork_call *call, const char *argument, MPI_Datatype type,
                    int received) __attribute__((cold, noinline));

/* The call is about to commit it, and has committed it. Without the recorder's lock. */
void ork_before_type_commit(const struct ork_call *call, const struct ork_args *args);
void ork_after_type_commit(const struct ork_args *args, int result);

#endif
