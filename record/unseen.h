/* SPDX-License-Identifier: BSD-3-Clause */
/* What a process says to a leaf that used MPI, but cannot be observed. */
#ifndef ORK_RECORD_UNSEEN_H
#define ORK_RECORD_UNSEEN_H

#include "record/ring.h"

#include <stdbool.h>

/* The magic of its struct ork_hello, which comes without a memfd; a struct ork_unseen follows in
 * the same message. The answer is the hang-up. */
#define ORK_UNSEEN_MAGIC UINT64_C(0x4f524b554e534545) /* "ORKUNSEE" */

enum ork_unseen_why {
    ORK_UNSEEN_LOOKED_UP, /* its calls do not pass through the interceptor */
    ORK_UNSEEN_LIBRARY,   /* its MPI library is not the one that the interceptor knows */
    ORK_UNSEEN_ALONE,     /* it is_alone; attached as a rank before it knew that, or not at all */
    ORK_UNSEEN_FUNCTION, /* its program calls a function that is not known: its name in `library` */
    ORK_UNSEEN_MAX,
};

struct ork_unseen {
    uint32_t why;      /* enum ork_unseen_why */
    uint32_t launched; /* processes that the launcher started together; 0: unknown */
    uint32_t is_alone; /* 1: these are several, but its MPI_COMM_WORLD has one process */
    char library[64];  /* by MPI_Get_library_version: its first line, NUL-terminated; "": unknown */
};

/* Text of another process: end it, and keep what can be printed. */
static inline void ork_unseen_clean(struct ork_unseen *unseen)
{
    unseen->library[sizeof(unseen->library) - 1] = '\0';
    for (char *c = unseen->library; *c != '\0'; c++) {
        if (*c < ' ' || *c > '~')
            *c = '?';
    }
    if (unseen->why >= ORK_UNSEEN_MAX)
        unseen->why = ORK_UNSEEN_LOOKED_UP;
}

#endif
