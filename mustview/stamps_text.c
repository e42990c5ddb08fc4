/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/exitcode.h"
#include "common/log.h"
#include "mustview/output.h"
#include "mustview/stamps.h"
#include "mustview/stamps_words.h"
#include "report/escape.h"

#include <inttypes.h>

enum { TEXT_MAX = 200 };

struct list {
    const struct ork_stamps *stamps;
    FILE *out;
};

static void put_header(const struct list *list)
{
    uint32_t ranks = ork_stamps_ranks(list->stamps);
    uint64_t events = 0;

    for (uint32_t r = 0; r < ranks; r++)
        events += ork_stamps_count(list->stamps, r);
    fprintf(list->out, "timestamps: %" PRIu32 " rank%s, %" PRIu64 " event%s\n", ranks,
            ranks == 1 ? "" : "s", events, events == 1 ? "" : "s");
    if (ork_stamps_why_lost(list->stamps) == NULL)
        return;
    fputs("the order of what came after them is not known: ", list->out);
    ork_escape_text(list->out, ork_stamps_why_lost(list->stamps), TEXT_MAX);
    fputc('\n', list->out);
}

static void put_end(const struct ork_stamps_event *e, FILE *out)
{
    if (e->is_private && !e->reads && e->end == UINT64_MAX)
        fputs("; not published", out);
    else if (e->is_private && !e->reads)
        fprintf(out, "; published at %" PRIu64, e->end);
    if (e->access != ORK_STAMPS_BY_CALL)
        return;
    if (e->origin == UINT64_MAX)
        fputs("; not completed", out);
    else if (e->end == UINT64_MAX)
        fprintf(out, "; complete at %" PRIu64 ", but only at the origin", e->origin);
    else if (e->end != e->origin)
        fprintf(out, "; complete at %" PRIu64 ", at the origin at %" PRIu64, e->end, e->origin);
    else
        fprintf(out, "; complete at %" PRIu64, e->end);
}

/* "rank 0, event 3: MPI_Put at a.c:10, updates rank 1; complete at 5; stamp 0:4 1:2" */
static bool put_event(void *context, const struct ork_stamps_event *e, const uint32_t *clock)
{
    const struct list *list = context;

    ork_stamps_put_event(e, list->out);
    put_end(e, list->out);
    fputs("; stamp", list->out);
    for (uint32_t r = 0; r < ork_stamps_ranks(list->stamps); r++) {
        if (clock[r] != 0)
            fprintf(list->out, " %" PRIu32 ":%" PRIu32, r, clock[r]);
    }
    fputc('\n', list->out);
    return !ferror(list->out);
}

static int put_all(const struct ork_view_options *options, const struct ork_stamps *stamps)
{
    struct list list = {.stamps = stamps};
    enum ork_status status = ORK_OK;
    int code = ork_view_open(options, &list.out);

    if (code != 0)
        return code;
    put_header(&list);
    for (uint32_t r = 0; r < ork_stamps_ranks(stamps) && status == ORK_OK; r++)
        status = ork_stamps_list(stamps, r, put_event, &list);
    if (status != ORK_OK)
        ork_error("%s", ork_status_text(status));
    code = ork_view_close(options, list.out, status == ORK_OK);
    return code == 0 && status != ORK_OK ? ORK_EXIT_UNAVAILABLE : code;
}

int ork_view_stamps(const struct ork_view_options *options)
{
    struct ork_stamps *stamps;
    int code = ork_view_load_stamps(options->input[0], &stamps);

    if (code != 0)
        return code;
    code = put_all(options, stamps);
    ork_stamps_destroy(stamps);
    return code;
}
