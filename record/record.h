/* SPDX-License-Identifier: BSD-3-Clause */
/* The call record: the interceptor's description of one MPI call, 64 bytes, and longer lists in
 * continuation records. Nothing else is shared by interceptor, overlay and detector. Pure: no MPI,
 * no I/O. docs/explanation/records.md lists what each call writes. */
#ifndef ORK_RECORD_H
#define ORK_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The number of ranks of a run, over all of its jobs, is below this. */
enum { ORK_RANKS_MAX = 1 << 24 };

enum ork_kind {
#define ORK_KIND(name, type, traits) ORK_KIND_##name,
#include "kinds.def"
#undef ORK_KIND
    ORK_KIND_MAX
};

/* Properties of every record of a kind: the column TRAITS of kinds.def. */
enum ork_kind_trait {
    ORK_IS_CALL = 1 << 0,        /* a call of the application, not a definition or an outcome */
    ORK_IS_MESSAGE = 1 << 1,     /* MPI_Send, MPI_Recv, MPI_Sendrecv and their variants */
    ORK_IS_WINDOW = 1 << 2,      /* `comm` is the number of a window */
    ORK_IS_SOURCE = 1 << 3,      /* defines call sites, jobs, orders; not for the detector */
    ORK_HAS_COMM = 1 << 4,       /* `comm` is a communicator, window or file */
    ORK_HAS_PEER = 1 << 5,       /* `peer` is a rank of it, `tag` a tag */
    ORK_MAKES_REQUEST = 1 << 6,  /* with ORK_F_NONBLOCKING or ORK_F_PERSISTENT, `request` is new */
    ORK_NAMES_REQUEST = 1 << 7,  /* `request` is an existing one */
    ORK_LISTS_REQUESTS = 1 << 8, /* each word of the list is a request */
};

enum {
    ORK_F_NONBLOCKING = 1 << 0,
    ORK_F_OTHER_RUNTIME = 1 << 0, /* JOB: see kinds.def */
    ORK_F_PERSISTENT = 1 << 1,
    ORK_F_MATCHED = 1 << 2,    /* matched probe */
    ORK_F_FALLIBLE = 1 << 2,   /* COLL: the call may return an error, and then was not made */
    ORK_F_ERROR = 1 << 3,      /* EXIT: the call returned an error */
    ORK_F_SENDS = 1 << 3,      /* COLL: it is known what the rank sends, */
    ORK_F_RECEIVES = 1 << 4,   /* or receives */
    ORK_F_INTER = 1 << 4,      /* COMM_DEF: an intercommunicator */
    ORK_F_CHOICE = 1 << 4,     /* ACCESS, to users of order/causality/events.h: it is a choice */
    ORK_F_SAME_GROUP = 1 << 5, /* COMM_DEF: the parent's group(s) */
    ORK_F_COPIES = 1 << 5,     /* SITE: see kinds.def */
    ORK_F_NO_PRECEDE = 1 << 5, /* COLL WIN_FENCE: MPI_MODE_NOPRECEDE */
    ORK_F_SOURCE = 1 << 6,     /* SITE: file and line instead of an address */
    ORK_F_BLIND = 1 << 6,      /* RECV, SENDRECV, WAIT: the caller ignores the status */
    ORK_F_IN_PLACE = 1 << 7,
};

/* MPI-3.1 section 3.4 */
enum ork_send_mode { ORK_SEND_STANDARD, ORK_SEND_SYNCHRONOUS, ORK_SEND_BUFFERED, ORK_SEND_READY };

enum ork_wait_mode { ORK_WAIT_ONE, ORK_WAIT_ALL, ORK_WAIT_ANY, ORK_WAIT_SOME };

enum ork_coll {
#define ORK_COLL(name, spelling, traits, needs, early, exchange) ORK_COLL_##name,
#include "colls.def"
#undef ORK_COLL
    ORK_COLL_MAX
};

/* MPI-3.1 section 12.4.3: INIT. */
enum ork_thread_level {
    ORK_THREAD_SINGLE,
    ORK_THREAD_FUNNELED,
    ORK_THREAD_SERIALIZED,
    ORK_THREAD_MULTIPLE,
};

/* Error classes: EXIT, TESTED, FATAL, and notes. */
enum ork_error_class {
#define ORK_ERROR_CLASS(name, number) ORK_ERR_##name = (number),
#include "error_classes.def"
#undef ORK_ERROR_CLASS
};
/* Added to the number that the MPI library has for a class which is none of these. */
#define ORK_ERR_FOREIGN (UINT32_C(1) << 16)

/* What an unsuccessful poll was: POLL. */
enum ork_poll_kind {
    ORK_POLL_TEST,  /* of requests */
    ORK_POLL_PROBE, /* for a message */
    ORK_POLL_OTHER, /* one more than ORK_POLLS_MAX different ones */
    ORK_POLL_WINDOW /* MPI_Win_test */
};
enum { ORK_POLLS_MAX = 256 };

/* Why a rank cannot repeat the next choice of its recording: DIVERGED. */
enum ork_divergence {
    ORK_DIVERGED_CALL = 1, /* the thread made another call */
    ORK_DIVERGED_PLACE,    /* or the same one at another place of the program */
    ORK_DIVERGED_OUTCOME,  /* the recorded outcome is impossible for this call */
    ORK_DIVERGED_MORE,     /* the recording has no further choice of this thread */
    ORK_DIVERGED_FEWER,    /* the thread made its last call before this choice */
    ORK_DIVERGED_MAX
};

