/* SPDX-License-Identifier: BSD-3-Clause */
/* Streams of records, written down call by call: RANK(S(1, 0), R(1, 0), F) is a rank that sends to
 * rank 1, receives from it and enters MPI_Finalize. What the run observed is written after the call
 * whose outcome it is: R(ANY, 0), FOUND(1, 0). A stream ends with the last call that the rank
 * entered. */
#ifndef ORK_TEST_DETECTOR_SCRIPT_H
#define ORK_TEST_DETECTOR_SCRIPT_H

#include "detector/detector.h"
#include "detector/issues.h"

enum { SCRIPT_WORDS = 15, SCRIPT_RANKS = 6 };

/* One record and its list. */
struct step {
    struct ork_record rec;
    uint32_t list[SCRIPT_WORDS];
};

#define NOTHING     ((const struct step[]){{.rec = {0}}})
#define RANK(...)   ((const struct step[]){__VA_ARGS__, {.rec = {0}}})
#define LENGTH(...) (sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

enum { ANY = ORK_ANY_SOURCE, ANY_TAG = ORK_ANY_TAG, NOBODY = ORK_PROC_NULL };
#define NULL_REQUEST ORK_REQUEST_NULL
#define SHARED       ORK_REQUEST_SHARED
#define STRANGE      ORK_REQUEST_UNKNOWN

#define RECORD(...)                                                                                \
    {                                                                                              \
        .rec = { __VA_ARGS__ }                                                                     \
    }

/* -- messages: (peer, tag); nonblocking ones: (peer, tag, request) -- */
#define SEND_(m, d, t, ...)                                                                        \
    RECORD(.kind = ORK_KIND_SEND, .mode = (m), .peer = (d), .tag = (t), .bytes = 8, __VA_ARGS__)
#define S(d, t)       SEND_(ORK_SEND_STANDARD, d, t, .site = 0)
#define S_ON(c, d, t) SEND_(ORK_SEND_STANDARD, d, t, .comm = (c))
#define S_AT(s, d, t) SEND_(ORK_SEND_STANDARD, d, t, .site = (s))
#define Y(d, t)       SEND_(ORK_SEND_SYNCHRONOUS, d, t, .site = 0)
#define B(d, t)       SEND_(ORK_SEND_BUFFERED, d, t, .site = 0)
#define RSEND(d, t)   SEND_(ORK_SEND_READY, d, t, .site = 0)
#define I_(m, d, t, q)                                                                             \
    RECORD(.kind = ORK_KIND_SEND, .mode = (m), .peer = (d), .tag = (t), .bytes = 8,                \
           .flags = ORK_F_NONBLOCKING, .request = (q))
#define I(d, t, q)  I_(ORK_SEND_STANDARD, d, t, q)
#define IY(d, t, q) I_(ORK_SEND_SYNCHRONOUS, d, t, q)
#define S_INIT(d, t, q)                                                                            \
    RECORD(.kind = ORK_KIND_SEND, .peer = (d), .tag = (t), .flags = ORK_F_PERSISTENT,              \
           .request = (q))

#define RECV_(s, t, ...) RECORD(.kind = ORK_KIND_RECV, .peer = (s), .tag = (t), __VA_ARGS__)
#define R(s, t)          RECV_(s, t, .site = 0)
#define R_ON(c, s, t)    RECV_(s, t, .comm = (c))
#define J(s, t, q)       RECV_(s, t, .flags = ORK_F_NONBLOCKING, .request = (q))
#define R_INIT(s, t, q)  RECV_(s, t, .flags = ORK_F_PERSISTENT, .request = (q))

#define SR(d, t, s, u)                                                                             \
    RECORD(.kind = ORK_KIND_SENDRECV, .peer = (d), .tag = (t), .peer2 = (s), .tag2 = (u))
#define P(s, t)     RECORD(.kind = ORK_KIND_PROBE, .peer = (s), .tag = (t))
#define MP(s, t)    RECORD(.kind = ORK_KIND_PROBE, .peer = (s), .tag = (t), .flags = ORK_F_MATCHED)
#define MR(message) RECORD(.kind = ORK_KIND_MRECV, .peer = ORK_NO_PEER, .arg = (message))

/* -- what the run observed -- */
#define FOUND(s, t) RECORD(.kind = ORK_KIND_EXIT, .peer = (s), .tag = (t))
#define TOOK(s, t, id)                                                                             \
    {                                                                                              \
        .rec = {.kind = ORK_KIND_EXIT, .peer = (s), .tag = (t), .request = (id) }                  \
    }
#define RETURNED RECORD(.kind = ORK_KIND_EXIT, .peer = ORK_NO_PEER)
#define FAILED(class_)                                                                             \
    RECORD(.kind = ORK_KIND_EXIT, .peer = ORK_NO_PEER, .flags = ORK_F_ERROR, .arg = (class_))
