/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of template_maker.h: when the templates are made (template_maker.c), and what of each call
 * (template_maker_calls.c, template_maker_windows.c). */
#ifndef ORK_TEMPLATE_MAKER_INTERNAL_H
#define ORK_TEMPLATE_MAKER_INTERNAL_H

#include "interceptor/fastpath/template_maker.h"

struct ork_template_maker {
    enum {
        ORK_MAKER_RESTING,
        ORK_MAKER_LOOKING,
        ORK_MAKER_WAITING,
        ORK_MAKER_MAKING,
        ORK_MAKER_TAKEN
    } phase;
    uint64_t repetition; /* ork_recorder.first of it */
    uint64_t until;      /* except ORK_MAKER_MAKING: until so many records are written */
    uint64_t begin;      /* ORK_MAKER_MAKING: since so many */
    uint32_t fewest;     /* pending requests, and the position behind the call with them */
    uint32_t start;
    uint32_t ties;
    /* Attempts that have failed. RATIONALE: after them, a later one of such positions is taken:
     * from an earlier one on, an epoch may be open at a call that has no template. */
    uint32_t failures;
    bool is_open;        /* see ork_loop_body */
    uint64_t started;    /* requests of the iteration that are not complete; bit i: number i, */
    bool started_shared; /* and those of shared handles; */
    uint32_t codes;      /* in use */
    uint32_t templates;
    uint64_t delay;   /* blocks until the next attempt, if this one fails */
    uint64_t reports; /* ork_usage_reports */
};
extern struct ork_template_maker ork_template_maker;

/* Does nothing but its arguments and the tables decide what a call does? */
bool ork_maker_is_possible(void);
/* A call has returned: is a template to be made of it? */
bool ork_maker_is_due(const struct ork_call *call);
/* Enter the template of the call that has just returned; NULL: it is made in full. */
void ork_maker_enter(const struct ork_call *call, const struct ork_template *template,
                     uint32_t slots, bool is_bound);
/* What does not depend on the call, after its template was made, or not. */
void ork_maker_go_on(void);

/* ---- the records of the call that has returned: the latest ones of the block ---- */

/* The position that is so many slots before the present one, and the record at a position. */
uint32_t ork_maker_back(uint32_t slots);
const struct ork_record *ork_maker_record(uint32_t position);

/* ---- what a template says of them ---- */

/* How its record, in so many slots, names the choice that it has made. False: it cannot be kept. */
bool ork_maker_name(struct ork_template *template, uint32_t slots);
/* The request that it starts, or NULL. False: that cannot be postponed. */
bool ork_maker_request(struct ork_template *template, const MPI_Request *request);
/* The template was entered, if it was made: its request is pending now. */
void ork_maker_pending(const struct ork_template *template);
/* The template that was entered has two records, each with its list; the latter one is EXIT, in so
 * many slots. */
void ork_maker_exit(uint32_t slots, uint32_t exit);

#endif
