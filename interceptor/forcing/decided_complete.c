/* SPDX-License-Identifier: BSD-3-Clause */
/* Completion of requests, MPI-3.1 sections 3.7.3 to 3.7.5 and 3.8.4. */
#include "interceptor/forcing/impose.h"
#include "interceptor/forcing/decided.h"

#include <stdlib.h>

/* ---- the library's requests behind the application's ---- */

enum { FEW = 32 };
struct requests {
    int count;
    MPI_Request *own;  /* the application's */
    MPI_Request *real; /* `own` if no receive is deferred */
    bool waits;        /* the library does not have all of them */
    MPI_Request few[FEW];
};

static void requests_look(struct requests *r)
{
    bool waits;

    r->waits = false;
    for (int i = 0; r->real != r->own && i < r->count; i++) {
        r->real[i] = ork_deferred_real(r->own[i], &waits);
        r->waits |= waits;
    }
}

/* RATIONALE: out of memory, the application's requests are used: then the deferred ones do not
 * complete, and the deadlock detection shows where the rank waits. */
static void requests_begin(struct requests *r, int count, MPI_Request *own)
{
    int saved = errno;

    r->count = count;
    r->own = r->real = own;
    if (ork_deferred_any() && count > 0)
        r->real = count > FEW ? malloc((size_t)count * sizeof(*own)) : r->few;
    if (r->real == NULL)
        r->real = own;
    errno = saved;
    requests_look(r);
}

static void requests_end(struct requests *r)
{
    for (int i = 0; r->real != r->own && i < r->count; i++)
        ork_deferred_settle(&r->own[i], r->real[i]);
    if (r->real != r->own && r->real != r->few)
        free(r->real);
}

/* Is this call the application's, or does it complete what was deferred? RATIONALE: also when the
 * rank runs freely by now. *decides: the tool decides its outcome. */
static bool is_ours(enum ork_call_id id, bool *decides)
{
    *decides = ork_is_decided(id);
    if (!ork_decisions_are_on() && ork_deferred_any_waiting())
        ork_deferred_give_all();
    return *decides || ork_deferred_any();
}

static bool is_active(MPI_Request request)
{
    ork_lock();
    struct ork_request r = ork_request_find(request);
    ork_unlock();
    return ork_request_is_active(&r);
}

static int num_active(int count, const MPI_Request *request)
{
    int n = 0;

    for (int i = 0; i < count; i++)
        n += is_active(request[i]);
    return n;
}

/* ---- waiting for all ---- */

/* Wait until the library has all of them, and may block: it has all deferred receives. False: it
 * may not block. */
static bool may_block(struct requests *r)
{
    struct ork_decision_wait w;

    if (!r->waits)
        return !ork_deferred_any_waiting();
    ork_decisions_wait_begin(&w);
    while (r->waits) {
        ork_decided_look(&w);
        requests_look(r);
    }
    ork_decisions_wait_end();
    return !ork_deferred_any_waiting();
}

static int imposed_MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    bool decides;
    struct requests r;

    if (!is_ours(ORK_CALL_MPI_Wait, &decides))
        return REAL(MPI_Wait)(request, status);
    requests_begin(&r, 1, request);
    int result =
        may_block(&r) ? REAL(MPI_Wait)(r.real, status) : ork_decided_finish(r.real, status);
    requests_end(&r);
    return result;
}

static int test_until_all(struct requests *r, MPI_Status status[])
{
    struct ork_decision_wait w;
    int flag = 0;
    int result = REAL(MPI_Testall)(r->count, r->real, &flag, status);

    ork_decisions_wait_begin(&w);
    while (!flag && result == MPI_SUCCESS) {
        ork_decided_look(&w);
        result = REAL(MPI_Testall)(r->count, r->real, &flag, status);
    }
    ork_decisions_wait_end();
    return result;
}

static int imposed_MPI_Waitall(int count, MPI_Request request[], MPI_Status status[])
{
    bool decides;
    struct requests r;

    if (!is_ours(ORK_CALL_MPI_Waitall, &decides))
        return REAL(MPI_Waitall)(count, request, status);
    requests_begin(&r, count, request);
    int result =
        may_block(&r) ? REAL(MPI_Waitall)(count, r.real, status) : test_until_all(&r, status);
    requests_end(&r);
    return result;
}

/* ---- one of several ---- */

enum found { FOUND_NOTHING, FOUND_INDEX, FOUND_FREE };

/* The outcome of a question for an index. */
struct one {
    int count;
    MPI_Request *request;
    int index;
    int result;
};

/* Is the decided request complete? RATIONALE: it may be decided before its message has arrived; and
 * a request that is no receive may turn out to wait for this rank, see ORK_DECIDED_INDEX. */
