/* SPDX-License-Identifier: BSD-3-Clause */
#include "wire_link.h"

#include "tests/unit/record/random.h"
#include "unit.h"

#include <stdlib.h>
#include <stdio.h>
#include <string.h>

void link_note(struct link_notes *notes, const void *bytes, size_t size)
{
    assert_true(notes->n + size <= LINK_SAID);
    memcpy(notes->bytes + notes->n, bytes, size);
    notes->n += size;
}

static void note_number(struct link_notes *notes, uint64_t number)
{
    link_note(notes, &number, sizeof(number));
}

static void note_job(struct link_notes *notes, const struct ork_job_name *job)
{
    note_number(notes, ORK_EVENT_JOB);
    note_number(notes, job->size);
    link_note(notes, job->name, strlen(job->name) + 1);
}

static void note_unseen(struct link_notes *notes, const struct ork_unseen *unseen)
{
    note_number(notes, unseen->why);
    note_number(notes, unseen->launched);
    note_number(notes, unseen->is_alone);
    link_note(notes, unseen->library, strlen(unseen->library) + 1);
}

static void note_attach(struct link_notes *notes, uint32_t rank,
                        const struct ork_attached *attached)
{
    note_number(notes, ORK_EVENT_ATTACH);
    note_number(notes, rank);
    note_number(notes, attached->pid);
    note_number(notes, attached->leaf);
}

/* Record by record: a batch may come in parts. */
void link_note_batch(struct link_notes *notes, uint32_t rank, const struct ork_record *record,
                     size_t n, uint32_t again)
{
    if (again > 0)
        note_number(notes, again);
    for (size_t i = 0; i < n; i++) {
        note_number(notes, ORK_EVENT_RECORDS);
        note_number(notes, rank);
        link_note(notes, &record[i], sizeof(record[i]));
    }
}

void link_note_wave(struct link_notes *notes, const struct ork_wave *wave)
{
    note_number(notes, ORK_EVENT_WAVE);
    note_number(notes, wave->index);
    note_number(notes, wave->num_group_records);
    for (uint32_t i = 0; i < wave->num_group_records; i++) {
        const struct ork_group_record *a = &wave->group_record[i];
        link_note(notes, &a->call, sizeof(a->call));
        note_number(notes, a->num_spans);
        link_note(notes, a->span, a->num_spans * sizeof(*a->span));
    }
}

static void note_text(struct link_notes *notes, const char *text)
{
    link_note(notes, text, strlen(text) + 1);
}

static void note_end(struct link_notes *notes, uint32_t rank, const struct ork_ending *e)
{
    note_number(notes, ORK_EVENT_END);
    note_number(notes, rank);
    note_number(notes, e->how);
    note_number(notes, e->full_waits);
    note_number(notes, e->kind);
    note_number(notes, (uint32_t)e->value);
    note_number(notes, (uint32_t)e->code);
    note_number(notes, e->sender);
    note_number(notes, e->time_ns);
    note_number(notes, e->polls);
    link_note(notes, &e->polled, sizeof(e->polled));
    link_note(notes, &e->last, sizeof(e->last));
    note_text(notes, e->call != NULL ? e->call : "");
    note_text(notes, e->text != NULL ? e->text : "");
    note_number(notes, e->wait != NULL ? e->wait->num_stack : 0);
    for (uint32_t i = 0; e->wait != NULL && i < e->wait->num_stack; i++)
        note_text(notes, e->wait->stack[i].file != NULL ? e->wait->stack[i].file : "");
}

void link_note_snapshot(struct link_notes *notes, uint32_t rank, const struct ork_snapshot *s)
{
    note_number(notes, ORK_EVENT_SNAPSHOT);
    note_number(notes, rank);
    note_number(notes, s->head);
    note_number(notes, s->threads);
    link_note(notes, s->word, s->threads * sizeof(*s->word));
    note_number(notes, s->others);
    note_number(notes, s->resting);
    note_number(notes, s->stirred);
    note_number(notes, s->others_ns);
    note_number(notes, s->wrong);
    note_number(notes, s->polls);
    note_number(notes, s->probes);
    link_note(notes, &s->polled, sizeof(s->polled));
    note_number(notes, s->looks);
    note_number(notes, s->busy);
    note_number(notes, s->timed);
    note_number(notes, s->work_ns);
    note_number(notes, s->wait);
    note_number(notes, s->has_decisions);
    note_number(notes, s->waiting_looks);
    note_number(notes, s->cpu_ns);
    note_number(notes, s->inside_ns);
    note_number(notes, s->slept_ns);
    note_number(notes, s->waited_ns);
    note_number(notes, s->yields);
    note_number(notes, s->is_runnable);
    note_number(notes, s->is_halted);
    note_number(notes, s->sleeps);
}

