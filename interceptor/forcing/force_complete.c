/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that complete operations in a replay. */
#include "interceptor/outcomes/early.h"
#include "interceptor/forcing/impose.h"
#include "interceptor/forcing/ordered.h"
#include "interceptor/forcing/force_posts.h"
#include "interceptor/forcing/force_requests.h"
#include "interceptor/forcing/hold.h"
#include "interceptor/forcing/wait.h"

#include <errno.h>
#include <stdlib.h>

/* Wait until the operation is complete; with an error, too: the call itself returns it. */
static bool becomes_complete(MPI_Request request, enum ork_call_id id)
{
    struct ork_wait w;
    int flag = 0;
    int result = REAL(MPI_Request_get_status)(request, &flag, MPI_STATUS_IGNORE);

    ork_wait_begin(&w, id, false);
    while (result == MPI_SUCCESS && !flag && ork_wait_on(&w))
        result = REAL(MPI_Request_get_status)(request, &flag, MPI_STATUS_IGNORE);
    ork_wait_end(&w);
    return flag || result != MPI_SUCCESS;
}

/* Nothing is to be done for a call that waits for all of its requests. RATIONALE: no wildcard
 * receive is pending whose message may never come. */
static inline bool is_as_it_is(void)
{
    return !ork_hold_is_wanted && !ork_early_is_pending() &&
           atomic_load_explicit(&ork_stand_ins, memory_order_relaxed) == 0;
}

/* Before a call that would wait for all of them in the library: wait until those with a recorded
 * source are complete. If one never is, the rank has diverged, and they are free. */
static __attribute__((noinline)) void await_posts(int count, const MPI_Request *request,
                                                  enum ork_call_id id)
{
    MPI_Request posted;

    for (int i = 0; i < count && ork_replay_is_on(); i++) {
        if (ork_posts_find(request[i], &posted) && !becomes_complete(posted, id))
            break;
    }
    if (!ork_replay_is_on())
        ork_posts_let_go();
}

/* The same if the call has requests in a replay that is over: what it waits for may be another. */
static void swap_again(struct ork_swap *swap)
{
    if (ork_replay_is_on())
        return;
    ork_swap_out(swap);
    ork_posts_let_go();
    ork_swap_in(swap, swap->count, swap->own);
}

static int imposed_MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    struct ork_swap swap;

    if (!ork_is_imposed(ORK_CALL_MPI_Wait) || is_as_it_is())
        return REAL(MPI_Wait)(request, status);
    ork_hold_at_requests(1, request, ORK_CALL_MPI_Wait);
    await_posts(1, request, ORK_CALL_MPI_Wait);
    ork_swap_in(&swap, 1, request);
    int result = REAL(MPI_Wait)(swap.request, status);
    ork_swap_out(&swap);
    return result;
}

static int imposed_MPI_Waitall(int count, MPI_Request request[], MPI_Status status[])
{
    struct ork_swap swap;

    if (!ork_is_imposed(ORK_CALL_MPI_Waitall) || is_as_it_is())
        return REAL(MPI_Waitall)(count, request, status);
    ork_hold_at_requests(count, request, ORK_CALL_MPI_Waitall);
    await_posts(count, request, ORK_CALL_MPI_Waitall);
    ork_swap_in(&swap, count, request);
    int result = REAL(MPI_Waitall)(count, swap.request, status);
    ork_swap_out(&swap);
    return result;
}

/* Can the call have had this outcome: requests of the array, one of them, or several? */
static bool has_indices(const struct ork_choice *next, bool is_some, int count,
                        const MPI_Request *request)
{
    for (uint32_t i = 0; i < next->count; i++) {
        if (next->index[i] >= (uint32_t)count || request[next->index[i]] == MPI_REQUEST_NULL)
            return false;
    }
    return is_some || next->count == 1;
}

/* The choice of the call that can have had this outcome; else NULL, and the rank has diverged. */
static inline const struct ork_choice *possible(const struct ork_choice *next, bool is_some,
                                                enum ork_call_id id, const struct ork_swap *swap)
{
    if (next == NULL || next->count == 0)
        return NULL;
    if (ORK_LIKELY(has_indices(next, is_some, swap->count, swap->request)))
        return next;
    ork_ordered_diverge(ORK_DIVERGED_OUTCOME, id);
    return NULL;
}

static __attribute__((noinline)) bool complete_later(struct ork_wait *w, MPI_Request *request,
                                                     MPI_Status *status, int *result)
{
    int flag = 0;

    while (*result == MPI_SUCCESS && !flag && ork_wait_on(w))
        *result = REAL(MPI_Test)(request, &flag, status);
    ork_wait_end(w);
    return flag || *result != MPI_SUCCESS;
}

