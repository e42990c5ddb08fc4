/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that complete one or some of their requests, MPI-3.1 section 3.7.5. */
#include "interceptor/forcing/impose.h"
#include "interceptor/forcing/decided.h"
#include "interceptor/forcing/ordered.h"
#include "interceptor/forcing/posts.h"
#include "interceptor/forcing/real.h"
#include "interceptor/forcing/stand_in.h"

#include <errno.h>
#include <stdlib.h>

/* A call, and where its results go. */
struct some {
    enum ork_call_id id;
    int count;
    MPI_Request *request;
    int *index;
    int *flag;     /* of MPI_Testany, else NULL */
    int *outcount; /* of MPI_Waitsome and MPI_Testsome, else NULL */
    MPI_Status *status;
};

static bool is_test(const struct some *s)
{
    return s->id == ORK_CALL_MPI_Testany || s->id == ORK_CALL_MPI_Testsome;
}

/* ---- the requests that are given ---- */

/* Can the call have had this outcome: requests of the array, one of them, or several? */
static bool has_indices(const struct some *s, const struct ork_choice *given,
                        const struct ork_swap *swap)
{
    for (uint32_t i = 0; i < given->count; i++) {
        if (given->index[i] >= (uint32_t)s->count || swap->own[given->index[i]] == MPI_REQUEST_NULL)
            return false;
    }
    return given->count == 1 || (s->outcount != NULL && given->count > 0);
}

/* RATIONALE: MPI_Testall completes all of them or none, in one call. */
static __attribute__((noinline)) bool test_several(const struct some *s,
                                                   const struct ork_choice *given,
                                                   struct ork_swap *swap, int *result)
{
    MPI_Request few[ORK_SWAP_FEW], *chosen = few;
    int count = (int)given->count, flag = 0, saved = errno;

    if (count > ORK_SWAP_FEW)
        chosen = malloc((size_t)count * sizeof(*chosen));
    errno = saved;
    if (chosen == NULL)
        return false;
    for (int i = 0; i < count; i++)
        chosen[i] = swap->request[given->index[i]];
    *result = REAL(MPI_Testall)(count, chosen, &flag, s->status);
    for (int i = 0; i < count; i++)
        swap->request[given->index[i]] = chosen[i];
    if (chosen != few)
        free(chosen);
    return flag || *result != MPI_SUCCESS;
}

/* Complete them, if all of them are complete. */
static inline bool test_given(const struct some *s, const struct ork_choice *given,
                              struct ork_swap *swap, int *result)
{
    bool ignores = s->status == MPI_STATUSES_IGNORE;
    int flag = 0;

    if (given->count > 1)
        return test_several(s, given, swap, result);
    MPI_Request *request = &swap->request[*given->index];
    if (*request == MPI_REQUEST_NULL) /* deferred */
        return false;
    *result = REAL(MPI_Test)(request, &flag, ignores ? MPI_STATUS_IGNORE : s->status);
    if (!flag && *result == MPI_SUCCESS)
        return false;
    if (s->outcount != NULL && !ignores)
        s->status->MPI_ERROR = *result;
    return true;
}

static int store(const struct some *s, const struct ork_choice *given, int result)
{
    for (uint32_t i = 0; i < given->count; i++)
        s->index[i] = (int)given->index[i];
    if (s->flag != NULL)
        *s->flag = 1;
    if (s->outcount == NULL)
        return result;
    *s->outcount = (int)given->count;
    return result == MPI_SUCCESS ? MPI_SUCCESS : MPI_ERR_IN_STATUS;
}

/* ---- the calls ---- */

/* Unsuccessful, until the call says something else. */
static void clear(const struct some *s)
{
    if (s->flag != NULL) {
        *s->flag = 0;
        *s->index = MPI_UNDEFINED;
    }
    if (s->outcount != NULL)
        *s->outcount = 0;
}

static bool is_done(const struct some *s)
{
    return s->flag != NULL ? *s->flag != 0 : s->outcount == NULL || *s->outcount != 0;
}

static int call_library(const struct some *s, MPI_Request *request)
{
    switch ((unsigned)s->id) {
    case ORK_CALL_MPI_Waitany:
        return REAL(MPI_Waitany)(s->count, request, s->index, s->status);
    case ORK_CALL_MPI_Waitsome:
        return REAL(MPI_Waitsome)(s->count, request, s->outcount, s->index, s->status);
    case ORK_CALL_MPI_Testany:
        return REAL(MPI_Testany)(s->count, request, s->index, s->flag, s->status);
    default:
        return REAL(MPI_Testsome)(s->count, request, s->outcount, s->index, s->status);
    }
}

/* As the library likes; a free poll of an exploration waits. */
static int complete_any(const struct some *s, const struct ork_point *p, enum ork_outcome outcome,
                        struct ork_swap *swap)
{
    int result = call_library(s, swap->request);
    struct ork_wait w;

    if (outcome != ORK_OUTCOME_WAITS || result != MPI_SUCCESS || is_done(s))
        return result;
    ork_outcome_begin_wait(&w, p, outcome);
    while (result == MPI_SUCCESS && !is_done(s) && ork_wait_on(&w))
        result = call_library(s, swap->request);
    ork_wait_end(&w);
    return result;
}

