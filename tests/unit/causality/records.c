/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/causality/records.h"

#include <string.h>

enum { WINDOW = 5 };

bool run_is_wildcard(const struct op *o)
{
    return o->type != WAITANY && o->type != TEST && o->type != LOOP && o->type != LOCK &&
           (o->peer == ANY || o->tag == ANY);
}

int run_post_of(const struct program *p, int rank, int op)
{
    int n = 0;

    for (int k = 0; k <= op; k++)
        n += p->op[rank][k].type == IRECV && run_is_wildcard(&p->op[rank][k]);
    return n;
}

void run_feed(struct ork_causality *c, int rank, struct ork_record record)
{
    if (c != NULL)
        must(ork_causality_feed(c, (uint32_t)rank, &record, 1) == ORK_OK);
}

void run_make_window(struct ork_causality *c, int rank)
{
    run_feed(c, rank,
             (struct ork_record){.kind = ORK_KIND_COMM_DEF,
                                 .flags = ORK_F_SAME_GROUP,
                                 .mode = ORK_COLL_WIN_CREATE,
                                 .comm = WINDOW,
                                 .extra = 1});
}

static void feed_list(struct ork_causality *c, int rank, struct ork_record record,
                      const uint32_t *word, uint32_t count)
{
    record.count = count;
    run_feed(c, rank, record);
    for (uint32_t done = 0; done < count; done += ORK_CONT_WORDS) {
        uint32_t left = count - done;
        struct ork_cont cont = {.kind = ORK_KIND_CONT,
                                .words = (uint8_t)(left < ORK_CONT_WORDS ? left : ORK_CONT_WORDS)};
        struct ork_record raw;
        memcpy(cont.word, word + done, cont.words * sizeof(uint32_t));
        memcpy(&raw, &cont, sizeof(raw));
        run_feed(c, rank, raw);
    }
}

static uint16_t mode_of(const struct op *o)
{
    if (o->is_all)
        return ORK_WAIT_ALL;
    return o->is_some ? ORK_WAIT_SOME : ORK_WAIT_ANY;
}

/* The array of a Waitany. */
static uint32_t list_array(const struct program *p, const struct run *run, int rank, int op,
                           const struct op *o, uint32_t *list)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < REQUESTS; i++) {
        if (o->set >> i & 1)
            list[count++] = program_is_complete(p, &run->end, rank, op, i) ? ORK_REQUEST_NULL : i;
    }
    return count;
}

void run_enter(const struct program *p, struct ork_causality *c, const struct run *run, int rank,
               int op)
{
    const struct op *o = &p->op[rank][op];
    int tag = o->type == SEND || o->type == SSEND ? program_tag(p, &run->end, rank, op) : o->tag;
    struct ork_record r = {.peer = o->peer, .tag = tag, .request = o->request};
    uint32_t list[OPS], count = 0;

    switch (o->type) {
    case SEND:
        r.kind = ORK_KIND_SEND;
        break;
    case SSEND:
        r.kind = ORK_KIND_SEND;
        r.mode = ORK_SEND_SYNCHRONOUS;
        break;
    case IRECV:
        r.flags = ORK_F_NONBLOCKING;
        r.kind = ORK_KIND_RECV;
        break;
    case RECV:
        r.kind = ORK_KIND_RECV;
        break;
    case PROBE:
        r.kind = ORK_KIND_PROBE;
        break;
    case BARRIER:
        r.kind = ORK_KIND_COLL;
        r.mode = ORK_COLL_BARRIER;
        r.peer = ORK_NO_PEER;
        break;
    case WAIT:
        list[count++] =
            program_is_complete(p, &run->end, rank, op, o->request) ? ORK_REQUEST_NULL : o->request;
        feed_list(c, rank, (struct ork_record){.kind = ORK_KIND_WAIT, .mode = ORK_WAIT_ONE}, list,
                  count);
        return;
    case WAITANY:
        count = list_array(p, run, rank, op, o, list);
        if (!o->is_test)
            feed_list(c, rank, (struct ork_record){.kind = ORK_KIND_WAIT, .mode = mode_of(o)}, list,
                      count);
        return;
    case LOCK:
        r.kind = ORK_KIND_WIN_LOCK;
        r.mode = o->is_exclusive;
        r.comm = WINDOW;
        r.extra = run->choices[rank] + 1u;
        r.arg2 = (uint32_t)op + 1;
        break;
    case UNLOCK:
        r.kind = ORK_KIND_WIN_UNLOCK;
        r.comm = WINDOW;
        break;
    case TEST:
    case IPROBE:
    case LOOP:
        return; /* the record comes when the outcome is known */
    }
    run_feed(c, rank, r);
}

