/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that complete all of their requests, or none, MPI-3.1 sections 3.7.3 to 3.7.5; and
 * MPI_Win_test, section 11.5. */
#include "interceptor/forcing/impose.h"
#include "interceptor/forcing/decided.h"
#include "interceptor/forcing/ordered.h"
#include "interceptor/forcing/posts.h"
#include "interceptor/forcing/real.h"
#include "interceptor/forcing/stand_in.h"

/* ---- tests ---- */

struct test {
    enum ork_call_id id;
    MPI_Status *status;
    MPI_Win win;
};

static inline int test_once(const struct test *t, struct ork_swap *swap, int *flag)
{
    *flag = 0;
    if (swap->waits)
        return MPI_SUCCESS;
    switch ((unsigned)t->id) {
    case ORK_CALL_MPI_Test:
    case ORK_CALL_MPI_Wait:
        return REAL(MPI_Test)(swap->request, flag, t->status);
    case ORK_CALL_MPI_Request_get_status:
        return REAL(MPI_Request_get_status)(*swap->request, flag, t->status);
    case ORK_CALL_MPI_Win_test:
        return REAL(MPI_Win_test)(t->win, flag);
    default:
        return REAL(MPI_Testall)(swap->count, swap->request, flag, t->status);
    }
}

/* Test again until it is successful, or is not waited for any more. */
static int test_on(const struct test *t, struct ork_wait *w, struct ork_swap *swap, int *flag)
{
    int result = MPI_SUCCESS;

    while (result == MPI_SUCCESS && !*flag && ork_wait_on(w)) {
        ork_swap_again(swap);
        result = test_once(t, swap, flag);
    }
    ork_wait_end(w);
    return result;
}

/* In a deterministic run, before the question. RATIONALE: only the question tells the tool what
 * MPI_Request_get_status has found, because the request stays active. */
static int test_before_question(const struct test *t, struct ork_swap *swap, int *flag)
{
    unsigned looks = 0;
    int result = MPI_SUCCESS;

    while (ork_run_is_decided && !swap->waits && t->id != ORK_CALL_MPI_Request_get_status &&
           result == MPI_SUCCESS && !*flag && ork_decided_looks_again(&looks))
        result = test_once(t, swap, flag);
    return result;
}

/* RATIONALE: these calls complete nothing before all is complete, so they can be made until they
 * are successful. */
static int test(const struct test *t, int count, MPI_Request *request, int *flag)
{
    struct ork_point p = {.kind = ORK_CHOICE_TEST,
                          .id = t->id,
                          .request = request,
                          .count = count,
                          .comm = MPI_COMM_NULL,
                          .win = t->win};
    const struct ork_choice *next;
    struct ork_swap swap;
    struct ork_wait w;
    enum ork_outcome outcome = ork_outcome_of_poll(&p, &next);

    *flag = 0;
    if (outcome == ORK_OUTCOME_FAILS)
        return MPI_SUCCESS;
    ork_swap_in(&swap, count, request);
    int result = test_once(t, &swap, flag);
    if (outcome != ORK_OUTCOME_FREE && result == MPI_SUCCESS && !*flag)
        result = test_before_question(t, &swap, flag);
    if (outcome != ORK_OUTCOME_FREE && result == MPI_SUCCESS && !*flag) {
        ork_outcome_begin_wait(&w, &p, outcome);
        result = test_on(t, &w, &swap, flag);
    }
    ork_swap_out(&swap);
    ork_outcome_end_poll(outcome, t->id, *flag != 0);
    return result;
}

static int imposed_MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
    return test(&(struct test){.id = ORK_CALL_MPI_Test, .status = status}, 1, request, flag);
}

static int imposed_MPI_Testall(int count, MPI_Request request[], int *flag, MPI_Status status[])
{
    return test(&(struct test){.id = ORK_CALL_MPI_Testall, .status = status}, count, request, flag);
}

static int imposed_MPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status)
{
    return test(&(struct test){.id = ORK_CALL_MPI_Request_get_status, .status = status}, 1,
                &request, flag);
}

