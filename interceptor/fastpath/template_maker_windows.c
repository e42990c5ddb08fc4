/* SPDX-License-Identifier: BSD-3-Clause */
/* The templates of calls on windows. */
#include "interceptor/call/accesses.h"
#include "interceptor/fastpath/template_maker_internal.h"
#include "interceptor/objects/windows.h"

/* The slots of its record, its list and its EXIT record, which are the latest ones of the block;
 * 0: unknown. */
static uint32_t slots_of(const struct ork_call *call, bool *has_exit)
{
    const uint32_t block = ork_recorder.block;
    uint32_t n = 1;

    *has_exit = ork_maker_record(ork_maker_back(1))->kind == ORK_KIND_EXIT;
    n += *has_exit;
    while (n < block && ork_maker_record(ork_maker_back(n))->kind == ORK_KIND_CONT)
        n++;
    const struct ork_record *r = ork_maker_record(ork_maker_back(n));
    return n <= block && r->kind != ORK_KIND_CONT && r->call == call->id && r->site == call->site
               ? n
               : 0;
}

/* The template is a lock that is a choice: its EXIT record names it. */
static void enter_lock(struct ork_template *entered, struct ork_window_template *template)
{
    ork_maker_exit(entered->slots - 1u, 1);
    template->since = (uint32_t)ork_maker_record(ork_maker_back(1))->tag;
    template->is_choice = ork_locks_find(&template->lock, &template->found);
}

/* The template was entered, if it was made. */
static void enter_window(uint32_t position, const struct ork_window_template *template,
                         bool has_exit)
{
    struct ork_template *entered = &ork_loop_body.templates[position];

    ork_window_templates[position] = *template;
    if (has_exit)
        enter_lock(entered, &ork_window_templates[position]);
    entered->is_open = ork_template_maker.is_open =
        ork_window_tables() != ork_loop_body.tables.windows;
}

/* `access`: the arguments of an access, or NULL; `request`: NULL: it has none. */
static void make_window(const struct ork_call *call, const struct ork_window_template *template,
                        const struct ork_template *access, const MPI_Request *request,
                        bool is_bound)
{
    struct ork_template s = access != NULL ? *access : (struct ork_template){0};
    bool has_exit = false;

    if (!ork_maker_is_possible())
        return;
    if (ork_maker_is_due(call)) {
        const uint32_t slots = slots_of(call, &has_exit);
        const bool names = has_exit || template->mode == ORK_KIND_WIN_TESTED; /* a choice */
        bool is_made =
            ork_maker_request(&s, request) && slots > 0 && (!names || ork_maker_name(&s, 1));
        ork_maker_enter(call, is_made ? &s : NULL, slots, is_bound);
        if (ork_template_maker.phase == ORK_MAKER_MAKING && is_made)
            enter_window(ork_maker_back(slots), template, has_exit);
        if (request != NULL)
            ork_maker_pending(&s);
    }
    ork_maker_go_on();
}

void ork_template_make_window(const struct ork_call *call,
                              const struct ork_window_template *template, bool is_bound)
{
    make_window(call, template, NULL, NULL, is_bound);
}

void ork_template_make_access(const struct ork_call *call, const struct ork_args *a, unsigned mode,
                              bool has_request, bool is_bound)
{
    const struct ork_window_template template = {.mode = (uint16_t)mode,
                                                 .kind = ORK_WINDOW_STEP_ACCESS};
    const struct ork_template access = {.origin = a->origin,
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
        &ork_repeated_access[ork_maker_back(slots_of(call, &has_exit))];
    if (r->first == ork_recorder.first && r->call == call->id && r->site == call->site &&
        r->version == atomic_load(&ork_handles_version) && ork_access_is(r, a, mode))
        make_window(call, &template, &access, has_request ? a->request : NULL, is_bound);
}
