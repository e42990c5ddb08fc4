/* SPDX-License-Identifier: BSD-3-Clause */
/* The report of a run: MUST_Output.json (schema 1) as C. The root of the tool makes findings,
 * mustrun adds what it knows of the application, and all renderers read only this. All strings are
 * UTF-8 or arbitrary bytes of the application (renderers escape them), heap-allocated, owned by the
 * struct that points to them, and NULL if unknown, unless documented otherwise. */
#ifndef ORK_REPORT_REPORT_H
#define ORK_REPORT_REPORT_H

#include "common/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ork_severity { ORK_ERROR, ORK_WARNING, ORK_NOTE };
/* CLASS_NONE: a finding that is no deadlock ("class": null). */
enum ork_class { ORK_CLASS_NONE, ORK_MANIFEST, ORK_POTENTIAL, ORK_INTERLEAVING, ORK_SUSPECTED };
/* How a verdict was reached. BASIS_NONE: not given ("basis": null). */
enum ork_basis { ORK_BASIS_NONE, ORK_BASIS_STRICT, ORK_BASIS_RELAXED, ORK_BASIS_ASSUMED };

struct ork_u32s {
    uint32_t *item;
    uint32_t count;
};

/* first, first + step, .. last; step is at least 1, and last is included. */
struct ork_rank_run {
    uint32_t first, last, step;
};

/* A place in the application. Without debug information: module and offset only. */
struct ork_where {
    char *function;
    char *file;
    uint32_t line; /* 0: unknown */
    char *module;  /* path of the executable or library */
    uint64_t offset;
    bool inlined;  /* of a frame: into the next outer one */
    uint64_t path; /* a hash of the callers; 0: they were not recorded */
};

/* The present state of a rank that the strict analysis holds in an earlier call. */
enum ork_ahead {
    ORK_AHEAD_NOT,    /* it is in no later call, as far as is known */
    ORK_AHEAD_GOES,   /* it was running when the finding was made */
    ORK_AHEAD_INSIDE, /* it is inside `call` */
    ORK_AHEAD_AFTER,  /* `call` is its latest one, and it is outside MPI */
};
struct ork_position {
    enum ork_ahead ahead;
    char *call; /* NULL: NOT, GOES */
    struct ork_where where;
};

/* One row of the table: where a rank is, and what it waits for. If the run is ahead of the strict
 * analysis, this is where the strict analysis holds the rank; `now` is where it really is. */
struct ork_rank_row {
    uint32_t rank;
    char *call;     /* "MPI_Recv"; "" for a rank that is in no MPI call; never NULL */
    char *own_name; /* what the program calls: "comm.recv"; NULL: the same */
    char *comm;     /* "MPI_COMM_WORLD" */
    char *peer;  /* "1", "MPI_ANY_SOURCE"; NULL: the call has none. In JSON a number if possible */
    char *tag;   /* as peer */
    bool remote; /* the peer is a rank of the remote group of an intercommunicator */
    char *operation;           /* "MPI_SUM"; NULL: no reduction, or a user-defined one */
    bool is_or;                /* semantics: "OR" else "AND" */
    struct ork_u32s waits_for; /* "for": ranks, ascending */
    char *state;  /* "blocked", "running", "finalized", "ended", "stalled": never NULL */
    char *detail; /* further text for the user: "request[1]: MPI_Irecv from MPI_ANY_SOURCE" */
    struct ork_where where;
    struct ork_position now;
    struct ork_where *caller; /* of `where`, the innermost first; none without --must:callers */
    uint32_t num_callers;
    struct ork_where *stack;
    uint32_t num_stack;
};

/* The graph as it is drawn; equal nodes of a large one are folded (report/fold.h). Nodes are in any
 * order; `id` is unique, and arcs refer to it. */
