/* SPDX-License-Identifier: BSD-3-Clause */
/* The report of a run: what MUST_Output.json holds (schema 1), as C. The root tool rank makes
 * findings, mustrun adds what it knows of the application, every renderer reads this and nothing
 * else. All strings are UTF-8 or arbitrary bytes of the application (renderers escape them),
 * heap-allocated, owned by the struct that points to them, NULL where unknown unless said
 * otherwise. */
#ifndef ORK_REPORT_REPORT_H
#define ORK_REPORT_REPORT_H

#include "common/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ork_severity { ORK_ERROR, ORK_WARNING, ORK_NOTE };
/* CLASS_NONE: a finding that is no deadlock ("class": null). */
enum ork_class { ORK_CLASS_NONE, ORK_MANIFEST, ORK_POTENTIAL, ORK_INTERLEAVING, ORK_SUSPECTED };
/* How a verdict was reached. BASIS_NONE: not said ("basis": null). */
enum ork_basis { ORK_BASIS_NONE, ORK_BASIS_STRICT, ORK_BASIS_RELAXED, ORK_BASIS_ASSUMED };

struct ork_u32s {
    uint32_t *item;
    uint32_t count;
};

/* first, first + step, .. last; step is at least 1, and last is met. */
struct ork_rank_run {
    uint32_t first, last, step;
};

/* A place in the application. Without debug information: module and offset only. */
struct ork_where {
    char *function;
    char *file;
    uint32_t line; /* 0 unknown */
    char *module;  /* path of the executable or library */
    uint64_t offset;
    bool inlined; /* of a frame: into the next outer one */
};

/* Where the run has a rank that strict semantics holds in an earlier call. */
enum ork_ahead {
    ORK_AHEAD_NOT,    /* it is in no later call, as far as is known */
    ORK_AHEAD_GOES,   /* it was going on when the finding was made */
    ORK_AHEAD_INSIDE, /* it is inside `call` */
    ORK_AHEAD_AFTER,  /* `call` is its latest one, and it is outside MPI */
};
struct ork_position {
    enum ork_ahead ahead;
    char *call; /* NULL: NOT, GOES */
    struct ork_where where;
};

/* One row of the table: where a rank is, and for whom it waits. If the run is ahead of strict
 * semantics, `now` is where the rank is, and the rest is where strict semantics holds it. */
struct ork_rank_row {
    uint32_t rank;
    char *call;  /* "MPI_Recv"; "" for a rank that is in no MPI call; never NULL */
    char *comm;  /* "MPI_COMM_WORLD" */
    char *peer;  /* "1", "MPI_ANY_SOURCE"; NULL: the call has none. In JSON a number if it is one */
    char *tag;   /* as peer */
    bool remote; /* the peer is a rank of the remote group of an intercommunicator */
    char *operation;           /* "MPI_SUM"; NULL: no reduction, or one of the program's own */
    bool is_or;                /* semantics: "OR" else "AND" */
    struct ork_u32s waits_for; /* "for": ranks, ascending */
    char *state;  /* "blocked", "running", "finalized", "ended", "stalled": never NULL */
    char *detail; /* further words for the reader: "request[1]: MPI_Irecv from MPI_ANY_SOURCE" */
    struct ork_where where;
    struct ork_position now;
    struct ork_where *stack;
    uint32_t num_stack;
};

/* The graph as it is drawn, equal nodes of a large one folded (report/fold.h). Node 0.. in any
 * order; `id` is unique and is what arcs name. */
enum ork_node_kind { ORK_NODE_RANK, ORK_NODE_TERM, ORK_NODE_HUB };
struct ork_graph_node {
    uint32_t id;
    enum ork_node_kind kind;
    bool is_or;
    uint32_t rank;   /* of a rank or term; the lowest one if it is folded; 0 for a hub */
    char *label;     /* "MPI_Recv", "request[1]\nMPI_Irecv", "any of MPI_COMM_WORLD"; never NULL */
    bool deadlocked; /* cannot be released */
    bool root;       /* in a bottom OR-knot */
    bool core;       /* in the minimal core: filled */
    char *comm;      /* communicator of the call; NULL: has none, not known or several */
    char *place;     /* call site: "halo.c:40"; NULL: not known or several */
    char *towards;   /* "from", "to": what stands before the partner of such a call */
    char *relation;  /* folded: whom each of them waits for: "7", "rank+1" */
    struct ork_rank_run *run; /* folded: ranks of these nodes, ascending; none: `rank` alone */
    uint32_t num_runs;
    uint32_t count; /* nodes folded here; below 2: it is what it says */
};
struct ork_graph_arc {
    uint32_t from;
    uint32_t to;
    char *label;
};
struct ork_graph {
    struct ork_graph_node *node;
    uint32_t num_nodes;
    struct ork_graph_arc *arc;
    uint32_t num_arcs;
};

