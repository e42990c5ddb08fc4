/* SPDX-License-Identifier: BSD-3-Clause */
/* A process whose MPI library has no backend: it runs as without the tool, and the leaf is told. */
#ifndef ORK_OTHER_H
#define ORK_OTHER_H

#include "interceptor/preload/preload.h"

/* The function by which this one is replaced in such a process. NULL: it is not. */
ork_function ork_other_symbol(const char *symbol);

#endif