static bool complete_one(struct one *one, int index, MPI_Status *status)
{
    struct requests r;
    int flag = 0;

    if (index < 0 || index >= one->count)
        return false;
    requests_begin(&r, 1, &one->request[index]);
    if (!r.waits)
        one->result = REAL(MPI_Test)(r.real, &flag, status);
    requests_end(&r);
    one->index = index;
    return flag != 0 || one->result != MPI_SUCCESS;
}

static enum found await_one(enum ork_ask ask, struct one *one, MPI_Status *status)
{
    const struct ork_question q = {
        .ask = ask, .comm = MPI_COMM_NULL, .count = one->count, .request = one->request};
    const struct ork_decision *d;
    enum found found = FOUND_FREE;
    struct ork_decision_wait w;

    one->result = MPI_SUCCESS;
    ork_decided_ask(&q);
    ork_decisions_wait_begin(&w);
    do {
        d = ork_decided_answer();
        if (d != NULL && d->decided == ORK_DECIDED_NOTHING)
            found = FOUND_NOTHING;
        else if (d != NULL && complete_one(one, d->source, status))
            found = FOUND_INDEX;
    } while (found == FOUND_FREE && ork_decided_look(&w));
    ork_decisions_wait_end();
    if (ask == ORK_ASK_TEST_ANY && found == FOUND_INDEX)
        ork_decided_poll_succeeded();
    return found;
}

static int imposed_MPI_Waitany(int count, MPI_Request request[], int *index, MPI_Status *status)
{
    bool decides;
    struct one one = {.count = count, .request = request};
    struct requests r;

    if (!is_ours(ORK_CALL_MPI_Waitany, &decides))
        return REAL(MPI_Waitany)(count, request, index, status);
    if (decides && num_active(count, request) > 0 &&
        await_one(ORK_ASK_WAIT_ANY, &one, status) == FOUND_INDEX) {
        *index = one.index;
        return one.result;
    }
    requests_begin(&r, count, request);
    int result = REAL(MPI_Waitany)(count, r.real, index, status);
    requests_end(&r);
    return result;
}

/* A set with the one request. */
static int give_one(const struct one *one, int *outcount, int index[], MPI_Status status[])
{
    *outcount = 1;
    index[0] = one->index;
    if (status != MPI_STATUSES_IGNORE)
        status[0].MPI_ERROR = one->result;
    return one->result == MPI_SUCCESS ? MPI_SUCCESS : MPI_ERR_IN_STATUS;
}

/* As MPI_Wait ignores a status. */
static MPI_Status *first(MPI_Status status[])
{
    return status == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &status[0];
}

static int imposed_MPI_Waitsome(int incount, MPI_Request request[], int *outcount, int index[],
                                MPI_Status status[])
{
    bool decides;
    struct one one = {.count = incount, .request = request};
    struct requests r;

    if (!is_ours(ORK_CALL_MPI_Waitsome, &decides))
        return REAL(MPI_Waitsome)(incount, request, outcount, index, status);
    if (decides && num_active(incount, request) > 0 &&
        await_one(ORK_ASK_WAIT_ANY, &one, first(status)) == FOUND_INDEX)
        return give_one(&one, outcount, index, status);
    requests_begin(&r, incount, request);
    int result = REAL(MPI_Waitsome)(incount, r.real, outcount, index, status);
    requests_end(&r);
    return result;
}

/* ---- tests ---- */

static int imposed_MPI_Testany(int count, MPI_Request request[], int *index, int *flag,
                               MPI_Status *status)
{
    bool decides;
    struct one one = {.count = count, .request = request};
    enum found found = FOUND_NOTHING;
    struct requests r;

    if (!is_ours(ORK_CALL_MPI_Testany, &decides))
        return REAL(MPI_Testany)(count, request, index, flag, status);
    if (!decides || num_active(count, request) == 0) /* then it succeeds at once */
        found = FOUND_FREE;
    else if (!ork_decided_poll_fails(ORK_CALL_MPI_Testany))
        found = await_one(ORK_ASK_TEST_ANY, &one, status);
    if (found != FOUND_FREE) {
        *flag = found == FOUND_INDEX;
        *index = *flag ? one.index : MPI_UNDEFINED;
        return *flag ? one.result : MPI_SUCCESS;
    }
    requests_begin(&r, count, request);
    int result = REAL(MPI_Testany)(count, r.real, index, flag, status);
    requests_end(&r);
    return result;
}

static int imposed_MPI_Testsome(int incount, MPI_Request request[], int *outcount, int index[],
                                MPI_Status status[])
{
    bool decides;
    struct one one = {.count = incount, .request = request};
    enum found found = FOUND_NOTHING;
    struct requests r;

    if (!is_ours(ORK_CALL_MPI_Testsome, &decides))
        return REAL(MPI_Testsome)(incount, request, outcount, index, status);
    if (!decides || num_active(incount, request) == 0)
        found = FOUND_FREE;
    else if (!ork_decided_poll_fails(ORK_CALL_MPI_Testsome))
        found = await_one(ORK_ASK_TEST_ANY, &one, first(status));
    if (found == FOUND_INDEX)
        return give_one(&one, outcount, index, status);
    *outcount = 0;
    if (found == FOUND_NOTHING)
        return MPI_SUCCESS;
    requests_begin(&r, incount, request);
    int result = REAL(MPI_Testsome)(incount, r.real, outcount, index, status);
    requests_end(&r);
    return result;
}

