/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ORK_MUSTRUN_SUPERVISE_RUN_FACTS_H
#define ORK_MUSTRUN_SUPERVISE_RUN_FACTS_H

#include "mustrun/options/options.h"
#include "report/report.h"

/* How, where and when mustrun is started: now, here, with the words of options->argv. What cannot
 * be found out stays NULL. ORK_NOMEM: *facts has a part, to be released with its report. */
enum ork_status ork_run_facts_fill(struct ork_run_facts *facts, const struct ork_options *options);

#endif
