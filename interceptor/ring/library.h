/* SPDX-License-Identifier: BSD-3-Clause */
/* Is this process the rank that its launcher started? */
#ifndef ORK_LIBRARY_H
#define ORK_LIBRARY_H

#include <stdbool.h>

/* MPI_Init has returned MPI_SUCCESS: tell the leaf if this process came up alone although the
 * launcher started several. True: it did. */
bool ork_library_is_alone(void);

#endif