/* Wait for what is given. False: the call is free. */
static __attribute__((noinline)) bool await_given(const struct some *s, const struct ork_point *p,
                                                  const struct ork_choice *given,
                                                  struct ork_swap *swap, int *result)
{
    enum ork_outcome outcome = ORK_OUTCOME_GIVEN;
    bool is_complete = false;
    struct ork_wait w;

    ork_outcome_begin_wait(&w, p, outcome);
    do {
        ork_swap_again(swap);
        given = ork_outcome_given(given, &outcome);
        if (given != NULL && has_indices(s, given, swap))
            is_complete = test_given(s, given, swap, result);
    } while (!is_complete && outcome == ORK_OUTCOME_GIVEN && ork_wait_on(&w));
    ork_wait_end(&w);
    if (!is_complete && ork_run_is_decided)
        ork_outcome_given(given, &outcome); /* its test may have been ended */
    if (is_complete)
        *result = store(s, given, *result);
    return is_complete || outcome == ORK_OUTCOME_FAILS;
}

/* The same in a deterministic run. RATIONALE: the message of a request that is known without a
 * question has been sent, and mostly has come. */
static bool await_decided(const struct some *s, const struct ork_point *p, struct ork_swap *swap,
                          int *result)
{
    const struct ork_choice *given = ork_decided_told(p);
    unsigned looks = 0;

    while (given != NULL && ork_decided_looks_again(&looks)) {
        ork_swap_again(swap);
        if (has_indices(s, given, swap) && test_given(s, given, swap, result)) {
            *result = store(s, given, *result);
            return true;
        }
    }
    return await_given(s, p, NULL, swap, result);
}

/* The same, for outcomes that are mostly possible at once. */
static inline bool complete_given(const struct some *s, const struct ork_point *p,
                                  const struct ork_choice *given, struct ork_swap *swap,
                                  int *result)
{
    *result = MPI_SUCCESS;
    if (ork_run_is_decided)
        return await_decided(s, p, swap, result);
    if (!has_indices(s, given, swap)) {
        /* RATIONALE: without indices all requests were inactive: the call returns at once. */
        if (given->count > 0)
            ork_ordered_diverge(ORK_DIVERGED_OUTCOME, s->id);
        return false;
    }
    if (ORK_LIKELY(test_given(s, given, swap, result))) {
        *result = store(s, given, *result);
        return true;
    }
    return await_given(s, p, given, swap, result);
}

static int complete(const struct some *s)
{
    struct ork_point p = {.kind = is_test(s) ? ORK_CHOICE_TEST : ORK_CHOICE_WAIT,
                          .id = s->id,
                          .request = s->request,
                          .count = s->count,
                          .comm = MPI_COMM_NULL};
    const struct ork_choice *given = NULL;
    struct ork_swap swap;
    int result = MPI_SUCCESS;
    enum ork_outcome outcome =
        is_test(s) ? ork_outcome_of_poll(&p, &given) : ork_outcome_of_wait(&p, &given);

    if (is_test(s))
        clear(s);
    if (outcome == ORK_OUTCOME_FAILS)
        return MPI_SUCCESS;
    ork_swap_in(&swap, s->count, s->request);
    if (outcome != ORK_OUTCOME_GIVEN || !complete_given(s, &p, given, &swap, &result)) {
        ork_posts_swap_again(&swap);
        result = complete_any(s, &p, outcome, &swap);
    }
    ork_swap_out(&swap);
    if (is_test(s))
        ork_outcome_end_poll(outcome, s->id, is_done(s));
    return result;
}

static int imposed_MPI_Waitany(int count, MPI_Request request[], int *index, MPI_Status *status)
{
    return complete(&(struct some){.id = ORK_CALL_MPI_Waitany,
                                   .count = count,
                                   .request = request,
                                   .index = index,
                                   .status = status});
}

static int imposed_MPI_Waitsome(int incount, MPI_Request request[], int *outcount, int index[],
                                MPI_Status status[])
{
    return complete(&(struct some){.id = ORK_CALL_MPI_Waitsome,
                                   .count = incount,
                                   .request = request,
                                   .index = index,
                                   .outcount = outcount,
                                   .status = status});
}

static int imposed_MPI_Testany(int count, MPI_Request request[], int *index, int *flag,
                               MPI_Status *status)
{
    return complete(&(struct some){.id = ORK_CALL_MPI_Testany,
                                   .count = count,
                                   .request = request,
                                   .index = index,
                                   .flag = flag,
                                   .status = status});
}

static int imposed_MPI_Testsome(int incount, MPI_Request request[], int *outcount, int index[],
                                MPI_Status status[])
{
    return complete(&(struct some){.id = ORK_CALL_MPI_Testsome,
                                   .count = incount,
                                   .request = request,
                                   .index = index,
                                   .outcount = outcount,
                                   .status = status});
}

void ork_impose_some(void)
{
    ORK_IMPOSE(MPI_Waitany);
    ORK_IMPOSE(MPI_Waitsome);
    ORK_IMPOSE(MPI_Testany);
    ORK_IMPOSE(MPI_Testsome);
}
