/* SPDX-License-Identifier: BSD-3-Clause */
/* Its table says what to do when an exception passes, as in C++. */
#ifndef ORK_TESTS_UNWIND_CLEANUP_H
#define ORK_TESTS_UNWIND_CLEANUP_H

void unwind_with_cleanup(void (*inner)(void));

#endif
