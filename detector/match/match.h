/* SPDX-License-Identifier: BSD-3-Clause */
/* Matching of sends and receives. */
#ifndef ORK_DETECTOR_MATCH_H
#define ORK_DETECTOR_MATCH_H

#include "detector/state/state.h"

/* Where the exact queue of a message stands, or would. */
struct queue_ref {
    struct queue *q; /* NULL: there is none */
    uint32_t hash;
    uint32_t comm, dst;
    int32_t src, tag;
};

/* Fill *queue_ref; it is valid until the next posting. False: out of memory. */
bool ork_match_lookup(struct ork_detector *d, const struct comm *c, uint32_t src, uint32_t dst,
                      int32_t tag, struct queue_ref *queue_ref);
/* NULL: out of memory. */
struct op *ork_match_post_send(struct mpi_thread *th, struct queue_ref *queue_ref,
                               const struct ork_record *rec);
struct op *ork_match_post_recv(struct mpi_thread *th, struct queue_ref *queue_ref,
                               const struct ork_record *rec);
/* With a wildcard. */
struct op *ork_match_post_any(struct mpi_thread *th, const struct comm *c, int32_t src, int32_t tag,
                              const struct ork_record *rec);
/* Match what the posting of `op` made possible. Completes operations, their owners included: set
 * the owner before. */
void ork_match_resolve(struct ork_detector *d, struct op *op); /* op may be gone afterwards */
/* The send that a receive would take for sure, if it was posted now; NULL: none. */
struct op *ork_match_sender(const struct queue_ref *queue_ref);
/* A receive of `th`, to be completed through `request` (NULL: none), takes that send. */
void ork_match_receive(struct mpi_thread *th, struct op *s, struct request *request);
/* The same for a send, but for MPI_Rsend. */
struct op *ork_match_receiver(const struct queue_ref *queue_ref);
void ork_match_send(struct mpi_thread *th, struct op *r, const struct ork_record *rec);
/* The run showed that receive `op` took a message of (src, tag). */
void ork_match_observe(struct ork_detector *d, struct op *op, int32_t src, int32_t tag);
/* That `receive` took `send`, as the public interface describes it. */
struct ork_taken ork_match_taken(const struct op *send, const struct op *receive);
/* Take `op` out of matching and free it; if a matched probe took the message of a send, when that
 * is received. */
void ork_match_withdraw(struct ork_detector *d, struct op *op);
/* A receive that was assumed to have taken one message took one of (src, tag): let them change
 * places. */
void ork_match_correct(struct ork_detector *d, struct mpi_thread *th, const struct comm *c,
                       struct request *request, int32_t src, int32_t tag);
/* MPI_Cancel of an operation that is not matched. */
void ork_match_cancel(struct op *op);
/* MPI_Cancel of a receive that was matched: whether it really was is open again. The sender goes on
 * as if. */
void ork_match_reopen(struct ork_detector *d, struct mpi_thread *th, const struct comm *c,
                      struct request *request);
/* MPI_Cancel came to nothing: the receive matches as any other. */
void ork_match_uncancel(struct ork_detector *d, struct op *op);
/* The run completed `op`, a receive from one source with one tag: it has its message, whatever else
 * may take it. */
void ork_match_confirm(struct ork_detector *d, struct op *op);
/* Let go of `op`: nobody waits for it any more, but it stays in matching. */
void ork_match_detach(struct op *op);
/* The same, because the run went past it. */
void ork_match_leave_unconfirmed(struct op *op);
/* A receive that is a matched probe: it takes the message, but does not complete its send. */
void ork_match_mprobe(struct ork_detector *d, struct op *op);
/* The message of a matched probe was received: complete its send, or as soon as it arrives. Frees
 * `op`. */
void ork_match_release_mprobed(struct ork_detector *d, struct op *op);
void ork_match_free(struct ork_detector *d, struct op *op);

/* Is there an unmatched partner for op that may be taken, whatever the order? */
bool ork_match_is_possible(const struct op *op);
/* Has `op` no message of those that are there, since earlier receives of its thread, that can have
 * no others, take them all? It has one only if a further message comes: from its own source, or
 * (*by_any) one that an earlier receive takes, from anybody. */
bool ork_match_is_forestalled(const struct op *op, bool *by_any);
/* Messages of the pattern: NONE, some that an earlier posted receive may take first, or one that is
 * there for sure. */
enum presence { PRESENCE_NONE, PRESENCE_MAYBE, PRESENCE_SURE };
enum presence ork_match_probe(struct ork_detector *d, const struct comm *c, uint32_t dst,
                              int32_t src, int32_t tag);

/* Every rank is in MPI_Finalize: what is still unmatched stays so. Not where a wildcard receive may
 * have taken it. */
void ork_match_report_lost(struct ork_detector *d);

#endif
