/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ORK_WAIT_SET_H
#define ORK_WAIT_SET_H

#include "interceptor/requests/requests.h"

#include <mpi.h>

/* The requests of a completing call, before the call. Not initialised. */
enum { ORK_SET_FEW = 32 };
struct ork_wait_set {
    struct ork_request *request; /* few, or on the heap; NULL: out of memory */
    MPI_Status *own;             /* replaces MPI_STATUSES_IGNORE: few_own, on the heap, or NULL */
    bool is_observed;            /* the outcome of some request is recorded */
    struct ork_request few[ORK_SET_FEW];
    MPI_Status few_own[ORK_SET_FEW];
};

#endif
