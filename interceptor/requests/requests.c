/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/requests/requests.h"

#include "common/vec.h"
#include "interceptor/buffers/buffers.h"
#include "interceptor/buffers/release_reports.h"
#include "interceptor/outcomes/choice.h"
#include "interceptor/outcomes/early.h"
#include "interceptor/objects/handles.h"
#include "interceptor/mpi/mpi_library.h"

struct ork_map ork_requests;
static struct ork_ids request_ids;
static struct ork_map messages;
static struct ork_ids message_ids;
uint32_t ork_requests_observed, ork_requests_active;

MPI_Request ork_shared[ORK_SHARED_MAX];
unsigned ork_num_shared;

static void add_shared(MPI_Request request)
{
    if (!ork_is_shared(request) && ork_num_shared < ORK_SHARED_MAX)
        ork_shared[ork_num_shared++] = request;
}

void ork_requests_init(void)
{
    ork_num_shared = ork_library_shared_requests(ork_shared, ORK_SHARED_MAX);
}

/* Handles without a persistent operation that were completed or freed last, as a ring. */
enum { GONE_MAX = 256 };
static MPI_Request gone[GONE_MAX];
static uint64_t num_gone;

static bool is_gone(MPI_Request request)
{
    for (uint32_t i = 0; i < GONE_MAX && i < num_gone; i++) {
        if (gone[i] == request)
            return true;
    }
    return false;
}

enum ork_request_origin ork_request_origin(MPI_Request request)
{
    struct ork_handle_place place;
    enum ork_handle_state state = ork_handle_look(ORK_HANDLE_REQUEST, ORK_KEY(request), &place);

    if (state == ORK_HANDLE_VALID)
        return ORK_REQUEST_IS_MADE;
    if (ork_library_is_no_request(request))
        return ORK_REQUEST_IS_IMPOSSIBLE;
    if (!ork_handles_are_complete())
        return ORK_REQUEST_IS_MADE;
    if (state == ORK_HANDLE_FREED || is_gone(request))
        return ORK_REQUEST_IS_STALE;
    return num_gone <= GONE_MAX ? ORK_REQUEST_IS_UNMADE : ORK_REQUEST_IS_STRANGE;
}

/* A request with these flags comes, or goes. */
static void observe(uint32_t flags, int change)
{
    if ((flags & ORK_R_OBSERVED) != 0)
        ork_requests_observed += (uint32_t)change;
    if ((flags & ORK_R_PERSISTENT) != 0 && (flags & ORK_R_ACTIVE) != 0)
        ork_requests_active += (uint32_t)change;
}

static bool is_started_wildcard(uint32_t flags)
{
    return (flags & (ORK_R_WILDCARD | ORK_R_PERSISTENT)) == ORK_R_WILDCARD;
}

uint32_t *ork_request_serials, ork_num_request_serials;
static uint32_t serials_room;

/* RATIONALE: without memory its serial is 0 like that of others, so it may be taken for one of
 * them. */
static void count(uint32_t id)
{
    if (ORK_UNLIKELY(id >= ork_num_request_serials)) {
        if (!ork_vec_reserve(&ork_request_serials, &serials_room, id + 1,
                             sizeof(*ork_request_serials)))
            return;
        memset(ork_request_serials + ork_num_request_serials, 0,
               (id + 1 - ork_num_request_serials) * sizeof(*ork_request_serials));
        ork_num_request_serials = id + 1;
    }
    ork_request_serials[id]++;
}

static uint32_t fill(struct ork_entry *e, MPI_Request request, uint32_t flags)
{
    e->id = ork_ids_take(&request_ids);
    count(e->id);
    e->flags = flags;
    observe(flags, 1);
    if (ORK_UNLIKELY(is_started_wildcard(flags))) {
        ork_early_add(e->id, request);
        ork_choice_posted(e->id);
    }
    return e->id;
}

/* RATIONALE: the handle may have a number already. With one thread its operation is still active,
 * so the library shares the handle. With several, another thread's completing call has just
 * returned and has not been recorded yet. */
