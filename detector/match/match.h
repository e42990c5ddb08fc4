/* SPDX-License-Identifier: BSD-3-Clause */
/* Matching of sends and receives. */
#ifndef ORK_DETECTOR_MATCH_H
#define ORK_DETECTOR_MATCH_H

#include "detector/state/state.h"

/* The place of a message's exact queue, which may not exist. */
struct queue_ref {
    struct queue *q; /* NULL: it does not exist */
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
/* Post a wildcard receive. */
struct op *ork_match_post_any(struct mpi_thread *th, const struct comm *c, int32_t src, int32_t tag,
                              const struct ork_record *rec);
/* Make the matches that became possible when `op` was posted. Completes operations and notifies
 * their owners, so the owner must be set before. */
void ork_match_resolve(struct ork_detector *d, struct op *op); /* op may be gone afterwards */
/* The send that a receive posted now would certainly take; NULL: none. */
struct op *ork_match_sender(const struct queue_ref *queue_ref);
/* The latest send of process `src` to `dst` that no receive has taken; NULL: none. */
struct op *ork_match_latest_send(const struct ork_detector *d, const struct comm *c, uint32_t src,
                                 uint32_t dst, int32_t tag);
/* A receive of `th` with this record takes that send. It completes `request` (NULL: none). */
void ork_match_receive(struct mpi_thread *th, struct op *s, struct request *request,
                       const struct ork_record *rec);
/* The same for a send other than MPI_Rsend. */
struct op *ork_match_receiver(const struct queue_ref *queue_ref);
void ork_match_send(struct mpi_thread *th, struct op *r, const struct ork_record *rec);
/* The run showed that receive `op` took a message of (src, tag). */
void ork_match_observe(struct ork_detector *d, struct op *op, int32_t src, int32_t tag);
/* The match of `receive` and `send`, in the form of the public interface. */
struct ork_taken ork_match_taken(const struct op *send, const struct op *receive);
/* A matched probe `r` has taken the message of `s`, and its receive begins: report it if their
 * datatypes do not match. */
void ork_match_compare_mprobed(const struct op *s, const struct op *r);
/* Take `op` out of matching and free it. If a matched probe took the message of a send, the send is
 * freed when that message is received. */
void ork_match_withdraw(struct ork_detector *d, struct op *op);
/* A receive that was assumed to take one message took one of (src, tag): exchange their matches. */
void ork_match_correct(struct ork_detector *d, struct mpi_thread *th, const struct comm *c,
                       struct request *request, int32_t src, int32_t tag);
/* MPI_Cancel of an operation that is not matched. */
void ork_match_cancel(struct op *op);
/* MPI_Cancel of a matched receive: the match is undecided again. The sender is not affected. */
void ork_match_reopen(struct ork_detector *d, struct mpi_thread *th, const struct comm *c,
                      struct request *request);
/* MPI_Cancel had no effect: the receive matches as usual. */
void ork_match_uncancel(struct ork_detector *d, struct op *op);
/* The run completed `op`, a receive from one source with one tag: it has its message, even if other
 * receives compete for it. */
void ork_match_confirm(struct ork_detector *d, struct op *op);
/* No call waits for `op` any more, but it stays in matching. */
void ork_match_detach(struct op *op);
/* The same, because the run continued after its call. */
void ork_match_leave_unconfirmed(struct op *op);
/* The receive is a matched probe: it takes the message, but does not complete its send. */
void ork_match_mprobe(struct ork_detector *d, struct op *op);
/* The message of a matched probe is received, by the latest call of op->thread, or by `request`
 * (NULL: by none): complete its send now, or as soon as it is posted. Frees `op`. */
void ork_match_release_mprobed(struct ork_detector *d, struct op *op, struct request *request);
void ork_match_free(struct ork_detector *d, struct op *op);

/* Is there an unmatched partner that `op` may take, in any order? */
bool ork_match_is_possible(const struct op *op);
/* Do earlier receives of the same thread, which have no alternative, take all messages that `op`
 * could take? Then it needs a further message: from its own source or (*by_any), as a replacement
 * for one that an earlier receive takes, from any source. */
bool ork_match_is_forestalled(const struct op *op, bool *by_any);
/* Messages of a pattern: none, some that an earlier posted receive may take first, or one that is
 * certainly available. */
enum presence { PRESENCE_NONE, PRESENCE_MAYBE, PRESENCE_SURE };
enum presence ork_match_probe(struct ork_detector *d, const struct comm *c, uint32_t dst,
                              int32_t src, int32_t tag);

/* Receive `r` failed because its message was too long: report each pending message that it may have
 * taken and that is. False: there is none. */
bool ork_match_report_longer(const struct op *r);

/* Every rank is in MPI_Finalize: sends that are unmatched remain so. A message that a wildcard
 * receive may have taken is not reported. */
void ork_match_report_lost(struct ork_detector *d);

#endif
