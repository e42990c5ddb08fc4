/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that complete operations in a replay. */
#include "interceptor/early.h"
#include "interceptor/force_internal.h"
#include "interceptor/force_requests.h"
#include "interceptor/hold.h"

/* Wait until the operation is complete. False: it never will be, and the rank has diverged.
 * RATIONALE: an exploration asks for outcomes that a library need not have: it may complete a send
 * only when it is received. */
static bool becomes_complete(MPI_Request request, enum ork_call_id id)
{
    struct ork_force_waiting w = ork_force_begin_waiting();
    int flag = 0;
    int result = REAL(MPI_Request_get_status)(request, &flag, MPI_STATUS_IGNORE);

    while (result == MPI_SUCCESS && !flag && ork_force_wait_on(&w, id)) {
        if (ork_early_is_pending())
            ork_early_answer();
        result = REAL(MPI_Request_get_status)(request, &flag, MPI_STATUS_IGNORE);
    }
    ork_force_end_waiting(&w);
    return flag || result != MPI_SUCCESS; /* the call itself returns an error */
}

static bool become_complete(int count, const MPI_Request *request, enum ork_call_id id)
{
    for (int i = 0; i < count; i++) {
        if (!becomes_complete(request[i], id))
            return false;
    }
    return true;
}

static int forced_MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    struct ork_swap swap;

    if (!ork_force_is_own(ORK_CALL_MPI_Wait))
        return REAL(MPI_Wait)(request, status);
    ork_hold_at_requests(1, request, ORK_CALL_MPI_Wait);
    ork_swap_in(&swap, 1, request);
    int result = REAL(MPI_Wait)(swap.request, status);
    ork_swap_out(&swap);
    return result;
}

