/* SPDX-License-Identifier: BSD-3-Clause */
/* Whole runs without processes: records go in where a leaf would send them, states are made up. */
#include "overlay/root.h"
#include "tests/unit/record/random.h"

#include "script.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { RANKS = 3, FINDINGS = 8 };

/* What was told, in few words. */
struct told {
    char id[32];
    enum ork_class class_;
    enum ork_severity severity;
    bool fatal;
    char message[200];
    uint32_t ranks[RANKS];
    uint32_t num_ranks;
};

struct run {
    struct ork_root *root;
    struct ork_up up;
    struct ork_report_sink sink;
    struct ork_down down;
    struct ork_snapshot snapshot[RANKS];
    struct script script[RANKS];
    struct told told[FINDINGS];
    unsigned findings, states, stuck;
};

static enum ork_status collect(void *context, uint32_t rank, struct ork_snapshot *snapshot)
{
    struct run *run = context;

    if (rank >= RANKS || !run->snapshot[rank].present)
        return ORK_NOTFOUND;
    *snapshot = run->snapshot[rank];
    return ORK_OK;
}

static void on_finding(void *context, const struct ork_finding *f, bool fatal)
{
    struct run *run = context;
    struct told *t = &run->told[run->findings];

    assert_in_range(run->findings, 0, FINDINGS - 1);
    run->findings++;
    snprintf(t->id, sizeof(t->id), "%s", f->id);
    snprintf(t->message, sizeof(t->message), "%s", f->message);
    t->class_ = f->class_;
    t->severity = f->severity;
    t->fatal = fatal;
    t->num_ranks = f->ranks.count;
    for (uint32_t i = 0; i < f->ranks.count && i < RANKS; i++)
        t->ranks[i] = f->ranks.item[i];
}

static void on_state(void *context, const struct ork_finding *f)
{
    struct run *run = context;

    run->states++;
    assert_string_equal(f->id, "state");
    assert_int_equal(f->num_waits, RANKS);
}

static void on_stuck(void *context)
{
    struct run *run = context;

    run->stuck++;
}

static void create(struct run *run, const char *trace, bool deadlocks)
{
    const struct ork_root_options options = {.deadlocks = deadlocks, .trace = trace};

    memset(run, 0, sizeof(*run));
    run->sink = (struct ork_report_sink){
        .context = run, .finding = on_finding, .state = on_state, .stuck = on_stuck};
    run->down = (struct ork_down){.context = run, .collect = collect};
    assert_int_equal(ork_root_create(&options, &run->sink, &run->root), ORK_OK);
    run->up = ork_root_up(run->root);
    ork_root_set_down(run->root, &run->down);
    for (uint32_t r = 0; r < RANKS; r++) {
        run->up.attach(run->up.context, &(struct ork_attached){.rank = r, .pid = 1});
        run->snapshot[r].present = true;
        run->snapshot[r].threads = 1;
    }
}

static int set_up(void **state)
{
    static struct run run;

    create(&run, NULL, true);
    *state = &run;
    return 0;
}

static int tear_down(void **state)
{
    struct run *run = *state;

    ork_root_destroy(run->root);
    return 0;
}

static void init_all(struct run *run)
{
    for (uint32_t r = 0; r < RANKS; r++)
        script_init(&run->script[r], r, RANKS);
}

/* Send up what the script of `rank` has gained; then the rank is in its last call, or not. */
static void play(struct run *run, uint32_t rank, enum ork_state in)
{
    struct script *s = &run->script[rank];
    struct ork_snapshot *now = &run->snapshot[rank];

    assert_int_equal(run->up.batch(run->up.context, rank, s->record, s->n), ORK_OK);
    now->head += s->n;
    now->taken = now->head;
    now->word[0] = now->head << 8 | (uint64_t)in;
    s->n = 0;
}

