/* SPDX-License-Identifier: BSD-3-Clause */
/* --must:status: the progress of the run in one line, and below it the calls a second of the ranks
 * as strips. On a terminal both are overwritten each time, in dim text; the cursor stays at the
 * beginning, so that any other output replaces them. */
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
    bool still;               /* no rank makes progress for a long time */
    struct ork_finding rates; /* only the calls by second */
    bool has_blocks;          /* who reads can show block characters of UTF-8 */
    char held[64]; /* "choice 17 of rank 2": the ranks are held there; "": they are not */
};

void ork_status_line_init(struct ork_status_line *ticker, int fd, const char *session);
void ork_status_line_release(struct ork_status_line *ticker);

/* New figures, that many seconds after the start. */
void ork_status_line_take(struct ork_status_line *ticker, const struct ork_run_figures *figures,
                          double seconds);

/* New calls by second, which are moved from the finding. */
void ork_status_line_take_rates(struct ork_status_line *ticker, struct ork_finding *finding);

/* The tool has mentioned ranks. */
void ork_status_line_note_ranks(struct ork_status_line *ticker);

/* The line without its end, the caller's; of at most `columns` characters (0: any), shortened to
 * fit. NULL: out of memory. */
char *ork_status_line_line(const struct ork_status_line *ticker, double seconds, unsigned columns);

/* The strips below it, each line with its end; the caller's. Of at most `columns` characters (0:
 * any), and so many lines. "": nothing is known, or there is no room. NULL: out of memory. */
char *ork_status_line_strips(const struct ork_status_line *ticker, unsigned columns,
                             unsigned lines);

/* Write both; on a terminal over the previous ones. */
void ork_status_line_show(struct ork_status_line *ticker, double seconds);
/* Remove them from a terminal. */
void ork_status_line_clear(struct ork_status_line *ticker);

#endif
