/* SPDX-License-Identifier: BSD-3-Clause */
/* One run: a session of its own, both commands, what must exist before they start. */
#ifndef ORK_MUSTRUN_SUPERVISE_ONCE_H
#define ORK_MUSTRUN_SUPERVISE_ONCE_H

#include "mustrun/launcher/paths.h"
#include "mustrun/supervise/supervise.h"

/* What several runs have in common. */
struct ork_invocation {
    const struct ork_argv *words; /* of the launcher */
    const struct ork_paths *paths;
    const struct ork_signals *signals;
    char *const *environment;
};

/* Build the commands of a new session. Returns an exit code, 0: done; failures are reported on
 * stderr. Release them in either case. */
int ork_once_prepare(const struct ork_invocation *invocation, const struct ork_options *options,
                     struct ork_commands *commands);

/* Load the file of --must:suppress; *suppress is the caller's, and stays as it is without that
 * option. Returns an exit code, as above. */
int ork_once_load_suppress(const struct ork_options *options, struct ork_suppress **suppress);

/* Do a run; hints come with the first one. `is_first`, `is_brief`: see struct ork_supervision.
 * Returns the exit code of mustrun. */
int ork_once_run(const struct ork_invocation *invocation, const struct ork_options *options,
                 bool is_first, bool is_brief, struct ork_run_end *end);

#endif