/* The columns of colls.def. */
enum ork_coll_trait {
    ORK_IS_OPERATION = 1 << 0,    /* MPI-3.1 chapter 5 and section 7.6: makes and frees no object */
    ORK_IS_DYNAMIC = 1 << 1,      /* connects two jobs (chapter 10) */
    ORK_IS_DESTRUCTOR = 1 << 2,   /* frees the communicator, window or file */
    ORK_IS_LOCAL = 1 << 3,        /* need not wait by the standard (6.4.4, 11.2.7, 13.2.8) */
    ORK_HAS_OWN_GROUP = 1 << 4,   /* the participants are not those of the communicator */
    ORK_COUNTS_SENT = 1 << 5,     /* an array of counts, for what is sent to each process, */
    ORK_COUNTS_RECEIVED = 1 << 6, /* or received from it, */
    ORK_HAS_TYPES = 1 << 7,       /* and arrays of types */
};
enum ork_coll_needs {
    ORK_NEEDS_NOTHING,
    ORK_NEEDS_ALL,           /* all members have entered */
    ORK_NEEDS_DATA_OF_ALL,   /* the same, if data is passed */
    ORK_NEEDS_DATA_AT_ROOT,  /* the same, at the root */
    ORK_NEEDS_DATA_OF_ROOT,  /* if data is passed: the root has entered */
    ORK_NEEDS_DATA_OF_LOWER, /* if data is passed: all lower ranks have entered */
};
enum ork_coll_early { ORK_EARLY_NEVER, ORK_EARLY_ALWAYS, ORK_EARLY_IF_EMPTY };
enum ork_coll_exchange {
    ORK_EXCHANGE_NONE,
    ORK_EXCHANGE_FROM_ROOT,
    ORK_EXCHANGE_TO_ROOT,
    ORK_EXCHANGE_AMONG_ALL,
    ORK_EXCHANGE_AMONG_NEIGHBORS, /* in a topology, see NEIGHBORS in kinds.def */
    ORK_EXCHANGE_COMBINED,        /* a reduction: what all pass has the same length and types */
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
    (UINT32_MAX - 1u) /* an unknown request: made by a call that is not modelled, or freed */
/* RATIONALE: a library may return one handle for many operations that were complete at once. A Wait
 * on it does not identify one: it is any one of those not yet waited for. */
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

/* Maximum number of list words of a record; a longer list is a corrupt stream. */
#define ORK_LIST_MAX (UINT32_C(1) << 26)

/* Number of CONT records after a record with `count` list words. */
static inline uint32_t ork_record_conts(uint32_t count)
{
    return (count + ORK_CONT_WORDS - 1u) / ORK_CONT_WORDS;
}

/* Copy the list of a record to `list`, which has room for its `count` words: all of its CONT
 * records are there, behind it. False: they are none. */
static inline bool ork_record_read_list(const struct ork_record *record, uint32_t *list)
{
    for (uint32_t done = 0; done < record->count; done += ORK_CONT_WORDS) {
        uint32_t left = record->count - done;
        uint32_t words = left < ORK_CONT_WORDS ? left : ORK_CONT_WORDS;
        struct ork_cont cont;
        memcpy(&cont, record + 1 + done / ORK_CONT_WORDS, sizeof(cont));
        if (cont.kind != ORK_KIND_CONT || cont.words != words)
            return false;
        memcpy(list + done, cont.word, words * sizeof(cont.word[0]));
    }
    return true;
}

/* Did the call with this EXIT record return an error? NULL: it has none. */
static inline bool ork_call_has_failed(const struct ork_record *exit)
{
    return exit != NULL && (exit->flags & ORK_F_ERROR) != 0;
}

/* And before it did anything: it took or sent no message? */
static inline bool ork_call_did_nothing(const struct ork_record *exit)
{
    return ork_call_has_failed(exit) && (exit->flags & ORK_F_MATCHED) == 0;
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

/* The kinds that have one of the traits, a bit each. */
static inline uint64_t ork_kinds_with(unsigned traits)
{
    _Static_assert(ORK_KIND_MAX <= 64, "a bit each");

    return 0
#define ORK_KIND(name, type, traits_) | (uint64_t)(((traits_)&traits) != 0) << ORK_KIND_##name
#include "kinds.def"
#undef ORK_KIND
        ;
}

/* Has the kind of the record one of the traits? */
static inline bool ork_record_has(const struct ork_record *record, unsigned traits)
{
    return record->kind < ORK_KIND_MAX && (ork_kinds_with(traits) >> record->kind & 1);
}

static inline bool ork_record_is_call(const struct ork_record *record)
{
    return ork_record_has(record, ORK_IS_CALL);
}

/* Has the collective operation one of the traits? */
static inline bool ork_coll_has(unsigned coll, unsigned traits)
{
    static const uint8_t of[ORK_COLL_MAX] = {
#define ORK_COLL(name, spelling, traits_, needs, early, exchange) traits_,
#include "colls.def"
#undef ORK_COLL
    };

    return coll < ORK_COLL_MAX && (of[coll] & traits) != 0;
}

/* "SEND"; "?" for an invalid number. Static storage. */
const char *ork_kind_name(unsigned kind);

/* COLL: a list for more words than these is left out. */
enum { ORK_COUNTS_MAX = 256 };

static inline enum ork_coll_exchange ork_coll_exchange(unsigned coll)
{
    static const uint8_t of[ORK_COLL_MAX] = {
#define ORK_COLL(name, spelling, traits, needs, early, exchange) ORK_EXCHANGE_##exchange,
#include "colls.def"
#undef ORK_COLL
    };

    return coll < ORK_COLL_MAX ? (enum ork_coll_exchange)of[coll] : ORK_EXCHANGE_NONE;
}

enum ork_coll_needs ork_coll_needs(unsigned coll);
enum ork_coll_early ork_coll_early(unsigned coll);

/* MPI's name of the operation without prefix ("Barrier"); "?" for an invalid number. Static
 * storage. */
const char *ork_coll_name(unsigned coll);

#endif
