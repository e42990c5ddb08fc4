/* SPDX-License-Identifier: BSD-3-Clause */
/* What a process says to a leaf that used MPI, but not through the interceptor. */
#ifndef ORK_RECORD_UNSEEN_H
#define ORK_RECORD_UNSEEN_H

/* The magic of its struct ork_hello, which comes without a memfd. The answer is the hang-up. */
#define ORK_UNSEEN_MAGIC UINT64_C(0x4f524b554e534545) /* "ORKUNSEE" */

#endif
