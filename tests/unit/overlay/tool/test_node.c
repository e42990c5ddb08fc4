/* SPDX-License-Identifier: BSD-3-Clause */
/* A whole tree of tool processes in one, and random programs under it: what is found is what one
 * process alone finds. */
#include "overlay/tool/node.h"

#include "overlay/findings/phrase.h"
#include "overlay/stream/trace.h"
#include "overlay/tool/transport_memory.h"
#include "tests/unit/overlay/stage/peer.h"
#include "tests/unit/overlay/stage/script.h"
#include "tests/unit/overlay/stage/unit.h"
#include "tests/unit/record/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { RANKS = 9, OPS = 64, NODES = 7, NOTHING = 0, NEVER = 100 };
#define SECOND  UINT64_C(1000000000)
#define STEP_NS UINT64_C(300000) /* that pass with each step of all processes */

enum ork_status __wrap_ork_cpu_binding_beside(const uint32_t *pid, uint32_t count,
                                              unsigned *processors);

/* RATIONALE: the test's own processors stay as they are. */
enum ork_status __wrap_ork_cpu_binding_beside(const uint32_t *pid, uint32_t count,
                                              unsigned *processors)
{
    (void)pid;
    (void)count;
    *processors = 0;
    return ORK_OK;
}

/* ---- programs ----
 * Calls are grouped in operations, number 1 and up: a message, a collective call. A call returns
 * when all of its operation are there, as without buffering. */

struct plan {
    struct script script[RANKS];
    uint8_t joins[RANKS][512]; /* operation that a record is part of */
    uint8_t waits[RANKS][512]; /* and that it is held by, until it is complete */
    unsigned need[OPS + 8], ops;
    bool deadlocks;
};

static struct plan plan;

static void part_of(uint32_t rank, unsigned op, bool waits)
{
    size_t at = plan.script[rank].n - 1;

    plan.joins[rank][at] = (uint8_t)op;
    plan.waits[rank][at] = (uint8_t)(waits ? op : NOTHING);
}

static unsigned new_op(unsigned need)
{
    assert_in_range(plan.ops, 0, OPS + 5);
    plan.need[++plan.ops] = need;
    return plan.ops;
}

static void message(uint32_t from, uint32_t to, bool posted, enum ork_send_mode mode)
{
    unsigned op = new_op(2);
    struct script *s = &plan.script[to];
    const uint32_t request = op;

    if (posted)
        script_irecv(s, ORK_COMM_WORLD, (int32_t)from, request);
    else
        script_recv(s, (int32_t)from, 0);
    part_of(to, op, !posted);
    script_send(&plan.script[from], (int32_t)to, 0);
    plan.script[from].record[plan.script[from].n - 1].mode = (uint16_t)mode;
    part_of(from, op, true);
    if (!posted)
        return;
    script_wait_all(s, &request, 1);
    s->n--; /* the call waits behind its list */
    part_of(to, NOTHING, false);
    s->n++;
    part_of(to, NOTHING, false);
    plan.waits[to][s->n - 1] = (uint8_t)op;
}

/* All ranks for which rank % of == which. */
static void collective(uint32_t comm, uint32_t of, uint32_t which, uint64_t bytes)
{
    unsigned op = new_op(0);

    for (uint32_t r = which; r < RANKS; r += of) {
        script_coll(&plan.script[r], comm, ORK_COLL_BARRIER);
        struct ork_record *call = &plan.script[r].record[plan.script[r].n - 1];
        call->mode = bytes > 0 ? ORK_COLL_ALLREDUCE : ORK_COLL_BARRIER;
        call->bytes = bytes;
        call->site = plan.ops % 5; /* one line of a program, or several */
        part_of(r, op, true);
        plan.need[op]++;
    }
}