/* One end of a match. */
struct ork_match_end {
    uint32_t rank;
    char *call; /* never NULL */
    struct ork_where where;
};

/* A wildcard receive takes a message: what a deadlock of class ORK_INTERLEAVING rests on. */
struct ork_decision {
    struct ork_match_end receive, send;
    bool differs;  /* from the run, in which it took a message of rank `took` */
    uint32_t took; /* UINT32_MAX: not known */
};

/* A call that waits, and one that is pending and would do but for one thing. */
struct ork_near_miss {
    struct ork_match_end waits, pending;
    char *differs; /* "tag", "communicator", "destination", "source"; never NULL */
    char *message; /* a sentence; never NULL */
    uint32_t
        others; /* further pairs of ranks that miss each other in the same way at these calls */
};

/* A communicator (window, file) that the finding speaks of. */
struct ork_communicator {
    char *name; /* as in the waits; never NULL */
    uint32_t size;
    bool inter;
    struct ork_rank_run *member; /* ascending; none: not known */
    uint32_t num_members;        /* runs */
    char *origin;                /* "MPI_Comm_split, color 1"; NULL: predefined or not known */
    char *parent;                /* name; NULL: none */
    struct ork_where where;      /* of the call that made it, at rank `rank` */
    uint32_t rank;
};

/* A single wait that, if it were over, would let others go. */
struct ork_remedy {
    struct ork_u32s ranks; /* whose wait: of any one of them */
    char *call;            /* never NULL */
    struct ork_where where;
    struct ork_u32s frees; /* who could go on, ascending */
    char *message;         /* a sentence; never NULL */
};

/* One of the calls that ranks made last, or several equal ones in a row. */
struct ork_last_call {
    char *call;                /* never NULL */
    char *comm, *peer, *tag;   /* as in a wait */
    char *source, *source_tag; /* of the receive of MPI_Sendrecv; else NULL */
    char *root;                /* of a collective; NULL: it has none */
    char *took;                /* wildcard receive: "rank 2, tag 7"; NULL: not known */
    bool has_bytes;
    uint64_t bytes;    /* of the message, of the receive buffer, or given to the collective */
    uint32_t requests; /* in the array of the call; 0: it has none */
    uint32_t times;    /* at least 1 */
    uint32_t error;    /* class of the MPI error that it returned; 0: none is known */
    bool inside;       /* it has not returned */
    struct ork_where where;
};

/* What ranks did last, the oldest call first: the same of all of them. */
struct ork_last_calls {
    struct ork_u32s ranks;
    int64_t thread; /* of each; negative: the ranks have one that calls MPI */
    struct ork_last_call *call;
    uint32_t num_calls;
};

/* How the first rank of an abnormal end ended; NONE: the finding is of another kind. */
enum ork_ended_as {
    ORK_AS_NONE,
    ORK_AS_SIGNAL,  /* value: its number */
    ORK_AS_EXIT,    /* exit status */
    ORK_AS_ERROR,   /* MPI error class */
    ORK_AS_ABORT,   /* error code of MPI_Abort */
    ORK_AS_UNKNOWN, /* it left no trace */
};

struct ork_finding_end {
    enum ork_ended_as as;
    uint32_t rank;
    int value;
};

struct ork_finding {
    char *id; /* "deadlock", "corrupt-records", ...: a word of docs/reference/findings.md; never
                 NULL */
    enum ork_class class_;
    enum ork_severity severity;
    char *message; /* one sentence; never NULL */
    char *summary; /* the same for a reader who knows no theory; NULL: as the message */
    char **detail; /* further sentences: the odd rank out, who ended, what is not certain */
    uint32_t num_details;
    struct ork_u32s ranks;  /* all deadlocked ranks, or all ranks concerned */
    struct ork_u32s *roots; /* bottom OR-knots, each a set of ranks */
    uint32_t num_roots;
    struct ork_u32s *independent;
    uint32_t num_independent;
    struct ork_rank_row *waits;
    uint32_t num_waits;
    struct ork_decision *decision; /* in the order in which they are taken */
    uint32_t num_decisions;
    struct ork_near_miss *near_miss;
    uint32_t num_near_misses;
    struct ork_communicator *communicator;
    uint32_t num_communicators;
    struct ork_remedy *remedy;
    uint32_t num_remedies;
    struct ork_last_calls *last_calls; /* of ranks in the roots, a few of them */
    uint32_t num_last_calls;
    enum ork_basis basis;
    char *basis_text;       /* a sentence; NULL: the basis is not said */
    struct ork_graph graph; /* no nodes: nothing to draw */
    struct ork_finding_end end;
    char *dot_file; /* set by whoever wrote the files: relative to the report */
    char *svg_file;
};

