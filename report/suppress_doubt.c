/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/enum_names.h"
#include "report/finding_kind.h"
#include "report/suppress.h"

#include <stdlib.h>
#include <string.h>

/* mustrun always shows these, see ork_run_result_add(). */
static const char *always_shown(const struct ork_finding *f)
{
    if (ork_finding_is(f, ORK_FINDING_STATE) || ork_finding_is(f, ORK_FINDING_STATUS))
        return "mustrun always shows where the ranks are: it cannot be suppressed";
    if (f->class_ == ORK_MANIFEST)
        return "mustrun always shows a manifest deadlock for which it ends the job: the lines have "
               "an effect only with --must:on deadlock=continue";
    return NULL;
}

enum ork_status ork_suppress_doubt(const char *lines, const struct ork_finding *f, char **sentence)
{
    char error[ORK_SUPPRESS_ERROR];
    struct ork_suppress *s = NULL;
    const char *text = always_shown(f);

    *sentence = NULL;
    if (text == NULL) {
        enum ork_status status = ork_suppress_parse("these lines", lines, &s, error);
        if (status == ORK_INVALID)
            text = error; /* from a later version or another program */
        else if (status != ORK_OK)
            return status;
        else if (!ork_suppress_matches(s, f))
            text = "the lines do not suppress this finding: no line can name the place of every "
                   "rank that causes it";
        ork_suppress_destroy(s);
    }
    if (text == NULL)
        return ORK_OK;
    *sentence = strdup(text);
    return *sentence != NULL ? ORK_OK : ORK_NOMEM;
}