/* Rows of every third rank, which all call them `comm`. */
static void split(uint32_t comm)
{
    unsigned op = new_op(RANKS);

    for (uint32_t r = 0; r < RANKS; r++) {
        const uint32_t run[] = {r % 3, 3, RANKS / 3};
        script_coll(&plan.script[r], ORK_COMM_WORLD, ORK_COLL_COMM_SPLIT);
        part_of(r, op, true);
        script_list(&plan.script[r],
                    (struct ork_record){.kind = ORK_KIND_COMM_DEF,
                                        .mode = ORK_COLL_COMM_SPLIT,
                                        .comm = comm,
                                        .tag2 = (int32_t)(r % 3),
                                        .arg2 = 1},
                    run, 3);
    }
}

static void write_correct(uint64_t *seed)
{
    unsigned ops = 8 + (unsigned)(random_next(seed) % (OPS - 16));

    memset(&plan, 0, sizeof(plan));
    for (uint32_t r = 0; r < RANKS; r++)
        script_init(&plan.script[r], r, RANKS);
    split(2);
    while (plan.ops < ops) {
        uint32_t from = (uint32_t)(random_next(seed) % RANKS);
        uint32_t to = (from + 1 + (uint32_t)(random_next(seed) % (RANKS - 1))) % RANKS;
        switch (random_next(seed) % 6) {
        case 0:
            message(from, to, false, ORK_SEND_STANDARD);
            break;
        case 1:
            message(from, to, true, ORK_SEND_SYNCHRONOUS);
            break;
        case 2:
        case 3:
            collective(2, 3, from % 3, from % 2 * 8);
            break;
        default:
            collective(ORK_COMM_WORLD, 1, 0, from % 2 * 8);
        }
    }
}

static void finalize(void)
{
    unsigned op = new_op(RANKS);

    for (uint32_t r = 0; r < RANKS; r++) {
        script_finalize(&plan.script[r]);
        part_of(r, op, true);
    }
}

/* Each of them waits for the next one. */
static void add_cycle(uint32_t first, uint32_t count, bool sends)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t rank = (first + i) % RANKS;
        uint32_t next = (first + (i + 1) % count) % RANKS;
        if (sends)
            script_send(&plan.script[rank], (int32_t)next, 9);
        else
            script_recv(&plan.script[rank], (int32_t)next, 9);
        plan.script[rank].record[plan.script[rank].n - 1].mode =
            sends ? ORK_SEND_SYNCHRONOUS : ORK_SEND_STANDARD;
        part_of(rank, new_op(NEVER), true);
    }
}

static void add_deadlock(uint64_t *seed)
{
    uint32_t first = (uint32_t)(random_next(seed) % RANKS);
    bool sends = random_next(seed) % 2 == 0;

    plan.deadlocks = true;
    switch (random_next(seed) % 3) {
    case 0:
        add_cycle(first, 2 + (uint32_t)(random_next(seed) % 2), sends);
        break;
    case 1:
        add_cycle(first, 2, sends);
        add_cycle(first + 3, 2, !sends);
        break;
    default: /* one receives where the others are in a barrier */
        script_recv(&plan.script[first], (int32_t)((first + 4) % RANKS), 9);
        part_of(first, new_op(NEVER), true);
        unsigned op = new_op(NEVER);
        for (uint32_t r = 0; r < RANKS; r++) {
            if (r == first)
                continue;
            script_coll(&plan.script[r], ORK_COMM_WORLD, ORK_COLL_BARRIER);
            part_of(r, op, true);
        }
    }
}

/* ---- a run ---- */

struct result {
    char findings[4096]; /* a line each */
    unsigned num_findings;
    bool wrong; /* something was told that is not so */
    struct ork_statistics statistics;
    bool complete;
    char notes[2048];
    uint32_t ranks, tool_ranks;
};

struct run {
    struct ork_memory_job *job;
    struct ork_clock clock;
    uint64_t now_ns;
    uint32_t size;
    uint64_t seed;
    struct ork_node *node[NODES];
    struct peer peer[RANKS];
    size_t at[RANKS], stop[RANKS]; /* stop: not beyond this record; 0: to the end */
    unsigned have[OPS + 8];
    bool gone[NODES]; /* killed, or because of it */
    bool left_inside; /* the ranks have hung up inside their calls */
    struct result *result;
};