static int forced_MPI_Waitall(int count, MPI_Request request[], MPI_Status status[])
{
    struct ork_swap swap;

    if (!ork_force_is_own(ORK_CALL_MPI_Waitall))
        return REAL(MPI_Waitall)(count, request, status);
    ork_hold_at_requests(count, request, ORK_CALL_MPI_Waitall);
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

/* Wait until all these are complete, before one of them is completed. False: the rank has diverged.
 */
static bool await_indices(const struct ork_choice *next, enum ork_call_id id,
                          const MPI_Request *request)
{
    for (uint32_t i = 0; i < next->count; i++) {
        if (!becomes_complete(request[next->index[i]], id))
            return false;
    }
    return true;
}

/* `swap` has the requests of the call. False: it is free. */
static bool comes_as_recorded(const struct ork_choice *next, bool is_some, enum ork_call_id id,
                              const struct ork_swap *swap)
{
    if (next->count == 0)
        return false;
    if (has_indices(next, is_some, swap->count, swap->request))
        return await_indices(next, id, swap->request);
    ork_force_diverge(ORK_DIVERGED_OUTCOME, id);
    return false;
}

static int complete_index(const struct ork_choice *next, struct ork_swap *swap, int *index,
                          MPI_Status *status)
{
    *index = (int)next->index[0];
    return REAL(MPI_Wait)(&swap->request[*index], status);
}

static int complete_indices(const struct ork_choice *next, struct ork_swap *swap, int *outcount,
                            int *index, MPI_Status *status)
{
    int result = MPI_SUCCESS;

    for (uint32_t i = 0; i < next->count; i++) {
        MPI_Status *own = status != MPI_STATUSES_IGNORE ? &status[i] : MPI_STATUS_IGNORE;
        int one = REAL(MPI_Wait)(&swap->request[next->index[i]], own);
        index[i] = (int)next->index[i];
        if (own != MPI_STATUS_IGNORE)
            own->MPI_ERROR = one;
        if (one != MPI_SUCCESS)
            result = MPI_ERR_IN_STATUS;
    }
    *outcount = (int)next->count;
    return result;
}

/* RATIONALE: without indices all requests of the array were inactive: the real call returns at
 * once. */
static int forced_MPI_Waitany(int count, MPI_Request request[], int *index, MPI_Status *status)
{
    const struct ork_choice *next = NULL;
    struct ork_swap swap;

    if (!ork_force_is_own(ORK_CALL_MPI_Waitany))
        return REAL(MPI_Waitany)(count, request, index, status);
    if (ork_replay_is_on())
        next = ork_force_next(ORK_CHOICE_WAIT, ORK_CALL_MPI_Waitany);
    ork_swap_in(&swap, count, request);
    int result = next != NULL && comes_as_recorded(next, false, ORK_CALL_MPI_Waitany, &swap)
                     ? complete_index(next, &swap, index, status)
                     : REAL(MPI_Waitany)(count, swap.request, index, status);
    ork_swap_out(&swap);
    return result;
}

static int forced_MPI_Waitsome(int incount, MPI_Request request[], int *outcount, int index[],
                               MPI_Status status[])
{
    const struct ork_choice *next = NULL;
    struct ork_swap swap;

    if (!ork_force_is_own(ORK_CALL_MPI_Waitsome))
        return REAL(MPI_Waitsome)(incount, request, outcount, index, status);
    if (ork_replay_is_on())
        next = ork_force_next(ORK_CHOICE_WAIT, ORK_CALL_MPI_Waitsome);
    ork_swap_in(&swap, incount, request);
    int result = next != NULL && comes_as_recorded(next, true, ORK_CALL_MPI_Waitsome, &swap)
                     ? complete_indices(next, &swap, outcount, index, status)
                     : REAL(MPI_Waitsome)(incount, swap.request, outcount, index, status);
    ork_swap_out(&swap);
    return result;
}

static enum ork_force_poll poll_of(enum ork_call_id id, const struct ork_choice **next)
{
    return ork_replay_is_on() ? ork_force_next_poll(ORK_CHOICE_TEST, id, next) : ORK_FORCE_FREE;
}

static int forced_MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
    const struct ork_choice *next;
    struct ork_swap swap;
    int result;

    if (!ork_force_is_own(ORK_CALL_MPI_Test))
        return REAL(MPI_Test)(request, flag, status);
    enum ork_force_poll poll = poll_of(ORK_CALL_MPI_Test, &next);
    *flag = poll == ORK_FORCE_SUCCEEDS;
    if (poll == ORK_FORCE_FAILS)
        return MPI_SUCCESS;
    ork_swap_in(&swap, 1, request);
    if (poll == ORK_FORCE_SUCCEEDS && become_complete(1, swap.request, ORK_CALL_MPI_Test))
        result = REAL(MPI_Wait)(swap.request, status);
    else
        result = REAL(MPI_Test)(swap.request, flag, status);
    ork_swap_out(&swap);
    return result;
}

static int forced_MPI_Testall(int count, MPI_Request request[], int *flag, MPI_Status status[])
{
    const struct ork_choice *next;
    struct ork_swap swap;
    int result;

    if (!ork_force_is_own(ORK_CALL_MPI_Testall))
        return REAL(MPI_Testall)(count, request, flag, status);
    enum ork_force_poll poll = poll_of(ORK_CALL_MPI_Testall, &next);
    *flag = poll == ORK_FORCE_SUCCEEDS;
    if (poll == ORK_FORCE_FAILS)
        return MPI_SUCCESS;
    ork_swap_in(&swap, count, request);
    if (poll == ORK_FORCE_SUCCEEDS && become_complete(count, swap.request, ORK_CALL_MPI_Testall))
        result = REAL(MPI_Waitall)(count, swap.request, status);
    else
        result = REAL(MPI_Testall)(count, swap.request, flag, status);
    ork_swap_out(&swap);
    return result;
}

