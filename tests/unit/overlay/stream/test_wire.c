/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/stream/wire.h"

#include "tests/unit/overlay/stage/unit.h"
#include "tests/unit/record/random.h"

#include <stdlib.h>
#include <string.h>

/* ---- a link of bytes: what is said above a writer is heard behind a reader ---- */

enum { ROOM = 1 << 20, SAID = 1 << 18 };

/* Both sides keep what was said as text of its own, so that all of it can be compared. */
struct notes {
    uint8_t bytes[SAID];
    size_t n;
};

struct link {
    uint8_t *buffer; /* ROOM bytes, the first `n` are frames */
    size_t n, room;
    struct ork_wire_out out;
    struct ork_wire_writer *writer;
    struct ork_wire_reader *reader;
    struct ork_up up;
    struct notes said, heard;
    uint64_t seed;
};

static void note(struct notes *notes, const void *bytes, size_t size)
{
    assert_true(notes->n + size <= SAID);
    memcpy(notes->bytes + notes->n, bytes, size);
    notes->n += size;
}

static void note_number(struct notes *notes, uint64_t number)
{
    note(notes, &number, sizeof(number));
}

static void note_job(struct notes *notes, const struct ork_job_name *job)
{
    note_number(notes, ORK_EVENT_JOB);
    note_number(notes, job->size);
    note(notes, job->name, strlen(job->name) + 1);
}

static void note_attach(struct notes *notes, uint32_t rank, const struct ork_attached *attached)
{
    note_number(notes, ORK_EVENT_ATTACH);
    note_number(notes, rank);
    note_number(notes, attached->pid);
    note_number(notes, attached->leaf);
}

/* Record by record: a batch may come in parts. */
static void note_batch(struct notes *notes, uint32_t rank, const struct ork_record *record,
                       size_t n, uint32_t again)
{
    if (again > 0)
        note_number(notes, again);
    for (size_t i = 0; i < n; i++) {
        note_number(notes, ORK_EVENT_RECORDS);
        note_number(notes, rank);
        note(notes, &record[i], sizeof(record[i]));
    }
}

static void note_wave(struct notes *notes, const struct ork_wave *wave)
{
    note_number(notes, ORK_EVENT_WAVE);
    note_number(notes, wave->index);
    note_number(notes, wave->num_group_records);
    for (uint32_t i = 0; i < wave->num_group_records; i++) {
        const struct ork_group_record *a = &wave->group_record[i];
        note(notes, &a->call, sizeof(a->call));
        note_number(notes, a->num_spans);
        note(notes, a->span, a->num_spans * sizeof(*a->span));
    }
}

static void note_text(struct notes *notes, const char *text)
{
    note(notes, text, strlen(text) + 1);
}

static void note_end(struct notes *notes, uint32_t rank, const struct ork_ending *e)
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
    note(notes, &e->last, sizeof(e->last));
    note_text(notes, e->call != NULL ? e->call : "");
    note_text(notes, e->text != NULL ? e->text : "");
    note_number(notes, e->wait != NULL ? e->wait->num_stack : 0);
    for (uint32_t i = 0; e->wait != NULL && i < e->wait->num_stack; i++)
        note_text(notes, e->wait->stack[i].file != NULL ? e->wait->stack[i].file : "");
}

static void note_snapshot(struct notes *notes, uint32_t rank, const struct ork_snapshot *s)
{
    note_number(notes, ORK_EVENT_SNAPSHOT);
    note_number(notes, rank);
    note_number(notes, s->head);
    note_number(notes, s->threads);
    note(notes, s->word, s->threads * sizeof(*s->word));
    note_number(notes, s->others);
    note_number(notes, s->resting);
    note_number(notes, s->stirred);
    note_number(notes, s->others_ns);
    note_number(notes, s->polls);
    note_number(notes, s->probes);
    note(notes, &s->polled, sizeof(s->polled));
    note_number(notes, s->looks);
    note_number(notes, s->busy);
    note_number(notes, s->timed);
    note_number(notes, s->work_ns);
    note_number(notes, s->wait);
    note_number(notes, s->has_decisions);
    note_number(notes, s->waiting_looks);
    note_number(notes, s->cpu_ns);
    note_number(notes, s->inside_ns);
    note_number(notes, s->sleeps);
}

