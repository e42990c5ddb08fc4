/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/forcing/decided.h"

#include "interceptor/forcing/polls.h"
#include "interceptor/forcing/told.h"
#include "interceptor/objects/context.h"
#include "interceptor/objects/windows.h"
#include "interceptor/requests/requests.h"
#include "record/upcoming.h"

#include <sched.h>

/* Looks for a message before the rank asks; those after the first few let others run. RATIONALE:
 * while its sender goes on, a message comes sooner than an answer. */
enum { LOOKS = 64, LOOKS_ALONE = 8 };

/* The blocking receive, and the question, that wait for a decision; number 0: none. */
static struct ork_decision receive, answer;
static bool is_ending; /* its test is over, but not the call */
static bool is_told;   /* the answer is known without a question */

static void keep(struct ork_decision *waiting, const struct ork_decision *d)
{
    if (waiting->number == d->number)
        *waiting = *d;
}

static void take_decisions(void)
{
    struct ork_decision d;

    while (ork_decisions_take(&d)) {
        if (d.decided == ORK_DECIDED_FREE)
            ork_decisions_stop();
        else if (ork_decided_is_upcoming(d.decided))
            ork_told_read(&d);
        else if (d.decided == ORK_DECIDED_ENDING)
            is_ending |= d.number == answer.number && answer.decided != ORK_DECIDED_NOTHING;
        else if (d.decided != ORK_DECIDED_RECEIVE)
            keep(&answer, &d);
        else if (!ork_deferred_decide(d.number, d.source, d.tag))
            keep(&receive, &d);
    }
    if (ork_decisions_are_on())
        ork_deferred_give();
    else
        ork_deferred_give_all();
}

/* RATIONALE: which of several threads calls first is not decided, so such a rank runs freely. The
 * first thread gives its deferred receives to the library itself, see ork_decided_look(). */
void ork_decided_begin(enum ork_call_id id)
{
    if (ork_thread.ordinal > 0) {
        ork_decisions_stop();
        return;
    }
    take_decisions();
    ork_told_begin(id);
    ork_decisions_note_call(id);
}

bool ork_decided_look(struct ork_decision_wait *w)
{
    bool on = ork_decisions_look(w);

    if (on)
        take_decisions();
    else
        ork_deferred_give_all();
    return ork_decisions_are_on();
}

bool ork_decided_looks_again(unsigned *looks)
{
    if (++*looks > LOOKS)
        return false;
    if (*looks > LOOKS_ALONE)
        sched_yield();
    return true;
}

void ork_decided_ask(const struct ork_question *question)
{
    is_told = is_ending = false;
    answer = (struct ork_decision){.number = ork_decisions_ask(question)};
}

const struct ork_decision *ork_decided_answer(void)
{
    return answer.decided != 0 ? &answer : NULL;
}

bool ork_decided_is_ending(struct ork_decision_wait *w)
{
    if (!is_ending)
        return false;
    is_ending = false;
    ork_decisions_say_ended();
    while (answer.decided != ORK_DECIDED_NOTHING && ork_decided_look(w)) {
        /* look again */
    }
    return true;
}

static const struct ork_decision *await(const struct ork_decision *waiting)
{
    struct ork_decision_wait w;

    ork_decisions_wait_begin(&w);
    while (waiting->decided == 0 && ork_decided_look(&w)) {
        /* look again */
    }
    ork_decisions_wait_end();
    return waiting->decided != 0 ? waiting : NULL;
}

const struct ork_decision *ork_decided_await(const struct ork_question *question)
{
    ork_decided_ask(question);
    return await(&answer);
}

/* ---- receives ---- */

static bool is_known(MPI_Comm comm)
{
    ork_lock();
    bool known = ork_context_of(ork_comm_id(comm)) != 0;
    ork_unlock();
    return known;
}

bool ork_decided_knows(const struct ork_receive *r)
{
    return ork_decisions_are_on() && r->source != MPI_PROC_NULL &&
           !ork_is_void(r->count, r->datatype) && (r->tag >= 0 || r->tag == MPI_ANY_TAG) &&
           is_known(r->comm);
}

bool ork_decided_concerns(const struct ork_receive *r)
{
    return ork_decided_knows(r) &&
           (r->source == MPI_ANY_SOURCE || ork_deferred_overlaps(r->comm, r->source, r->tag) ||
            ork_deferred_any());
}

