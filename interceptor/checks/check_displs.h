/* SPDX-License-Identifier: BSD-3-Clause */
/* Displacements of the blocks of a collective call: MPI-3.1 sections 4.1.12 and 5.5. A negative one
 * is legal, and so is one that leads to another array: a block must be in memory that exists. */
#ifndef ORK_CHECK_DISPLS_H
#define ORK_CHECK_DISPLS_H

#include "interceptor/buffers/coll_side.h"
#include "interceptor/checks/check.h"

/* The n blocks of one side of a call, with counts[] and displs[]. An examination, see check.h. */
ORK_EXAMINATION ork_wrong_displs(const struct ork_call *call, const char *argument, int n,
                                 const struct ork_coll_side *side);

#endif
