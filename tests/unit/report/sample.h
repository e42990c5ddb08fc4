/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports to test with. What a function makes is the caller's; running out of memory ends the test.
 */
#ifndef ORK_SAMPLE_H
#define ORK_SAMPLE_H

#include "viz/viz.h"

#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <cmocka.h>

/* An empty finding. */
struct ork_finding sample_finding(const char *id, enum ork_class class_, enum ork_severity severity,
                                  const char *message);
void sample_add_detail(struct ork_finding *finding, const char *detail);
/* The ranks first..last in a bottom knot. */
void sample_add_root(struct ork_finding *finding, uint32_t first, uint32_t last);

/* A blocked rank in MPI_COMM_WORLD that waits for one rank. peer, tag: NULL for none. */
struct ork_rank_row *sample_add_wait(struct ork_finding *finding, uint32_t rank, const char *call,
                                     const char *peer, const char *tag, uint32_t waits_for);
void sample_set_for(struct ork_rank_row *wait, bool is_or, uint32_t count, const uint32_t *rank);
void sample_set_where(struct ork_where *where, const char *function, const char *file,
                      uint32_t line);

enum { SAMPLE_DEAD = 1, SAMPLE_ROOT = 2, SAMPLE_CORE = 4, SAMPLE_OR = 8, SAMPLE_ALL = 7 };
void sample_add_node(struct ork_finding *finding, uint32_t id, enum ork_node_kind kind,
                     uint32_t rank, const char *label, unsigned flags);
void sample_add_arc(struct ork_finding *finding, uint32_t from, uint32_t to, const char *label);

/* Ranks 0 and 1 receive from each other. */
struct ork_finding sample_pair(void);
/* Fig. 4 of the MUST paper: ids 4 and 5 are request[0] and request[1] of rank 0. */
struct ork_finding sample_fig4(void);
/* All ranks but 7 wait in a barrier (hub, id `ranks`), rank 7 in MPI_Recv from 0; no table. */
struct ork_finding sample_barrier(uint32_t ranks);
/* Strings of all bad sorts, in every field that has one. */
struct ork_finding sample_hostile(void);
/* A run of 2 ranks that was killed, with one note. */
void sample_run(struct ork_report *report);
/* The report with this finding, which is taken over. */
void sample_take(struct ork_report *report, struct ork_finding finding);

/* What a text renderer writes; free it. */
char *sample_finding_text(const struct ork_finding *finding);
char *sample_dot(const struct ork_finding *finding);
char *sample_svg(const struct ork_finding *finding);
char *sample_html(const struct ork_report *report);
char *sample_json(const struct ork_report *report);
/* A golden file, "@VERSION@" in it replaced; free it. */
char *sample_golden(const char *name);

bool sample_contains(const char *text, const char *part);
unsigned sample_count(const char *text, const char *part);

#endif