/* Tests that look at the requests themselves. */
struct look {
    enum ork_call_id id;
    int (*test)(struct requests *r, int *flag, MPI_Status *status);
    MPI_Status *status;
};

static int look_once(const struct look *look, struct requests *r, int *flag)
{
    requests_look(r);
    *flag = 0;
    return r->waits ? MPI_SUCCESS : look->test(r, flag, look->status);
}

static int look_until_answer(const struct look *look, struct requests *r, int *flag)
{
    const struct ork_question q = {
        .ask = ORK_ASK_TEST_ALL, .comm = MPI_COMM_NULL, .count = r->count, .request = r->own};
    struct ork_decision_wait w;
    int result = look_once(look, r, flag);

    if (*flag || result != MPI_SUCCESS)
        return result;
    ork_decided_ask(&q);
    ork_decisions_wait_begin(&w);
    while (!*flag && result == MPI_SUCCESS && ork_decided_answer() == NULL && ork_decided_look(&w))
        result = look_once(look, r, flag);
    ork_decisions_wait_end();
    return result;
}

static int test(const struct look *look, bool decides, int count, MPI_Request *request, int *flag)
{
    struct requests r;
    int result = MPI_SUCCESS;

    *flag = 0;
    requests_begin(&r, count, request);
    if (!decides || num_active(count, request) == 0) {
        result = look_once(look, &r, flag);
    } else if (!ork_decided_poll_fails(look->id)) {
        result = look_until_answer(look, &r, flag);
        if (*flag)
            ork_decided_poll_succeeded();
    }
    requests_end(&r);
    return result;
}

static int test_one(struct requests *r, int *flag, MPI_Status *status)
{
    return REAL(MPI_Test)(r->real, flag, status);
}

static int test_all(struct requests *r, int *flag, MPI_Status *status)
{
    return REAL(MPI_Testall)(r->count, r->real, flag, status);
}

static int test_status(struct requests *r, int *flag, MPI_Status *status)
{
    return REAL(MPI_Request_get_status)(r->real[0], flag, status);
}

static int imposed_MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
    bool decides;
    const struct look look = {.id = ORK_CALL_MPI_Test, .test = test_one, .status = status};

    if (!is_ours(ORK_CALL_MPI_Test, &decides))
        return REAL(MPI_Test)(request, flag, status);
    return test(&look, decides, 1, request, flag);
}

static int imposed_MPI_Testall(int count, MPI_Request request[], int *flag, MPI_Status status[])
{
    bool decides;
    const struct look look = {.id = ORK_CALL_MPI_Testall, .test = test_all, .status = status};

    if (!is_ours(ORK_CALL_MPI_Testall, &decides))
        return REAL(MPI_Testall)(count, request, flag, status);
    return test(&look, decides, count, request, flag);
}

static int imposed_MPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status)
{
    bool decides;
    const struct look look = {
        .id = ORK_CALL_MPI_Request_get_status, .test = test_status, .status = status};

    if (!is_ours(ORK_CALL_MPI_Request_get_status, &decides))
        return REAL(MPI_Request_get_status)(request, flag, status);
    return test(&look, decides, 1, &request, flag);
}

/* ---- cancelling ---- */

/* RATIONALE: whether a send can be cancelled is the library's affair. */
static bool is_receive(MPI_Request request)
{
    ork_lock();
    struct ork_request r = ork_request_find(request);
    ork_unlock();
    return (r.flags & ORK_R_WILDCARD) != 0 || ork_request_ordinal(r.flags) != 0;
}

static int imposed_MPI_Cancel(MPI_Request *request)
{
    bool decides;
    const struct ork_question q = {
        .ask = ORK_ASK_CANCEL, .comm = MPI_COMM_NULL, .count = 1, .request = request};
    struct requests r;

    if (!is_ours(ORK_CALL_MPI_Cancel, &decides))
        return REAL(MPI_Cancel)(request);
    if (decides && is_receive(*request)) {
        const struct ork_decision *d = ork_decided_await(&q);
        if (d != NULL && d->decided == ORK_DECIDED_INDEX)
            return MPI_SUCCESS;
    }
    ork_deferred_cancel(*request);
    requests_begin(&r, 1, request);
    int result = REAL(MPI_Cancel)(r.real);
    requests_end(&r);
    return result;
}

void ork_decided_complete_init(void)
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
    ORK_IMPOSE(MPI_Cancel);
}
