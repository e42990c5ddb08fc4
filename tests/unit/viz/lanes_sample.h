/* SPDX-License-Identifier: BSD-3-Clause */
/* A finding with the last calls of some ranks. */
#ifndef ORK_TEST_VIZ_LANES_SAMPLE_H
#define ORK_TEST_VIZ_LANES_SAMPLE_H

#include "viz/lanes.h"

/* A finding about so many ranks with empty lists of calls, which the caller releases. */
struct ork_finding lanes_sample(uint32_t lanes);
/* One more call in the list; up to four of each rank. */
struct ork_last_call *lanes_sample_call(struct ork_finding *f, uint32_t lane, const char *name,
                                        uint32_t line);
/* A message from call to call. */
void lanes_sample_arrow(struct ork_finding *f, uint32_t from_list, uint32_t from_call,
                        uint32_t to_list, uint32_t to_call);
/* The only near match: the first call waits, the second one is pending. */
void lanes_sample_near(struct ork_finding *f, uint32_t waits, const char *waiting, uint32_t line,
                       uint32_t pending, const char *call, uint32_t pending_line);
/* Where a rank is. */
void lanes_sample_row(struct ork_finding *f, uint32_t rank, const char *call, uint32_t line,
                      const char *peer);

#endif
