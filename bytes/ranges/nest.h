/* SPDX-License-Identifier: BSD-3-Clause */
/* One run of a set of bytes by itself: a block in nested loops. */
#ifndef ORK_NEST_H
#define ORK_NEST_H

#include "bytes/ranges/byteset.h"

/* A span adds one loop to those of a run. */
enum { ORK_NEST_DIMS = ORK_RUN_DIMS + 1 };

struct ork_nest {
    int64_t low;
    int64_t length; /* > 0 */
    uint32_t num_dims;
    struct ork_dim dim[ORK_NEST_DIMS]; /* by ascending stride */
};

/* Repeat it `count` > 0 times, `stride` != 0 apart. The loops stay in their normal form: those that
 * continue a block or another loop are merged with it. False: a limit is exceeded. */
bool ork_nest_repeat(struct ork_nest *nest, int64_t count, int64_t stride);

/* Bytes from its first to its last one. */
int64_t ork_nest_width(const struct ork_nest *nest);

/* As ork_spans_overlap() and ork_span_repeats(). Each step of the search decrements *steps; at 0
 * the answer is ORK_UNDECIDED. */
enum ork_answer ork_nests_overlap(const struct ork_nest *a, const struct ork_nest *b,
                                  int64_t *steps, struct ork_common *common);
enum ork_answer ork_nest_repeats(const struct ork_nest *nest, int64_t *steps,
                                 struct ork_common *common);

#endif
