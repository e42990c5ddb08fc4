/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank-local numbers of requests and matched messages. All functions are called with the recorder's
 * lock held. */
#ifndef ORK_REQUESTS_H
#define ORK_REQUESTS_H

#include "interceptor/site/map.h"
#include "interceptor/ring/recorder.h"

#include <mpi.h>

/* Flags of a request. */
enum {
    ORK_R_WILDCARD = 1,   /* receive with a wildcard: its status is informative */
    ORK_R_CANCELLED = 2,  /* MPI_Cancel was called */
    ORK_R_PERSISTENT = 4, /* keeps its number until MPI_Request_free */
    ORK_R_ACTIVE = 8,     /* a persistent one that was started */
    ORK_R_UNSURE = 16, /* it may be complete or inactive: a call with it failed, or the application
                        * was told that it is complete */
    ORK_R_COLLECTIVE = 32,
    ORK_R_RECEIVE = 64,
    ORK_R_STARTED = 128, /* a persistent one that was started at least once */
    /* RATIONALE: no bit is free, so these are combinations that no other request has. */
    ORK_R_RMA = ORK_R_COLLECTIVE | ORK_R_RECEIVE,
    ORK_R_FILE = ORK_R_COLLECTIVE | ORK_R_STARTED, /* a call on a file */
    /* Above it, in 24 bits: the ordinal of a nonblocking receive among those of its thread; or the
     * bytes of a persistent buffered send, see ork_request_buffering(). */
    ORK_R_ORDINAL_SHIFT = 8,
};
enum { ORK_R_OBSERVED = ORK_R_WILDCARD | ORK_R_CANCELLED };

/* 0: it is not a nonblocking receive. */
static inline uint32_t ork_request_ordinal(uint32_t flags)
{
    return (flags & ORK_R_RECEIVE) != 0 ? flags >> ORK_R_ORDINAL_SHIFT : 0;
}

/* Flags of a persistent buffered send. More bytes than fit are not kept. */
static inline uint32_t ork_request_buffering(uint64_t bytes)
{
    const uint64_t limit = UINT32_MAX >> ORK_R_ORDINAL_SHIFT;

    return (uint32_t)(bytes < limit ? bytes + 1 : 0) << ORK_R_ORDINAL_SHIFT;
}

/* The bytes of a persistent buffered send. False: it is none, or they are not known. */
static inline bool ork_request_is_buffered(uint32_t flags, uint64_t *bytes)
{
    *bytes = (uint64_t)(flags >> ORK_R_ORDINAL_SHIFT) - 1;
    return (flags & (ORK_R_PERSISTENT | ORK_R_RECEIVE)) == ORK_R_PERSISTENT &&
           flags >> ORK_R_ORDINAL_SHIFT != 0;
}

/* Find out which handles this library uses for many operations. Call once, when MPI is
 * initialised. */
void ork_requests_init(void);

/* Number the request of an operation that was just started: ORK_REQUEST_NULL, ORK_REQUEST_SHARED or
 * a fresh number. */
uint32_t ork_request_add(MPI_Request request, uint32_t flags);

/* A new number for an operation whose request the application never sees: released by
 * ork_request_free() with MPI_REQUEST_NULL as the handle. */
uint32_t ork_request_number(void);

/* Different for each operation that had this number. `id` < ORK_REQUEST_SHARED. */
extern uint32_t *ork_request_serials, ork_num_request_serials;
static inline uint32_t ork_request_serial(uint32_t id)
{
    return id < ork_num_request_serials ? ork_request_serials[id] : 0;
}

/* The meaning of a handle of the application. */
struct ork_request {
    MPI_Request handle;
    uint32_t id;
    uint32_t flags;
};

/* All requests with a number, and the library's shared handles. */
enum { ORK_SHARED_MAX = 4 };
extern struct ork_map ork_requests;
extern MPI_Request ork_shared[ORK_SHARED_MAX];
extern unsigned ork_num_shared;

static inline bool ork_is_shared(MPI_Request request)
{
    for (unsigned i = 0; i < ork_num_shared; i++)
        if (ork_shared[i] == request)
            return true;
    return false;
}

static inline struct ork_request ork_request_find(MPI_Request request)
{
    struct ork_request r = {.handle = request, .id = ORK_REQUEST_NULL};
    const struct ork_entry *e;

    if (request == MPI_REQUEST_NULL)
        return r;
    e = ork_map_find(&ork_requests, ORK_KEY(request));
    if (e != NULL) {
        r.id = e->id;
        r.flags = e->flags;
    } else {
        r.id = ork_is_shared(request) ? ORK_REQUEST_SHARED : ORK_REQUEST_UNKNOWN;
    }
    return r;
}

void ork_request_set_flags(MPI_Request request, uint32_t flags);

/* Where a handle without a number comes from, as far as is known. */
enum ork_request_origin {
    ORK_REQUEST_IS_MADE,       /* perhaps by a call that was not seen */
    ORK_REQUEST_IS_STALE,      /* completed or freed, and not made again since */
    ORK_REQUEST_IS_UNMADE,     /* no call that was seen has made it */
    ORK_REQUEST_IS_STRANGE,    /* one of these two */
    ORK_REQUEST_IS_IMPOSSIBLE, /* the library has no request with this handle */
};
enum ork_request_origin ork_request_origin(MPI_Request request) __attribute__((cold));

static inline bool ork_request_is_of(const struct ork_request *request, uint32_t kind)
{
    return (request->flags & (uint32_t)(ORK_R_COLLECTIVE | ORK_R_RECEIVE | ORK_R_STARTED |
                                        ORK_R_PERSISTENT)) == kind;
}

/* Is its operation active? */
static inline bool ork_request_is_active(const struct ork_request *request)
{
    return request->handle != MPI_REQUEST_NULL &&
           (request->flags & (ORK_R_PERSISTENT | ORK_R_ACTIVE)) != ORK_R_PERSISTENT;
}

/* The library replaced the application's handle of this request. */
void ork_request_move(const struct ork_request *request, MPI_Request to);

/* For operations whose effect on the table was postponed (loop_body.h): what decides which numbers
 * come next; enter one under a number that is not in use, false: it was not entered; and say that
 * one has become complete. */
struct ork_requests_state {
    uint64_t few; /* as in struct ork_ids */
    uint32_t next, num_spare;
    uint32_t used;   /* as in struct ork_map */
    uint32_t active; /* ork_requests_active */
};
struct ork_requests_state ork_requests_state(void);
bool ork_request_restore(MPI_Request handle, uint32_t id, uint32_t flags);
void ork_request_gone(MPI_Request handle);

/* A call with it failed: whether it is active is not known. */
void ork_request_doubt(const struct ork_request *request);

/* The operation is complete or its handle freed. Requests without a number, and persistent ones,
 * stay unchanged. */
void ork_request_complete(const struct ork_request *request);
/* As above, also for persistent ones. */
void ork_request_free(const struct ork_request *request);

/* Live requests that have a flag of ORK_R_OBSERVED; and persistent ones that are active. */
extern uint32_t ork_requests_observed, ork_requests_active;

/* Messages of matched probes: number, and the communicator of the probe. */
uint32_t ork_message_add(MPI_Message message, uint32_t comm);
/* Its number and communicator. False: it has none. */
bool ork_message_find(MPI_Message message, uint32_t *id, uint32_t *comm);
/* The number (the communicator in *comm), or ORK_REQUEST_NULL for MPI_MESSAGE_NO_PROC, or
 * ORK_REQUEST_UNKNOWN. Forgets it. */
uint32_t ork_message_take(MPI_Message message, uint32_t *comm);

#endif