static void play_all(struct run *run)
{
    for (uint32_t r = 0; r < RANKS; r++)
        play(run, r, ORK_STATE_BLOCKED);
}

static void end(struct run *run, uint32_t rank, enum ork_death how)
{
    run->snapshot[rank].present = false;
    assert_int_equal(run->up.end(run->up.context, rank, how, 2), ORK_OK);
}

/* Step for at most `ms`, or until there are `findings`. */
static void step(struct run *run, unsigned findings, int ms)
{
    for (int i = 0; i < ms && run->findings < findings; i++) {
        assert_int_equal(ork_root_step(run->root, i == 0), ORK_OK);
        usleep(1000);
    }
}

static void assert_told(const struct run *run, unsigned i, const char *id, enum ork_class class_,
                        const char *message)
{
    assert_in_range(i, 0, run->findings - 1);
    assert_string_equal(run->told[i].id, id);
    assert_int_equal(run->told[i].class_, class_);
    assert_string_equal(run->told[i].message, message);
}

static void receives_for_each_other_are_told_at_once(void **state)
{
    struct run *run = *state;

    init_all(run);
    script_recv(&run->script[0], 1, 0);
    script_recv(&run->script[1], 0, 0);
    script_recv(&run->script[2], 0, 0);
    play_all(run);
    step(run, 1, 200);
    assert_told(run, 0, "deadlock", ORK_MANIFEST,
                "ranks 0 and 1 wait for each other; rank 2 waits for them");
    assert_int_equal(run->told[0].num_ranks, 3);
    assert_int_equal(run->told[0].severity, ORK_ERROR);
    assert_true(run->told[0].fatal);
    step(run, 2, 100);
    assert_int_equal(run->findings, 1); /* once */
}

static void ranks_that_still_run_may_join_before_it_is_told(void **state)
{
    struct run *run = *state;

    init_all(run);
    script_recv(&run->script[0], 1, 0);
    script_recv(&run->script[1], 0, 0);
    play(run, 0, ORK_STATE_BLOCKED);
    play(run, 1, ORK_STATE_BLOCKED);
    play(run, 2, ORK_STATE_RUNNING);
    step(run, 1, 100);
    assert_int_equal(run->findings, 0);
    script_recv(&run->script[2], 0, 0);
    play(run, 2, ORK_STATE_BLOCKED);
    step(run, 1, 300);
    assert_int_equal(run->findings, 1);
    assert_int_equal(run->told[0].num_ranks, 3);
}

static void a_partial_deadlock_is_told_although_others_run(void **state)
{
    struct run *run = *state;

    init_all(run);
    script_recv(&run->script[0], 1, 0);
    script_recv(&run->script[1], 0, 0);
    play(run, 0, ORK_STATE_BLOCKED);
    play(run, 1, ORK_STATE_BLOCKED);
    play(run, 2, ORK_STATE_RUNNING);
    step(run, 1, 2000);
    assert_told(run, 0, "deadlock", ORK_MANIFEST, "ranks 0 and 1 wait for each other");
}

static void sends_to_each_other_are_potential_once_both_moved(void **state)
{
    struct run *run = *state;

    init_all(run);
    script_send(&run->script[0], 1, 0);
    script_send(&run->script[1], 0, 0);
    play_all(run);
    step(run, 1, 50);
    assert_int_equal(run->findings, 0);
    script_recv(&run->script[0], 1, 0);
    script_recv(&run->script[1], 0, 0);
    play_all(run);
    step(run, 1, 1000);
    assert_told(run, 0, "deadlock", ORK_POTENTIAL, "ranks 0 and 1 wait for each other");
    assert_false(run->told[0].fatal);
    for (uint32_t r = 0; r < RANKS; r++) {
        script_finalize(&run->script[r]);
        play(run, r, ORK_STATE_DONE);
        end(run, r, ORK_DEATH_FINISHED);
    }
    assert_int_equal(ork_root_finish(run->root), ORK_OK);
    assert_int_equal(run->findings, 1);
}

