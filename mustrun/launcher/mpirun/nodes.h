/* SPDX-License-Identifier: BSD-3-Clause */
/* The expected number of nodes and ranks of a job, from its command line and the batch system's
 * environment. It determines how many tool processes a node gets; the launcher places them. */
#ifndef ORK_MUSTRUN_LAUNCHER_MPIRUN_NODES_H
#define ORK_MUSTRUN_LAUNCHER_MPIRUN_NODES_H

#include "mustrun/launcher/words.h"

#include <stdbool.h>

struct ork_nodes {
    unsigned count; /* at least 1 */
    unsigned ranks; /* of all contexts together; if not given, the number of processors */
    bool is_given;
    bool is_here; /* there is one node, and it is this one */
};

/* Processes that a context asks for; 0: it names no number. */
unsigned ork_nodes_count_ranks(const struct ork_argv *words, struct ork_context context,
                               const struct ork_extras *extras);

/* A file that cannot be read counts as empty: mpirun reports it. */
struct ork_nodes ork_nodes_of(const struct ork_argv *words, const struct ork_extras *extras,
                              char *const *environment);

#endif