/* Where no deadlock was told the ranks that hang up inside their calls have ended abnormally: it is
 * told, and only of those that were seen. */
static bool is_abnormal_end(const struct run *run, const struct ork_finding *f)
{
    if (strcmp(f->id, "abnormal-end") != 0)
        return false;
    assert_true(run->left_inside);
    assert_int_equal(run->result->num_findings, 0);
    for (uint32_t i = 0; i < f->ranks.count; i++)
        assert_false(run->gone[f->ranks.item[i] * run->size / RANKS]);
    return true;
}

static void on_finding(void *context, const struct ork_finding *f, bool fatal)
{
    struct run *run = context;
    struct result *r = run->result;

    if (is_abnormal_end(run, f))
        return;
    char *ranks = ork_phrase_ranks(f->ranks.item, f->ranks.count);
    size_t have = strlen(r->findings);

    assert_non_null(ranks);
    r->num_findings++;
    r->wrong |= !plan.deadlocks || strcmp(f->id, "deadlock") != 0;
    snprintf(r->findings + have, sizeof(r->findings) - have, "%s %d %d: %s (%s)\n", f->id,
             (int)f->class_, fatal, f->message, ranks);
    free(ranks);
}

static void on_state(void *context, const struct ork_finding *f)
{
    (void)context;
    (void)f;
    fail();
}

static void on_stacks(void *context, const struct ork_finding *finding, bool fatal)
{
    (void)context;
    (void)finding;
    (void)fatal;
}

static void on_stuck(void *context)
{
    (void)context;
    fail();
}

static uint64_t monotonic_ns(void *context)
{
    return ((const struct run *)context)->now_ns;
}

static uint64_t processor_ns(void *context)
{
    return ((const struct run *)context)->now_ns; /* the tool is never stopped */
}

static void start(struct run *run, const char *trace)
{
    const struct ork_memory_options memory = {
        .processes = run->size, .fanin = 2, .seed = run->seed + 1};
    const char *session = peer_session();
    const struct ork_report_sink *sink;
    static struct ork_report_sink sinks;
    struct ork_node_options options = {
        .session = session,
        .token = PEER_TOKEN,
        .root = {
            .deadlocks = true, .probing = ORK_PROBING_END, .trace = trace, .clock = &run->clock}};

    sinks = (struct ork_report_sink){.context = run,
                                     .finding = on_finding,
                                     .stacks = on_stacks,
                                     .state = on_state,
                                     .stuck = on_stuck};
    sink = &sinks;
    run->clock = (struct ork_clock){
        .context = run, .monotonic_ns = monotonic_ns, .processor_ns = processor_ns};
    run->now_ns = SECOND;
    if (run->size > 0)
        assert_int_equal(ork_memory_job_create(&memory, &run->job), ORK_OK);
    for (uint32_t i = 0; i < run->size; i++) {
        assert_int_equal(ork_transport_memory_create(run->job, i, &options.transport), ORK_OK);
        assert_int_equal(ork_node_create(&options, sink, &run->node[i]), ORK_OK);
    }
    if (run->size == 0) { /* alone */
        assert_int_equal(ork_node_create(&options, sink, &run->node[0]), ORK_OK);
        run->size = 1;
    }
    for (uint32_t r = 0; r < RANKS; r++) {
        struct ork_hello hello = peer_hello(r);
        peer_attach_to(&run->peer[r], session, r * run->size / RANKS, &hello);
    }
}

static void lose_node(struct run *run, uint32_t i)
{
    ork_memory_job_kill(run->job, i);
    ork_node_destroy(run->node[i], false);
    run->node[i] = NULL;
    run->gone[i] = true;
}