static int imposed_MPI_Win_test(MPI_Win win, int *flag)
{
    return test(&(struct test){.id = ORK_CALL_MPI_Win_test, .win = win}, 0, NULL, flag);
}

/* ---- waiting for all ---- */

/* Wait until the operation is complete; with an error, too: the call itself returns it. */
static bool becomes_complete(MPI_Request request, enum ork_call_id id)
{
    const struct test t = {.id = ORK_CALL_MPI_Request_get_status, .status = MPI_STATUS_IGNORE};
    struct ork_swap swap = {.own = &request, .request = &request, .count = 1};
    struct ork_wait w;
    int flag;
    int result = test_once(&t, &swap, &flag);

    if (flag || result != MPI_SUCCESS)
        return true;
    ork_wait_begin(&w, id, false);
    result = test_on(&t, &w, &swap, &flag);
    return flag || result != MPI_SUCCESS;
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

/* Is anything to be done for a call that waits for all of its requests? If no wildcard receive is
 * pending, there is none whose message may never come. */
static inline bool is_concerned(enum ork_call_id id, int count, const MPI_Request *request)
{
    bool is_own = ork_is_imposed(id);

    if (is_own && !ork_run_is_decided &&
        (ork_hold_is_wanted || ork_early_is_pending() || ork_stand_in_any())) {
        ork_hold_at_requests(count, request, id);
        await_posts(count, request, id);
        return true;
    }
    return ork_stand_in_any();
}

/* The library has all of the requests, and may block. False: it must not, because other receives
 * are deferred. */
static bool may_block(enum ork_call_id id, struct ork_swap *swap)
{
    struct ork_wait w;

    if (swap->waits) {
        if (ork_decisions_are_on() && ork_thread.state == ORK_STATE_BLOCKED)
            ork_decided_ask_for_source();
        ork_wait_begin(&w, id, false);
        while (swap->waits) {
            ork_wait_again(&w);
            ork_swap_again(swap);
        }
        ork_wait_end(&w);
    }
    return !ork_deferred_any();
}

/* False: the library has to wait for them. */
static bool wait_for_all(const struct test *t, struct ork_swap *swap, int *result)
{
    struct ork_wait w;
    int flag;

    if (may_block(t->id, swap))
        return false;
    *result = test_once(t, swap, &flag);
    if (flag || *result != MPI_SUCCESS)
        return true;
    ork_wait_begin(&w, t->id, false);
    *result = test_on(t, &w, swap, &flag);
    return flag || *result != MPI_SUCCESS;
}

static int imposed_MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    const struct test t = {.id = ORK_CALL_MPI_Wait, .status = status};
    struct ork_swap swap;
    int result;

    if (!is_concerned(t.id, 1, request))
        return REAL(MPI_Wait)(request, status);
    ork_swap_in(&swap, 1, request);
    if (!wait_for_all(&t, &swap, &result))
        result = REAL(MPI_Wait)(swap.request, status);
    ork_swap_out(&swap);
    return result;
}

static int imposed_MPI_Waitall(int count, MPI_Request request[], MPI_Status status[])
{
    const struct test t = {.id = ORK_CALL_MPI_Waitall, .status = status};
    struct ork_swap swap;
    int result;

    if (!is_concerned(t.id, count, request))
        return REAL(MPI_Waitall)(count, request, status);
    ork_swap_in(&swap, count, request);
    if (!wait_for_all(&t, &swap, &result))
        result = REAL(MPI_Waitall)(count, swap.request, status);
    ork_swap_out(&swap);
    return result;
}

void ork_impose_completion(void)
{
    ORK_IMPOSE(MPI_Test);
    ORK_IMPOSE(MPI_Testall);
    ORK_IMPOSE(MPI_Request_get_status);
    ORK_IMPOSE(MPI_Win_test);
    ORK_IMPOSE(MPI_Wait);
    ORK_IMPOSE(MPI_Waitall);
}
