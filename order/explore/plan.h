/* SPDX-License-Identifier: BSD-3-Clause */
/* The choices that a further run has to make: an order file (order/file/file.h) whose streams end
 * where the run is free. */
#ifndef ORK_EXPLORE_PLAN_H
#define ORK_EXPLORE_PLAN_H

#include "order/explore/explored.h"

struct ork_plan {
    struct ork_plan_rank {
        struct ork_choice *choice;
        uint32_t num, room;
    } * rank;
    uint32_t ranks;
    bool is_closed; /* what it decides needs no choice that it leaves free */
    bool is_whole;  /* all that a run did, for a replay: nothing of it is left free */
};

/* What the change of that run decides. The plan refers to memory of both. ORK_NOMEM. */
enum ork_status ork_plan_change(const struct ork_explored *explored, uint32_t run,
                                const struct ork_change *change, struct ork_plan *plan);

/* What ended ranks of the run did after their last choices, and their streams do not have: receives
 * that were not complete, and unsuccessful polls. */
bool ork_plan_is_needed(const struct ork_explored *explored, uint32_t run);
/* All that the run did. ORK_NOMEM. */
enum ork_status ork_plan_run(const struct ork_explored *explored, uint32_t run,
                             struct ork_plan *plan);

/* A choice of a run; or the one after the last one of the rank: that it abandoned its polls. */
struct ork_choice_of_run {
    uint32_t rank;
    uint64_t number;
};
/* Only these choices of that run, by rank and number; all others are free. Otherwise the same. */
enum ork_status ork_plan_choices(const struct ork_explored *explored, uint32_t run,
                                 const struct ork_choice_of_run *choice, uint32_t num,
                                 struct ork_plan *plan);
void ork_plan_release(struct ork_plan *plan);

/* Write it to a file that does not exist. `of` is the order file of the run, which has the texts of
 * the places; NULL: there is none. Otherwise as ork_order_writer_create(). */
enum ork_status ork_plan_write(const struct ork_plan *plan, const struct ork_order_header *header,
                               const struct ork_order_file *of, const char *path);

#endif
