/* SPDX-License-Identifier: BSD-3-Clause */
/* What the detector says of a program's runs, against every way the program can go.
 *
 * Real: a deadlock reported at any cut of the records, before anything was let pass, is one of the
 * program, at these very calls if some strict execution can make the run's choices; and no
 * continuation that agrees with what the records tell gets any of these ranks out of them.
 *
 * None missed: at the end of a run of a program without choices, exactly the ranks and calls that
 * strict semantics leaves deadlocked are reported, and what is left when all that moved was let
 * pass is exactly where the run itself is stuck.
 *
 * One answer: the order in which the ranks' records come does not matter. */
#ifndef ORK_FUZZ_DETECTOR_CHECK_H
#define ORK_FUZZ_DETECTOR_CHECK_H

#include "tests/fuzz/detector/program.h"

struct tally {
    uint64_t foresights, foreseen, renewals;
    uint64_t programs, too_large, cuts, reports, real_checks, exact_checks;
};

/* Runs of one program. NULL: all is well; else what is not (static storage), with the details on
 * `out` unless that is NULL. */
const char *check_program(const struct program *p, unsigned runs, struct tally *tally, FILE *out);

#endif
