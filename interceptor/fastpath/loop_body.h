/* SPDX-License-Identifier: BSD-3-Clause */
/* Iterations of a rank whose records repeat (record/ring.h). While its calls are those of the
 * loop body that has templates, with the same arguments, a call only counts its record and keeps
 * the handle of its request; its effect on the tables of requests and buffers is postponed. Before
 * any other call the postponed updates are flushed. See docs/explanation/folding.md.
 *
 * Only while one thread calls MPI, and while nothing but the calls decides what their records
 * are. Functions are called by that thread. */
#ifndef ORK_LOOP_BODY_H
#define ORK_LOOP_BODY_H

#include "interceptor/call/call.h"

#include <stddef.h>

/* Requests with a higher number are not postponed. */
enum { ORK_LOOP_BODY_REQUESTS = ORK_IDS_FEW };

/* What a request of a template is: its number if it is below ORK_LOOP_BODY_REQUESTS, or one of
 * these.
 */
enum {
    ORK_CODE_NULL = ORK_LOOP_BODY_REQUESTS,
    ORK_CODE_SHARED, /* + its place in ork_shared[] */
    ORK_CODES = ORK_CODE_SHARED + ORK_SHARED_MAX,
    ORK_CODE_NONE = UINT8_MAX,
};

/* A call of the iteration, at the position of its record in the block. RATIONALE: what most calls
 * use is in the first 64 bytes, which are one line of the cache. */
struct ork_template {
    _Alignas(64) const void *address; /* return address of the hook; NULL: it is made in full */
    union {
        const void *sendbuf;
        const void *origin; /* of an access */
        uint64_t completes; /* of a wait or test: bit i: the request with number i */
        uint64_t starts;    /* the same of a start */
    };
    union {
        void *recvbuf;
        MPI_Aint target_disp;
    };
    union {
        MPI_Comm comm;
        MPI_Win win;
    };
    MPI_Datatype datatype;
    MPI_Datatype datatype2;
    int count, peer; /* of an access: peer: the target */
    uint16_t call;   /* enum ork_call_id */
    uint16_t next;   /* the position after it */
    uint16_t slots;  /* of its record and list */
    uint8_t request; /* code of the request that it starts */
    bool is_bound;   /* it is made by a language layer */
    int tag;
    int count2, peer2, tag2; /* of a matched probe, and of a receive of its message: count2: the
                              * number of the message; tag2: of a receive: its communicator; of a
                              * wait or test for any or some requests: count2: how many it has
                              * completed; their indices follow their codes */
    uint32_t site;
    uint32_t codes; /* of a start, wait or test: the first one in ork_loop_body.code[], and count:
                     * their number */
    uint32_t extra; /* of its record, if it is a test or probe: see ork_choice_name() */
    bool is_open;   /* of a call on a window, a wait or a test: after it, the tables of windows are
                     * not those of the position `start` of the iteration */
    bool receives;  /* the request is that of a receive, */
    bool is_access; /* or of an access to a window */
    bool is_start;  /* of persistent requests */
    bool is_completion;    /* a wait or test; */
    bool completes_shared; /* operations of a shared handle, too */
    uint16_t after, exit;  /* the position after its EXIT record and list, and their slots */
    int source, with;      /* of MPI_Iprobe: source and tag of the message that it has found */
    uint64_t buffers;      /* that are pending before it, see ork_buffers_pending() */
};
_Static_assert(offsetof(struct ork_template, tag) <= 64, "the first line");

ORK_INLINE struct ork_call ork_template_call(const struct ork_template *s)
{
    return (struct ork_call){.address = (void *)(uintptr_t)s->address,
                             .site = s->site,
                             .id = s->call,
                             .outer = ORK_STATE_RUNNING};
}

/* What the postponed updates would change. */
struct ork_loop_body_tables {
    struct ork_requests_state requests;
    uint64_t buffers; /* see ork_buffers_pending() */
    uint64_t windows; /* see ork_window_tables(); 0: there are none */
};

enum { ORK_LOOP_BODY_CODES = 8192 };

struct ork_loop_body {
    bool is_on;
    bool is_suspended;                  /* until the position `start`, */
    uint32_t start;                     /* at which nothing is postponed, */
    struct ork_loop_body_tables tables; /* and the tables are so */
    uint64_t first;                     /* of the repetition, see ork_recorder, */
    uint32_t block;                     /* and its block */
    uint32_t version;                   /* of ork_handles_version */
    uint32_t
        calls; /* that began since the latest one of which a template was made, and have none */
    uint32_t interruptions;  /* that followed one another closely, */
    uint64_t interrupted_at; /* the latest one after so many records */
    uint64_t pending;        /* bit i: the request with number i is postponed; */
    uint64_t persistent;     /* it is a persistent one, whose handle stays the same */
    uint64_t windows;        /* while the templates are made: the tables before the latest call, */
    uint64_t buffers;        /* see ork_buffers_pending() */
    bool is_unsure;          /* which buffers are pending, after a call without a template */
    bool is_open;            /* what calls on windows change is postponed, too; */
    bool is_inside;          /* not of the latest template, which has not returned yet */
    struct ork_handle_reference message; /* that a template receives */
    MPI_Request handle[ORK_CODES];       /* by code; NULL: that template has not been used yet */
    const MPI_Request *at[ORK_LOOP_BODY_REQUESTS]; /* where it was stored */
    uint32_t ordinal[ORK_LOOP_BODY_REQUESTS];      /* of a receive, see ork_request_ordinal() */
    uint16_t template[ORK_LOOP_BODY_REQUESTS];     /* that has started it */
    struct ork_template templates[ORK_REPEAT_BLOCK_MAX];
    uint8_t code[ORK_LOOP_BODY_CODES];
};
extern struct ork_loop_body ork_loop_body;

/* The calls go on at the position `start`: use the templates again, if possible. */
bool ork_loop_body_resume(void) __attribute__((cold, noinline));
/* Flush what is postponed, and use no template until the position `start`. */
void ork_loop_body_suspend(void) __attribute__((cold, noinline));
/* A call that is not the next one of the loop body begins. */
void ork_loop_body_interrupt(void) __attribute__((cold, noinline));
/* The same for a test or probe, which was successful. RATIONALE: an unsuccessful one needs no
 * tables, so the iteration goes on. */
static inline void ork_loop_body_polled(void)
{
    if (ORK_UNLIKELY(
            (atomic_load_explicit(&ork_errands, memory_order_relaxed) & ORK_ERRAND_ITERATION) != 0))
        ork_loop_body_interrupt();
}
/* Is it still the one that has templates, or gets them? */
bool ork_loop_body_is_valid(void);
/* Flush what is postponed, and forget the iteration. */
void ork_loop_body_stop(void) __attribute__((cold, noinline));

/* The tables now; and: are they so now? */
struct ork_loop_body_tables ork_loop_body_tables(void);
bool ork_loop_body_has(const struct ork_loop_body_tables *tables);

static inline bool ork_code_is_shared(uint8_t code)
{
    return code >= ORK_CODE_SHARED && code < ORK_CODES;
}

#endif