static void a_rank_that_ended_is_the_cause_for_those_who_wait_for_it(void **state)
{
    struct run *run = *state;

    init_all(run);
    script_recv(&run->script[1], 0, 0);
    script_recv(&run->script[2], 1, 0);
    play(run, 0, ORK_STATE_RUNNING);
    play(run, 1, ORK_STATE_BLOCKED);
    play(run, 2, ORK_STATE_BLOCKED);
    end(run, 0, ORK_DEATH_OUTSIDE);
    step(run, 1, 1000);
    assert_told(run, 0, "deadlock", ORK_MANIFEST,
                "rank 0 ended without MPI_Finalize; ranks 1 and 2 wait for it");
    assert_false(run->told[0].fatal); /* the launcher ends the job */
    assert_int_equal(run->stuck, 0);
    step(run, 2, 4000);
    assert_int_equal(run->stuck, 1); /* and if it does not, it is told so */
}

static void a_rank_killed_inside_a_call_is_no_cause(void **state)
{
    struct run *run = *state;

    init_all(run);
    script_recv(&run->script[0], 2, 0);
    script_recv(&run->script[1], 0, 0);
    play(run, 0, ORK_STATE_BLOCKED);
    play(run, 1, ORK_STATE_BLOCKED);
    play(run, 2, ORK_STATE_RUNNING);
    end(run, 0, ORK_DEATH_INSIDE);
    end(run, 1, ORK_DEATH_INSIDE);
    end(run, 2, ORK_DEATH_INSIDE);
    assert_int_equal(ork_root_finish(run->root), ORK_OK);
    assert_int_equal(run->findings, 0);
}

/* ---- before the size of the job is known ---- */

static void what_comes_before_the_size_is_known_counts_too(void **state)
{
    struct run *run = *state;

    for (int i = 0; i < 20; i++)
        script_text(&run->script[1], (struct ork_record){.kind = ORK_KIND_MODULE, .arg = 1},
                    "/some/module", 12);
    play(run, 1, ORK_STATE_RUNNING);
    play(run, 2, ORK_STATE_RUNNING);
    end(run, 2, ORK_DEATH_OUTSIDE);
    step(run, 1, 5);
    init_all(run);
    run->script[2].n = 0;
    script_recv(&run->script[0], 2, 0);
    script_recv(&run->script[1], 2, 0);
    play(run, 0, ORK_STATE_BLOCKED);
    play(run, 1, ORK_STATE_BLOCKED);
    step(run, 1, 1000);
    assert_told(run, 0, "deadlock", ORK_MANIFEST,
                "rank 2 ended without MPI_Finalize; ranks 0 and 1 wait for it");
}

static uint32_t ranks_in_summary(struct run *run)
{
    struct ork_report report;

    ork_report_init(&report);
    assert_int_equal(ork_root_summary(run->root, &report), ORK_OK);
    uint32_t ranks = report.ranks;
    ork_report_release(&report);
    return ranks;
}

static void an_init_of_an_impossible_size_is_passed_over(void **state)
{
    const uint32_t size[] = {0, 1, UINT32_MAX, UINT32_C(1) << 24};
    struct run *run = *state;

    for (size_t i = 0; i < sizeof(size) / sizeof(*size); i++) {
        script_init(&run->script[1], 1, size[i]); /* rank 1 of 0 or 1 ranks, or of too many */
        play(run, 1, ORK_STATE_RUNNING);
        assert_int_equal(ranks_in_summary(run), 0);
    }
    script_init(&run->script[0], 2, 3); /* says that it is another rank */
    play(run, 0, ORK_STATE_RUNNING);
    assert_int_equal(ranks_in_summary(run), 0);
    script_init(&run->script[0], 0, RANKS);
    play(run, 0, ORK_STATE_RUNNING);
    assert_int_equal(ranks_in_summary(run), RANKS);
}