struct outcome run_message_of(const struct program *p, const struct state *s, unsigned outcome)
{
    int source = (int)(outcome - 1) / OPS, k = (int)(outcome - 1) % OPS;

    return (struct outcome){.source = (int8_t)source, .tag = (int8_t)program_tag(p, s, source, k)};
}

static void choose(struct run *run, int rank, struct outcome o)
{
    o.polls = run->polls[rank];
    run->polls[rank] = 0;
    run->chosen_at[rank] = run->end.at[rank];
    run->choice[rank][run->choices[rank]++] = o;
}

/* The completion of a wildcard Irecv. */
static void choose_irecv(const struct program *p, struct run *run, int rank, int irecv)
{
    struct outcome o = run_message_of(p, &run->end, run->end.outcome[rank][irecv]);

    o.kind = ORK_CHOICE_RECEIVE;
    o.post = (uint8_t)run_post_of(p, rank, irecv);
    choose(run, rank, o);
}

/* `extra` of the record that names this choice. */
static uint64_t name_choice(struct run *run, int rank, unsigned number)
{
    uint64_t since = number - (uint64_t)run->named[rank];

    run->named[rank] = (uint8_t)number;
    return since;
}

static void leave_blocking(const struct program *p, struct ork_causality *c, struct run *run,
                           int rank, int op)
{
    struct outcome o = run_message_of(p, &run->end, run->end.outcome[rank][op]);

    if (!run_is_wildcard(&p->op[rank][op]))
        return;
    o.kind = p->op[rank][op].type == PROBE ? ORK_CHOICE_PROBE : ORK_CHOICE_RECEIVE;
    choose(run, rank, o);
    run_feed(c, rank,
             (struct ork_record){.kind = ORK_KIND_EXIT,
                                 .peer = o.source,
                                 .tag = o.tag,
                                 .extra = name_choice(run, rank, run->choices[rank])});
}

static void leave_lock(const struct program *p, struct ork_causality *c, struct run *run, int rank,
                       int op)
{
    unsigned outcome = run->end.outcome[rank][op];
    int32_t number = (int32_t)program_num_sections(p, rank, op, outcome);
    uint8_t *latest = &run->locked[rank][p->op[rank][op].peer][p->op[rank][op].is_exclusive];

    choose(run, rank,
           (struct outcome){.kind = ORK_CHOICE_LOCK,
                            .post = (uint8_t)program_lock_of(p, rank, op),
                            .source = (int8_t)p->op[rank][op].peer,
                            .tag = (int8_t)number,
                            .place = (uint8_t)(op + 1)});
    run_feed(c, rank,
             (struct ork_record){.kind = ORK_KIND_EXIT,
                                 .tag = number - *latest,
                                 .extra = name_choice(run, rank, run->choices[rank])});
    *latest = (uint8_t)number;
}

/* A call completes this request: three words of its record. `name`: an index, or the number. */
static void complete_request(const struct program *p, struct run *run, int rank, uint32_t name,
                             int irecv, uint32_t *word)
{
    struct outcome o = run_message_of(p, &run->end, run->end.outcome[rank][irecv]);
    bool wildcard = run_is_wildcard(&p->op[rank][irecv]);

    word[0] = name;
    word[1] = (uint32_t)(wildcard ? o.source : ORK_NO_PEER);
    word[2] = wildcard ? (uint32_t)o.tag : 0;
    if (wildcard)
        choose_irecv(p, run, rank, irecv);
}