/* Complete one operation. False: it does not become complete. */
static inline bool complete_one(const struct ork_choice *next, enum ork_call_id id,
                                struct ork_swap *swap, MPI_Status *status, int *result)
{
    struct ork_wait w;
    MPI_Request *request = &swap->request[next->index[0]];
    int flag = 0;

    *result = REAL(MPI_Test)(request, &flag, status);
    if (ORK_LIKELY(flag))
        return true;
    ork_wait_begin(&w, id, false);
    return complete_later(&w, request, status, result);
}

static inline bool complete_only(const struct ork_choice *next, enum ork_call_id id,
                                 struct ork_swap *swap, MPI_Status *status, int *result)
{
    bool ignored = status == MPI_STATUSES_IGNORE;

    if (!complete_one(next, id, swap, ignored ? MPI_STATUS_IGNORE : status, result))
        return false;
    if (!ignored)
        status->MPI_ERROR = *result;
    if (*result != MPI_SUCCESS)
        *result = MPI_ERR_IN_STATUS;
    return true;
}

/* RATIONALE: MPI_Testall completes all of them or none, in one call. */
static __attribute__((noinline)) bool complete_several(const struct ork_choice *next,
                                                       enum ork_call_id id, struct ork_swap *swap,
                                                       MPI_Status *status, int *result)
{
    struct ork_wait w;
    MPI_Request few[ORK_SWAP_FEW], *chosen = few;
    int count = (int)next->count, flag = 0, saved = errno;

    if (count > ORK_SWAP_FEW)
        chosen = malloc((size_t)count * sizeof(*chosen));
    errno = saved;
    if (chosen == NULL) {
        ork_ordered_diverge(ORK_DIVERGED_OUTCOME, id);
        return false;
    }
    for (int i = 0; i < count; i++)
        chosen[i] = swap->request[next->index[i]];
    *result = REAL(MPI_Testall)(count, chosen, &flag, status);
    ork_wait_begin(&w, id, false);
    while (*result == MPI_SUCCESS && !flag && ork_wait_on(&w))
        *result = REAL(MPI_Testall)(count, chosen, &flag, status);
    ork_wait_end(&w);
    for (int i = 0; i < count; i++)
        swap->request[next->index[i]] = chosen[i];
    if (chosen != few)
        free(chosen);
    if (*result != MPI_SUCCESS)
        *result = MPI_ERR_IN_STATUS;
    return flag || *result != MPI_SUCCESS;
}

/* Complete these operations when all of them are complete. False: not all of them become so. */
static inline bool complete_some(const struct ork_choice *next, enum ork_call_id id,
                                 struct ork_swap *swap, MPI_Status *status, int *result)
{
    if (ORK_LIKELY(next->count == 1))
        return complete_only(next, id, swap, status, result);
    return complete_several(next, id, swap, status, result);
}

static void store_indices(const struct ork_choice *next, int *outcount, int *index)
{
    for (uint32_t i = 0; i < next->count; i++)
        index[i] = (int)next->index[i];
    *outcount = (int)next->count;
}

/* RATIONALE: without indices all requests of the array were inactive: the real call returns at
 * once. */
static int imposed_MPI_Waitany(int count, MPI_Request request[], int *index, MPI_Status *status)
{
    const enum ork_call_id id = ORK_CALL_MPI_Waitany;
    const struct ork_choice *next = NULL;
    struct ork_swap swap;
    int result;

    if (!ork_is_imposed(id))
        return REAL(MPI_Waitany)(count, request, index, status);
    if (ork_replay_is_on())
        next = ork_ordered_next(ORK_CHOICE_WAIT, id);
    ork_swap_in(&swap, count, request);
    next = possible(next, false, id, &swap);
    if (next != NULL && complete_one(next, id, &swap, status, &result))
        *index = (int)next->index[0];
    else {
        swap_again(&swap);
        result = REAL(MPI_Waitany)(count, swap.request, index, status);
    }
    ork_swap_out(&swap);
    return result;
}

