/* SPDX-License-Identifier: BSD-3-Clause */
/* Explorations to test with: the caller releases them. */
#ifndef ORK_EXPLORATION_SAMPLE_H
#define ORK_EXPLORATION_SAMPLE_H

#include "report/exploration.h"

/* A farm of 4 workers: all 24 orders, 21 with one output, 2 with another, 1 deadlock (outcome 1,
 * run 7, two choices lead there). */
void sample_farm(struct ork_exploration *e);
/* A receive of that outcome at farm.c:40 took a message that rank `took` sent at farm.c:50 +
 * `took`, and in the first run that of another rank. */
void sample_switch(struct ork_outcome *outcome, uint32_t receiver, uint32_t took,
                   uint32_t first_took);
/* 10 orders that all end with the same output. */
void sample_clean(struct ork_exploration *e);
/* `runs` runs in a random tree: nearly all of them end well, every 97th with another output, and
 * the last run deadlocks. Ended by its limit of runs, with all kinds of bounds. */
void sample_large(struct ork_exploration *e, uint64_t runs);
/* Strings of all bad sorts, in every field that has one, and runs with wrong parents and
 * outcomes. */
void sample_hostile_exploration(struct ork_exploration *e);

/* What the renderers write; free it. */
char *sample_exploration_text(const struct ork_exploration *e);
char *sample_exploration_summary(const struct ork_exploration *e);
char *sample_exploration_json(const struct ork_exploration *e);
char *sample_exploration_page(const struct ork_exploration *e);

#endif