static void ranks_beyond_the_size_are_passed_over(void **state)
{
    struct run *run = *state;
    struct script s = {.n = 0};

    script_init(&s, 0, 2);
    assert_int_equal(run->up.batch(run->up.context, 0, s.record, s.n), ORK_OK);
    assert_int_equal(run->up.batch(run->up.context, 2, s.record, s.n), ORK_OK);
    assert_int_equal(run->up.batch(run->up.context, UINT32_MAX, s.record, s.n), ORK_OK);
    assert_int_equal(run->up.end(run->up.context, UINT32_MAX, ORK_DEATH_OUTSIDE, 0), ORK_OK);
    assert_int_equal(ranks_in_summary(run), 2);
}

/* ---- corrupt records ---- */

static void a_rank_whose_records_make_no_sense_is_told_and_blamed_for_nothing(void **state)
{
    struct run *run = *state;
    struct ork_report report;

    init_all(run);
    script_add(&run->script[0], (struct ork_record){.kind = UINT8_MAX});
    script_recv(&run->script[1], 0, 0);
    script_recv(&run->script[2], 0, 0);
    play_all(run);
    step(run, 1, 100);
    end(run, 0, ORK_DEATH_INSIDE);
    end(run, 1, ORK_DEATH_INSIDE);
    end(run, 2, ORK_DEATH_INSIDE);
    assert_int_equal(ork_root_finish(run->root), ORK_OK);
    assert_int_equal(run->findings, 1);
    assert_string_equal(run->told[0].id, "corrupt-records");
    assert_int_equal(run->told[0].severity, ORK_WARNING);
    assert_int_equal(run->told[0].num_ranks, 1);
    assert_int_equal(run->told[0].ranks[0], 0);
    ork_report_init(&report);
    assert_int_equal(ork_root_summary(run->root, &report), ORK_OK);
    assert_false(report.complete);
    assert_int_equal(report.statistics.full_waits, 6);
    ork_report_release(&report);
}

static void random_records_of_all_ranks_do_no_harm(void **state)
{
    struct run *run = *state;

    for (uint64_t seed = 1; seed <= 100; seed++) {
        uint64_t random = seed;
        struct ork_record record = {0};
        init_all(run);
        for (uint32_t r = 0; r < RANKS; r++)
            play(run, r, ORK_STATE_RUNNING);
        for (int i = 0; i < 100; i++) {
            uint32_t rank = (uint32_t)(random_next(&random) % RANKS);
            random_record(&random, &record);
            record.kind = (uint8_t)(random_next(&random) % (ORK_KIND_MAX + 1));
            record.count %= 20;
            record.kind = record.kind == ORK_KIND_ABORT ? ORK_KIND_RECV : record.kind;
            assert_int_equal(run->up.batch(run->up.context, rank, &record, 1), ORK_OK);
        }
        assert_int_equal(ork_root_step(run->root, false), ORK_OK);
        assert_int_equal(ork_root_finish(run->root), ORK_OK);
        tear_down(state);
        set_up(state);
    }
}

/* ---- ends ---- */

static void an_interrupt_says_where_everybody_is(void **state)
{
    struct run *run = *state;

    init_all(run);
    script_recv(&run->script[0], 1, 0);
    play(run, 0, ORK_STATE_BLOCKED);
    play(run, 1, ORK_STATE_RUNNING);
    play(run, 2, ORK_STATE_RUNNING);
    assert_int_equal(ork_root_interrupt(run->root), ORK_OK);
    assert_int_equal(run->states, 1);
    end(run, 1, ORK_DEATH_OUTSIDE); /* because of the interrupt */
    end(run, 0, ORK_DEATH_INSIDE);
    end(run, 2, ORK_DEATH_OUTSIDE);
    assert_int_equal(ork_root_finish(run->root), ORK_OK);
    assert_int_equal(run->findings, 0);
}

