/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests, and the calls that wait for them. */
#ifndef ORK_DETECTOR_CALLS_REQUEST_H
#define ORK_DETECTOR_CALLS_REQUEST_H

#include "detector/state/state.h"

/* The request that rec names, fresh; NULL: it names none (shared, null, impossible). */
struct request *ork_request_new(struct strand *st, const struct ork_record *rec);
void ork_request_free(struct strand *st, uint32_t id);
void ork_request_cancel(struct strand *st, uint32_t id);
void ork_request_consume(struct strand *st, uint32_t entry, int32_t source, int32_t tag);
/* The library has completed it, the application has not yet waited for it. */
void ork_request_early(struct strand *st, const struct ork_record *rec);
/* Give a started operation (NULL: complete at once) to the request of rec, if it names one. */
struct request *ork_request_give(struct strand *st, const struct ork_record *rec, struct op *op);
struct request *ork_request_make_persistent(struct strand *st, const struct ork_record *rec);
/* The run told of which message the receive of `r` is, which is not matched yet. */
void ork_request_observe(struct proc *p, struct request *r, int32_t source, int32_t tag);
/* What was assumed of a receive that is complete may have been wrong. */
void ork_request_correct(struct proc *p, struct request *r, int32_t source, int32_t tag);
/* One operation of the bag that is not complete counts as complete from here on. */
bool ork_bag_relax(struct proc *p);
/* One operation of the shared handle was waited for. */
void ork_bag_take(struct proc *p);

/* call_wait.c */
void ork_wait_enter(struct strand *st);
bool ork_wait_is_over(struct strand *st);
void ork_wait_leave(struct strand *st);
void ork_wait_apply_exit(struct strand *st);
void ork_wait_confirm(struct strand *st);
bool ork_wait_relax(struct strand *st);
bool ork_wait_let_go(struct strand *st);

#endif