static void note_stack(struct notes *notes, const struct ork_rank_row *wait, const char *reason)
{
    note_number(notes, ORK_EVENT_STACK);
    note_number(notes, wait->rank);
    note(notes, reason, strlen(reason) + 1);
    note_number(notes, wait->num_stack);
    for (uint32_t i = 0; i < wait->num_stack; i++) {
        note(notes, wait->stack[i].function, strlen(wait->stack[i].function) + 1);
        note_number(notes, wait->stack[i].line);
        note_number(notes, wait->stack[i].inlined);
    }
}

static void note_latest(struct notes *notes, const struct ork_latest *latest)
{
    note_number(notes, ORK_EVENT_LATEST);
    note_number(notes, latest->rank);
    for (uint32_t i = 0; i < latest->num_calls; i++) {
        const struct ork_latest_call *c = &latest->call[i];
        note(notes, &c->call, sizeof(c->call));
        note_number(notes, c->times);
        note_number(notes, (uint32_t)c->took);
        note_number(notes, (uint32_t)c->took_tag);
        note_number(notes, c->error);
        note_number(notes, c->inside);
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
        note_batch(context, e->rank, e->records.record, e->records.count, e->records.again);
        break;
    case ORK_EVENT_WAVE:
        note_wave(context, e->wave);
        break;
    case ORK_EVENT_END:
        note_end(context, e->rank, e->ending);
        break;
    case ORK_EVENT_UNASSIGNED:
        note_number(context, e->kind);
        break;
    case ORK_EVENT_SNAPSHOT:
        note_snapshot(context, e->rank, e->snapshot);
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
    }
    return ORK_OK;
}

/* ---- the bytes ---- */

static uint8_t *reserve(void *context, size_t size)
{
    struct link *link = context;

    return link->n + size <= ROOM ? link->buffer + link->n : NULL;
}

static void commit(void *context, size_t size)
{
    struct link *link = context;

    assert_true(size <= ORK_FRAME_MAX);
    link->n += size;
}

static size_t room(void *context)
{
    const struct link *link = context;

    return link->room;
}

enum { LEAF = 5 };

static int set_up(void **state)
{
    static struct link link;
    const struct ork_up heard = {.context = &link.heard, .deliver = hear};

    memset(&link, 0, sizeof(link));
    link.seed = 1;
    link.room = ORK_FRAME_MAX;
    link.buffer = malloc(ROOM);
    link.out =
        (struct ork_wire_out){.context = &link, .reserve = reserve, .commit = commit, .room = room};
    *state = &link;
    if (link.buffer == NULL || ork_wire_writer_create(&link.out, LEAF, &link.writer) != ORK_OK)
        return 1;
    link.up = ork_wire_up(link.writer);
    return ork_wire_reader_create(&heard, &link.reader) != ORK_OK;
}

static int tear_down(void **state)
{
    struct link *link = *state;

    ork_wire_writer_destroy(link->writer);
    ork_wire_reader_destroy(link->reader);
    free(link->buffer);
    return 0;
}

/* Give all frames to the reader; how many there were. */
static unsigned deliver(struct link *link)
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

static void assert_heard(struct link *link)
{
    deliver(link);
    assert_int_equal(link->heard.n, link->said.n);
    assert_memory_equal(link->heard.bytes, link->said.bytes, link->said.n);
    link->heard.n = link->said.n = 0;
}

/* ---- saying something, with random contents ---- */

static uint64_t some(struct link *link)
{
    return random_value(&link->seed);
}

static uint32_t some_rank(struct link *link)
{
    uint64_t wide = random_next(&link->seed) % 16 == 0 ? 10000 : 40;

    return (uint32_t)(random_next(&link->seed) % wide);
}

static void say(struct link *link, const struct ork_event *event)
{
    assert_int_equal(ork_up_deliver(&link->up, event), ORK_OK);
}

static void say_job(struct link *link)
{
    struct ork_job_name job = {.size = (uint32_t)some(link)};
    size_t length = random_next(&link->seed) % sizeof(job.name);

    for (size_t i = 0; i < length; i++)
        job.name[i] = (char)(1 + random_next(&link->seed) % 255);
    note_job(&link->said, &job);
    say(link, &(struct ork_event){.kind = ORK_EVENT_JOB, .job = &job});
}

static void say_attach(struct link *link)
{
    const uint32_t rank = some_rank(link);
    const struct ork_attached attached = {.pid = (uint32_t)some(link), .leaf = LEAF};

    note_attach(&link->said, rank, &attached);
    say(link, &(struct ork_event){
                  .kind = ORK_EVENT_ATTACH, .rank = rank, .attached = {.pid = attached.pid}});
}

