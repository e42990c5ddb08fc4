/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/overlay/tool/tree_run.h"

#include "overlay/findings/phrase.h"
#include "tests/unit/overlay/stage/unit.h"
#include "tests/unit/record/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* Where no deadlock was told the ranks that hang up inside their calls have ended abnormally: it is
 * told, and only of those that were seen. */
static bool is_abnormal_end(const struct tree_run *run, const struct ork_finding *f)
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
    struct tree_run *run = context;
    struct tree_result *r = run->result;

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
    return ((const struct tree_run *)context)->now_ns;
}

static uint64_t processor_ns(void *context)
{
    return ((const struct tree_run *)context)->now_ns; /* the tool is never stopped */
}

void tree_start(struct tree_run *run, const char *trace)
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

void tree_lose_node(struct tree_run *run, uint32_t i)
{
    ork_memory_job_kill(run->job, i);
    ork_node_destroy(run->node[i], false);
    run->node[i] = NULL;
    run->gone[i] = true;
}

size_t tree_step(struct tree_run *run)
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
            tree_lose_node(run, i);
        } else {
            assert_int_equal(status, ORK_OK);
        }
    }
    return all;
}

bool tree_advance(struct tree_run *run, uint32_t rank)
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

bool tree_advance_any(struct tree_run *run)
{
    uint32_t from = (uint32_t)(random_next(&run->seed) % RANKS);

    for (uint32_t k = 0; k < RANKS; k++) {
        if (tree_advance(run, (from + k) % RANKS))
            return true;
    }
    return false;
}

void tree_play(struct tree_run *run)
{
    bool more = true;

    while (more) {
        for (uint64_t n = random_next(&run->seed) % 60; n > 0 && more; n--)
            more = tree_advance_any(run);
        tree_step(run);
    }
}

void tree_wait_until(struct tree_run *run, bool (*is_over)(const struct tree_run *))
{
    uint64_t limit = run->now_ns + 20 * SECOND;

    while (!is_over(run)) {
        tree_step(run);
        assert_true(run->now_ns < limit);
    }
}

bool tree_is_drained(const struct tree_run *run)
{
    return ork_root_is_over(ork_node_root(run->node[0]));
}

bool tree_is_reported(const struct tree_run *run)
{
    return run->result->num_findings > 0;
}

void tree_hang_up(struct tree_run *run, enum ork_state state)
{
    run->left_inside = state == ORK_STATE_BLOCKED;
    for (uint32_t r = 0; r < RANKS; r++) {
        peer_state(&run->peer[r], 0, state);
        close(run->peer[r].socket);
        run->peer[r].socket = -1;
    }
}

static bool tree_has_all(const struct tree_run *run)
{
    return ork_node_has_all(run->node[0]);
}

void tree_sum_up(struct tree_run *run)
{
    struct ork_report report;
    struct tree_result *r = run->result;

    assert_false(tree_has_all(run));
    assert_int_equal(ork_node_ask_last(run->node[0]), ORK_OK);
    tree_wait_until(run, tree_has_all);

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

void tree_end(struct tree_run *run)
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
            tree_step(run);
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

struct tree_result tree_run_plan(uint32_t size, uint64_t seed, const char *trace)
{
    struct tree_result result = {.wrong = false};
    struct tree_run run = {.size = size, .seed = seed, .result = &result};

    tree_start(&run, trace);
    tree_play(&run);
    if (plan.deadlocks) {
        tree_wait_until(&run, tree_is_reported);
        tree_hang_up(&run, ORK_STATE_BLOCKED);
    } else {
        tree_hang_up(&run, ORK_STATE_DONE);
    }
    tree_wait_until(&run, tree_is_drained);
    tree_sum_up(&run);
    tree_end(&run);
    return result;
}