struct ork_statistics {
#define ORK_STATISTIC(name) uint64_t name;
#include "report/statistics.def"
#undef ORK_STATISTIC
    uint32_t tool_ranks;
    double seconds_to_verdict; /* last rank blocked to verdict of the first manifest deadlock;
                                  negative: none */
};

/* Processes with an MPI_COMM_WORLD of their own, which came later: spawned ones. */
struct ork_job {
    uint32_t first; /* its rank 0, as ranks are numbered in the report */
    uint32_t ranks;
    char *origin; /* "spawned by rank 0 in MPI_Comm_spawn at a.c:31"; never NULL */
};

/* Who ended the application, if it did not end by itself. */
enum ork_ended_by { ORK_ENDED_BY_ITSELF, ORK_ENDED_BY_TOOL, ORK_ENDED_BY_USER };

struct ork_report {
    char **command; /* the application's command line */
    uint32_t num_command;
    uint32_t ranks;      /* of all jobs: those of the first, then job by job */
    struct ork_job *job; /* but the first */
    uint32_t num_jobs;
    double seconds;
    int exit_code; /* of the application; meaningful when ended and signal is 0 */
    int signal;    /* that ended its launcher; 0: none */
    enum ork_ended_by
        ended_by;  /* by the tool: exit code and signal are not the application's, and 0 */
    bool ended;    /* false: report written while the application was still there */
    bool complete; /* false: records were lost, see notes */
    char **note;   /* "3 calls of MPI_Win_fence were not analysed" */
    uint32_t num_notes;
    struct ork_finding *finding;
    uint32_t num_findings;
    uint32_t suppressed; /* findings that the user knows (--must:suppress), which are not here */
    struct ork_statistics statistics;
};

/* Its strings; leaves it empty. */
void ork_where_release(struct ork_where *where);
void ork_last_call_release(struct ork_last_call *call);
/* What one owns; that of all of them, and the array itself. */
void ork_last_calls_drain(struct ork_last_calls *list);
void ork_last_calls_release(struct ork_last_calls *list, uint32_t count);
/* All they own; the graph is empty then. */
void ork_rank_row_release(struct ork_rank_row *wait);
/* Copy the frames to a row that has none; false: out of memory, *to is as far as it came. */
bool ork_rank_row_copy_stack(struct ork_rank_row *to, const struct ork_rank_row *from);
void ork_graph_node_release(struct ork_graph_node *node);
void ork_graph_release(struct ork_graph *graph);

/* An empty report: no strings, complete, not ended, seconds_to_verdict -1. */
void ork_report_init(struct ork_report *report);
void ork_report_release(struct ork_report *report);
void ork_finding_release(struct ork_finding *finding);

/* Move *finding (which is left empty) behind the others. ORK_NOMEM: nothing moved. */
enum ork_status ork_report_add_finding(struct ork_report *report, struct ork_finding *finding);
/* Copy a note. */
enum ork_status ork_report_add_note(struct ork_report *report, const char *note);
/* See struct ork_job; `origin` is copied. */
enum ork_status ork_report_add_job(struct ork_report *report, uint32_t first, uint32_t ranks,
                                   const char *origin);

/* --- JSON: schema 1 of docs/reference/json.md. Texts that are no valid UTF-8 come out with U+FFFD
 * --- */

/* The whole report, indented, ending in a newline. *text is the caller's (free). */
enum ork_status ork_report_to_json(const struct ork_report *report, char **text);
/* Parse what ork_report_to_json() wrote (unknown keys are skipped, missing ones get their defaults;
 * only "findings" must be there, so that other JSON is not taken for a clean report). Untrusted
 * input: ORK_INVALID with *error set to a sentence (caller frees) where a key has the wrong type;
 * *report is then released. */
enum ork_status ork_report_from_json(const char *text, size_t size, struct ork_report *report,
                                     char **error);
/* One finding on one line, without newline: what the root sends to mustrun. */
enum ork_status ork_finding_to_json(const struct ork_finding *finding, char **text);
enum ork_status ork_finding_from_json(const char *text, size_t size, struct ork_finding *finding,
                                      char **error);

#endif
