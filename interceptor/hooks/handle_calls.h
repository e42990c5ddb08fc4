/* SPDX-License-Identifier: BSD-3-Clause */
/* What the generated hooks do about handles that their function makes or frees. Without the
 * recorder's lock. */
#ifndef ORK_HANDLE_CALLS_H
#define ORK_HANDLE_CALLS_H

#include "interceptor/objects/handles.h"
#include "interceptor/site/site.h"

#include <mpi.h>

/* Enter the null and predefined handles. Call once, when MPI is initialised. */
void ork_handle_calls_init(void);

/* The call has stored a handle in *variable. */
void ork_handle_made(const struct ork_call *call, enum ork_handle_kind kind, uint64_t value,
                     const void *variable);
/* The same for a datatype, which may be a predefined one. */
void ork_handle_made_type(const struct ork_call *call, const MPI_Datatype *type);
/* The call has stored the datatypes that `decoded` was made from: MPI_Type_get_contents. */
void ork_handles_made_types(const struct ork_call *call, MPI_Datatype decoded,
                            const MPI_Datatype *type);

/* The call will free this handle, if it can. */
struct ork_handle_reference ork_handle_before_free(enum ork_handle_kind kind, uint64_t value,
                                                   const void *variable);
/* It was successful, and now the variable has this value: a null handle, if the call has freed the
 * former one. */
void ork_handle_after_free(const struct ork_call *call, enum ork_handle_kind kind,
                           struct ork_handle_reference before, uint64_t value);

#endif