static int imposed_MPI_Waitsome(int incount, MPI_Request request[], int *outcount, int index[],
                                MPI_Status status[])
{
    const enum ork_call_id id = ORK_CALL_MPI_Waitsome;
    const struct ork_choice *next = NULL;
    struct ork_swap swap;
    int result;

    if (!ork_is_imposed(id))
        return REAL(MPI_Waitsome)(incount, request, outcount, index, status);
    if (ork_replay_is_on())
        next = ork_ordered_next(ORK_CHOICE_WAIT, id);
    ork_swap_in(&swap, incount, request);
    next = possible(next, true, id, &swap);
    if (next != NULL && complete_some(next, id, &swap, status, &result))
        store_indices(next, outcount, index);
    else {
        swap_again(&swap);
        result = REAL(MPI_Waitsome)(incount, swap.request, outcount, index, status);
    }
    ork_swap_out(&swap);
    return result;
}

static enum ork_outcome next_poll(const struct ork_point *polled, const struct ork_choice **next)
{
    enum ork_outcome poll = ORK_OUTCOME_FREE;

    if (ORK_LIKELY(ork_replay_is_on()))
        poll = ork_ordered_poll(polled, next);
    else
        ork_posts_let_go();
    return poll == ORK_OUTCOME_FREE ? ork_free_poll(polled->id) : poll;
}

static inline void end_poll(struct ork_wait *w, enum ork_call_id id, bool is_successful)
{
    ork_wait_end(w);
    if (w->is_free)
        ork_free_poll_note(id, is_successful);
}

static enum ork_outcome poll_of(enum ork_call_id id, const MPI_Request *request, int count,
                                const struct ork_choice **next)
{
    const struct ork_point polled = {
        .kind = ORK_CHOICE_TEST, .id = id, .request = request, .count = count};

    return next_poll(&polled, next);
}

/* RATIONALE: MPI_Test and MPI_Testall complete nothing before all is complete, so they can be
 * called until they are successful. */
static int imposed_MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
    const enum ork_call_id id = ORK_CALL_MPI_Test;
    const struct ork_choice *next;
    struct ork_swap swap;

    if (!ork_is_imposed(id))
        return REAL(MPI_Test)(request, flag, status);
    enum ork_outcome poll = poll_of(id, request, 1, &next);
    *flag = 0;
    if (poll == ORK_OUTCOME_FAILS)
        return MPI_SUCCESS;
    ork_swap_in(&swap, 1, request);
    struct ork_wait w;
    ork_wait_begin(&w, id, poll == ORK_OUTCOME_WAITS);
    int result = REAL(MPI_Test)(swap.request, flag, status);
    while (poll != ORK_OUTCOME_FREE && result == MPI_SUCCESS && !*flag && ork_wait_on(&w))
        result = REAL(MPI_Test)(swap.request, flag, status);
    end_poll(&w, id, *flag != 0);
    ork_swap_out(&swap);
    return result;
}

static int imposed_MPI_Testall(int count, MPI_Request request[], int *flag, MPI_Status status[])
{
    const enum ork_call_id id = ORK_CALL_MPI_Testall;
    const struct ork_choice *next;
    struct ork_swap swap;

    if (!ork_is_imposed(id))
        return REAL(MPI_Testall)(count, request, flag, status);
    enum ork_outcome poll = poll_of(id, request, count, &next);
    *flag = 0;
    if (poll == ORK_OUTCOME_FAILS)
        return MPI_SUCCESS;
    ork_swap_in(&swap, count, request);
    struct ork_wait w;
    ork_wait_begin(&w, id, poll == ORK_OUTCOME_WAITS);
    int result = REAL(MPI_Testall)(count, swap.request, flag, status);
    while (poll != ORK_OUTCOME_FREE && result == MPI_SUCCESS && !*flag && ork_wait_on(&w))
        result = REAL(MPI_Testall)(count, swap.request, flag, status);
    end_poll(&w, id, *flag != 0);
    ork_swap_out(&swap);
    return result;
}

static int imposed_MPI_Testany(int count, MPI_Request request[], int *index, int *flag,
                               MPI_Status *status)
{
    const enum ork_call_id id = ORK_CALL_MPI_Testany;
    const struct ork_choice *next = NULL;
    struct ork_swap swap;
    int result;

    if (!ork_is_imposed(id))
        return REAL(MPI_Testany)(count, request, index, flag, status);
    enum ork_outcome poll = poll_of(id, request, count, &next);
    *index = MPI_UNDEFINED;
    *flag = 0;
    if (poll == ORK_OUTCOME_FAILS)
        return MPI_SUCCESS;
    ork_swap_in(&swap, count, request);
    next = possible(poll == ORK_OUTCOME_GIVEN ? next : NULL, false, id, &swap);
    if (next != NULL && complete_one(next, id, &swap, status, &result)) {
        *index = (int)next->index[0];
        *flag = 1;
    } else {
        struct ork_wait w;
        ork_wait_begin(&w, id, poll == ORK_OUTCOME_WAITS);
        result = REAL(MPI_Testany)(count, swap.request, index, flag, status);
        while (poll == ORK_OUTCOME_WAITS && result == MPI_SUCCESS && !*flag && ork_wait_on(&w))
            result = REAL(MPI_Testany)(count, swap.request, index, flag, status);
        end_poll(&w, id, *flag != 0);
    }
    ork_swap_out(&swap);
    return result;
}