static int forced_MPI_Testany(int count, MPI_Request request[], int *index, int *flag,
                              MPI_Status *status)
{
    const struct ork_choice *next;
    struct ork_swap swap;

    if (!ork_force_is_own(ORK_CALL_MPI_Testany))
        return REAL(MPI_Testany)(count, request, index, flag, status);
    enum ork_force_poll poll = poll_of(ORK_CALL_MPI_Testany, &next);
    *flag = poll == ORK_FORCE_SUCCEEDS;
    *index = MPI_UNDEFINED;
    if (poll == ORK_FORCE_FAILS)
        return MPI_SUCCESS;
    ork_swap_in(&swap, count, request);
    int result = *flag && comes_as_recorded(next, false, ORK_CALL_MPI_Testany, &swap)
                     ? complete_index(next, &swap, index, status)
                     : REAL(MPI_Testany)(count, swap.request, index, flag, status);
    ork_swap_out(&swap);
    return result;
}

static int forced_MPI_Testsome(int incount, MPI_Request request[], int *outcount, int index[],
                               MPI_Status status[])
{
    const struct ork_choice *next;
    struct ork_swap swap;

    if (!ork_force_is_own(ORK_CALL_MPI_Testsome))
        return REAL(MPI_Testsome)(incount, request, outcount, index, status);
    enum ork_force_poll poll = poll_of(ORK_CALL_MPI_Testsome, &next);
    *outcount = 0;
    if (poll == ORK_FORCE_FAILS)
        return MPI_SUCCESS;
    ork_swap_in(&swap, incount, request);
    int result =
        poll == ORK_FORCE_SUCCEEDS && comes_as_recorded(next, true, ORK_CALL_MPI_Testsome, &swap)
            ? complete_indices(next, &swap, outcount, index, status)
            : REAL(MPI_Testsome)(incount, swap.request, outcount, index, status);
    ork_swap_out(&swap);
    return result;
}

static int forced_MPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status)
{
    const struct ork_choice *next;
    struct ork_swap swap;

    if (!ork_force_is_own(ORK_CALL_MPI_Request_get_status))
        return REAL(MPI_Request_get_status)(request, flag, status);
    enum ork_force_poll poll = poll_of(ORK_CALL_MPI_Request_get_status, &next);
    *flag = 0;
    if (poll == ORK_FORCE_FAILS)
        return MPI_SUCCESS;
    ork_swap_in(&swap, 1, &request);
    struct ork_force_waiting w = ork_force_begin_waiting();
    int result = REAL(MPI_Request_get_status)(swap.request[0], flag, status);
    while (poll == ORK_FORCE_SUCCEEDS && result == MPI_SUCCESS && !*flag &&
           ork_force_wait_on(&w, ORK_CALL_MPI_Request_get_status))
        result = REAL(MPI_Request_get_status)(swap.request[0], flag, status);
    ork_force_end_waiting(&w);
    return result;
}

static int forced_MPI_Win_test(MPI_Win win, int *flag)
{
    const struct ork_choice *next;
    enum ork_force_poll poll = ork_force_is_own(ORK_CALL_MPI_Win_test)
                                   ? poll_of(ORK_CALL_MPI_Win_test, &next)
                                   : ORK_FORCE_FREE;

    if (poll == ORK_FORCE_FREE)
        return REAL(MPI_Win_test)(win, flag);
    *flag = poll == ORK_FORCE_SUCCEEDS;
    return poll == ORK_FORCE_SUCCEEDS ? ORK_NEXT(MPI_Win_wait)(win) : MPI_SUCCESS;
}

void ork_force_init_completion(void)
{
    ORK_FORCE(MPI_Wait);
    ORK_FORCE(MPI_Waitall);
    ORK_FORCE(MPI_Waitany);
    ORK_FORCE(MPI_Waitsome);
    ORK_FORCE(MPI_Test);
    ORK_FORCE(MPI_Testall);
    ORK_FORCE(MPI_Testany);
    ORK_FORCE(MPI_Testsome);
    ORK_FORCE(MPI_Request_get_status);
    ORK_FORCE(MPI_Win_test);
}