static uint32_t renumber(struct ork_entry *e, MPI_Request request, uint32_t flags)
{
    ork_early_remove(e->id);
    if (!ork_recorder.multiple) {
        ork_buffers_give_up(e->id);
        ork_buffers_doubt(e->id);
        ork_buffers_complete(e->id, false);
        add_shared(request);
        ork_shared_are_unsure(); /* the earlier operation was not counted */
        return ORK_REQUEST_SHARED;
    }
    observe(e->flags, -1);
    return fill(e, request, flags);
}

uint32_t ork_request_add(MPI_Request request, uint32_t flags)
{
    struct ork_entry *e;

    if (request == MPI_REQUEST_NULL)
        return ORK_REQUEST_NULL;
    if (ork_is_shared(request)) {
        ork_shared_started();
        return ORK_REQUEST_SHARED;
    }
    e = ork_map_find(&ork_requests, ORK_KEY(request));
    if (ORK_UNLIKELY(e != NULL))
        return renumber(e, request, flags);
    e = ork_map_insert(&ork_requests, ORK_KEY(request));
    if (e == NULL)
        return ORK_REQUEST_UNKNOWN;
    return fill(e, request, flags);
}

struct ork_requests_state ork_requests_state(void)
{
    return (struct ork_requests_state){.few = request_ids.few,
                                       .next = request_ids.next,
                                       .num_spare = request_ids.num_spare,
                                       .used = ork_requests.used,
                                       .active = ork_requests_active};
}

/* RATIONALE: a handle that is in use belongs to more than one operation, see renumber(). */
bool ork_request_restore(MPI_Request handle, uint32_t id, uint32_t flags)
{
    struct ork_entry *e = ork_map_find(&ork_requests, ORK_KEY(handle));

    if (e != NULL)
        add_shared(handle);
    e = e == NULL ? ork_map_insert(&ork_requests, ORK_KEY(handle)) : NULL;
    if (e == NULL)
        return false;
    request_ids.few &= ~(UINT64_C(1) << id);
    count(id);
    e->id = id;
    e->flags = flags;
    return true;
}

void ork_request_gone(MPI_Request handle)
{
    gone[num_gone++ % GONE_MAX] = handle;
}

uint32_t ork_request_number(void)
{
    return ork_ids_take(&request_ids);
}

void ork_request_set_flags(MPI_Request request, uint32_t flags)
{
    struct ork_entry *e = ork_map_find(&ork_requests, ORK_KEY(request));

    if (e == NULL)
        return;
    observe(e->flags, -1);
    e->flags |= flags;
    observe(e->flags, 1);
    if ((flags & ORK_R_CANCELLED) != 0)
        ork_early_remove(e->id);
}

/* In the list of live handles. */
static void move_persistent(MPI_Request from, MPI_Request to)
{
    struct ork_handle_place place;
    struct ork_handle_reference reference =
        ork_handle_find(ORK_HANDLE_REQUEST, ORK_KEY(from), NULL);

    if (ork_handle_look(ORK_HANDLE_REQUEST, ORK_KEY(from), &place) != ORK_HANDLE_VALID)
        return;
    ork_handle_forget(ORK_HANDLE_REQUEST, reference, place);
    ork_handle_enter(ORK_HANDLE_REQUEST, ORK_KEY(to), NULL, place);
}

/* RATIONALE: an existing entry of the new handle belongs to an operation that another thread has
 * just completed: see renumber(). */
void ork_request_move(const struct ork_request *request, MPI_Request to)
{
    struct ork_entry *e;

    if (request->id >= ORK_REQUEST_SHARED || to == MPI_REQUEST_NULL)
        return;
    e = ork_map_find(&ork_requests, ORK_KEY(request->handle));
    if (e != NULL && e->id == request->id)
        ork_map_remove(&ork_requests, e);
    e = ork_map_find(&ork_requests, ORK_KEY(to));
    if (e != NULL)
        observe(e->flags, -1);
    else
        e = ork_map_insert(&ork_requests, ORK_KEY(to));
    if (e == NULL)
        return;
    e->id = request->id;
    e->flags = request->flags;
    move_persistent(request->handle, to);
    ork_handles_change();
    if ((request->flags & ORK_R_WILDCARD) != 0) {
        ork_early_remove(request->id);
        if ((request->flags & ORK_R_PERSISTENT) != 0)
            ork_early_add_persistent(request->id, to);
        else
            ork_early_add(request->id, to);
    }
}