/* A record, and now and then its list. */
static void say_batch(struct link *link)
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
    note_batch(&link->said, rank, record, n, again);
    say(link, &(struct ork_event){
                  .kind = ORK_EVENT_RECORDS, .rank = rank, .records = {record, n, again}});
}

static void say_wave(struct link *link)
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
    note_wave(&link->said, &wave);
    say(link, &(struct ork_event){.kind = ORK_EVENT_WAVE, .wave = &wave});
}

static void say_end(struct link *link)
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
                           .call = text[random_next(&link->seed) % 4],
                           .text = text[random_next(&link->seed) % 4],
                           .wait = random_next(&link->seed) % 2 == 0 ? &wait : NULL};

    random_record(&link->seed, &e.last);
    note_end(&link->said, rank, &e);
    say(link, &(struct ork_event){.kind = ORK_EVENT_END, .rank = rank, .ending = &e});
}

static void say_stranger(struct link *link)
{
    note_number(&link->said, ORK_EVENT_UNASSIGNED);
    say(link, &(struct ork_event){.kind = ORK_EVENT_UNASSIGNED});
}

static void say_snapshot(struct link *link)
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
    s.sleeps = some(link) % 2 != 0;
    note_snapshot(&link->said, rank, &s);
    say(link, &(struct ork_event){.kind = ORK_EVENT_SNAPSHOT, .rank = rank, .snapshot = &s});
}

static void say_collected(struct link *link)
{
    uint32_t round = (uint32_t)some(link);

    note_number(&link->said, ORK_EVENT_COLLECTED);
    note_number(&link->said, round);
    say(link, &(struct ork_event){.kind = ORK_EVENT_COLLECTED, .round = round});
}

static void say_stack(struct link *link)
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
    say(link, &(struct ork_event){.kind = ORK_EVENT_STACK, .stack = {&wait, reason}});
}

static void say_latest(struct link *link)
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
                                      .inside = some(link) % 2 == 0};
        random_record(&link->seed, &c->call);
    }
    note_latest(&link->said, &latest);
    say(link, &(struct ork_event){.kind = ORK_EVENT_LATEST, .latest = &latest});
}

static void say_waits(struct link *link)
{
    uint64_t count = some(link);

    note_number(&link->said, ORK_EVENT_WAITS);
    note_number(&link->said, count);
    say(link, &(struct ork_event){.kind = ORK_EVENT_WAITS, .waits = count});
}

static void say_lost(struct link *link)
{
    uint32_t first = (uint32_t)some(link), end = (uint32_t)some(link);

    note_number(&link->said, ORK_EVENT_LOST);
    note_number(&link->said, first);
    note_number(&link->said, end);
    say(link, &(struct ork_event){.kind = ORK_EVENT_LOST, .lost = {first, end}});
}

static void (*const sayings[])(struct link *) = {
    say_job,      say_attach,    say_batch, say_wave,  say_end,   say_stranger,
    say_snapshot, say_collected, say_lost,  say_stack, say_waits, say_latest};
enum { SAYINGS = sizeof(sayings) / sizeof(*sayings) };

/* ---- round trips ---- */

static void everything_that_is_said_is_heard(void **state)
{
    struct link *link = *state;

    for (int i = 0; i < 20000; i++) {
        for (int k = 0; k < 3; k++)
            sayings[random_next(&link->seed) % SAYINGS](link);
        assert_heard(link);
    }
}

static void the_greatest_values_go_through(void **state)
{
    struct link *link = *state;
    struct ork_record record[3];
    struct ork_snapshot s;

    memset(record, 0xff, sizeof(record));
    for (int i = 0; i < 3; i++)
        record[i].kind = i == 1 ? 1 : ORK_KIND_MAX - 1;
    memset(&record[1].flags, 0, sizeof(record[1]) - 1);
    note_batch(&link->said, (1 << 24) - 1, record, 3, 0);
    say(link, &(struct ork_event){
                  .kind = ORK_EVENT_RECORDS, .rank = (1 << 24) - 1, .records = {record, 3}});
    memset(&s, 0xff, sizeof(s));
    s.sleeps = s.has_decisions = true;
    s.threads = ORK_RING_THREADS;
    s.others = ORK_OTHERS_ACT;
    note_snapshot(&link->said, (1 << 24) - 1, &s);
    say(link,
        &(struct ork_event){.kind = ORK_EVENT_SNAPSHOT, .rank = (1 << 24) - 1, .snapshot = &s});
    assert_heard(link);
}

