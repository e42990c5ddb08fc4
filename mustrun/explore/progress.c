/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/explore/progress.h"

#include "common/text.h"
#include "mustrun/supervise/timers.h"
#include "viz/viz.h"

#include <stdlib.h>
#include <unistd.h>

enum { MINUTE_MS = 60000, SECOND_MS = 1000 };

static struct ork_exploration_progress progress_of(struct ork_exploring *x)
{
    const struct ork_explore_options *e = &x->options->explore;
    struct ork_search_counts c = ork_search_count(x->search);
    struct ork_exploration_progress p = {.runs = x->num_runs,
                                         .left = c.left,
                                         .more = c.estimate - (double)c.orders,
                                         .outcomes = x->num_outcomes,
                                         .minimized = x->minimized,
                                         .attempts = x->attempts,
                                         .max_attempts = ORK_ATTEMPTS,
                                         .seconds = ork_exploring_seconds(x),
                                         .earlier = x->resumed,
                                         .max_runs = e->runs,
                                         .max_seconds = e->seconds};

    for (uint32_t i = 0; i < x->num_outcomes; i++)
        p.bad += ork_exploring_is_bad(x, i);
    return p;
}

/* RATIONALE: in one piece, because others write to standard error, too. */
static void show(struct ork_exploring *x, bool is_terminal)
{
    struct ork_exploration_progress progress = progress_of(x);
    struct ork_text_stream stream;
    FILE *out = ork_text_open(&stream);

    if (out == NULL)
        return;
    ork_viz_progress_text(&progress, out);
    char *text = ork_text_close(&stream);
    if (text != NULL)
        fprintf(stderr, is_terminal ? "\r\033[Korknot: %s" : "orknot: %s\n", text);
    free(text);
}

void ork_progress_show(struct ork_exploring *x)
{
    bool is_terminal = isatty(STDERR_FILENO) != 0;
    int64_t now = ork_now(), last = x->shown != 0 ? x->shown : x->begun;

    if (x->options->quiet || x->search == NULL ||
        now - last < (is_terminal ? SECOND_MS : MINUTE_MS))
        return;
    show(x, is_terminal);
    x->shown = now;
    x->is_shown = is_terminal;
}

void ork_progress_clear(struct ork_exploring *x)
{
    if (x->is_shown)
        fputs("\r\033[K", stderr);
    x->is_shown = false;
}