static void leave_wait(const struct program *p, struct ork_causality *c, struct run *run, int rank,
                       int irecv)
{
    unsigned before = run->choices[rank];
    struct ork_record r = {.kind = ORK_KIND_EXIT};
    uint32_t word[3];

    complete_request(p, run, rank, 0, irecv, word);
    if (run->choices[rank] > before)
        r.extra = name_choice(run, rank, before + 1u);
    feed_list(c, rank, r, word, 3);
}

/* A successful test or probe, or Waitany: an operation, or a poll of one. */
struct left {
    const struct op *op;
    int rank, at;      /* the operation */
    uint32_t place;    /* of a TEST or IPROBE */
    unsigned requests; /* that it completed, a bit each, .. */
    unsigned outcome;  /* .. or the message that it found */
};

/* TESTS: the indices, and the array. */
static void feed_tests(const struct program *p, struct ork_causality *c, const struct run *run,
                       const struct left *l)
{
    uint32_t list[2 * REQUESTS], count = 0, index = 0;

    for (unsigned r = 0; r < REQUESTS; r++) {
        if (l->requests >> r & 1)
            list[count++] = index;
        index += l->op->set >> r & 1;
    }
    struct ork_record tests = {.kind = ORK_KIND_TESTS, .arg = count};
    count += list_array(p, run, l->rank, l->at, l->op, list + count);
    feed_list(c, l->rank, tests, list, count);
}

/* A test is successful, of these requests. */
static void choose_tested(struct run *run, const struct left *l)
{
    bool has_array = !l->op->is_all;

    choose(run, l->rank,
           (struct outcome){.kind = ORK_CHOICE_TEST,
                            .requests = has_array ? (uint8_t)l->requests : (uint8_t)0,
                            .set = has_array ? (uint16_t)l->op->set : (uint16_t)0,
                            .place = l->op->type == TEST ? (uint8_t)l->place : (uint8_t)0});
}

static void leave_waitany(const struct program *p, struct ork_causality *c, struct run *run,
                          const struct left *l)
{
    const struct op *o = l->op;
    bool is_test = o->is_test || o->type == TEST;
    struct ork_record r = {.kind = is_test ? ORK_KIND_TESTED : ORK_KIND_EXIT,
                           .mode = is_test ? mode_of(o) : 0,
                           .site = l->place};
    unsigned first = run->choices[l->rank] + 1u;
    uint32_t word[3 * REQUESTS], words = 0, index = 0;

    if (is_test)
        choose_tested(run, l);
    if (o->is_status) {
        r.kind = ORK_KIND_STATUS;
        r.request = (uint32_t)__builtin_ctz(o->set);
        if (l->requests == 0)
            return;
        r.extra = name_choice(run, l->rank, first);
        run_feed(c, l->rank, r);
        return;
    }
    if (!is_test)
        choose(run, l->rank,
               (struct outcome){.kind = ORK_CHOICE_WAIT,
                                .requests = (uint8_t)l->requests,
                                .set = (uint16_t)o->set});
    for (unsigned i = 0; i < REQUESTS; i++) {
        if (l->requests >> i & 1) {
            complete_request(p, run, l->rank, is_test ? i : index,
                             program_irecv(p, l->rank, l->at, i), word + words);
            words += 3;
        }
        index += o->set >> i & 1;
    }
    if (is_test && words == 0) /* of null requests only: there is no record */
        return;
    if (is_test && !o->is_all)
        feed_tests(p, c, run, l);
    r.extra = name_choice(run, l->rank, first);
    feed_list(c, l->rank, r, word, words);
}

/* ---- tests and probes ---- */

