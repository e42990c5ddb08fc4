/* SPDX-License-Identifier: BSD-3-Clause */
/* What the root of must-tool sends to mustrun: one JSON object a line. Both ends are here. The
 * reader trusts nothing: any bytes give a message or a status. */
#ifndef ORK_REPORT_PROTOCOL_H
#define ORK_REPORT_PROTOCOL_H

#include "common/status.h"
#include "report/report.h"

#include <stddef.h>

enum ork_message_type {
    ORK_MESSAGE_UNKNOWN, /* from a later version: skipped */
    ORK_MESSAGE_READY,   /* all leaves take ranks */
    ORK_MESSAGE_FINDING,
    ORK_MESSAGE_STACKS,     /* an earlier finding again, with call stacks */
    ORK_MESSAGE_CHANGED,    /* an earlier finding, which now has more ranks or counts */
    ORK_MESSAGE_SUPERSEDED, /* an earlier finding: it is part of the next one */
    ORK_MESSAGE_STATE,      /* where all ranks are; the answer to "interrupt" or "status" */
    ORK_MESSAGE_GONE,       /* all ranks that had attached have hung up */
    ORK_MESSAGE_FIGURES,    /* the answer to "figures" */
    ORK_MESSAGE_STUCK,      /* the job should have ended by itself, and has not */
    ORK_MESSAGE_PAUSED,     /* the ranks of a replay are held; the answer to "processes" */
    ORK_MESSAGE_STILL,      /* no rank makes progress, or some does again */
    ORK_MESSAGE_FINAL,      /* the last line */
};

/* The progress of a rank. */
struct ork_rank_progress {
    uint32_t rank;
    double seconds;    /* since its latest MPI call, or since the start of its present one */
    uint64_t calls;    /* its calls so far */
    uint64_t more;     /* those since the last answer */
    uint64_t polls;    /* unsuccessful Test and Iprobe calls so far */
    double processors; /* in use; negative: unknown */
};

struct ork_run_figures {
    uint32_t ranks;
    uint64_t calls, messages, collectives;
    uint64_t queued;  /* records that are queued in the tool */
    bool is_blocked;  /* some rank is; below: the rank that holds it up, else the longest blocked */
    bool is_outside;  /* it is outside MPI for `seconds`; `call` is its latest */
    uint32_t waiting; /* how many ranks are blocked */
    uint32_t rank;
    double seconds;
    char call[200]; /* "MPI_Recv at a.c:40", cut to fit */
};

/* A rank of a replay that stopped at a choice (--must:stop-at). */
struct ork_paused_rank {
    uint32_t rank, pid;
    char host[256];  /* cut to fit; "": unknown, the rank is not observed */
    char doing[256]; /* "held before MPI_Send at a.c:31", cut to fit */
};

/* Where the replay stopped; in the answer to "processes" only `ranks`, and choice 0. */
struct ork_paused {
    uint32_t rank, thread;
    uint64_t choice;
    char call[256];                /* "MPI_Recv at a.c:40", cut to fit */
    struct ork_paused_rank *ranks; /* all */
    uint32_t num_ranks;
};

struct ork_message {
    enum ork_message_type type;
    char host[256];             /* READY: where the root runs, */
    uint32_t pid;               /* and its process */
    char tree[1024];            /* READY: the tool's processes as text, cut to fit */
    struct ork_finding finding; /* FINDING, STACKS, CHANGED, SUPERSEDED and STATE; of FIGURES only
                                   the calls by second */
    char *earlier;              /* CHANGED: its message before */
    bool fatal; /* FINDING and STACKS: the job hangs ("fatal"; without it: class manifest) */
    struct ork_rank_progress *progress; /* STATE, in an answer to "status": one for each rank */
    uint32_t num_progress;
    struct ork_run_figures figures;
    struct ork_paused held; /* HELD */
    double still;           /* STILL: seconds without progress; 0: there is some again */
    const char *line;       /* what was parsed; the caller's */
    size_t size;
    struct ork_report final; /* FINAL: statistics, notes, complete, ranks, choices */
    char *unseen;            /* FINAL: why processes that used MPI were not observed; NULL: none */
    bool has_lost;           /* FINAL: calls of some ranks were lost by the tool itself */
    bool has_order;          /* FINAL: there is a file of the order; answer "keep" or "drop" */
};

/* Parse a line without its newline. ORK_INVALID: malformed; ORK_NOMEM. Release the message after
 * ORK_OK. */
enum ork_status ork_message_parse(const char *line, size_t size, struct ork_message *message);
void ork_message_release(struct ork_message *message);

/* The line of a message with its newline; the caller's. Ignores the fields `line` and `size`.
 * ORK_NOMEM. */
enum ork_status ork_message_write(const struct ork_message *message, char **line);

#endif
