/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of a wait-for graph: wait-for conditions of operations, waves and groups. */
#ifndef ORK_DETECTOR_GRAPH_H
#define ORK_DETECTOR_GRAPH_H

#include "detector/state/state.h"

/* Every function below returns whether the part is open (not satisfied). If `graph` is not NULL, it
 * also emits the part. */
struct wait_graph_builder {
    struct ork_detector *d;
    struct ork_wfg *graph;
    struct ork_search *search;
    uint32_t term_cap, hub_cap;
    bool permissive;       /* standard sends are buffered, no rank leaves MPI_Finalize */
    bool permissive_waves; /* collectives wait for their data only */
};

/* graph.c */
void ork_graph_emit_open(struct wait_graph_builder *b, enum ork_wfg_op op, uint32_t label);
void ork_graph_emit_close(struct wait_graph_builder *b);
bool ork_graph_emit_true(struct wait_graph_builder *b);
bool ork_graph_emit_atom(struct wait_graph_builder *b, uint32_t process, uint32_t label);
uint32_t ork_graph_add_term(struct wait_graph_builder *b, const struct ork_term *term);
/* Wait for any member of the group that member `me` of `c` receives from. */
bool ork_graph_emit_any(struct wait_graph_builder *b, struct comm *c, uint32_t me, uint32_t label);
/* Wait for all members that have not arrived at `w`. */
bool ork_graph_emit_missing(struct wait_graph_builder *b, struct wave *w, uint32_t label);

/* collective.c: what the call of `p` waits for */
bool ork_graph_emit_wave(struct wait_graph_builder *b, const struct proc *p, struct wave *w,
                         const struct ork_record *call, uint32_t label);

/* operation.c */
/* The send or receive `op` as a term; its call has no parts. */
struct ork_term ork_graph_op_term(const struct op *op);
bool ork_graph_emit_op(struct wait_graph_builder *b, struct op *op, uint32_t label);
bool ork_graph_emit_request(struct wait_graph_builder *b, struct proc *p, struct request *r,
                            uint32_t index);
bool ork_graph_emit_shared(struct wait_graph_builder *b, struct proc *p, bool all);

#endif