enum ork_node_kind { ORK_NODE_RANK, ORK_NODE_TERM, ORK_NODE_HUB };
struct ork_graph_node {
    uint32_t id;
    enum ork_node_kind kind;
    bool is_or;
    uint32_t rank;   /* of a rank or term; if folded, the lowest one; 0 for a hub */
    char *label;     /* "MPI_Recv", "request[1]\nMPI_Irecv", "any of MPI_COMM_WORLD"; never NULL */
    bool deadlocked; /* cannot be released */
    bool root;       /* in a bottom OR-knot */
    bool core;       /* in the minimal core: filled */
    char *comm;      /* communicator of the call; NULL: none, unknown or several */
    char *place;     /* call site: "halo.c:40"; NULL: unknown or several */
    char *towards;   /* "from", "to": the word before the partner of such a call */
    char *relation;  /* folded: the rank that each of them waits for: "7", "rank+1" */
    struct ork_rank_run *run; /* folded: ranks of these nodes, ascending; none: `rank` alone */
    uint32_t num_runs;
    uint32_t count; /* nodes folded here; below 2: not folded */
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

/* A wildcard receive takes a message: the match that an ORK_INTERLEAVING deadlock depends on. */
struct ork_match_decision {
    struct ork_match_end receive, send;
    bool differs;  /* from the run, in which it took a message of rank `took` */
    uint32_t took; /* UINT32_MAX: unknown */
};

/* A call that waits, and a pending one that would match except for one argument. */
struct ork_near_miss {
    struct ork_match_end waits, pending;
    char *differs; /* "tag", "communicator", "destination", "source"; never NULL */
    char *message; /* a sentence; never NULL */
    uint32_t
        others; /* further pairs of ranks that miss each other in the same way at these calls */
    bool is_certain; /* no other call explains the difference; not in the JSON report */
};

/* A communicator (window, file) of the finding. */
struct ork_communicator {
    char *name; /* as in the waits; never NULL */
    uint32_t size;
    bool inter;
    struct ork_rank_run *member; /* ascending; none: unknown */
    uint32_t num_members;        /* runs */
    char *origin;                /* "MPI_Comm_split, color 1"; NULL: predefined or unknown */
    char *parent;                /* name; NULL: none */
    struct ork_where where;      /* of the call that made it, at rank `rank` */
    uint32_t rank;
};

/* A single wait that would release others if it were over. */
struct ork_remedy {
    struct ork_u32s ranks; /* those that wait: any one of them */
    char *call;            /* never NULL */
    struct ork_where where;
    struct ork_u32s frees; /* ranks that could continue, ascending */
    char *message;         /* a sentence; never NULL */
};

/* A message of a call, as far as the order of messages is known; see struct ork_stream. */
struct ork_last_message {
    enum { ORK_LAST_NO_MESSAGE, ORK_LAST_UNKNOWN, ORK_LAST_KNOWN } is;
    uint32_t source, destination, comm; /* as the detector numbers them */
    int32_t tag;
    uint32_t unmatched; /* of all messages like it at this rank, the latest ones */
};

/* One of the last calls of ranks, or several equal ones in a row. */
struct ork_last_call {
    char *call;                /* never NULL */
    char *own_name;            /* what the program calls: "comm.recv"; NULL: the same */
    char *comm, *peer, *tag;   /* as in a wait */
    char *source, *source_tag; /* of the receive of MPI_Sendrecv; else NULL */
    char *root;                /* of a collective; NULL: none */
    char *took;                /* wildcard receive: "rank 2, tag 7"; NULL: unknown */
    bool has_bytes;
    uint64_t bytes;    /* of the message, of the receive buffer, or given to the collective */
    uint32_t requests; /* in the array of the call; 0: none */
    uint32_t times;    /* at least 1 */
    uint32_t error;    /* class of the MPI error that it returned; 0: none known */
    bool inside;       /* it has not returned */
    uint32_t pending; /* messages of it that no other call has sent or received; 0: none is known */
    /* Collective: its place among those on its communicator, from 0; UINT32_MAX: unknown */
    uint32_t position;
    struct ork_where where;
    /* It begins an iteration: so many calls from here, together so many times; 0: it does not. The
     * counts of these calls are those of one iteration. */
    uint32_t iteration, iterations;
    /* Not in the JSON report: the message it sends, and the one it receives; */
    struct ork_last_message sends, receives;
    bool is_nonblocking;
    uint32_t awaited_after; /* how many calls later the rank waited for its request; 0: unknown */
    char *decided;          /* what a choice decided in a run of an exploration; NULL: it is none */
    uint32_t local_comm;    /* of a collective, and how many such calls the rank had made there */
    uint32_t colls;         /* when the finding was made; 0: unknown; UINT32_MAX: it failed, so it
                               is unknown whether it was made */
};

/* The last calls of ranks, the oldest first: the same for all of them. */
struct ork_last_calls {
    struct ork_u32s ranks;
    int64_t thread; /* of each; negative: each rank has only one thread that calls MPI */
    struct ork_last_call *call;
    uint32_t num_calls;
    bool is_of_first_run; /* of an exploration, beside another run: not in the JSON report */
};

/* A message between two of the last calls: numbers of lists in the finding, and of calls in them.
 * `to`: the call that received it, or waited for its receive. */
struct ork_last_arrow {
    uint32_t from_list, from_call, to_list, to_call;
};

/* An access of a rank to bytes of the memory of `target`, in a window. */
struct ork_window_access {
    uint32_t rank, target;
    char *call;  /* "MPI_Put", "load"; never NULL */
    char *epoch; /* "an epoch of MPI_Win_fence"; NULL: none */
    struct ork_where where;
    int64_t low, high; /* bytes low .. high - 1 */
    bool is_address;   /* these are addresses; else they count from the start of the memory */
    bool has_gaps;     /* not all of these bytes */
    bool is_read;      /* it changes nothing there */
};

/* How many calls a rank made in each second, the oldest first. */
struct ork_rank_rates {
    uint32_t rank;
    struct ork_u32s calls;
};

/* How the first rank of an abnormal end ended; NONE: the finding is of another kind. */
enum ork_ended_as {
    ORK_AS_NONE,
    ORK_AS_SIGNAL,  /* value: signal number */
    ORK_AS_EXIT,    /* exit status */
    ORK_AS_ERROR,   /* MPI error class */
    ORK_AS_ABORT,   /* error code of MPI_Abort */
    ORK_AS_UNKNOWN, /* it left no trace */
};

/* Is it in the last accepted report (report/baseline.h)? NONE: there is none. */
enum ork_baseline_state { ORK_BASELINE_NONE, ORK_BASELINE_NEW, ORK_BASELINE_KNOWN };
/* Does it fail the run? BY_SEVERITY: nobody has decided; an error does. */
enum ork_fails { ORK_FAILS_BY_SEVERITY, ORK_FAILS_NOT, ORK_FAILS };

struct ork_finding_end {
    enum ork_ended_as as;
    uint32_t rank; /* UINT32_MAX: unknown which of several it was */
    int value;
};

struct ork_finding {
    char *id; /* "deadlock", "corrupt-records", ...: see docs/reference/findings.md; never NULL */
    enum ork_class class_;
    enum ork_severity severity;
    char *message; /* one sentence; never NULL */
    char *summary; /* the same without any theory; NULL: same as the message */
    char **detail; /* further sentences: the odd rank out, ends of ranks, uncertainty */
    uint32_t num_details;
    struct ork_u32s ranks;  /* all deadlocked ranks, or all ranks concerned */
    struct ork_u32s *roots; /* bottom OR-knots, each a set of ranks */
    uint32_t num_roots;
    struct ork_u32s *independent;
    uint32_t num_independent;
    struct ork_rank_row *waits;
    uint32_t num_waits;
    struct ork_match_decision *decision; /* in the order in which they are taken */
    uint32_t num_decisions;
    struct ork_near_miss *near_miss;
    uint32_t num_near_misses;
    struct ork_communicator *communicator;
    uint32_t num_communicators;
    struct ork_remedy *remedy;
    uint32_t num_remedies;
    struct ork_last_calls *last_calls; /* of a few ranks in the roots */
    uint32_t num_last_calls;
    bool are_calls_gone;          /* the calls that it is about are not among those that are kept */
    struct ork_last_arrow *arrow; /* between the last calls */
    uint32_t num_arrows;
    struct ork_window_access
        *access; /* a conflict: the two that the message names; or one outside */
    uint32_t num_accesses;
    struct ork_rank_rates *rates; /* by rank, each with as many seconds; of many ranks only some */
    uint32_t num_rates;
    double rates_ago;     /* seconds from the end of the latest one to the finding */
    uint64_t window_size; /* bytes of the memory that an access is outside of; 0: unknown */
    enum ork_basis basis;
    char *basis_text;       /* a sentence; NULL: the basis is not given */
    struct ork_graph graph; /* no nodes: nothing to draw */
    struct ork_finding_end end;
    enum ork_baseline_state baseline;
    enum ork_fails fails;
    uint64_t repeats; /* further findings of this kind at the same calls: not listed */
    uint64_t places;  /* hash of its kind, calls and places; 0: none. Only mustrun's */
    char *dot_file;   /* set by the writer of the files: relative to the report */
    char *svg_file;
    char *lanes_file; /* of the last calls */
};

struct ork_statistics {
#define ORK_STATISTIC(name) uint64_t name;
#include "report/statistics.def"
#undef ORK_STATISTIC
    uint32_t tool_ranks;
    double seconds_to_verdict; /* last rank blocked to verdict of the first manifest deadlock;
                                  negative: none */
};

/* The choices of a rank (docs/explanation/order.md). */
struct ork_rank_choices {
    uint64_t count;
    uint64_t hash; /* 0: no choices */
};

/* Processes with an MPI_COMM_WORLD of their own that started later: spawned ones. */
struct ork_job {
    uint32_t first; /* its rank 0, as ranks are numbered in the report */
    uint32_t ranks;
    char *origin; /* "spawned by rank 0 in MPI_Comm_spawn at a.c:31"; never NULL */
};

/* Who ended the application, if it did not end by itself. */
enum ork_ended_by { ORK_ENDED_BY_ITSELF, ORK_ENDED_BY_TOOL, ORK_ENDED_BY_USER };

/* Findings of one kind that are only counted (report/unlisted.h). */
struct ork_unlisted {
    char *id; /* never NULL */
    enum ork_class class_;
    uint64_t count[3]; /* by enum ork_severity */
};

/* How and where its user started the run. */
struct ork_run_facts {
    char *started; /* "2026-11-30 07:46:12 +0000", local time */
    char *host;    /* on which mustrun ran */
    char *folder;  /* the one in which it was started */
    char **word;   /* of its command line, from its name on */
    uint32_t num_words;
    char *launcher; /* program that started the job */
    char *mpi;      /* library that the tool was built for: "Open MPI 4.1.4" */
    int exit_code;  /* of mustrun; negative: it was still running */
};

struct ork_report {
    struct ork_run_facts run;
    char **command; /* the application's command line */
    uint32_t num_command;
    uint32_t ranks;      /* of all jobs: those of the first, then job by job */
    struct ork_job *job; /* all except the first */
    uint32_t num_jobs;
    double seconds;
    int exit_code; /* of the application; meaningful when ended and signal is 0 */
    int signal;    /* the one that ended its launcher; 0: none */
    enum ork_ended_by
        ended_by;  /* by the tool: exit code and signal are not the application's, and 0 */
    bool ended;    /* false: the report was written while the application was still running */
    bool complete; /* false: not all calls were looked at, see notes; or it has not ended */
    char **note;   /* "3 calls of MPI_Win_fence were not analysed" */
    uint32_t num_notes;
    struct ork_finding *finding;
    uint32_t num_findings;
    struct ork_unlisted *unlisted;
    uint32_t num_unlisted;
    uint32_t suppressed; /* findings removed by --must:suppress */
    struct ork_statistics statistics;
    struct ork_rank_choices *choices; /* by rank; none: the run had no choices */
    uint32_t num_choices;
    char *replay; /* the command that repeats the order of this run; NULL: there is no file of it */
    char *explore; /* that runs the orders with an ORK_INTERLEAVING deadlock; NULL: there is none */
    char *source_root; /* the folder that paths in SARIF and the like are relative to; NULL: none.
                          Not in the JSON report */
};

bool ork_finding_fails(const struct ork_finding *finding);

/* Free its strings, and leave it empty. */
void ork_where_release(struct ork_where *where);
void ork_last_call_release(struct ork_last_call *call);
/* Free what one list owns; free what all lists own, and their array. */
void ork_last_calls_drain(struct ork_last_calls *list);
void ork_last_calls_release(struct ork_last_calls *list, uint32_t count);
/* Move last calls, and the messages between them, to a finding instead of its own. */
void ork_finding_move_calls(struct ork_finding *from, struct ork_finding *to);
/* Free all they own; the graph is empty then. */
void ork_rank_row_release(struct ork_rank_row *wait);
/* What the program calls: `own_name`, or `call`. The row's. */
const char *ork_rank_row_name(const struct ork_rank_row *wait);
/* Copy the frames to a row that has none; false: out of memory, *to is incomplete. */
bool ork_rank_row_copy_stack(struct ork_rank_row *to, const struct ork_rank_row *from);
/* The same of the place and its callers. */
bool ork_rank_row_copy_place(struct ork_rank_row *to, const struct ork_rank_row *from);
void ork_graph_node_release(struct ork_graph_node *node);
void ork_graph_release(struct ork_graph *graph);

/* An empty report: no strings, complete, not ended, seconds_to_verdict and run.exit_code -1. */
void ork_report_init(struct ork_report *report);
void ork_report_release(struct ork_report *report);
void ork_finding_release(struct ork_finding *finding);

/* Move *finding (which becomes empty) to the end of the list. ORK_NOMEM: nothing moved. */
enum ork_status ork_report_add_finding(struct ork_report *report, struct ork_finding *finding);
/* Copy a note. */
enum ork_status ork_report_add_note(struct ork_report *report, const char *note);
/* The same of a text that this frees. NULL: memory ran out while it was made; ORK_NOMEM. */
enum ork_status ork_report_take_note(struct ork_report *report, char *note);
/* See struct ork_job; `origin` is copied. */
enum ork_status ork_report_add_job(struct ork_report *report, uint32_t first, uint32_t ranks,
                                   const char *origin);

/* --- JSON: schema 1 of docs/reference/json.md. Invalid UTF-8 in texts becomes U+FFFD. --- */

/* The whole report, indented, ending in a newline. *text is the caller's (free). */
enum ork_status ork_report_to_json(const struct ork_report *report, char **text);
/* Parse what ork_report_to_json() wrote. Unknown keys are skipped, missing ones get their defaults;
 * only "findings" is required, so that other JSON is not taken for a clean report. Untrusted input:
 * ORK_INVALID with *error set to a sentence (caller frees) if a key has the wrong type; *report is
 * then released. */
enum ork_status ork_report_from_json(const char *text, size_t size, struct ork_report *report,
                                     char **error);
/* One finding on one line, without newline: what the root sends to mustrun. */
enum ork_status ork_finding_to_json(const struct ork_finding *finding, char **text);
/* Finding i of a report on one line, without newline, with the keys that it has there. */
enum ork_status ork_report_finding_to_json(const struct ork_report *report, uint32_t i,
                                           char **text);
enum ork_status ork_finding_from_json(const char *text, size_t size, struct ork_finding *finding,
                                      char **error);

#endif
