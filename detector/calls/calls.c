/* SPDX-License-Identifier: BSD-3-Clause */
/* The life of a call of any type. */
#include "detector/calls/call.h"
#include "detector/calls/call_type.h"
#include "detector/calls/definition.h"
#include "detector/calls/request.h"
#include "detector/calls/rma.h"
#include "detector/check/matching_types.h"
#include "detector/check/neighbors.h"
#include "detector/coll/wave.h"

/* For a record that is not a call. */
const struct call_type ork_call_type_none = {0};

static const struct call_type *type_of(const struct ork_record *rec)
{
    static const struct call_type *const type[ORK_KIND_MAX] = {
#define ORK_KIND(name, type, traits) [ORK_KIND_##name] = &ork_call_type_##type,
#include "record/kinds.def"
#undef ORK_KIND
    };

    return type[rec->kind];
}

/* RATIONALE: the code below runs once for each call of the application, so it uses a switch and not
 * type_of(): with link-time optimisation the compiler sees the functions of each type and calls
 * them directly. */

static inline void enter_as(const struct call_type *type, struct mpi_thread *th)
{
    if (type->enter == NULL)
        ork_proc_fault(th->proc, "a record of an invalid kind");
    else
        type->enter(th);
}

void ork_call_enter(struct mpi_thread *th)
{
    switch ((enum ork_kind)th->call.kind) {
#define ORK_KIND(name, type, traits)                                                               \
    case ORK_KIND_##name:                                                                          \
        enter_as(&ork_call_type_##type, th);                                                       \
        break;
#include "record/kinds.def"
#undef ORK_KIND
    case ORK_KIND_MAX:
        break;
    }
}

static inline bool is_over_as(const struct call_type *type, struct mpi_thread *th)
{
    if (type->is_complete != NULL)
        return type->is_complete(th);
    return th->unknown ? ork_thread_run_is_ahead(th) : th->open == 0;
}

bool ork_call_is_over(struct mpi_thread *th)
{
    if (th->proc->d->failed)
        return false;
    switch ((enum ork_kind)th->call.kind) {
#define ORK_KIND(name, type, traits)                                                               \
    case ORK_KIND_##name:                                                                          \
        return is_over_as(&ork_call_type_##type, th);
#include "record/kinds.def"
#undef ORK_KIND
    case ORK_KIND_MAX:
        break;
    }
    return false;
}

static inline void leave_as(const struct call_type *type, struct mpi_thread *th)
{
    if (type->leave != NULL)
        type->leave(th);
}

void ork_call_leave(struct mpi_thread *th)
{
    switch ((enum ork_kind)th->call.kind) {
#define ORK_KIND(name, type, traits)                                                               \
    case ORK_KIND_##name:                                                                          \
        leave_as(&ork_call_type_##type, th);                                                       \
        break;
#include "record/kinds.def"
#undef ORK_KIND
    case ORK_KIND_MAX:
        break;
    }
}

/* ---- the rest of its life ---- */

static void fail(struct mpi_thread *th, const struct ork_record *exit)
{
    const struct call_type *type = type_of(&th->call);

    if (type->on_error != NULL)
        type->on_error(th, exit);
    if (th->wave != NULL)
        ork_wave_unlink_waiter(th);
    th->open = 0;
}

void ork_call_apply_exit(struct mpi_thread *th, const struct ork_record *exit)
{
    const struct call_type *type = type_of(&th->call);

    th->outcome_count = exit->count;
    th->found_source = exit->peer;
    th->found_tag = exit->tag;
    th->found_message = exit->request;
    if (exit->flags & ORK_F_ERROR)
        fail(th, exit);
    else if (type->on_exit != NULL)
        type->on_exit(th);
    else if (th->call.kind == ORK_KIND_WIN_LOCK)
        ork_rma_note_order(th, exit);
}

void ork_call_apply_late_exit(struct mpi_thread *th, const struct ork_record *exit)
{
    bool is_latest = exit->call == th->call.call && exit->site == th->call.site;

    if ((exit->flags & ORK_F_ERROR) == 0) {
        if (is_latest && th->call.kind == ORK_KIND_WIN_LOCK)
            ork_rma_note_order(th, exit);
        return;
    }
    if (is_latest && th->call.kind == ORK_KIND_WAIT && (exit->flags & ORK_F_MATCHED) != 0)
        ork_types_returned(th->proc); /* its receives are complete, and were compared */
    if (is_latest && th->call.kind != ORK_KIND_WAIT && th->call.kind != ORK_KIND_PROBE)
        fail(th, exit);
}

void ork_call_confirm(struct mpi_thread *th)
{
    const struct call_type *type = type_of(&th->call);

    if (type->confirm != NULL)
        type->confirm(th);
}

bool ork_call_relax(struct mpi_thread *th)
{
    const struct call_type *type = type_of(&th->call);

    return type->relax != NULL && type->relax(th);
}

bool ork_call_release_completed(struct mpi_thread *th)
{
    const struct call_type *type = type_of(&th->call);

    return type->release_completed != NULL && type->release_completed(th);
}

bool ork_call_emit(struct wait_graph_builder *b, struct mpi_thread *th)
{
    const struct call_type *type = type_of(&th->call);

    return th->unknown || type->wait_condition == NULL ? ork_graph_emit_true(b)
                                                       : type->wait_condition(b, th);
}

bool ork_call_to_steps(struct reader *r)
{
    const struct call_type *type = type_of(&r->rec);

    if (!ork_record_is_call(&r->rec))
        return true;
    return type->to_steps != NULL && type->to_steps(r);
}

void ork_call_define(struct mpi_thread *th, const struct ork_record *rec, const uint32_t *list)
{
    if (rec->kind == ORK_KIND_COMM_DEF)
        ork_comm_define(th, rec, list);
    else if (rec->kind == ORK_KIND_CONTROL)
        th->proc->quiet = rec->arg == 0;
    else if (rec->kind == ORK_KIND_UNHOOKED)
        th->proc->state_lost = true;
    else if (rec->kind == ORK_KIND_EARLY)
        ork_request_early(th, rec);
    else if (rec->kind == ORK_KIND_OVERWRITTEN)
        ork_request_overwrite(th->proc, rec);
    else if (rec->kind == ORK_KIND_NEIGHBORS)
        ork_neighbors_define(th->proc, rec, list);
    else
        ork_comm_set_name(th->proc, rec, list);
}
