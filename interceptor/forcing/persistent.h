/* SPDX-License-Identifier: BSD-3-Clause */
/* Persistent receives whose source may be given when they are started. */
#ifndef ORK_PERSISTENT_H
#define ORK_PERSISTENT_H

#include "interceptor/forcing/stand_in.h"

struct ork_persistent {
    MPI_Request handle;
    struct ork_receive receive; /* as the application gave it */
};

/* Out of memory: it starts with its wildcards. */
void ork_persistent_add(MPI_Request handle, const struct ork_receive *receive);
void ork_persistent_remove(MPI_Request handle);
bool ork_persistent_any(void);
/* A copy. False: not such a request. */
bool ork_persistent_find(MPI_Request handle, struct ork_persistent *found);
/* A copy of the n-th one, from 0. False: there are not so many. */
bool ork_persistent_get(uint32_t n, struct ork_persistent *found);

#endif
