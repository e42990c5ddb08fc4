/* SPDX-License-Identifier: BSD-3-Clause */
/* The order of the first run of an outcome, for a replay. */
#include "common/log.h"
#include "common/text.h"
#include "mustrun/explore/exploring.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ork_exploring_header(const struct ork_exploring *x, struct ork_order_header *header)
{
    const struct ork_report *r = &x->outcome[0].report;
    const char *program = r->num_command > 0 ? r->command[0] : "";

    *header = (struct ork_order_header){.ranks = x->ranks};
    snprintf(header->program, sizeof(header->program), "%s", ork_base_name(program));
}

bool ork_exploring_complete_order(const struct ork_exploring *x, const char *folder,
                                  const struct ork_order_file *of, uint32_t node)
{
    const struct ork_explored *e = ork_search_explored(x->search);
    struct ork_order_header header;
    struct ork_plan plan;

    if ((of != NULL && of->num_ranks > x->ranks) || !ork_plan_is_needed(e, node))
        return of != NULL;
    if (of != NULL)
        header = of->header;
    else
        ork_exploring_header(x, &header);
    char *whole = ork_text("%s/whole", folder), *path = ork_text("%s/" ORK_JOB_ORDER, folder);
    enum ork_status status =
        whole == NULL || path == NULL ? ORK_NOMEM : ork_plan_run(e, node, &plan);
    if (status == ORK_OK) {
        status = ork_plan_write(&plan, &header, of, whole);
        ork_plan_release(&plan);
    }
    bool done = status == ORK_OK && rename(whole, path) == 0;
    if (!done)
        ork_error("cannot complete the order in %s: %s", folder,
                  status == ORK_NOMEM ? ork_status_text(status) : strerror(errno));
    free(whole);
    free(path);
    return done || of != NULL;
}