static void note_stack(struct link_notes *notes, const struct ork_rank_row *wait,
                       const char *reason)
{
    note_number(notes, ORK_EVENT_STACK);
    note_number(notes, wait->rank);
    link_note(notes, reason, strlen(reason) + 1);
    note_number(notes, wait->num_stack);
    for (uint32_t i = 0; i < wait->num_stack; i++) {
        link_note(notes, wait->stack[i].function, strlen(wait->stack[i].function) + 1);
        note_number(notes, wait->stack[i].line);
        note_number(notes, wait->stack[i].inlined);
    }
}

static void note_latest(struct link_notes *notes, const struct ork_latest *latest)
{
    note_number(notes, ORK_EVENT_LATEST);
    note_number(notes, latest->rank);
    for (uint32_t i = 0; i < latest->num_calls; i++) {
        const struct ork_latest_call *c = &latest->call[i];
        link_note(notes, &c->call, sizeof(c->call));
        note_number(notes, c->times);
        note_number(notes, (uint32_t)c->took);
        note_number(notes, (uint32_t)c->took_tag);
        note_number(notes, c->error);
        note_number(notes, c->inside);
        note_number(notes, c->iteration);
        note_number(notes, c->iterations);
    }
}

/* ---- who hears ---- */

static bool is_damaged(const struct ork_rank_row *row)
{
    for (uint32_t i = 0; i < row->num_stack; i++) {
        if (row->stack[i].function == NULL)
            return true;
    }
    return false;
}

static enum ork_status hear(void *context, const struct ork_event *e)
{
    switch (e->kind) {
    case ORK_EVENT_JOB:
        note_job(context, e->job);
        break;
    case ORK_EVENT_ATTACH:
        note_attach(context, e->rank, &e->attached);
        break;
    case ORK_EVENT_RECORDS:
        link_note_batch(context, e->rank, e->records.record, e->records.count, e->records.again);
        break;
    case ORK_EVENT_WAVE:
        link_note_wave(context, e->wave);
        break;
    case ORK_EVENT_END:
        note_end(context, e->rank, e->ending);
        break;
    case ORK_EVENT_UNASSIGNED:
        note_number(context, e->kind);
        break;
    case ORK_EVENT_SNAPSHOT:
        link_note_snapshot(context, e->rank, e->snapshot);
        break;
    case ORK_EVENT_COLLECTED:
        note_number(context, e->kind);
        note_number(context, e->round);
        break;
    case ORK_EVENT_LOST:
        note_number(context, e->kind);
        note_number(context, e->lost.first);
        note_number(context, e->lost.end);
        break;
    case ORK_EVENT_STACK:
        if (!is_damaged(e->stack.row))
            note_stack(context, e->stack.row, e->stack.reason);
        break;
    case ORK_EVENT_WAITS:
        note_number(context, e->kind);
        note_number(context, e->waits);
        break;
    case ORK_EVENT_LATEST:
        note_latest(context, e->latest);
        break;
    case ORK_EVENT_CUT:
        note_number(context, e->kind);
        note_number(context, e->rank);
        break;
    case ORK_EVENT_UNSEEN:
        note_number(context, e->kind);
        note_unseen(context, e->unseen);
        break;
    case ORK_EVENT_GOODBYE:
        note_number(context, e->kind);
        note_number(context, e->process);
        break;
    }
    return ORK_OK;
}

/* ---- the bytes ---- */

static uint8_t *reserve(void *context, size_t size)
{
    struct wire_link *link = context;

    return link->n + size <= LINK_ROOM ? link->buffer + link->n : NULL;
}

static void commit(void *context, size_t size)
{
    struct wire_link *link = context;

    assert_true(size <= ORK_FRAME_MAX);
    link->n += size;
}

static size_t room(void *context)
{
    const struct wire_link *link = context;

    return link->room;
}