static void a_long_batch_comes_in_several_frames(void **state)
{
    struct link *link = *state;
    enum { MANY = 900 };
    static struct ork_record record[MANY];

    memset(record, 0, sizeof(record));
    for (int i = 0; i < MANY; i++)
        random_record(&link->seed, &record[i]);
    note_batch(&link->said, 3, record, MANY, 0);
    say(link, &(struct ork_event){.kind = ORK_EVENT_RECORDS, .rank = 3, .records = {record, MANY}});
    assert_heard(link);
    memset(record, 0, sizeof(record)); /* of few bytes each */
    for (int i = 0; i < MANY; i++)
        record[i].kind = ORK_KIND_START;
    say(link, &(struct ork_event){.kind = ORK_EVENT_RECORDS, .rank = 3, .records = {record, MANY}});
    assert_true(deliver(link) >= 2);
}

static void frames_are_handed_on_as_they_are(void **state)
{
    struct link *link = *state;
    struct ork_wire_writer *between;
    uint8_t copy[4096];
    size_t size = 0, used;
    enum ork_event_kind kind;

    assert_int_equal(ork_wire_writer_create(&link->out, 2, &between), ORK_OK);
    for (int i = 0; i < 500; i++) {
        if (i % 2 == 0)
            say_attach(link); /* of leaf LEAF, whoever hands it on */
        else
            say_batch(link);
        assert_int_equal(ork_wire_frame(link->buffer, link->n, &kind, &used), ORK_OK);
        assert_in_range(used, 4, sizeof(copy));
        size = link->n;
        memcpy(copy, link->buffer, size);
        memset(link->buffer, 0, size);
        link->n = 0;
        assert_int_equal(ork_wire_forward(between, copy, size), ORK_OK);
        assert_memory_equal(link->buffer, copy, size);
        assert_heard(link);
    }
    ork_wire_writer_destroy(between);
}

static void a_wave_can_be_read_alone(void **state)
{
    struct link *link = *state;
    struct ork_wave wave;

    for (int i = 0; i < 200; i++) {
        say_wave(link);
        assert_int_equal(ork_wire_read_wave(link->reader, link->buffer, link->n, &wave), ORK_OK);
        note_wave(&link->heard, &wave);
        link->n = 0;
        assert_heard(link);
    }
}

/* ---- sizes ---- */

/* A loop of six calls of different sites, as of a stencil code. */
static struct ork_record loop_call(unsigned i)
{
    static const struct ork_record call[6] = {
        {.kind = ORK_KIND_RECV, .flags = ORK_F_NONBLOCKING, .call = 90, .site = 11, .peer = 3},
        {.kind = ORK_KIND_RECV, .flags = ORK_F_NONBLOCKING, .call = 90, .site = 12, .peer = 5},
        {.kind = ORK_KIND_SEND, .call = 120, .site = 13, .peer = 5, .bytes = 4096},
        {.kind = ORK_KIND_SEND, .call = 120, .site = 14, .peer = 3, .bytes = 4096},
        {.kind = ORK_KIND_WAIT, .call = 200, .site = 15, .mode = ORK_WAIT_ONE},
        {.kind = ORK_KIND_COLL, .mode = ORK_COLL_ALLREDUCE, .call = 12, .site = 16, .bytes = 8},
    };
    struct ork_record record = call[i % 6];

    if (i % 6 < 2)
        record.request = i / 6 % 2 * 2 + i % 6;
    record.tag = (int32_t)(i / 6 % 3);
    return record;
}

static void calls_of_a_loop_cost_a_few_bytes(void **state)
{
    struct link *link = *state;
    struct ork_record record[480];

    for (unsigned i = 0; i < 480; i++)
        record[i] = loop_call(i);
    say(link, &(struct ork_event){.kind = ORK_EVENT_RECORDS, .rank = 0, .records = {record, 480}});
    link->n = 0; /* the first one pays for what is new */
    say(link, &(struct ork_event){.kind = ORK_EVENT_RECORDS, .rank = 0, .records = {record, 480}});
    print_message("%.2f bytes a record\n", (double)link->n / 480);
    assert_in_range(link->n, 480, 6 * 480);
}

static void a_wave_of_all_costs_no_more_than_one_call(void **state)
{
    struct link *link = *state;
    const struct ork_span span = {0, 100000};
    struct ork_group_record group_record = {loop_call(5), &span, 1};

    for (uint32_t i = 0; i < 10; i++) {
        struct ork_wave wave = {i, 0, &group_record, 1};
        link->n = 0;
        say(link, &(struct ork_event){.kind = ORK_EVENT_WAVE, .wave = &wave});
    }
    assert_in_range(link->n, 1, 16);
}

