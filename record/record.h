/* SPDX-License-Identifier: BSD-3-Clause */
/* The call record: what an interceptor says about one MPI call, 64 bytes, and longer lists in
 * continuation records. The only thing that interceptor, overlay and detector share. Pure: no MPI,
 * no I/O. See docs/explanation/records.md for what each call writes. */
#ifndef ORK_RECORD_H
#define ORK_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum ork_kind {
#define ORK_KIND(name) ORK_KIND_##name,
#include "kinds.def"
#undef ORK_KIND
    ORK_KIND_MAX
};

enum {
    ORK_F_NONBLOCKING = 1 << 0,
    ORK_F_PERSISTENT = 1 << 1,
    ORK_F_MATCHED = 1 << 2,    /* matched probe */
    ORK_F_FALLIBLE = 1 << 2,   /* COLL: the call may return an error, and so not have been made */
    ORK_F_ERROR = 1 << 3,      /* EXIT: the call returned an error */
    ORK_F_INTER = 1 << 4,      /* COMM_DEF: an intercommunicator */
    ORK_F_SAME_GROUP = 1 << 5, /* COMM_DEF: the parent's group(s) */
    ORK_F_SOURCE = 1 << 6,     /* SITE: file and line instead of an address */
    ORK_F_BLIND = 1 << 6,      /* RECV, SENDRECV, WAIT: the caller ignores the status */
    ORK_F_IN_PLACE = 1 << 7,
};

/* MPI-3.1 section 3.4 */
enum ork_send_mode { ORK_SEND_STANDARD, ORK_SEND_SYNCHRONOUS, ORK_SEND_BUFFERED, ORK_SEND_READY };

enum ork_wait_mode { ORK_WAIT_ONE, ORK_WAIT_ALL, ORK_WAIT_ANY, ORK_WAIT_SOME };

enum ork_coll {
#define ORK_COLL(name, spelling) ORK_COLL_##name,
#include "colls.def"
#undef ORK_COLL
    ORK_COLL_MAX
};

/* Values of peer, peer2: ranks are >= 0. */
enum {
    ORK_ANY_SOURCE = -1,
    ORK_PROC_NULL = -2,
    ORK_ROOT = -3,
    ORK_NO_PEER = -4,
    ORK_CANCELLED = -5,
};

enum { ORK_ANY_TAG = -1 };

#define ORK_COMM_WORLD   0u
#define ORK_COMM_SELF    1u
#define ORK_COMM_UNKNOWN UINT32_MAX /* made by a call that is not modelled */

#define ORK_REQUEST_NULL UINT32_MAX /* MPI_REQUEST_NULL, inactive, or already complete */
#define ORK_REQUEST_UNKNOWN                                                                        \
    (UINT32_MAX -                                                                                  \
     1u) /* of no request that is known: made by a call that is not modelled, or freed */
/* RATIONALE: a library may return one handle for many operations that were complete at once (Open
 * MPI's ompi_request_empty). A Wait on it cannot say which is meant: any one of those not yet
 * waited for. */
#define ORK_REQUEST_SHARED (UINT32_MAX - 2u)

struct ork_record {
#define ORK_FIELD(type, name) type name;
#include "fields.def"
#undef ORK_FIELD
};
_Static_assert(sizeof(struct ork_record) == 64, "a record is one cache line");

#define ORK_CONT_WORDS 15u
struct ork_cont {
    uint8_t kind;  /* ORK_KIND_CONT */
    uint8_t words; /* 1..15 in use */
    uint16_t pad;
    uint32_t word[ORK_CONT_WORDS];
};
_Static_assert(sizeof(struct ork_cont) == sizeof(struct ork_record), "one slot each");

/* The most list words that a record may have; more is a corrupt stream. */
#define ORK_LIST_MAX (UINT32_C(1) << 26)

/* Number of CONT records behind a record with `count` list words. */
static inline uint32_t ork_record_conts(uint32_t count)
{
    return (count + ORK_CONT_WORDS - 1u) / ORK_CONT_WORDS;
}

static inline bool ork_record_is_same(const struct ork_record *a, const struct ork_record *b)
{
    uint64_t x[sizeof(*a) / sizeof(uint64_t)], y[sizeof(*b) / sizeof(uint64_t)], differ = 0;

    memcpy(x, a, sizeof(x));
    memcpy(y, b, sizeof(y));
    for (unsigned i = 0; i < sizeof(x) / sizeof(x[0]); i++)
        differ |= x[i] ^ y[i];
    return differ == 0;
}

/* Is it a call of the application, and not a definition or the outcome of one? */
static inline bool ork_record_is_call(const struct ork_record *record)
{
#define ORK_BIT(kind) (UINT64_C(1) << ORK_KIND_##kind)
    static const uint64_t others =
        ORK_BIT(CONT) | ORK_BIT(MODULE) | ORK_BIT(SITE) | ORK_BIT(COMM_DEF) | ORK_BIT(COMM_NAME) |
        ORK_BIT(EXIT) | ORK_BIT(JOB) | ORK_BIT(CONTROL) | ORK_BIT(EARLY) | ORK_BIT(THREAD_END);
#undef ORK_BIT
    _Static_assert(ORK_KIND_MAX <= 64, "a bit each");

    return record->kind < ORK_KIND_MAX && (others >> record->kind & 1) == 0;
}

/* "SEND"; "?" for a number that is no kind. Static storage. */
const char *ork_kind_name(unsigned kind);

/* MPI's name of the operation without prefix ("Barrier"); "?" for a number that is none. Static
 * storage. */
const char *ork_coll_name(unsigned coll);

#endif