int link_set_up(void **state)
{
    static struct wire_link link;
    const struct ork_up heard = {.context = &link.heard, .deliver = hear};

    memset(&link, 0, sizeof(link));
    link.seed = 1;
    link.room = ORK_FRAME_MAX;
    link.buffer = malloc(LINK_ROOM);
    link.out =
        (struct ork_wire_out){.context = &link, .reserve = reserve, .commit = commit, .room = room};
    *state = &link;
    if (link.buffer == NULL || ork_wire_writer_create(&link.out, LINK_LEAF, &link.writer) != ORK_OK)
        return 1;
    link.up = ork_wire_up(link.writer);
    return ork_wire_reader_create(&heard, &link.reader) != ORK_OK;
}

int link_tear_down(void **state)
{
    struct wire_link *link = *state;

    ork_wire_writer_destroy(link->writer);
    ork_wire_reader_destroy(link->reader);
    free(link->buffer);
    return 0;
}

unsigned link_deliver(struct wire_link *link)
{
    unsigned frames = 0;
    size_t at = 0, used = 0;
    enum ork_event_kind kind;

    for (; at < link->n; at += used, frames++) {
        assert_int_equal(ork_wire_frame(link->buffer + at, link->n - at, &kind, &used), ORK_OK);
        assert_int_equal(kind, link->buffer[at]);
        assert_int_equal(ork_wire_read(link->reader, link->buffer + at, used), ORK_OK);
    }
    assert_int_equal(at, link->n);
    link->n = 0;
    return frames;
}

void link_assert_heard(struct wire_link *link)
{
    link_deliver(link);
    assert_int_equal(link->heard.n, link->said.n);
    assert_memory_equal(link->heard.bytes, link->said.bytes, link->said.n);
    link->heard.n = link->said.n = 0;
}

/* ---- saying something, with random contents ---- */

static uint64_t some(struct wire_link *link)
{
    return random_value(&link->seed);
}

static uint32_t some_rank(struct wire_link *link)
{
    uint64_t wide = random_next(&link->seed) % 16 == 0 ? 10000 : 40;

    return (uint32_t)(random_next(&link->seed) % wide);
}

void link_say(struct wire_link *link, const struct ork_event *event)
{
    assert_int_equal(ork_up_deliver(&link->up, event), ORK_OK);
}

static void say_job(struct wire_link *link)
{
    struct ork_job_name job = {.size = (uint32_t)some(link)};
    size_t length = random_next(&link->seed) % sizeof(job.name);

    for (size_t i = 0; i < length; i++)
        job.name[i] = (char)(1 + random_next(&link->seed) % 255);
    note_job(&link->said, &job);
    link_say(link, &(struct ork_event){.kind = ORK_EVENT_JOB, .job = &job});
}

void link_say_attach(struct wire_link *link)
{
    const uint32_t rank = some_rank(link);
    const struct ork_attached attached = {.pid = (uint32_t)some(link), .leaf = LINK_LEAF};

    note_attach(&link->said, rank, &attached);
    link_say(link, &(struct ork_event){
                       .kind = ORK_EVENT_ATTACH, .rank = rank, .attached = {.pid = attached.pid}});
}

/* A record, and now and then its list. */
void link_say_batch(struct wire_link *link)
{
    struct ork_record record[40] = {{0}};
    uint32_t rank = some_rank(link);
    size_t n = 1 + random_next(&link->seed) % 40;

    for (size_t i = 0; i < n; i++) {
        if (i > 0 && random_next(&link->seed) % 3 == 0) {
            struct ork_cont cont = random_cont(&link->seed);
            memcpy(&record[i], &cont, sizeof(cont));
        } else {
            random_record(&link->seed, &record[i]);
        }
    }
    uint32_t again =
        random_next(&link->seed) % 4 == 0 ? (uint32_t)(random_next(&link->seed) % 1000) : 0;
    link_note_batch(&link->said, rank, record, n, again);
    link_say(link, &(struct ork_event){
                       .kind = ORK_EVENT_RECORDS, .rank = rank, .records = {record, n, again}});
}

