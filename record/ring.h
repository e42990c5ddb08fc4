/* SPDX-License-Identifier: BSD-3-Clause */
/* The shared memory of one rank and its leaf: a single-producer single-consumer ring of records and
 * the rank's state. The rank makes it (memfd, sealed against resizing) and hands it to the leaf of
 * its node over an abstract unix socket. The leaf treats every word in it as untrusted: it copies a
 * record before it looks at it. */
#ifndef ORK_RING_H
#define ORK_RING_H

#include "common/session.h"
#include "record/record.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#define ORK_RING_MAGIC   UINT64_C(0x4f524b4e4f543031) /* "ORKNOT01" */
#define ORK_RING_RECORDS 16384u                       /* a power of two */
#define ORK_RING_THREADS                                                                           \
    64u /* threads of one rank with a state of their own; the rest share the last */

enum ork_state {
    ORK_STATE_RUNNING, /* outside MPI, or in a call that cannot block */
    ORK_STATE_BLOCKED, /* inside a call that can block */
    ORK_STATE_DONE,    /* MPI_Finalize returned */
};

/* One cache line for each thread. `word` = (records published when it was stored) << 8 | enum
 * ork_state; stored with release order after the record of the call was published, and again when a
 * call that can block has returned. */
struct ork_thread_state {
    _Alignas(64) _Atomic uint64_t word;
    _Atomic uint64_t polls;     /* Test and Iprobe calls that found nothing */
    _Atomic uint64_t probes;    /* how many of these were Iprobe or Improbe */
    _Atomic uint32_t poll_site; /* call site of the latest of them */
    _Atomic uint32_t poll_call; /* and its function, enum ork_call_id */
    _Atomic uint32_t tid;       /* kernel thread id */
    _Atomic uint32_t looks;   /* how often it was measured what the thread does between two polls */
    _Atomic uint64_t work_ns; /* its processor time there, all looks together */
};

/* Kernel threads that were there when MPI_Init returned: the library's own. */
#define ORK_RING_STARTED 62u

struct ork_ring {
    uint64_t magic;
    uint32_t records; /* ORK_RING_RECORDS */
    uint32_t pid;
    _Alignas(64) _Atomic uint64_t head;       /* records published; slot is head % records */
    _Alignas(64) _Atomic uint64_t tail;       /* records taken by the leaf */
    _Alignas(64) _Atomic uint64_t full_waits; /* times the producer found the ring full */
    _Atomic uint64_t full_ns;                 /* and how long it waited in all */
    _Atomic uint32_t threads;                 /* threads that have called MPI */
    struct ork_thread_state thread[ORK_RING_THREADS];
    _Alignas(64) _Atomic uint32_t any_thread; /* 1: other threads than the first may call MPI
                                                 (MPI_THREAD_SERIALIZED or more) */
    _Atomic uint32_t num_started;
    uint32_t started[ORK_RING_STARTED];
    _Alignas(64) _Atomic uint32_t asked; /* how often the leaf asked for early sources */
    _Alignas(4096) struct ork_record slot[ORK_RING_RECORDS];
};

/* First message on the socket, rank to leaf, with the memfd as SCM_RIGHTS. The leaf checks
 * SO_PEERCRED's uid and the token, maps the ring and answers one byte: 1 taken, 0 refused (the
 * socket is then closed). Afterwards nothing is sent; a hang-up tells either side of the other's
 * death. */
struct ork_hello {
    uint64_t magic;
    char token[ORK_TOKEN_SIZE]; /* ORKNOT_TOKEN of the run, 32 hexadecimal digits */
    char job[64];               /* name of the application job (PMIX_NAMESPACE), NUL-terminated */
    uint32_t rank; /* in MPI_COMM_WORLD, as the launcher's environment says (PMIX_RANK) */
    uint32_t size; /* of MPI_COMM_WORLD, likewise; 0: it does not say */
    uint32_t pid;
};

/* The number that an MPI library based on PMIx makes of the name of a job (PMIX_NAMESPACE), which
 * records use; 0: none. */
static inline uint32_t ork_job_number(const char *job)
{
    char *end;
    unsigned long number = strtoul(job, &end, 10);

    return end != job && *end == '\0' && number < UINT32_MAX ? (uint32_t)number : 0;
}

/* Abstract socket (first byte NUL, no terminator) of a run's leaf on this node:
 * "orknot-<uid>-<ORKNOT_SESSION>-<leaf>-<host>", where <leaf> is 0 for the first leaf of a node,
 * and <host> its name as gethostname(2) has it, cut where the address ends. */
#define ORK_SOCKET_FORMAT "orknot-%u-%s-%u-%s"

#endif
