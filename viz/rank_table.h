/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of a finding: its waits; those that differ only in the rank are folded into one row. */
#ifndef ORK_VIZ_RANK_TABLE_H
#define ORK_VIZ_RANK_TABLE_H

#include "report/report.h"

#include <stdio.h>

struct ork_row {
    const struct ork_rank_row *wait; /* of the lowest rank; the report's */
    const uint32_t *rank;            /* ascending */
    uint32_t count;
    bool root;    /* in a bottom knot */
    bool shifted; /* each of them names its own rank + `offset` as its only partner */
    int64_t offset;
    uint32_t
        *others; /* each of them waits for this set without itself; NULL: for wait->waits_for */
    uint32_t num_others;
};

struct ork_rank_table {
    struct ork_row *row; /* by lowest rank */
    uint32_t count;
    uint32_t num_ranks; /* in all rows */
    uint32_t *rank;     /* storage of the rows' ranks */
};

/* The finding must outlive *rows, which the caller releases. ORK_NOMEM leaves nothing to
 * release. */
enum ork_status ork_rank_table_init(struct ork_rank_table *rows, const struct ork_finding *finding);
void ork_rank_table_release(struct ork_rank_table *rows);

/* "waits for 7", "waits for any of 1-3": what the row waits for, without the words "waits for";
 * false and nothing written if there is nothing. */
bool ork_row_put_for(FILE *out, const struct ork_row *row, uint32_t max_runs);

/* "MPI_Recv(peer 1, tag 7, MPI_COMM_WORLD)", "comm.recv: MPI_Mprobe(peer 1)": the call and its
 * arguments, escaped for a terminal. */
void ork_row_put_call(FILE *out, const struct ork_row *row);
/* What the peer of the call is: "root " of a collective, "peer " of a message. Static storage. */
const char *ork_row_peer_word(const struct ork_rank_row *wait);
/* The state of the row for the user; "" if the rest of the row implies it. */
const char *ork_row_state_words(const struct ork_rank_row *wait);
/* " of the remote group (rank 3)", if the peer is there; " (rank 3)", if the communicator numbers
 * it differently. */
void ork_row_put_remote(FILE *out, const struct ork_row *row);

#endif