static void credit_is_what_there_is_room_for_at_worst(void **state)
{
    struct link *link = *state;
    struct ork_record record[ORK_FRAME_MAX / 64] = {{0}};
    size_t credit = ork_up_credit(&link->up);

    assert_in_range(credit, 100, sizeof(record) / sizeof(*record));
    for (size_t i = 0; i < credit; i++) { /* every field differs as much as can be */
        memset(&record[i], i % 2 == 0 ? 0x55 : 0xaa, sizeof(record[i]));
        record[i].kind = i % 2 == 0 ? 1 : 33; /* in the same slot */
        record[i].site = 0;
    }
    say(link,
        &(struct ork_event){.kind = ORK_EVENT_RECORDS, .rank = 0, .records = {record, credit}});
    assert_in_range(link->n, credit * 60, ORK_FRAME_MAX);
    link->room = 0;
    assert_int_equal(ork_up_credit(&link->up), 0);
}

/* ---- bytes that no writer writes ---- */

/* A copy of its own size, so that the address sanitizer sees what lies beyond. */
static enum ork_status read_copy(struct link *link, const uint8_t *frame, size_t size)
{
    enum ork_event_kind kind;
    size_t used = 0;
    uint8_t *copy = malloc(size);

    assert_non_null(copy);
    memcpy(copy, frame, size);
    enum ork_status status = ork_wire_frame(copy, size, &kind, &used);
    if (status == ORK_OK) {
        assert_in_range(used, 1, size);
        status = ork_wire_read(link->reader, copy, used);
    }
    free(copy);
    link->heard.n = link->said.n = 0;
    return status;
}

static void a_frame_cut_anywhere_is_refused(void **state)
{
    struct link *link = *state;

    for (unsigned i = 0; i < SAYINGS * 20; i++) {
        sayings[i % SAYINGS](link);
        for (size_t cut = 1; cut < link->n && cut < 700; cut++)
            assert_int_equal(read_copy(link, link->buffer, cut), ORK_INVALID);
        link->n = 0;
    }
}

/* The length says that it ends there, and what is in it does not. */
static void a_body_cut_anywhere_gives_a_status(void **state)
{
    struct link *link = *state;
    unsigned refused = 0;

    for (unsigned i = 0; i < SAYINGS * 20; i++) {
        sayings[i % SAYINGS](link);
        for (size_t body = 0; body + 4 < link->n && body < 700; body++) {
            link->buffer[1] = (uint8_t)body;
            link->buffer[2] = (uint8_t)(body >> 8);
            link->buffer[3] = 0;
            enum ork_status status = read_copy(link, link->buffer, body + 4);
            assert_true(status == ORK_OK || status == ORK_INVALID);
            refused += status == ORK_INVALID;
        }
        link->n = 0;
    }
    assert_true(refused > 1000);
}

static void damaged_bytes_give_a_status(void **state)
{
    struct link *link = *state;
    unsigned refused = 0;

    for (unsigned i = 0; i < SAYINGS * 1500; i++) {
        sayings[i % SAYINGS](link);
        for (unsigned k = 0; k <= i % 4; k++) /* the kind and the length too */
            link->buffer[random_next(&link->seed) % link->n] = (uint8_t)random_next(&link->seed);
        enum ork_status status = read_copy(link, link->buffer, link->n);
        assert_true(status == ORK_OK || status == ORK_INVALID);
        refused += status != ORK_OK;
        link->n = 0;
        if (i % 100 == 0) { /* ranks near 2^24 were named: give the memory back */
            void *again = link;
            uint64_t seed = link->seed;
            tear_down(&again);
            set_up(&again);
            link->seed = seed;
        }
    }
    assert_true(refused > 1000);
}

static void random_bytes_give_a_status(void **state)
{
    struct link *link = *state;

    for (unsigned i = 0; i < 30000; i++) {
        size_t body = random_next(&link->seed) % 120;
        uint8_t frame[128] = {(uint8_t)(random_next(&link->seed) % 12), (uint8_t)body};
        for (size_t k = 0; k < body; k++) /* mostly small numbers, which make sense more often */
            frame[4 + k] = (uint8_t)(random_next(&link->seed) % (k % 5 == 0 ? 256 : 24));
        enum ork_status status = read_copy(link, frame, 4 + body);
        assert_true(status == ORK_OK || status == ORK_INVALID);
    }
}

