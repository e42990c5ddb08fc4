/* SPDX-License-Identifier: BSD-3-Clause */
/* Scripts of four ranks, played to where they end, and the deadlock there in words. */
#ifndef ORK_TEST_OVERLAY_DESCRIBE_STAGE_H
#define ORK_TEST_OVERLAY_DESCRIBE_STAGE_H

#include "overlay/findings/describe.h"

#include "script.h"

enum { RANKS = 4 };

struct state {
    struct ork_detector *d;
    struct ork_call_sites *sites;
    struct script script[RANKS];
    struct ork_finding finding;
};

/* Of cmocka: *state is a struct state. */
int describe_set_up(void **state);
int describe_tear_down(void **state);

/* The call that comes next is at this line of ring.c. */
void place(struct script *s, uint32_t line);
/* Feed the scripts. */
void play(struct state *s);
/* All roots of where the ranks are, as one finding. */
const struct ork_finding *describe_as(struct state *s, enum ork_class class_);
/* Play the scripts; where they end is a manifest deadlock. */
const struct ork_finding *describe(struct state *s);
bool has_remedy(const struct ork_finding *f, const char *message);

#endif