/* One step of each process, in any order. */
static size_t step(struct run *run)
{
    uint32_t from = (uint32_t)(random_next(&run->seed) % run->size);
    size_t all = 0;

    run->now_ns += STEP_NS;
    for (uint32_t k = 0; k < run->size; k++) {
        uint32_t i = (from + k) % run->size;
        size_t moved;
        if (run->node[i] == NULL)
            continue;
        enum ork_status status = ork_node_step(run->node[i], &moved);
        all += moved;
        if (status == ORK_CLOSED) { /* its parent has gone */
            uint32_t parent = ork_tree_of(run->size, 2, i).parent;
            assert_true(run->gone[parent]);
            lose_node(run, i);
        } else {
            assert_int_equal(status, ORK_OK);
        }
    }
    return all;
}

/* The rank's next record, if the call before it has returned. */
static bool advance(struct run *run, uint32_t rank)
{
    const struct script *s = &plan.script[rank];
    size_t at = run->at[rank];

    if (at > 0) {
        unsigned op = plan.waits[rank][at - 1];
        if (op != NOTHING && run->have[op] < plan.need[op])
            return false;
    }
    if (at == s->n || (run->stop[rank] != 0 && at == run->stop[rank]))
        return false;
    peer_put(&run->peer[rank], &s->record[at]);
    run->have[plan.joins[rank][at]]++;
    peer_state(&run->peer[rank], 0, ORK_STATE_BLOCKED);
    run->at[rank]++;
    return true;
}

static bool advance_any(struct run *run)
{
    uint32_t from = (uint32_t)(random_next(&run->seed) % RANKS);

    for (uint32_t k = 0; k < RANKS; k++) {
        if (advance(run, (from + k) % RANKS))
            return true;
    }
    return false;
}

static void play(struct run *run)
{
    bool more = true;

    while (more) {
        for (uint64_t n = random_next(&run->seed) % 60; n > 0 && more; n--)
            more = advance_any(run);
        step(run);
    }
}

static void wait_until(struct run *run, bool (*is_over)(const struct run *))
{
    uint64_t limit = run->now_ns + 20 * SECOND;

    while (!is_over(run)) {
        step(run);
        assert_true(run->now_ns < limit);
    }
}

static bool is_drained(const struct run *run)
{
    return ork_root_is_over(ork_node_root(run->node[0]));
}

static bool is_reported(const struct run *run)
{
    return run->result->num_findings > 0;
}

static void hang_up(struct run *run, enum ork_state state)
{
    run->left_inside = state == ORK_STATE_BLOCKED;
    for (uint32_t r = 0; r < RANKS; r++) {
        peer_state(&run->peer[r], 0, state);
        close(run->peer[r].socket);
        run->peer[r].socket = -1;
    }
}

static void sum_up(struct run *run)
{
    struct ork_report report;
    struct result *r = run->result;

    assert_int_equal(ork_root_finish(ork_node_root(run->node[0])), ORK_OK);
    ork_report_init(&report);
    assert_int_equal(ork_root_summary(ork_node_root(run->node[0]), &report), ORK_OK);
    r->statistics = report.statistics;
    r->complete = report.complete;
    r->ranks = report.ranks;
    for (uint32_t i = 0; i < report.num_notes; i++) {
        size_t have = strlen(r->notes);
        snprintf(r->notes + have, sizeof(r->notes) - have, "%s\n", report.note[i]);
    }
    ork_report_release(&report);
}

/* The root says that this is the end; who is left hears it. */
static void end(struct run *run)
{
    bool all = true;
    bool orderly = ork_node_end(run->node[0]);

    for (uint32_t i = 1; i < run->size; i++)
        all &= !run->gone[i];
    assert_int_equal(orderly, all);
    for (uint32_t i = 1; i < run->size; i++) {
        bool said = false;
        uint64_t limit = run->now_ns + 20 * SECOND;
        while (run->node[i] != NULL && !ork_node_is_ended(run->node[i], &said)) {
            step(run);
            assert_true(run->now_ns < limit);
        }
        if (run->node[i] != NULL)
            assert_true(!said || all);
    }
    for (uint32_t i = run->size; i-- > 0;)
        ork_node_destroy(run->node[i], orderly);
    ork_memory_job_destroy(run->job);
    for (uint32_t r = 0; r < RANKS; r++)
        peer_detach(&run->peer[r]);
}

