/* SPDX-License-Identifier: BSD-3-Clause */
/* Which library has the ABI? What it exports beside MPI's functions belongs to its own family. */
#ifndef ORK_ABI_IMPLEMENTATION_H
#define ORK_ABI_IMPLEMENTATION_H

#include <stdbool.h>

/* Otherwise it is MPICH, or one made of it, or unknown. */
bool ork_abi_is_openmpi(void);

#endif
