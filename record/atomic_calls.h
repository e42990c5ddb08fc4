/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions that update one place of a window at once: docs/explanation/order.md. */
#ifndef ORK_RECORD_ATOMIC_CALLS_H
#define ORK_RECORD_ATOMIC_CALLS_H

#include "record/calls.h"

#include <stdbool.h>

static inline bool ork_call_is_atomic(unsigned call)
{
    switch (call) {
    case ORK_CALL_MPI_Accumulate:
    case ORK_CALL_MPI_Raccumulate:
    case ORK_CALL_MPI_Get_accumulate:
    case ORK_CALL_MPI_Rget_accumulate:
    case ORK_CALL_MPI_Fetch_and_op:
    case ORK_CALL_MPI_Compare_and_swap:
        return true;
    default:
        return false;
    }
}

#endif
