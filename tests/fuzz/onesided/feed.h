/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FUZZ_ONESIDED_FEED_H
#define FUZZ_ONESIDED_FEED_H

#include "windows/onesided/onesided.h"
#include "tests/fuzz/onesided/program.h"

/* Feed the records of all ranks in a random order. */
void program_feed(struct ork_onesided *o, const struct program *p, uint64_t *random);

#endif