static int imposed_MPI_Testsome(int incount, MPI_Request request[], int *outcount, int index[],
                                MPI_Status status[])
{
    const enum ork_call_id id = ORK_CALL_MPI_Testsome;
    const struct ork_choice *next = NULL;
    struct ork_swap swap;
    int result;

    if (!ork_is_imposed(id))
        return REAL(MPI_Testsome)(incount, request, outcount, index, status);
    enum ork_outcome poll = poll_of(id, request, incount, &next);
    *outcount = 0;
    if (poll == ORK_OUTCOME_FAILS)
        return MPI_SUCCESS;
    ork_swap_in(&swap, incount, request);
    next = possible(poll == ORK_OUTCOME_GIVEN ? next : NULL, true, id, &swap);
    if (next != NULL && complete_some(next, id, &swap, status, &result))
        store_indices(next, outcount, index);
    else {
        struct ork_wait w;
        ork_wait_begin(&w, id, poll == ORK_OUTCOME_WAITS);
        result = REAL(MPI_Testsome)(incount, swap.request, outcount, index, status);
        while (poll == ORK_OUTCOME_WAITS && result == MPI_SUCCESS && *outcount == 0 &&
               ork_wait_on(&w))
            result = REAL(MPI_Testsome)(incount, swap.request, outcount, index, status);
        end_poll(&w, id, *outcount != 0);
    }
    ork_swap_out(&swap);
    return result;
}

static int imposed_MPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status)
{
    const enum ork_call_id id = ORK_CALL_MPI_Request_get_status;
    const struct ork_choice *next;
    struct ork_swap swap;

    if (!ork_is_imposed(id))
        return REAL(MPI_Request_get_status)(request, flag, status);
    enum ork_outcome poll = poll_of(id, &request, 1, &next);
    *flag = 0;
    if (poll == ORK_OUTCOME_FAILS)
        return MPI_SUCCESS;
    ork_swap_in(&swap, 1, &request);
    struct ork_wait w;
    ork_wait_begin(&w, id, poll == ORK_OUTCOME_WAITS);
    int result = REAL(MPI_Request_get_status)(swap.request[0], flag, status);
    while (poll != ORK_OUTCOME_FREE && result == MPI_SUCCESS && !*flag && ork_wait_on(&w))
        result = REAL(MPI_Request_get_status)(swap.request[0], flag, status);
    end_poll(&w, id, *flag != 0);
    ork_swap_out(&swap);
    return result;
}

static int imposed_MPI_Win_test(MPI_Win win, int *flag)
{
    const enum ork_call_id id = ORK_CALL_MPI_Win_test;
    const struct ork_choice *next;

    if (!ork_is_imposed(id))
        return REAL(MPI_Win_test)(win, flag);
    const struct ork_point polled = {.kind = ORK_CHOICE_TEST, .id = id, .win = win};
    enum ork_outcome poll = next_poll(&polled, &next);
    *flag = 0;
    if (poll == ORK_OUTCOME_FAILS)
        return MPI_SUCCESS;
    struct ork_wait w;
    ork_wait_begin(&w, id, poll == ORK_OUTCOME_WAITS);
    int result = REAL(MPI_Win_test)(win, flag);
    while (poll != ORK_OUTCOME_FREE && result == MPI_SUCCESS && !*flag && ork_wait_on(&w))
        result = REAL(MPI_Win_test)(win, flag);
    end_poll(&w, id, *flag != 0);
    return result;
}

void ork_force_init_completion(void)
{
    ORK_IMPOSE(MPI_Wait);
    ORK_IMPOSE(MPI_Waitall);
    ORK_IMPOSE(MPI_Waitany);
    ORK_IMPOSE(MPI_Waitsome);
    ORK_IMPOSE(MPI_Test);
    ORK_IMPOSE(MPI_Testall);
    ORK_IMPOSE(MPI_Testany);
    ORK_IMPOSE(MPI_Testsome);
    ORK_IMPOSE(MPI_Request_get_status);
    ORK_IMPOSE(MPI_Win_test);
}