void ork_decided_ask_for_source(void)
{
    const struct ork_question q = {.ask = ORK_ASK_RECEIVE, .comm = MPI_COMM_NULL};

    ork_decisions_ask(&q);
}

static void await_source(struct ork_receive *r)
{
    receive = (struct ork_decision){.number = ork_deferred_number()};
    if (ork_told_receive(r))
        return;
    ork_decided_ask_for_source();
    if (await(&receive) == NULL)
        return;
    r->source = receive.source;
    r->tag = receive.tag;
}

/* A named receive that could take the message of a deferred one waits for its decision. */
static void await_earlier(const struct ork_receive *r)
{
    struct ork_decision_wait w;

    if (!ork_deferred_overlaps(r->comm, r->source, r->tag))
        return;
    ork_decisions_wait_begin(&w);
    while (ork_deferred_overlaps(r->comm, r->source, r->tag) && ork_decided_look(&w)) {
        /* look again */
    }
    ork_decisions_wait_end();
}

/* RATIONALE: the library then takes the first message of that source and tag, which is the decided
 * one. */
bool ork_decided_receive(struct ork_receive *r)
{
    if (!ork_decided_knows(r))
        return false;
    if (r->source == MPI_ANY_SOURCE) {
        await_source(r);
    } else {
        ork_told_receive(r);
        await_earlier(r);
    }
    return ork_deferred_any();
}

/* ---- probes and tests ---- */

static struct ork_question question_of(enum ork_ask ask, const struct ork_point *p)
{
    return (struct ork_question){.ask = ask,
                                 .comm = p->comm,
                                 .source = p->source,
                                 .tag = p->tag,
                                 .is_matched = p->is_matched};
}

bool ork_decided_probe(struct ork_point *p)
{
    const struct ork_receive r = {NULL, 0, MPI_BYTE, p->source, p->tag, p->comm};
    const struct ork_question q = question_of(ORK_ASK_PROBE, p);

    if (!ork_decided_concerns(&r)) {
        if (p->is_matched && ork_decided_knows(&r))
            ork_told_probe(p); /* the library finds it */
        return false;
    }
    if (ork_told_probe(p))
        return true;
    const struct ork_decision *d = ork_decided_await(&q);
    if (d == NULL)
        return false;
    p->source = d->source;
    p->tag = d->tag;
    return true;
}

/* Has the message come? RATIONALE: that of a probe that names its source is the first one, as for
 * the library, if no receive that is deferred may take it. */
static bool is_there(const struct ork_point *p)
{
    unsigned looks = 0;
    int flag = 0;

    if (p->source == MPI_ANY_SOURCE || ork_deferred_overlaps(p->comm, p->source, p->tag))
        return false;
    do {
        if (REAL(MPI_Iprobe)(p->source, p->tag, p->comm, &flag, MPI_STATUS_IGNORE) != MPI_SUCCESS)
            return false;
    } while (!flag && ork_decided_looks_again(&looks));
    return flag != 0;
}

/* GIVEN: the message has been sent. */
static enum ork_outcome poll_probe(struct ork_point *p)
{
    const struct ork_question q = question_of(ORK_ASK_TEST_PROBE, p);

    if (ork_told_probe(p) || is_there(p))
        return ORK_OUTCOME_GIVEN;
    const struct ork_decision *d = ork_decided_await(&q);
    if (d == NULL)
        return ORK_OUTCOME_FREE;
    if (d->decided != ORK_DECIDED_PROBE)
        return ORK_OUTCOME_FAILS;
    p->source = d->source;
    p->tag = d->tag;
    return ORK_OUTCOME_GIVEN;
}

static bool any_is_active(const struct ork_point *p)
{
    bool any = false;

    ork_lock();
    for (int i = 0; i < p->count && !any; i++) {
        struct ork_request r = ork_request_find(p->request[i]);
        any = ork_request_is_active(&r);
    }
    ork_unlock();
    return any;
}

/* RATIONALE: without an epoch the library says what is wrong. */
static bool is_exposed(MPI_Win win)
{
    ork_lock();
    const struct ork_window *w = ork_window_of(win);
    bool is = w != NULL && (w->epochs.open & ORK_EPOCH_POST) != 0;
    ork_unlock();
    return is;
}

