/* SPDX-License-Identifier: BSD-3-Clause */
/* Invariants of the tool's own data. Not for input: that is checked, and answered by a status. */
#ifndef ORK_ASSERT_H
#define ORK_ASSERT_H

/* State that `condition` is always true here. Evaluated in every build of the tool; the interceptor
 * does not use it. A condition has no effects and costs no more than its surroundings. */
#define ORK_ASSERT(condition)                                                                      \
    (__builtin_expect(!!(condition), 1)                                                            \
         ? (void)0                                                                                 \
         : ork_assert_failed(#condition, __FILE__, __LINE__, __func__))

/* Say which invariant does not hold, and end this process with ORK_EXIT_INTERNAL. The application
 * and the other processes of the tool run on; ranks that this process observed are no longer
 * observed. */
_Noreturn __attribute__((cold)) void ork_assert_failed(const char *condition, const char *file,
                                                       int line, const char *function);

#endif
