/* SPDX-License-Identifier: BSD-3-Clause */
/* How many nodes and ranks a job will have, as far as its command line and the batch system's
 * environment say. It decides how many tool processes a node gets; where they are is the
 * launcher's. */
#ifndef ORK_MUSTRUN_LAUNCHER_MPIRUN_NODES_H
#define ORK_MUSTRUN_LAUNCHER_MPIRUN_NODES_H

#include "mustrun/launcher/argv.h"

struct ork_nodes {
    unsigned count; /* at least 1 */
    unsigned
        ranks; /* of all contexts together; as many as there are processors if it is not said */
};

/* A file that cannot be read counts as empty: mpirun says so. */
struct ork_nodes ork_nodes_of(const struct ork_argv *words, const char *np,
                              char *const *environment);

#endif