/* Is its outcome decided? RATIONALE: a test without active requests succeeds at once. */
static bool concerns_poll(const struct ork_point *p)
{
    const struct ork_receive r = {NULL, 0, MPI_BYTE, p->source, p->tag, p->comm};

    if (p->kind == ORK_CHOICE_PROBE)
        return ork_decided_knows(&r);
    return ork_decisions_are_on() &&
           (p->id == ORK_CALL_MPI_Win_test ? is_exposed(p->win) : any_is_active(p));
}

enum ork_outcome ork_decided_poll(struct ork_point *p)
{
    if (!concerns_poll(p))
        return ORK_OUTCOME_FREE;
    if (ork_polls_fail_unseen(p->id))
        return ORK_OUTCOME_FAILS;
    if (p->kind == ORK_CHOICE_PROBE)
        return poll_probe(p);
    return p->id == ORK_CALL_MPI_Testany || p->id == ORK_CALL_MPI_Testsome ? ORK_OUTCOME_GIVEN
                                                                           : ORK_OUTCOME_WAITS;
}

enum ork_outcome ork_decided_wait(const struct ork_point *p)
{
    return ork_decisions_are_on() && any_is_active(p) ? ORK_OUTCOME_GIVEN : ORK_OUTCOME_FREE;
}

/* RATIONALE: a call that completes all of its requests finds itself whether they are complete, and
 * asks until when it has to look. */
static enum ork_ask ask_of(const struct ork_point *p, enum ork_outcome outcome)
{
    if (p->id == ORK_CALL_MPI_Win_test)
        return ORK_ASK_TEST_WIN;
    if (outcome == ORK_OUTCOME_WAITS)
        return ORK_ASK_TEST_ALL;
    return p->kind == ORK_CHOICE_WAIT ? ORK_ASK_WAIT_ANY : ORK_ASK_TEST_ANY;
}

void ork_decided_ask_of(const struct ork_point *p, enum ork_outcome outcome)
{
    const struct ork_question q = {
        .ask = ask_of(p, outcome), .comm = MPI_COMM_NULL, .count = p->count, .request = p->request};

    if (!is_told)
        ork_decided_ask(&q);
    is_told = false;
}

const struct ork_choice *ork_decided_told(const struct ork_point *p)
{
    enum ork_outcome outcome = ORK_OUTCOME_GIVEN;
    uint32_t index = 0;

    is_told = ork_told_index(p, &index);
    if (!is_told)
        return NULL;
    answer = (struct ork_decision){.decided = ORK_DECIDED_INDEX, .source = (int32_t)index};
    return ork_decided_given(&outcome);
}

/* RATIONALE: a request may be decided before its message has arrived; and one that is no receive
 * may turn out to wait for this rank, see ORK_DECIDED_INDEX. */
const struct ork_choice *ork_decided_given(enum ork_outcome *outcome)
{
    static uint32_t index;
    static const struct ork_choice given = {.count = 1, .index = &index};

    if (answer.decided == ORK_DECIDED_NOTHING)
        *outcome = ORK_OUTCOME_FAILS;
    if (answer.decided == 0 || answer.decided == ORK_DECIDED_NOTHING)
        return NULL;
    index = (uint32_t)answer.source;
    return &given;
}

bool ork_decided_cancel(const MPI_Request *request)
{
    const struct ork_question q = {
        .ask = ORK_ASK_CANCEL, .comm = MPI_COMM_NULL, .count = 1, .request = request};
    const struct ork_decision *d = ork_decided_await(&q);

    return d == NULL || d->decided != ORK_DECIDED_INDEX;
}

/* ---- waiting ---- */

void ork_decided_settle(void)
{
    const struct ork_question enter = {.ask = ORK_ASK_ENTER, .comm = MPI_COMM_NULL};
    struct ork_decision_wait w;

    if (!ork_deferred_any())
        return;
    ork_decided_ask(&enter);
    ork_decisions_wait_begin(&w);
    while (ork_deferred_any() && answer.decided == 0 && ork_decided_look(&w)) {
        /* look again */
    }
    ork_decisions_wait_end();
}

void ork_decided_entered(void)
{
    ork_decisions_ring_if_watched();
    if (ork_thread.call == UINT16_MAX || ork_real[ork_thread.call] != NULL ||
        ork_thread.ordinal > 0)
        return;
    ork_unlock();
    ork_decided_settle();
    ork_lock();
}