void link_say_wave(struct wire_link *link)
{
    struct ork_group_record group_record[8] = {{.num_spans = 0}};
    struct ork_span span[8][8];
    struct ork_wave wave = {.index = (uint32_t)some(link), .group_record = group_record};

    wave.num_group_records = 1 + (uint32_t)(random_next(&link->seed) % 8);
    for (uint32_t i = 0; i < wave.num_group_records; i++) {
        uint32_t next = 0;
        random_record(&link->seed, &group_record[i].call);
        group_record[i].call.comm %= 1 << 12;
        group_record[i].span = span[i];
        group_record[i].num_spans = 1 + (uint32_t)(random_next(&link->seed) % 8);
        for (uint32_t k = 0; k < group_record[i].num_spans; k++) {
            span[i][k].first = next + (uint32_t)(random_next(&link->seed) % 1000);
            span[i][k].count = 1 + (uint32_t)(random_next(&link->seed) % 100000);
            next = span[i][k].first + span[i][k].count + 1;
        }
    }
    link_note_wave(&link->said, &wave);
    link_say(link, &(struct ork_event){.kind = ORK_EVENT_WAVE, .wave = &wave});
}

static void say_end(struct wire_link *link)
{
    static char file[] = "a.c";
    static struct ork_where frame[2] = {{.file = file, .line = 3}, {.file = file, .line = 7}};
    static const struct ork_rank_row wait = {.rank = 1, .stack = frame, .num_stack = 2};
    static const char *const text[] = {NULL, "", "MPI_Send", "MPI_ERR_RANK: invalid rank"};
    uint32_t rank = some_rank(link);
    struct ork_ending e = {.how = (enum ork_death)(random_next(&link->seed) % 4),
                           .full_waits = some(link),
                           .kind = (enum ork_note_kind)(random_next(&link->seed) % 5),
                           .value = (int32_t)some(link),
                           .code = (int32_t)some(link),
                           .sender = (uint32_t)some(link),
                           .time_ns = some(link),
                           .polls = some(link),
                           .polled = {.site = (uint32_t)some(link),
                                      .call = (uint32_t)some(link),
                                      .peer = (int32_t)some(link)},
                           .call = text[random_next(&link->seed) % 4],
                           .text = text[random_next(&link->seed) % 4],
                           .wait = random_next(&link->seed) % 2 == 0 ? &wait : NULL};

    random_record(&link->seed, &e.last);
    note_end(&link->said, rank, &e);
    link_say(link, &(struct ork_event){.kind = ORK_EVENT_END, .rank = rank, .ending = &e});
}

static void say_unknown(struct wire_link *link)
{
    note_number(&link->said, ORK_EVENT_UNASSIGNED);
    link_say(link, &(struct ork_event){.kind = ORK_EVENT_UNASSIGNED});
}

static void say_snapshot(struct wire_link *link)
{
    struct ork_snapshot s = {.head = some(link), .polls = some(link), .probes = some(link)};
    uint32_t rank = some_rank(link);

    s.threads = (uint32_t)(random_next(&link->seed) % (ORK_RING_THREADS + 1));
    for (uint32_t t = 0; t < s.threads; t++)
        s.word[t] = some(link);
    s.others = (enum ork_others)(some(link) % (ORK_OTHERS_ACT + 1));
    s.resting = some(link);
    s.stirred = some(link);
    s.others_ns = some(link);
    s.wrong = some(link);
    s.polled = (struct ork_polled){.site = (uint32_t)some(link),
                                   .call = (uint32_t)some(link),
                                   .peer = (int32_t)some(link),
                                   .tag = (int32_t)some(link),
                                   .comm = (uint32_t)some(link)};
    s.looks = some(link);
    s.busy = some(link);
    s.timed = some(link);
    s.work_ns = some(link);
    s.cpu_ns = some(link);
    s.inside_ns = some(link);
    s.wait = (uint32_t)some(link);
    s.has_decisions = some(link) % 2 != 0;
    s.waiting_looks = some(link);
    s.slept_ns = some(link);
    s.waited_ns = some(link);
    s.yields = some(link);
    s.is_runnable = some(link) % 2 != 0;
    s.is_halted = some(link) % 2 != 0;
    s.sleeps = some(link) % 2 != 0;
    link_note_snapshot(&link->said, rank, &s);
    link_say(link, &(struct ork_event){.kind = ORK_EVENT_SNAPSHOT, .rank = rank, .snapshot = &s});
}

