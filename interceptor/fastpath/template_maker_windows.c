/* SPDX-License-Identifier: BSD-3-Clause */
/* What is learnt of calls on windows. */
#include "interceptor/call/accesses.h"
#include "interceptor/fastpath/learn_internal.h"
#include "interceptor/objects/windows.h"

/* The step is a lock that is a choice: its EXIT record names it. */
static void enter_lock(struct ork_step *entered, struct ork_window_step *step)
{
    ork_learn_exit(entered->slots - 1u, 1);
    step->since = (uint32_t)ork_learn_record(ork_learn_back(1))->tag;
    step->is_choice = ork_locks_find(&step->lock, &step->found);
}

/* The step was entered, if it was learnt. */
static void enter_window(uint32_t position, const struct ork_window_step *step, bool has_exit)
{
    struct ork_step *entered = &ork_iteration.steps[position];

    ork_window_steps[position] = *step;
    if (has_exit)
        enter_lock(entered, &ork_window_steps[position]);
    entered->is_open = ork_learning.is_open = ork_window_tables() != ork_iteration.tables.windows;
}

/* `access`: the arguments of an access, or NULL; `request`: NULL: it has none. */
static void learn_window(const struct ork_call *call, const struct ork_window_step *step,
                         const struct ork_step *access, const MPI_Request *request, bool is_bound)
{
    struct ork_step s = access != NULL ? *access : (struct ork_step){0};
    bool has_exit = false;

    if (!ork_learn_is_possible())
        return;
    if (ork_learn_is_due(call)) {
        const uint32_t slots = ork_learn_slots(call, &has_exit);
        const bool names = has_exit || step->mode == ORK_KIND_WIN_TESTED; /* a choice */
        bool is_learnt =
            ork_learn_request(&s, request) && slots > 0 && (!names || ork_learn_name(&s, 1));
        ork_learn_enter(call, is_learnt ? &s : NULL, slots, is_bound);
        if (ork_learning.phase == ORK_LEARN_LEARNING && is_learnt)
            enter_window(ork_learn_back(slots), step, has_exit);
        if (request != NULL)
            ork_learn_pending(&s);
    }
    ork_learn_go_on();
}

void ork_iteration_learn_window(const struct ork_call *call, const struct ork_window_step *step,
                                bool is_bound)
{
    learn_window(call, step, NULL, NULL, is_bound);
}

void ork_iteration_learn_access(const struct ork_call *call, const struct ork_args *a,
                                unsigned mode, bool has_request, bool is_bound)
{
    const struct ork_window_step step = {.mode = (uint16_t)mode, .kind = ORK_WINDOW_STEP_ACCESS};
    const struct ork_step access = {.origin = a->origin,
                                    .target_disp = a->target_disp,
                                    .win = a->win,
                                    .datatype = a->datatype,
                                    .datatype2 = a->datatype2,
                                    .count = a->count,
                                    .count2 = a->count2,
                                    .peer = a->target,
                                    .is_access = has_request};
    bool has_exit;

    if (ork_recorder.first == 0)
        return;
    const struct ork_repeated_access *r =
        &ork_repeated_access[ork_learn_back(ork_learn_slots(call, &has_exit))];
    if (r->first == ork_recorder.first && r->call == call->id && r->site == call->site &&
        r->version == atomic_load(&ork_handles_version) && ork_access_is(r, a, mode))
        learn_window(call, &step, &access, has_request ? a->request : NULL, is_bound);
}