/* The plan under a tree of `size` processes (0: one without a net). */
static struct result run_plan(uint32_t size, uint64_t seed, const char *trace)
{
    struct result result = {.wrong = false};
    struct run run = {.size = size, .seed = seed, .result = &result};

    start(&run, trace);
    play(&run);
    if (plan.deadlocks) {
        wait_until(&run, is_reported);
        hang_up(&run, ORK_STATE_BLOCKED);
    } else {
        hang_up(&run, ORK_STATE_DONE);
    }
    wait_until(&run, is_drained);
    sum_up(&run);
    end(&run);
    return result;
}

/* ---- the tree finds what one process finds ---- */

static void assert_same(const struct result *tree, const struct result *one, uint32_t size,
                        uint64_t seed)
{
    if (strcmp(tree->findings, one->findings) != 0)
        print_message("seed %llu, %u processes\n", (unsigned long long)seed, size);
    assert_string_equal(tree->findings, one->findings);
    assert_string_equal(tree->notes, "");
    assert_true(tree->complete);
    assert_int_equal(tree->ranks, RANKS);
    assert_int_equal(tree->statistics.calls, one->statistics.calls);
    assert_int_equal(tree->statistics.records, one->statistics.records);
    assert_int_equal(tree->statistics.messages, one->statistics.messages);
    assert_int_equal(tree->statistics.collectives, one->statistics.collectives);
    assert_int_equal(tree->statistics.tool_ranks, size);
}

static void a_correct_program_is_clean_under_every_tree(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        uint64_t random = seed;
        write_correct(&random);
        finalize();
        struct result one = run_plan(0, seed, NULL);
        assert_string_equal(one.findings, "");
        assert_true(one.statistics.collectives > 0);
        for (uint32_t size = 1; size <= NODES; size++) {
            struct result tree = run_plan(size, seed + 1000 * size, NULL);
            assert_same(&tree, &one, size, seed);
        }
    }
}

static void a_deadlock_is_found_under_every_tree(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        uint64_t random = seed;
        write_correct(&random);
        add_deadlock(&random);
        finalize();
        struct result one = run_plan(0, seed, NULL);
        assert_int_equal(one.num_findings, 1);
        assert_false(one.wrong);
        assert_int_equal(strncmp(one.findings, "deadlock ", 9), 0);
        for (uint32_t size = 1; size <= NODES; size++) {
            struct result tree = run_plan(size, seed + 1000 * size, NULL);
            assert_same(&tree, &one, size, seed);
        }
    }
}

/* ---- the order of a rank ---- */

static void compare_trace(const char *path)
{
    static size_t came[RANKS];
    struct ork_trace_reader *reader;
    struct ork_trace_chunk chunk;
    FILE *file = fopen(path, "re");

    memset(came, 0, sizeof(came));
    assert_non_null(file);
    assert_int_equal(ork_trace_open(file, &reader), ORK_OK);
    while (ork_trace_next(reader, &chunk) == ORK_OK) {
        for (size_t i = 0; chunk.kind == ORK_TRACE_RECORDS && i < chunk.num_records; i++) {
            const struct script *s = &plan.script[chunk.rank];
            assert_in_range(came[chunk.rank], 0, s->n - 1);
            assert_memory_equal(&chunk.record[i], &s->record[came[chunk.rank]++],
                                sizeof(struct ork_record));
        }
    }
    for (uint32_t r = 0; r < RANKS; r++)
        assert_int_equal(came[r], plan.script[r].n);
    ork_trace_reader_destroy(reader);
    fclose(file);
}

