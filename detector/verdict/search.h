/* SPDX-License-Identifier: BSD-3-Clause */
/* Wait states of ranks. */
#ifndef ORK_DETECTOR_SEARCH_H
#define ORK_DETECTOR_SEARCH_H

#include "detector/graph/graph.h"

/* Is there no known operation that may complete the call of `th`? */
bool ork_search_is_open(struct mpi_thread *th);

/* graph_rank.c */
/* What the call of a thread waits for. */
void ork_search_emit_call(struct wait_graph_builder *b, struct mpi_thread *th);
void ork_search_emit_proc(struct wait_graph_builder *b, struct proc *p);

/* rank_state.c */
/* May the process act: is one of its threads outside calls and not waiting for another thread? */
bool ork_search_is_running(const struct proc *p);
/* Did its last call fail? Then its operations do not count. */
bool ork_search_has_failed(const struct proc *p);
/* Has it stopped acting, whatever call it is held in? */
bool ork_search_is_gone(const struct proc *p);
bool ork_search_is_in_finalize(const struct proc *p);
/* The thread that ork_detector_rank() describes; NULL: none. */
struct mpi_thread *ork_search_shown(const struct proc *p);

/* rank_view.c */
/* Show the call of `th`. */
void ork_rank_view_set_call(struct ork_rank_view *view, struct mpi_thread *th);

#endif