static void fail_poll(const struct program *p, struct ork_causality *c, struct run *run,
                      const struct left *l, bool has_record)
{
    struct ork_record r = {.kind = ORK_KIND_POLL,
                           .site = l->place,
                           .arg2 = l->place,
                           .bytes = run->polls[l->rank]++,
                           .extra = run->choices[l->rank] + 1u,
                           .peer = l->op->peer,
                           .tag = l->op->tag};
    uint32_t list[REQUESTS], count = 0;

    r.arg = l->op->type == TEST ? ORK_POLL_TEST : ORK_POLL_PROBE;
    r.mode = l->op->type == TEST ? mode_of(l->op) : 0;
    if (l->op->type == TEST)
        count = list_array(p, run, l->rank, l->at, l->op, list);
    if (has_record)
        feed_list(c, l->rank, r, list, count);
}

static void leave_iprobe(const struct program *p, struct ork_causality *c, struct run *run,
                         const struct left *l)
{
    struct outcome found = run_message_of(p, &run->end, l->outcome);

    found.kind = ORK_CHOICE_PROBE;
    found.place = (uint8_t)l->place;
    choose(run, l->rank, found);
    run_feed(c, l->rank,
             (struct ork_record){.kind = ORK_KIND_PROBED,
                                 .site = l->place,
                                 .peer = l->op->peer,
                                 .tag = l->op->tag,
                                 .peer2 = found.source,
                                 .tag2 = found.tag,
                                 .extra = name_choice(run, l->rank, run->choices[l->rank])});
}

static void leave_poll(const struct program *p, struct ork_causality *c, struct run *run, int rank,
                       int op)
{
    struct left l = {.op = &p->op[rank][op],
                     .rank = rank,
                     .at = op,
                     .place = program_place(p, rank, op),
                     .requests = run->end.outcome[rank][op],
                     .outcome = run->end.outcome[rank][op]};

    if (l.outcome == FAILED)
        fail_poll(p, c, run, &l, true);
    else if (l.op->type == IPROBE)
        leave_iprobe(p, c, run, &l);
    else
        leave_waitany(p, c, run, &l);
}

static struct left poll_of_loop(const struct program *p, int rank, int op, unsigned i)
{
    const struct op *loop = &p->op[rank][op];

    return (struct left){.op = program_poll_of(p, rank, loop, i),
                         .rank = rank,
                         .at = op,
                         .place = OPS + 1u + loop->first_poll + i};
}

void run_fail(const struct program *p, struct ork_causality *c, struct run *run, int rank, int op,
              bool has_record)
{
    unsigned polls = p->op[rank][op].polls;
    struct left l = poll_of_loop(p, rank, op, run->looped[rank] % polls);

    /* RATIONALE: of equal polls the first one has a record, and the first one after all others. */
    fail_poll(p, c, run, &l, has_record || run->looped[rank] < 2 * polls);
    run->looped[rank]++;
}

static void leave_loop(const struct program *p, struct ork_causality *c, struct run *run, int rank,
                       int op)
{
    unsigned outcome = run->end.outcome[rank][op];
    struct left l = poll_of_loop(p, rank, op, outcome % LATER / POLL_NEXT);

    l.requests = l.outcome = outcome & OUTCOME;
    run->looped[rank] = 0;
    if (l.op->type == IPROBE)
        leave_iprobe(p, c, run, &l);
    else
        leave_waitany(p, c, run, &l);
}

void run_leave(const struct program *p, struct ork_causality *c, struct run *run, int rank, int op)
{
    const struct op *o = &p->op[rank][op];
    int irecv;

    switch (o->type) {
    case RECV:
    case PROBE:
        leave_blocking(p, c, run, rank, op);
        break;
    case WAIT:
        irecv = program_irecv(p, rank, op, o->request);
        if (!program_is_complete(p, &run->end, rank, op, o->request) &&
            run_is_wildcard(&p->op[rank][irecv]))
            leave_wait(p, c, run, rank, irecv);
        break;
    case LOOP:
        leave_loop(p, c, run, rank, op);
        break;
    case LOCK:
        leave_lock(p, c, run, rank, op);
        break;
    case WAITANY:
    case TEST:
    case IPROBE:
        leave_poll(p, c, run, rank, op);
        break;
    case SEND:
    case SSEND:
    case IRECV:
    case BARRIER:
    case UNLOCK:
        break;
    }
}
