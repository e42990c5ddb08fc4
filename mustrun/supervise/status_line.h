/* SPDX-License-Identifier: BSD-3-Clause */
/* --must:status: the progress of the run, in one line. On a terminal it is overwritten each time,
 * in dim text; the cursor stays at its beginning, so that any other output replaces it. */
#ifndef ORK_MUSTRUN_SUPERVISE_STATUS_LINE_H
#define ORK_MUSTRUN_SUPERVISE_STATUS_LINE_H

#include "report/protocol.h"

enum { ORK_STATUS_LINE_SECOND = 1000, ORK_STATUS_LINE_MINUTE = 60000 }; /* milliseconds */

struct ork_status_line {
    int fd;           /* to write to */
    bool is_terminal; /* else each line is appended */
    bool is_shown;
    const char *session;
    bool is_begun; /* some rank is known to have called MPI_Init */
    bool has_figures;
    struct ork_run_figures figures;
    double at; /* when these came, in seconds since the start */
    double calls_per_second, messages_per_second;
    bool still;    /* no rank makes progress for a long time */
    char held[64]; /* "choice 17 of rank 2": the ranks are held there; "": they are not */
};

void ork_status_line_init(struct ork_status_line *ticker, int fd, const char *session);

/* New figures, that many seconds after the start. */
void ork_status_line_take(struct ork_status_line *ticker, const struct ork_run_figures *figures,
                          double seconds);

/* The tool has mentioned ranks. */
void ork_status_line_note_ranks(struct ork_status_line *ticker);

/* The line without its end, the caller's; of at most `columns` characters (0: any), shortened to
 * fit. NULL: out of memory. */
char *ork_status_line_line(const struct ork_status_line *ticker, double seconds, unsigned columns);

/* Write it; on a terminal over the previous one. */
void ork_status_line_show(struct ork_status_line *ticker, double seconds);
/* Remove it from a terminal. */
void ork_status_line_clear(struct ork_status_line *ticker);

#endif