/* (index or request, source, tag) of each completed element */
#define COMPLETED(...)                                                                             \
    {                                                                                              \
        .rec = {.kind = ORK_KIND_EXIT, .peer = ORK_NO_PEER, .count = LENGTH(__VA_ARGS__)},         \
        .list = {                                                                                  \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
#define TESTED(...)                                                                                \
    {                                                                                              \
        .rec = {.kind = ORK_KIND_TESTED,                                                           \
                .mode = ORK_WAIT_SOME,                                                             \
                .peer = ORK_NO_PEER,                                                               \
                .count = LENGTH(__VA_ARGS__)},                                                     \
        .list = {                                                                                  \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
#define NOT_SEEN      ((uint32_t)ORK_NO_PEER), 0
#define WAS_CANCELLED ((uint32_t)ORK_CANCELLED), 0

/* -- requests -- */
#define REQUESTS_(k, m, ...)                                                                       \
    {                                                                                              \
        .rec = {.kind = (k), .mode = (m), .peer = ORK_NO_PEER, .count = LENGTH(__VA_ARGS__)},      \
        .list = {                                                                                  \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
#define W(...)     REQUESTS_(ORK_KIND_WAIT, ORK_WAIT_ALL, __VA_ARGS__)
#define WANY(...)  REQUESTS_(ORK_KIND_WAIT, ORK_WAIT_ANY, __VA_ARGS__)
#define WSOME(...) REQUESTS_(ORK_KIND_WAIT, ORK_WAIT_SOME, __VA_ARGS__)
#define START(...) REQUESTS_(ORK_KIND_START, 0, __VA_ARGS__)
#define CANCEL(q)                                                                                  \
    {                                                                                              \
        .rec = {.kind = ORK_KIND_CANCEL, .request = (q) }                                          \
    }
#define FREE(q)                                                                                    \
    {                                                                                              \
        .rec = {.kind = ORK_KIND_REQUEST_FREE, .request = (q) }                                    \
    }

/* The library completed request q with a message of (s, t): between calls, inside one */
#define EARLY(q, s, t)                                                                             \
    RECORD(.kind = ORK_KIND_EARLY, .peer = (s), .tag = (t), .flags = ORK_F_NONBLOCKING,            \
           .request = (q))
#define EARLY_INSIDE(q, s, t)                                                                      \
    RECORD(.kind = ORK_KIND_EARLY, .peer = (s), .tag = (t), .request = (q))

/* -- collectives: (communicator) or (communicator, root) -- */
#define COLL_(m, c, r, ...)                                                                        \
    RECORD(.kind = ORK_KIND_COLL, .mode = ORK_COLL_##m, .comm = (c), .peer = (r), __VA_ARGS__)
#define BAR(c)          COLL_(BARRIER, c, ORK_NO_PEER, .bytes = 0)
#define BCAST(c, root)  COLL_(BCAST, c, root, .bytes = 8)
#define BCAST0(c, root) COLL_(BCAST, c, root, .bytes = 0)
#define REDUCE(c, root) COLL_(REDUCE, c, root, .bytes = 8)
#define ALLREDUCE(c)    COLL_(ALLREDUCE, c, ORK_NO_PEER, .bytes = 8)
#define SCAN(c)         COLL_(SCAN, c, ORK_NO_PEER, .bytes = 8)
#define NEIGHBORS(c)    COLL_(NEIGHBOR_ALLTOALL, c, ORK_NO_PEER, .bytes = 8)
#define COMM_FREE(c)    COLL_(COMM_FREE, c, ORK_NO_PEER, .bytes = 0)
#define ICOLL_(m, c, q)                                                                            \
    {                                                                                              \
        .rec = {                                                                                   \
            .kind = ORK_KIND_COLL,                                                                 \
            .mode = ORK_COLL_##m,                                                                  \
            .comm = (c),                                                                           \
            .peer = ORK_NO_PEER,                                                                   \
            .flags = ORK_F_NONBLOCKING,                                                            \
            .request = (q)                                                                         \
        }                                                                                          \
    }
#define IBAR(c, q)     ICOLL_(BARRIER, c, q)
#define BAR_INIT(c, q) COLL_(BARRIER, c, ORK_NO_PEER, .flags = ORK_F_PERSISTENT, .request = (q))
#define FINALIZE       RECORD(.kind = ORK_KIND_FINALIZE)
#define F              FINALIZE
#define ABORT          RECORD(.kind = ORK_KIND_ABORT)
#define OPAQUE(c)      RECORD(.kind = ORK_KIND_OPAQUE, .call = (c))

/* -- communicators: the new number first; groups as one run (first, stride, count) -- */
#define DEFINE_(n, parent, m, ...)                                                                 \
    {                                                                                              \
        .rec = {.kind = ORK_KIND_COMM_DEF,                                                         \
                .comm = (n),                                                                       \
                .arg = (parent),                                                                   \
                .mode = ORK_COLL_##m,                                                              \
                .arg2 = LENGTH(__VA_ARGS__) / 3,                                                   \
                .count = LENGTH(__VA_ARGS__)},                                                     \
        .list = {                                                                                  \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
#define DEFINE_SAME(n, parent, m)                                                                  \
    {                                                                                              \
        .rec = {                                                                                   \
            .kind = ORK_KIND_COMM_DEF,                                                             \
            .comm = (n),                                                                           \
            .arg = (parent),                                                                       \
            .mode = ORK_COLL_##m,                                                                  \
            .flags = ORK_F_SAME_GROUP                                                              \
        }                                                                                          \
    }
#define CALL_DUP(parent)   COLL_(COMM_DUP, parent, ORK_NO_PEER, .bytes = 0)
#define CALL_SPLIT(parent) COLL_(COMM_SPLIT, parent, ORK_NO_PEER, .bytes = 0)
#define CALL_CREATE_GROUP(parent, t, ...)                                                          \
    {                                                                                              \
        .rec = {.kind = ORK_KIND_COLL,                                                             \
                .mode = ORK_COLL_COMM_CREATE_GROUP,                                                \
                .comm = (parent),                                                                  \
                .peer = ORK_NO_PEER,                                                               \
                .tag = (t),                                                                        \
                .count = LENGTH(__VA_ARGS__)},                                                     \
        .list = {                                                                                  \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
#define DUP(n, parent)        CALL_DUP(parent), DEFINE_SAME(n, parent, COMM_DUP)
#define SPLIT(n, parent, ...) CALL_SPLIT(parent), DEFINE_(n, parent, COMM_SPLIT, __VA_ARGS__)
#define GROUP(n, parent, t, ...)                                                                   \
    CALL_CREATE_GROUP(parent, t, __VA_ARGS__), DEFINE_(n, parent, COMM_CREATE_GROUP, __VA_ARGS__)
/* Local communicator, local leader; remote leader in the peer communicator, tag. */
#define CALL_INTERCOMM(c, leader, remote, peer_comm, t)                                            \
    RECORD(.kind = ORK_KIND_COLL, .mode = ORK_COLL_INTERCOMM_CREATE, .comm = (c), .arg = (leader), \
           .peer = (remote), .arg2 = (peer_comm), .tag = (t))
/* One run each: the own group, the remote one. */
#define DEFINE_INTER(n, c, ...)                                                                    \
    {                                                                                              \
        .rec = {.kind = ORK_KIND_COMM_DEF,                                                         \
                .comm = (n),                                                                       \
                .arg = (c),                                                                        \
                .mode = ORK_COLL_INTERCOMM_CREATE,                                                 \
                .flags = ORK_F_INTER,                                                              \
                .arg2 = 1,                                                                         \
                .count = LENGTH(__VA_ARGS__)},                                                     \
        .list = {                                                                                  \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

/* -- jobs -- */
/* From here on the ranks of the group are those of the job of this name. */
#define OF(name) UINT32_MAX, (name), 0
/* What a call of this kind returned: the own group, so many runs, and the other one. */
#define MEET(n, m, local_runs, ...)                                                                \
    {                                                                                              \
        .rec = {.kind = ORK_KIND_COMM_DEF,                                                         \
                .comm = (n),                                                                       \
                .mode = ORK_COLL_##m,                                                              \
                .flags = ORK_F_INTER,                                                              \
                .arg2 = (local_runs),                                                              \
                .peer = 0,                                                                         \
                .count = LENGTH(__VA_ARGS__)},                                                     \
        .list = {                                                                                  \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

/* ---- feeding ---- */

struct ork_detector *script_create(uint32_t ranks);

/* The first record of a step is rec; the CONT records follow. Room: 2. Returns how many. */
unsigned script_records(const struct step *step, struct ork_record record[2]);

/* Feed all steps of a rank. */
void script_feed(struct ork_detector *d, uint32_t rank, const struct step *step);

/* ---- what the detector says, as text ---- */

struct verdict {
    char deadlocked[32]; /* ranks that have not ended: "013" */
    char roots[64];      /* bottom knots: "01 23" */
};

struct verdict script_verdict(struct ork_detector *d, enum ork_semantics semantics);

/* Let pass what moved until nothing does; the number of ranks that went on. */
unsigned script_relax(struct ork_detector *d);

/* The call that a rank is in, ORK_KIND_CONT if it is in none. */
enum ork_kind script_call(struct ork_detector *d, uint32_t rank);

/* A letter for each rank: Running, Blocked, Stalled, Unknown, Polling, Done. */
struct statuses {
    char of[SCRIPT_RANKS + 1];
};
struct statuses script_statuses(struct ork_detector *d, uint32_t ranks);

/* ---- tables of scenarios ---- */

struct scenario {
    const char *name;
    const struct step *rank[SCRIPT_RANKS]; /* NULL: no more */
    uint32_t exited;                       /* bit set: ranks that ended without MPI_Finalize */
    struct verdict strict;
    struct verdict relaxed; /* after script_relax() */
    const char *lazy;       /* deadlocked ranks under ORK_PERMISSIVE, before relaxing */
    uint32_t issues;
};

/* Feed a scenario in several orders, with the same verdicts each time. */
void script_check(const struct scenario *scenario);

/* One cmocka test for each scenario. */
int script_run_table(const struct scenario *scenario, size_t count);

#endif