static void forget_source(const struct ork_request *request)
{
    if ((request->flags & ORK_R_WILDCARD) != 0)
        ork_early_remove(request->id);
}

/* A persistent request, or one without a number: that of a call which is not recorded. */
static void forget_other(const struct ork_request *request)
{
    struct ork_handle_reference reference =
        ork_handle_find(ORK_HANDLE_REQUEST, ORK_KEY(request->handle), NULL);

    ork_handle_forget(ORK_HANDLE_REQUEST, reference, (struct ork_handle_place){.site = 0});
}

/* The number is released even if another thread has renumbered the handle in the meantime: no other
 * thread uses it. */
void ork_request_free(const struct ork_request *request)
{
    struct ork_entry *e;

    ork_buffers_complete(request->id, false);
    if (request->id == ORK_REQUEST_SHARED)
        ork_shared_ended();
    if (request->id >= ORK_REQUEST_SHARED) {
        if (request->id == ORK_REQUEST_UNKNOWN) {
            forget_other(request);
            ork_request_gone(request->handle);
        }
        return;
    }
    if (ORK_UNLIKELY((request->flags & ORK_R_PERSISTENT) != 0))
        forget_other(request);
    forget_source(request);
    e = ork_map_find(&ork_requests, ORK_KEY(request->handle));
    if (e != NULL && e->id == request->id) {
        observe(e->flags, -1);
        ork_map_remove(&ork_requests, e);
        ork_request_gone(request->handle);
    }
    ork_ids_give(&request_ids, request->id);
}

void ork_request_complete(const struct ork_request *request)
{
    if ((request->flags & ORK_R_PERSISTENT) == 0) {
        ork_request_free(request);
        return;
    }
    ork_buffers_complete(request->id, true);
    forget_source(request);
    struct ork_entry *e = ork_map_find(&ork_requests, ORK_KEY(request->handle));
    if (e == NULL)
        return;
    observe(e->flags, -1);
    e->flags &= ~(uint32_t)(ORK_R_ACTIVE | ORK_R_UNSURE);
    observe(e->flags, 1);
}

void ork_request_doubt(const struct ork_request *request)
{
    if (request->id < ORK_REQUEST_SHARED)
        ork_request_set_flags(request->handle, ORK_R_UNSURE);
}

uint32_t ork_message_add(MPI_Message message, uint32_t comm)
{
    struct ork_entry *e;

    if (message == MPI_MESSAGE_NO_PROC || message == MPI_MESSAGE_NULL)
        return ORK_REQUEST_NULL;
    e = ork_map_find(&messages, ORK_KEY(message));
    if (e == NULL)
        e = ork_map_insert(&messages, ORK_KEY(message));
    if (e == NULL)
        return ORK_REQUEST_UNKNOWN;
    e->id = ork_ids_take(&message_ids);
    e->flags = comm;
    return e->id;
}

bool ork_message_find(MPI_Message message, uint32_t *id, uint32_t *comm)
{
    const struct ork_entry *e = ork_map_find(&messages, ORK_KEY(message));

    if (e == NULL)
        return false;
    *id = e->id;
    *comm = e->flags;
    return true;
}

uint32_t ork_message_take(MPI_Message message, uint32_t *comm)
{
    struct ork_entry *e;
    uint32_t id;

    *comm = ORK_COMM_UNKNOWN;
    if (message == MPI_MESSAGE_NO_PROC || message == MPI_MESSAGE_NULL)
        return ORK_REQUEST_NULL;
    e = ork_map_find(&messages, ORK_KEY(message));
    if (e == NULL)
        return ORK_REQUEST_UNKNOWN;
    id = e->id;
    *comm = e->flags;
    ork_map_remove(&messages, e);
    ork_ids_give(&message_ids, id);
    return id;
}
