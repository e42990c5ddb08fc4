/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of MPI that the tool does not know, such as those of newer versions of the standard:
 * calls of them do not pass through it. What such a call sends, receives, waits for or starts would
 * be missing in all that is concluded. */
#ifndef ORK_UNKNOWN_H
#define ORK_UNKNOWN_H

#include "interceptor/preload/preload.h"

/* The name of such a function that a file of the program calls, or may call, as far as files are
 * loaded; NULL: none. Functions that only return a value are left out. Static storage of a file. */
ORK_FOR_BACKENDS const char *ork_preload_unknown(void);

#endif
