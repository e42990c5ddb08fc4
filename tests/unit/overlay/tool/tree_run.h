/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs the program of plan.h under a tree of tool processes that are all in this one. */
#ifndef ORK_TEST_OVERLAY_TOOL_TREE_RUN_H
#define ORK_TEST_OVERLAY_TOOL_TREE_RUN_H

#include "overlay/tool/node.h"
#include "tests/unit/overlay/tool/transport_memory.h"
#include "tests/unit/overlay/stage/peer.h"
#include "tests/unit/overlay/tool/plan.h"

enum { NODES = 7 };
#define SECOND  UINT64_C(1000000000)
#define STEP_NS UINT64_C(300000) /* that pass with each step of all processes */

struct tree_result {
    char findings[4096]; /* a line each */
    unsigned num_findings;
    bool wrong; /* something was told that is not so */
    struct ork_statistics statistics;
    bool complete;
    char notes[2048];
    uint32_t ranks, tool_ranks;
};

struct tree_run {
    struct ork_memory_job *job;
    struct ork_clock clock;
    uint64_t now_ns;
    uint32_t size;
    uint64_t seed;
    struct ork_node *node[NODES];
    struct peer peer[RANKS];
    size_t at[RANKS], stop[RANKS]; /* stop: not beyond this record; 0: to the end */
    unsigned have[OPS + 8];
    bool gone[NODES]; /* killed, or because of it */
    bool left_inside; /* the ranks have hung up inside their calls */
    struct tree_result *result;
};

/* Make the tree, and attach all ranks. size 0: one process without a net. trace may be NULL. */
void tree_start(struct tree_run *run, const char *trace);
/* One step of each process, in any order. How much they moved. */
size_t tree_step(struct tree_run *run);
/* The rank's next record, if the call before it has returned. */
bool tree_advance(struct tree_run *run, uint32_t rank);
/* The next record of some rank; false: there is none. */
bool tree_advance_any(struct tree_run *run);
/* All records that come, with steps between them. */
void tree_play(struct tree_run *run);
/* Steps until it is over, for at most 20 seconds of the tree's time. */
void tree_wait_until(struct tree_run *run, bool (*is_over)(const struct tree_run *));
bool tree_is_drained(const struct tree_run *run);
bool tree_is_reported(const struct tree_run *run);
/* All ranks close their connections in this state. */
void tree_hang_up(struct tree_run *run, enum ork_state state);
/* Fill the result in. */
void tree_sum_up(struct tree_run *run);
/* The root says that this is the end; who is left hears it. */
void tree_end(struct tree_run *run);
/* The process is killed. */
void tree_lose_node(struct tree_run *run, uint32_t i);

/* The whole plan, with all of the above. */
struct tree_result tree_run_plan(uint32_t size, uint64_t seed, const char *trace);

#endif
