/* SPDX-License-Identifier: BSD-3-Clause */
/* --must:status: how far the run is, in one line. On a terminal it is written over and over, dim;
 * the cursor stays at its beginning, so that whatever else is written there takes its place. */
#ifndef ORK_MUSTRUN_SUPERVISE_STATUS_LINE_H
#define ORK_MUSTRUN_SUPERVISE_STATUS_LINE_H

#include "report/protocol.h"

enum { ORK_STATUS_LINE_SECOND = 1000, ORK_STATUS_LINE_MINUTE = 60000 }; /* milliseconds */

struct ork_status_line {
    int fd;           /* that is written to */
    bool is_terminal; /* else a line is one more line */
    bool is_shown;
    const char *session;
    bool is_begun; /* some rank is known to have called MPI_Init */
    bool has_figures;
    struct ork_run_figures figures;
    double at; /* when these came, in seconds since the start */
    double calls_per_second, messages_per_second;
};

void ork_status_line_init(struct ork_status_line *ticker, int fd, const char *session);

/* New figures, that many seconds after the start. */
void ork_status_line_take(struct ork_status_line *ticker, const struct ork_run_figures *figures,
                          double seconds);

/* The tool spoke of ranks. */
void ork_status_line_note_ranks(struct ork_status_line *ticker);

/* The line without its end, the caller's; of at most `columns` characters (0: any), for which it
 * says less. NULL: out of memory. */
char *ork_status_line_line(const struct ork_status_line *ticker, double seconds, unsigned columns);

/* Write it, over the last one on a terminal. */
void ork_status_line_show(struct ork_status_line *ticker, double seconds);
/* Take it off a terminal. */
void ork_status_line_clear(struct ork_status_line *ticker);

#endif