static void records_of_a_rank_arrive_in_its_order(void **state)
{
    char path[64];

    (void)state;
    snprintf(path, sizeof(path), "/tmp/orknot-unit-node-%d", (int)getpid());
    for (uint64_t seed = 1; seed <= 60; seed++) {
        uint64_t random = seed + 500;
        write_correct(&random);
        finalize();
        run_plan(2 + (uint32_t)(seed % (NODES - 1)), seed, path);
        compare_trace(path);
        unlink(path);
    }
}

/* ---- a subtree is lost ---- */

static void kill_subtree(struct run *run, uint32_t head, char *note, size_t room)
{
    struct ork_tree tree = ork_tree_of(run->size, 2, head);
    uint32_t lost[RANKS], count = 0;

    for (uint32_t r = 0; r < RANKS; r++) {
        uint32_t leaf = r * run->size / RANKS;
        if (leaf >= head && leaf < tree.end)
            lost[count++] = r;
    }
    char *ranks = ork_phrase_ranks(lost, count);
    snprintf(note, room, "ended early: the later calls of %s were not observed", ranks);
    free(ranks);
    lose_node(run, head);
}

static bool has_all(const struct run *run)
{
    struct ork_report report;
    uint32_t notes = 1;

    ork_report_init(&report);
    assert_int_equal(ork_root_summary(ork_node_root(run->node[0]), &report), ORK_OK);
    if (report.ranks == RANKS)
        notes = report.num_notes; /* some were not observed */
    ork_report_release(&report);
    return notes == 0;
}

static bool has_note(const struct run *run)
{
    struct ork_report report;
    bool has = false;

    ork_report_init(&report);
    assert_int_equal(ork_root_summary(ork_node_root(run->node[0]), &report), ORK_OK);
    for (uint32_t i = 0; i < report.num_notes; i++)
        has |= strstr(report.note[i], "ended early") != NULL;
    ork_report_release(&report);
    return has;
}

/* All ranks say who they are, and the root knows them. */
static void begin(struct run *run)
{
    for (uint32_t r = 0; r < RANKS; r++)
        advance(run, r);
    wait_until(run, has_all);
}

static struct result run_and_kill(uint32_t size, uint64_t seed, char *note, size_t room)
{
    struct result result = {.wrong = false};
    struct run run = {.size = size, .seed = seed, .result = &result};
    bool more = true;
    uint64_t when = random_next(&run.seed) % 60;
    uint32_t head = 1 + (uint32_t)(random_next(&run.seed) % (size - 1));

    start(&run, NULL);
    begin(&run);
    for (uint64_t i = 0; i < when || more; i++) {
        for (uint64_t n = random_next(&run.seed) % 20; n > 0 && more; n--)
            more = advance_any(&run);
        step(&run);
        if (i == when)
            kill_subtree(&run, head, note, room);
    }
    if (!run.gone[head])
        kill_subtree(&run, head, note, room);
    wait_until(&run, has_note);
    for (uint64_t limit = run.now_ns + SECOND / 20; run.now_ns < limit;)
        step(&run);
    hang_up(&run, plan.deadlocks ? ORK_STATE_BLOCKED : ORK_STATE_DONE);
    for (uint64_t limit = run.now_ns + SECOND / 20; run.now_ns < limit;)
        step(&run);
    sum_up(&run);
    end(&run);
    return result;
}

static void after_a_loss_nothing_is_told_that_is_not_so(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 80; seed++) {
        uint64_t random = seed + 7000;
        char note[256];
        write_correct(&random);
        finalize();
        struct result r = run_and_kill(2 + (uint32_t)(seed % (NODES - 1)), seed, note, 256);
        assert_string_equal(r.findings, "");
        assert_false(r.complete);
        if (strstr(r.notes, note) == NULL)
            print_message("seed %llu\n", (unsigned long long)seed);
        assert_non_null(strstr(r.notes, note));
    }
}

