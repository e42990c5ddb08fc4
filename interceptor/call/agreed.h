/* SPDX-License-Identifier: BSD-3-Clause */
/* The values that a record has of arguments that must be the same at all ranks (record/agreed.h): a
 * function for each kind of argument, called by the hooks. 0: not known. */
#ifndef ORK_INTERCEPTOR_AGREED_H
#define ORK_INTERCEPTOR_AGREED_H

#include "record/agreed.h"

#include <mpi.h>

static inline uint64_t ork_agreed_logical(int logical)
{
    return ork_agreed_number(logical != 0);
}

uint64_t ork_agreed_modes(int amode);
uint64_t ork_agreed_assertions(int assertion);
uint64_t ork_agreed_seek(int whence);
uint64_t ork_agreed_split_type(int type);
uint64_t ork_agreed_datarep(const char *datarep);
/* Of the etype of a view. */
uint64_t ork_agreed_extent(MPI_Datatype etype, const char *datarep);
/* Of the weights of `n` edges. */
uint64_t ork_agreed_weights(int n, const int *weight);
uint64_t ork_agreed_dimensions(int n, const int *dim);
uint64_t ork_agreed_logicals(int n, const int *logical);
uint64_t ork_agreed_list(int n, const int *element);
/* Of a graph of `n` nodes. */
uint64_t ork_agreed_edges(int n, const int *index, const int *edge);

#endif