static void say_collected(struct wire_link *link)
{
    uint32_t round = (uint32_t)some(link);

    note_number(&link->said, ORK_EVENT_COLLECTED);
    note_number(&link->said, round);
    link_say(link, &(struct ork_event){.kind = ORK_EVENT_COLLECTED, .round = round});
}

static void say_stack(struct wire_link *link)
{
    char function[] = "exchange<\"halo\">";
    char file[] = "halo.c";
    struct ork_where frames[] = {
        {.function = function, .file = file, .line = 12, .inlined = true},
        {.function = function, .file = file, .line = (uint32_t)some(link) % 1000},
    };
    struct ork_rank_row wait = {
        .rank = (uint32_t)some(link) % 1000, .stack = frames, .num_stack = 2};
    const char *reason = some(link) % 2 == 0 ? "" : "the kernel forbids it";

    note_stack(&link->said, &wait, reason);
    link_say(link, &(struct ork_event){.kind = ORK_EVENT_STACK, .stack = {&wait, reason}});
}

static void say_latest(struct wire_link *link)
{
    static struct ork_latest latest;
    uint32_t room = sizeof(latest.call) / sizeof(latest.call[0]);

    latest.rank = (uint32_t)some(link) % 1000;
    latest.num_calls = (uint32_t)some(link) % (room + 1);
    for (uint32_t i = 0; i < latest.num_calls; i++) {
        struct ork_latest_call *c = &latest.call[i];
        *c = (struct ork_latest_call){.times = (uint32_t)some(link),
                                      .took = (int32_t)some(link),
                                      .took_tag = (int32_t)some(link),
                                      .error = (uint32_t)some(link),
                                      .inside = some(link) % 2 == 0,
                                      .iteration = (uint32_t)some(link),
                                      .iterations = (uint32_t)some(link)};
        random_record(&link->seed, &c->call);
    }
    note_latest(&link->said, &latest);
    link_say(link, &(struct ork_event){.kind = ORK_EVENT_LATEST, .latest = &latest});
}

static void say_waits(struct wire_link *link)
{
    uint64_t count = some(link);

    note_number(&link->said, ORK_EVENT_WAITS);
    note_number(&link->said, count);
    link_say(link, &(struct ork_event){.kind = ORK_EVENT_WAITS, .waits = count});
}

static void say_lost(struct wire_link *link)
{
    uint32_t first = (uint32_t)some(link), end = (uint32_t)some(link);

    note_number(&link->said, ORK_EVENT_LOST);
    note_number(&link->said, first);
    note_number(&link->said, end);
    link_say(link, &(struct ork_event){.kind = ORK_EVENT_LOST, .lost = {first, end}});
}

static void say_cut(struct wire_link *link)
{
    uint32_t rank = (uint32_t)some(link) % 1000;

    note_number(&link->said, ORK_EVENT_CUT);
    note_number(&link->said, rank);
    link_say(link, &(struct ork_event){.kind = ORK_EVENT_CUT, .rank = rank});
}

static void say_unseen(struct wire_link *link)
{
    struct ork_unseen unseen = {.why = (uint32_t)some(link) % ORK_UNSEEN_MAX,
                                .launched = (uint32_t)some(link),
                                .is_alone = (uint32_t)some(link) % 2};

    snprintf(unseen.library, sizeof(unseen.library), "library %u", (unsigned)some(link));
    note_number(&link->said, ORK_EVENT_UNSEEN);
    note_unseen(&link->said, &unseen);
    link_say(link, &(struct ork_event){.kind = ORK_EVENT_UNSEEN, .unseen = &unseen});
}

static void say_goodbye(struct wire_link *link)
{
    uint32_t process = (uint32_t)some(link);

    note_number(&link->said, ORK_EVENT_GOODBYE);
    note_number(&link->said, process);
    link_say(link, &(struct ork_event){.kind = ORK_EVENT_GOODBYE, .process = process});
}

void (*const link_sayings[])(struct wire_link *) = {
    say_job,     link_say_attach, link_say_batch, link_say_wave, say_end,
    say_unknown, say_snapshot,    say_collected,  say_lost,      say_stack,
    say_waits,   say_latest,      say_cut,        say_unseen,    say_goodbye};
_Static_assert(sizeof(link_sayings) / sizeof(*link_sayings) == LINK_SAYINGS, "all of them");