/* Those who wait for ranks that are not seen any more may be let go at any time. */
static void a_deadlock_after_a_loss_is_one_or_is_not_told(void **state)
{
    unsigned reported = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= 80; seed++) {
        uint64_t random = seed + 9000;
        char note[256];
        write_correct(&random);
        add_deadlock(&random);
        finalize();
        struct result r = run_and_kill(2 + (uint32_t)(seed % (NODES - 1)), seed, note, 256);
        assert_false(r.wrong);
        assert_false(r.complete);
        assert_non_null(strstr(r.notes, note));
        reported += r.num_findings;
    }
    assert_true(reported > 0); /* where it is of others */
}

static bool has_come_so_far(const struct run *run)
{
    struct ork_report report;
    uint64_t records = 0;

    ork_report_init(&report);
    assert_int_equal(ork_root_summary(ork_node_root(run->node[0]), &report), ORK_OK);
    for (uint32_t r = 0; r < RANKS; r++)
        records += run->at[r];
    bool all = report.statistics.records == records;
    ork_report_release(&report);
    return all;
}

/* A process is lost, then the one above it: those who are left are still collected from. */
static void a_deadlock_of_those_who_are_left_is_found_after_two_losses(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct result result = {.wrong = false};
        struct run run = {.size = 7, .seed = seed, .result = &result};
        uint64_t random = seed;
        char note[256];
        write_correct(&random);
        for (uint32_t r = 0; r < RANKS; r++)
            run.stop[r] = plan.script[r].n;
        add_cycle(2, 3, seed % 2 == 0); /* of processes 1, 2 and 3 */
        plan.deadlocks = true;
        finalize();
        start(&run, NULL);
        begin(&run);
        play(&run);
        wait_until(&run, has_come_so_far);
        memset(run.stop, 0, sizeof(run.stop));
        kill_subtree(&run, 6, note, sizeof(note));
        wait_until(&run, has_note);
        kill_subtree(&run, 4, note, sizeof(note));
        play(&run);
        wait_until(&run, is_reported);
        assert_false(result.wrong);
        hang_up(&run, ORK_STATE_BLOCKED);
        sum_up(&run);
        end(&run);
    }
}

/* ---- the rest ---- */

static void the_tree_is_described(void **state)
{
    struct result result = {.wrong = false};
    struct run run = {.size = 7, .seed = 1, .result = &result};

    (void)state;
    start(&run, NULL);
    char *words = ork_node_tree_words(run.node[0]);
    assert_string_equal(words, "7 processes in 3 layers on n0 (2), n1 (2), n2 (2), n3 (1)");
    free(words);
    for (uint32_t i = 1; i < 7; i++)
        assert_null(ork_node_root(run.node[i]));
    end(&run);
    run = (struct run){.size = 0, .seed = 1, .result = &result};
    start(&run, NULL);
    words = ork_node_tree_words(run.node[0]);
    assert_string_equal(words, "1 process");
    free(words);
    end(&run);
}

static void all_ranks_of_the_tree_are_killed_at_the_roots_word(void **state)
{
    (void)state; /* the peers are this process: a leaf that had one would end it */
    struct result result = {.wrong = false};
    struct run run = {.size = 5, .seed = 3, .result = &result};
    write_correct(&run.seed);
    start(&run, NULL);
    begin(&run);
    hang_up(&run, ORK_STATE_RUNNING);
    wait_until(&run, is_drained);
    assert_int_equal(ork_node_kill_ranks(run.node[0]), ORK_OK);
    for (int i = 0; i < 200; i++)
        step(&run);
    end(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tree_is_described),
        cmocka_unit_test(a_correct_program_is_clean_under_every_tree),
        cmocka_unit_test(a_deadlock_is_found_under_every_tree),
        cmocka_unit_test(records_of_a_rank_arrive_in_its_order),
        cmocka_unit_test(after_a_loss_nothing_is_told_that_is_not_so),
        cmocka_unit_test(a_deadlock_after_a_loss_is_one_or_is_not_told),
        cmocka_unit_test(a_deadlock_of_those_who_are_left_is_found_after_two_losses),
        cmocka_unit_test(all_ranks_of_the_tree_are_killed_at_the_roots_word),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
