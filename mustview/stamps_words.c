/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustview/stamps_words.h"

#include "mustview/input.h"
#include "report/escape.h"

#include <inttypes.h>

enum { TEXT_MAX = 200 };

int ork_view_load_stamps(const char *name, struct ork_stamps **out)
{
    char error[ORK_STAMPS_ERROR];
    enum ork_status status = ork_stamps_read(name, out, error);

    return status == ORK_OK ? 0 : ork_view_refuse(name, status, error);
}

void ork_stamps_put_event(const struct ork_stamps_event *event, FILE *out)
{
    fprintf(out, "rank %" PRIu32 ", event %" PRIu64 ": ", event->rank, event->number);
    ork_escape_text(out, event->call, TEXT_MAX);
    if (event->place != NULL) {
        fputs(" at ", out);
        ork_escape_text(out, event->place, TEXT_MAX);
    }
    if (event->access == ORK_STAMPS_BY_CALL)
        fprintf(out, ", %s rank %" PRIu32, event->reads ? "reads" : "updates", event->target);
    if (event->is_private)
        fprintf(out, ", private copy of event %" PRIu64, event->seen);
}
