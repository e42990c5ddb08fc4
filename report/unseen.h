/* SPDX-License-Identifier: BSD-3-Clause */
/* Why calls of MPI do not pass through the tool's library, for mustrun and the root. */
#ifndef ORK_REPORT_UNSEEN_H
#define ORK_REPORT_UNSEEN_H

#define ORK_UNSEEN_REASON                                                                          \
    "the program looks the functions up in the MPI library (dlopen and dlsym, Python's ctypes), "  \
    "or a library that is preloaded before the tool's does so"

#endif
