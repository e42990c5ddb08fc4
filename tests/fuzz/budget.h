/* SPDX-License-Identifier: BSD-3-Clause */
/* How many random programs a test makes. CTest sets ORKNOT_FUZZ_SECONDS (see CMakeLists.txt), so
 * that the tests of the suite end in time on a slow machine too. */
#ifndef ORK_TESTS_FUZZ_BUDGET_H
#define ORK_TESTS_FUZZ_BUDGET_H

#include <stdint.h>
#include <stdlib.h>
#include <time.h>

/* `wanted` programs; or `made` ones, but at least one, once this process has used the seconds of
 * processor time that ORKNOT_FUZZ_SECONDS says. */
static inline uint64_t within_budget(uint64_t made, uint64_t wanted)
{
    const char *seconds = getenv("ORKNOT_FUZZ_SECONDS");
    struct timespec used;

    if (seconds == NULL || made == 0)
        return wanted;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return (double)used.tv_sec + (double)used.tv_nsec / 1e9 > strtod(seconds, NULL) ? made : wanted;
}

#endif