static void an_interrupt_before_the_start_is_quiet(void **state)
{
    struct run *run = *state;

    assert_int_equal(ork_root_interrupt(run->root), ORK_OK);
    assert_int_equal(ork_root_step(run->root, true), ORK_OK);
    assert_int_equal(ork_root_finish(run->root), ORK_OK);
    assert_int_equal(run->states, 0);
    assert_int_equal(run->findings, 0);
}

static void without_the_search_there_is_no_deadlock(void **state)
{
    struct run *run = *state;

    tear_down(state);
    create(run, NULL, false);
    init_all(run);
    for (uint32_t r = 0; r < RANKS; r++)
        script_recv(&run->script[r], (int32_t)((r + 1) % RANKS), 0);
    play_all(run);
    step(run, 1, 50);
    for (uint32_t r = 0; r < RANKS; r++)
        end(run, r, ORK_DEATH_INSIDE);
    assert_int_equal(ork_root_finish(run->root), ORK_OK);
    assert_int_equal(run->findings, 0);
}

static void a_rank_that_was_never_seen_makes_the_report_incomplete(void **state)
{
    struct run *run = *state;
    struct ork_report report;
    const char *note = "1 of 4 ranks were not observed";

    for (uint32_t r = 0; r < RANKS; r++)
        script_init(&run->script[r], r, RANKS + 1);
    play_all(run);
    ork_report_init(&report);
    assert_int_equal(ork_root_summary(run->root, &report), ORK_OK);
    assert_false(report.complete);
    assert_int_equal(report.num_notes, 1);
    assert_string_equal(report.note[0], note);
    ork_report_release(&report);
}

static void a_trace_that_cannot_be_written_stops_the_start(void **state)
{
    const struct ork_root_options options = {.deadlocks = true, .trace = "/no/such/folder/trace"};
    const struct run *run = *state;
    struct ork_root *root;

    assert_int_equal(ork_root_create(&options, &run->sink, &root), ORK_IO);
}

static void a_trace_is_written_beside(void **state)
{
    struct run *run = *state;
    char path[64];

    snprintf(path, sizeof(path), "/tmp/orknot-unit-root-%d", (int)getpid());
    unlink(path);
    tear_down(state);
    create(run, path, true);
    init_all(run);
    play_all(run);
    end(run, 0, ORK_DEATH_FINISHED);
    ork_root_destroy(run->root);
    FILE *file = fopen(path, "re");
    char start[8];
    assert_non_null(file);
    assert_int_equal(fread(start, sizeof(start), 1, file), 1);
    assert_memory_equal(start, "ORKTRACE", 8);
    fseek(file, 0, SEEK_END);
    assert_in_range(ftell(file), 12 + 4 * 12, 1000);
    fclose(file);
    unlink(path);
    set_up(state);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(receives_for_each_other_are_told_at_once),
        CASE(ranks_that_still_run_may_join_before_it_is_told),
        CASE(a_partial_deadlock_is_told_although_others_run),
        CASE(sends_to_each_other_are_potential_once_both_moved),
        CASE(a_rank_that_ended_is_the_cause_for_those_who_wait_for_it),
        CASE(a_rank_killed_inside_a_call_is_no_cause),
        CASE(what_comes_before_the_size_is_known_counts_too),
        CASE(an_init_of_an_impossible_size_is_passed_over),
        CASE(ranks_beyond_the_size_are_passed_over),
        CASE(a_rank_whose_records_make_no_sense_is_told_and_blamed_for_nothing),
        CASE(random_records_of_all_ranks_do_no_harm),
        CASE(an_interrupt_says_where_everybody_is),
        CASE(an_interrupt_before_the_start_is_quiet),
        CASE(without_the_search_there_is_no_deadlock),
        CASE(a_rank_that_was_never_seen_makes_the_report_incomplete),
        CASE(a_trace_that_cannot_be_written_stops_the_start),
        CASE(a_trace_is_written_beside),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