static void wrong_numbers_are_refused(void **state)
{
    static const struct {
        uint8_t kind, size, body[12];
    } wrong[] = {
        {ORK_EVENT_ATTACH, 6, {0x80, 0x80, 0x80, 0x08, 1, 1}},    /* rank 2^24 */
        {ORK_EVENT_RECORDS, 4, {0x80, 0x80, 0x80, 0x08}},         /* the same */
        {ORK_EVENT_RECORDS, 4, {0, 0, 32, 0}},                    /* slot 32 */
        {ORK_EVENT_RECORDS, 7, {0, 0x81, 0x80, 0x08, 0, 2, 2}},   /* again 2^17 + 1 */
        {ORK_EVENT_END, 8, {0, 4, 0, 1, 0, 0, 0, 0}},             /* no way to die */
        {ORK_EVENT_END, 8, {0, 1, 0, 5, 0, 0, 0, 0}},             /* no such note */
        {ORK_EVENT_END, 8, {0, 1, 0, 1, 0, 0, 0, 0}},             /* without its record */
        {ORK_EVENT_COLLECTED, 5, {0x80, 0x80, 0x80, 0x80, 0x10}}, /* 2^32 */
        {ORK_EVENT_SNAPSHOT, 9, {0, 1, 1, 1, 1, 1, 1, 1, 65}},    /* threads */
        {ORK_EVENT_WAVE, 2, {0, 0}},                              /* of nobody */
        {ORK_EVENT_WAVE, 7, {0, 1, 0, 2, 2, 1, 0}},               /* a group record of nobody */
        {ORK_EVENT_WAVE, 9, {0, 1, 0, 2, 2, 1, 1, 0, 0}},         /* a span of nobody */
        {ORK_EVENT_WAVE, 12, {0, 1, 0, 2, 2, 1, 0, 0x80, 0x80, 0x80, 0x08, 1}}, /* beyond all */
    };
    struct link *link = *state;

    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
        uint8_t frame[16] = {wrong[i].kind, wrong[i].size};
        memcpy(frame + 4, wrong[i].body, wrong[i].size);
        assert_int_equal(read_copy(link, frame, 4u + wrong[i].size), ORK_INVALID);
    }
    const uint8_t most[] = {ORK_EVENT_RECORDS, 7, 0, 0, 0, 0x80, 0x80, 0x08, 0, 2, 2};
    assert_int_equal(read_copy(link, most, sizeof(most)), ORK_OK); /* again 2^17 */
    assert_int_equal(read_copy(link, (const uint8_t *)"\0\0\0\0", 4), ORK_INVALID);
    assert_int_equal(read_copy(link, (const uint8_t *)"\xff\0\0\0", 4), ORK_INVALID);
}

/* ---- the writer has no room ---- */

static void without_room_nothing_is_half_written(void **state)
{
    struct link *link = *state;
    const struct ork_record record = {.kind = ORK_KIND_START};

    link->n = ROOM - 8;
    assert_int_equal(ork_up_deliver(&link->up, &(struct ork_event){.kind = ORK_EVENT_RECORDS,
                                                                   .rank = 0,
                                                                   .records = {&record, 1}}),
                     ORK_NOMEM);
    assert_int_equal(
        ork_up_deliver(&link->up, &(struct ork_event){.kind = ORK_EVENT_END,
                                                      .rank = 0,
                                                      .ending = &(struct ork_ending){.sender = 1}}),
        ORK_NOMEM);
    assert_int_equal(
        ork_up_deliver(&link->up, &(struct ork_event){.kind = ORK_EVENT_LOST, .lost = {0, 1}}),
        ORK_NOMEM);
    assert_int_equal(link->n, ROOM - 8);
    link->n = 0;
    ork_wire_writer_destroy(NULL);
    ork_wire_reader_destroy(NULL);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(everything_that_is_said_is_heard),
        CASE(the_greatest_values_go_through),
        CASE(a_long_batch_comes_in_several_frames),
        CASE(frames_are_handed_on_as_they_are),
        CASE(a_wave_can_be_read_alone),
        CASE(calls_of_a_loop_cost_a_few_bytes),
        CASE(a_wave_of_all_costs_no_more_than_one_call),
        CASE(credit_is_what_there_is_room_for_at_worst),
        CASE(a_frame_cut_anywhere_is_refused),
        CASE(a_body_cut_anywhere_gives_a_status),
        CASE(damaged_bytes_give_a_status),
        CASE(random_bytes_give_a_status),
        CASE(wrong_numbers_are_refused),
        CASE(without_room_nothing_is_half_written),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
