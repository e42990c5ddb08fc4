/* SPDX-License-Identifier: BSD-3-Clause */
/* Invariants of the tool's own data. Not for input: that is checked, and results in a status. */
#ifndef ORK_ASSERT_H
#define ORK_ASSERT_H

/* Assert that `condition` always holds here. Evaluated in every build of the tool, but not in the
 * interceptor. A condition has no side effects, and costs no more than its surroundings. */
#define ORK_ASSERT(condition)                                                                      \
    (__builtin_expect(!!(condition), 1)                                                            \
         ? (void)0                                                                                 \
         : ork_assert_failed(#condition, __FILE__, __LINE__, __func__))

/* Print the invariant that does not hold, and end this process with ORK_EXIT_INTERNAL. The
 * application and the other processes of the tool continue; ranks that this process observed become
 * unobserved. */
_Noreturn __attribute__((cold)) void ork_assert_failed(const char *condition, const char *file,
                                                       int line, const char *function);

#endif
