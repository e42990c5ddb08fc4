/* SPDX-License-Identifier: BSD-3-Clause */
/* What the root of must-tool sends to mustrun: one JSON object a line. Both ends are here. The
 * reader trusts nothing: any bytes give a message or a status. */
#ifndef ORK_REPORT_PROTOCOL_H
#define ORK_REPORT_PROTOCOL_H

#include "common/status.h"
#include "report/report.h"

#include <stddef.h>

enum ork_message_type {
    ORK_MESSAGE_UNKNOWN, /* of a later version: skipped */
    ORK_MESSAGE_READY,   /* all leaves take ranks */
    ORK_MESSAGE_FINDING,
    ORK_MESSAGE_STACKS,     /* an earlier finding again, with call stacks */
    ORK_MESSAGE_SUPERSEDED, /* an earlier finding: it is part of the one that comes next */
    ORK_MESSAGE_STATE,      /* where all ranks are, asked for by "interrupt" or "status" */
    ORK_MESSAGE_GONE,       /* all ranks that had attached have hung up */
    ORK_MESSAGE_FIGURES,    /* asked for by "figures" */
    ORK_MESSAGE_STUCK,      /* the job should have ended by itself, and has not */
    ORK_MESSAGE_FINAL,      /* the last line */
};

/* How far a rank is. */
struct ork_rank_progress {
    uint32_t rank;
    double seconds;    /* since its latest MPI call, or the beginning of the one it is in */
    uint64_t calls;    /* that it made so far */
    uint64_t more;     /* of these since the last answer */
    uint64_t polls;    /* Test and Iprobe calls that found nothing, so far */
    double processors; /* that it uses; negative: not known */
};

struct ork_run_figures {
    uint32_t ranks;
    uint64_t calls, messages, collectives;
    uint64_t queued; /* records that wait in the tool */
    bool is_blocked; /* some rank is; who holds it up, else the one that is for the longest time: */
    bool is_outside; /* that one is outside MPI, and so are its seconds; `call` is its latest */
    uint32_t waiting; /* how many ranks are blocked */
    uint32_t rank;
    double seconds;
    char call[200]; /* "MPI_Recv at a.c:40", as far as it fits */
};

struct ork_message {
    enum ork_message_type type;
    char host[256];             /* of READY: where the root runs, */
    uint32_t pid;               /* and its process */
    char tree[1024];            /* of READY: the tool's processes in words, as far as they fit */
    struct ork_finding finding; /* of FINDING, STACKS, SUPERSEDED and STATE */
    bool fatal; /* of FINDING and STACKS: the job hangs ("fatal"; without it: class manifest) */
    struct ork_rank_progress *progress; /* of STATE, if "status" asked for it: rank by rank */
    uint32_t num_progress;
    struct ork_run_figures figures;
    const char *line; /* what was parsed, as long as the caller has it */
    size_t size;
    struct ork_report final; /* of FINAL: statistics, notes, complete, ranks */
};

/* Parse a line without its newline. ORK_INVALID: it is no message; ORK_NOMEM. Release the message
 * after ORK_OK. */
enum ork_status ork_message_parse(const char *line, size_t size, struct ork_message *message);
void ork_message_release(struct ork_message *message);

/* The line of a message with its newline; the caller's. `line` and `size` of it do not count.
 * ORK_NOMEM. */
enum ork_status ork_message_write(const struct ork_message *message, char **line);

#endif
