/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/stream/wire_internal.h"

#include "common/vec.h"

#include <stdlib.h>
#include <string.h>

/* The unread part of a body. */
struct body {
    const uint8_t *at, *end;
    bool bad;
};

static uint64_t get(struct body *b)
{
    uint64_t value = 0;

    for (unsigned shift = 0; shift < 64 && b->at < b->end; shift += 7) {
        uint8_t byte = *b->at++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if ((byte & 0x80) == 0)
            return value;
    }
    b->bad = true;
    return 0;
}

static uint32_t get_u32(struct body *b)
{
    uint64_t value = get(b);

    b->bad |= value > UINT32_MAX;
    return (uint32_t)value;
}

static uint32_t get_rank(struct body *b)
{
    uint32_t rank = get_u32(b);

    b->bad |= rank >= ORK_RANKS_MAX;
    return b->bad ? 0 : rank;
}

static void get_record(struct stream *s, struct body *b, struct ork_record *rec)
{
    struct ork_codec none = {0};
    size_t used = 0;

    if (b->bad || b->at == b->end) {
        b->bad = true;
        return;
    }
    unsigned slot = *b->at++;
    b->bad = slot >= SLOTS && slot != SLOT_CONT;
    if (b->bad)
        return;
    struct ork_codec *codec = slot == SLOT_CONT ? &none : &s->slot[slot];
    b->bad = ork_decode(codec, b->at, (size_t)(b->end - b->at), &used, rec) != ORK_OK;
    b->at += used;
}

struct ork_wire_reader {
    struct ork_up up;
    struct streams streams;
    struct stream waves;
    struct ork_record record[RECORDS_MAX];
    struct ork_group_record *group_record;
    struct ork_span *span;
    uint32_t cap_arrivals, cap_spans;
};

enum ork_status ork_wire_reader_create(const struct ork_up *up, struct ork_wire_reader **reader)
{
    struct ork_wire_reader *r = calloc(1, sizeof(*r));

    if (r == NULL)
        return ORK_NOMEM;
    r->up = *up;
    *reader = r;
    return ORK_OK;
}

void ork_wire_reader_destroy(struct ork_wire_reader *r)
{
    if (r == NULL)
        return;
    ork_wire_streams_release(&r->streams);
    free(r->group_record);
    free(r->span);
    free(r);
}

enum ork_status ork_wire_frame(const uint8_t *bytes, size_t size, enum ork_event_kind *kind,
                               size_t *used)
{
    if (size < HEADER || bytes[0] < ORK_EVENT_JOB || bytes[0] > ORK_EVENT_GOODBYE)
        return ORK_INVALID;
    size_t body = (size_t)bytes[1] | (size_t)bytes[2] << 8 | (size_t)bytes[3] << 16;
    if (body > size - HEADER)
        return ORK_INVALID;
    *kind = (enum ork_event_kind)bytes[0];
    *used = HEADER + body;
    return ORK_OK;
}

static enum ork_status deliver(const struct ork_wire_reader *r, const struct ork_event *event)
{
    return ork_up_deliver(&r->up, event);
}

static enum ork_status read_job(struct ork_wire_reader *r, struct body *b)
{
    struct ork_job_name job = {.size = get_u32(b)};

    if (b->bad || (size_t)(b->end - b->at) != sizeof(job.name))
        return ORK_INVALID;
    memcpy(job.name, b->at, sizeof(job.name));
    job.name[sizeof(job.name) - 1] = '\0';
    return deliver(r, &(struct ork_event){.kind = ORK_EVENT_JOB, .job = &job});
}

static enum ork_status read_attach(struct ork_wire_reader *r, struct body *b)
{
    struct ork_event e = {.kind = ORK_EVENT_ATTACH, .rank = get_rank(b)};

    e.attached.pid = get_u32(b);
    e.attached.leaf = get_u32(b);
    return b->bad ? ORK_INVALID : deliver(r, &e);
}

static enum ork_status read_records(struct ork_wire_reader *r, struct body *b)
{
    uint32_t rank = get_rank(b), again = get_u32(b);
    struct stream *s = b->bad ? NULL : ork_wire_stream_of(&r->streams, rank);
    size_t n = 0;

    if (s == NULL)
        return b->bad ? ORK_INVALID : ORK_NOMEM;
    while (b->at < b->end && n < RECORDS_MAX && !b->bad)
        get_record(s, b, &r->record[n++]);
    if (b->bad || b->at < b->end || (uint64_t)again * n > ORK_REPEAT_AHEAD_MAX)
        return ORK_INVALID;
    return deliver(r, &(struct ork_event){.kind = ORK_EVENT_RECORDS,
                                          .rank = rank,
                                          .records = {r->record, n, n > 0 ? again : 0}});
}

static enum ork_status read_spans(struct ork_wire_reader *r, struct body *b, uint32_t from,
                                  uint32_t count)
{
    uint64_t behind = 0;

    if (count == 0 || count > ORK_FRAME_MAX)
        return ORK_INVALID;
    if (!ork_vec_reserve(&r->span, &r->cap_spans, from + count, sizeof(*r->span)))
        return ORK_NOMEM;
    for (uint32_t k = 0; k < count; k++) {
        uint64_t first = behind + get_u32(b);
        uint32_t length = get_u32(b);
        behind = first + length;
        if (b->bad || length == 0 || behind > ORK_RANKS_MAX)
            return ORK_INVALID;
        r->span[from + k] = (struct ork_span){.first = (uint32_t)first, .count = length};
    }
    return ORK_OK;
}

static enum ork_status read_wave(struct ork_wire_reader *r, struct body *b, struct ork_wave *wave)
{
    uint32_t index = get_u32(b);
    uint32_t group = get_u32(b);
    uint32_t arrivals = get_u32(b);
    uint32_t spans = 0;

    if (b->bad || arrivals == 0 || arrivals > ORK_FRAME_MAX)
        return ORK_INVALID;
    if (!ork_vec_reserve(&r->group_record, &r->cap_arrivals, arrivals, sizeof(*r->group_record)))
        return ORK_NOMEM;
    for (uint32_t i = 0; i < arrivals; i++) {
        struct ork_group_record *a = &r->group_record[i];
        get_record(&r->waves, b, &a->call);
        a->num_spans = get_u32(b);
        enum ork_status status = b->bad ? ORK_INVALID : read_spans(r, b, spans, a->num_spans);
        if (status != ORK_OK)
            return status;
        spans += a->num_spans;
    }
    if (b->at < b->end || r->group_record[0].call.comm == ORK_COMM_UNKNOWN)
        return ORK_INVALID;
    const struct ork_span *span = r->span;
    for (uint32_t i = 0; i < arrivals; span += r->group_record[i++].num_spans)
        r->group_record[i].span = span;
    *wave = (struct ork_wave){.index = index,
                              .group = group,
                              .group_record = r->group_record,
                              .num_group_records = arrivals};
    return ORK_OK;
}

static struct ork_polled get_polled(struct body *b)
{
    struct ork_polled polled;

    polled.site = get_u32(b);
    polled.call = get_u32(b);
    polled.peer = (int32_t)get_u32(b);
    polled.tag = (int32_t)get_u32(b);
    polled.comm = get_u32(b);
    return polled;
}

static enum ork_status read_snapshot(struct ork_wire_reader *r, struct body *b)
{
    uint32_t rank = get_rank(b);
    struct ork_snapshot s = {.head = get(b)};

    uint32_t others = get_u32(b);
    s.resting = get(b);
    s.stirred = get(b);
    s.others_ns = get(b);
    s.wrong = get(b);
    s.polls = get(b);
    s.probes = get(b);
    s.polled = get_polled(b);
    s.looks = get(b);
    s.busy = get(b);
    s.timed = get(b);
    s.work_ns = get(b);
    s.cpu_ns = get(b);
    s.inside_ns = get(b);
    s.wait = get_u32(b);
    s.has_decisions = get(b) != 0;
    s.waiting_looks = get(b);
    s.slept_ns = get(b);
    s.waited_ns = get(b);
    s.yields = get(b);
    s.is_runnable = get(b) != 0;
    s.is_halted = get(b) != 0;
    s.sleeps = get(b) != 0;
    s.threads = get_u32(b);
    if (b->bad || s.threads > ORK_RING_THREADS || others > ORK_OTHERS_ACT)
        return ORK_INVALID;
    s.others = (enum ork_others)others;
    for (uint32_t t = 0; t < s.threads; t++)
        s.word[t] = get(b);
    return b->bad ? ORK_INVALID
                  : deliver(r, &(struct ork_event){
                                   .kind = ORK_EVENT_SNAPSHOT, .rank = rank, .snapshot = &s});
}

static enum ork_status read_collected(struct ork_wire_reader *r, struct body *b)
{
    uint32_t round = get_u32(b);

    return b->bad ? ORK_INVALID
                  : deliver(r, &(struct ork_event){.kind = ORK_EVENT_COLLECTED, .round = round});
}

static enum ork_status read_lost(struct ork_wire_reader *r, struct body *b)
{
    struct ork_event e = {.kind = ORK_EVENT_LOST};

    e.lost.first = get_u32(b);
    e.lost.end = get_u32(b);
    return b->bad ? ORK_INVALID : deliver(r, &e);
}

static enum ork_status read_waits(struct ork_wire_reader *r, struct body *b)
{
    struct ork_event e = {.kind = ORK_EVENT_WAITS, .waits = get(b)};

    return b->bad ? ORK_INVALID : deliver(r, &e);
}

static enum ork_status read_cut(struct ork_wire_reader *r, struct body *b)
{
    struct ork_event e = {.kind = ORK_EVENT_CUT, .rank = get_rank(b)};

    return b->bad ? ORK_INVALID : deliver(r, &e);
}

static enum ork_status read_unseen(struct ork_wire_reader *r, struct body *b)
{
    struct ork_unseen unseen = {.why = get_u32(b)};

    unseen.launched = get_u32(b);
    unseen.is_alone = get_u32(b);
    if (b->bad || (size_t)(b->end - b->at) != sizeof(unseen.library))
        return ORK_INVALID;
    memcpy(unseen.library, b->at, sizeof(unseen.library));
    ork_unseen_clean(&unseen);
    return deliver(r, &(struct ork_event){.kind = ORK_EVENT_UNSEEN, .unseen = &unseen});
}

static enum ork_status read_goodbye(struct ork_wire_reader *r, struct body *b)
{
    struct ork_event e = {.kind = ORK_EVENT_GOODBYE, .process = get_u32(b)};

    return b->bad ? ORK_INVALID : deliver(r, &e);
}

/* The rest of the body is a finding with one row and a stack. */
static enum ork_status parse_stack(const struct body *b, struct ork_finding *finding)
{
    char *error = NULL;
    enum ork_status status =
        ork_finding_from_json((const char *)b->at, (size_t)(b->end - b->at), finding, &error);

    free(error);
    if (status != ORK_OK)
        return status == ORK_NOMEM ? ORK_NOMEM : ORK_INVALID;
    if (finding->num_waits == 1 && finding->waits[0].rank < ORK_RANKS_MAX)
        return ORK_OK;
    ork_finding_release(finding);
    return ORK_INVALID;
}

/* A text with its NUL, in place. */
static const char *get_text(struct body *b)
{
    size_t size = strnlen((const char *)b->at, (size_t)(b->end - b->at)) + 1;
    const char *text = (const char *)b->at;

    b->bad |= size > (size_t)(b->end - b->at);
    if (b->bad)
        return "";
    b->at += size;
    return text;
}

static enum ork_status read_stack(struct ork_wire_reader *r, const struct body *body)
{
    struct body b = *body;
    const char *reason = get_text(&b);
    struct ork_finding finding;
    enum ork_status status = b.bad ? ORK_INVALID : parse_stack(&b, &finding);

    if (status != ORK_OK)
        return status;
    status = deliver(r, &(struct ork_event){.kind = ORK_EVENT_STACK,
                                            .rank = finding.waits[0].rank,
                                            .stack = {&finding.waits[0], reason}});
    ork_finding_release(&finding);
    return status;
}

static void get_ending(struct body *b, struct ork_ending *e)
{
    e->how = (enum ork_death)get_u32(b);
    e->full_waits = get(b);
    e->kind = (enum ork_note_kind)get_u32(b);
    e->value = (int32_t)get_u32(b);
    e->code = (int32_t)get_u32(b);
    e->sender = get_u32(b);
    e->time_ns = get(b);
    e->polled = get_polled(b);
    e->polls = get(b);
    b->bad |= (uint32_t)e->how > ORK_DEATH_BEFORE || (uint32_t)e->kind > ORK_NOTE_ABORT ||
              (size_t)(b->end - b->at) < sizeof(e->last);
    if (b->bad)
        return;
    memcpy(&e->last, b->at, sizeof(e->last));
    b->at += sizeof(e->last);
    e->call = get_text(b);
    e->text = get_text(b);
}

static enum ork_status read_end(struct ork_wire_reader *r, struct body *b)
{
    uint32_t rank = get_rank(b);
    struct ork_ending ending = {0};
    struct ork_finding finding = {0};

    get_ending(b, &ending);
    if (b->bad)
        return ORK_INVALID;
    enum ork_status status = b->at < b->end ? parse_stack(b, &finding) : ORK_OK;
    if (status != ORK_OK)
        return status;
    ending.wait = finding.num_waits > 0 ? &finding.waits[0] : NULL;
    status =
        deliver(r, &(struct ork_event){.kind = ORK_EVENT_END, .rank = rank, .ending = &ending});
    ork_finding_release(&finding);
    return status;
}

static bool get_latest_call(struct body *b, struct ork_latest_call *call)
{
    struct ork_codec none = {0};
    size_t used;

    if (ork_decode(&none, b->at, (size_t)(b->end - b->at), &used, &call->call) != ORK_OK)
        return false;
    b->at += used;
    call->times = get_u32(b);
    call->took = (int32_t)get_u32(b);
    call->took_tag = (int32_t)get_u32(b);
    call->error = get_u32(b);
    call->awaited_after = get_u32(b);
    call->inside = get(b) != 0;
    call->iteration = get_u32(b);
    call->iterations = get_u32(b);
    return !b->bad;
}

static enum ork_status read_latest(struct ork_wire_reader *r, struct body *b)
{
    struct ork_latest latest = {.rank = get_rank(b), .num_calls = get_u32(b)};

    if (b->bad || latest.num_calls > sizeof(latest.call) / sizeof(latest.call[0]))
        return ORK_INVALID;
    for (uint32_t i = 0; i < latest.num_calls; i++) {
        if (!get_latest_call(b, &latest.call[i]))
            return ORK_INVALID;
    }
    return deliver(
        r, &(struct ork_event){.kind = ORK_EVENT_LATEST, .rank = latest.rank, .latest = &latest});
}

enum ork_status ork_wire_read_wave(struct ork_wire_reader *r, const uint8_t *frame, size_t size,
                                   struct ork_wave *wave)
{
    return read_wave(r, &(struct body){.at = frame + HEADER, .end = frame + size}, wave);
}

enum ork_status ork_wire_read(struct ork_wire_reader *r, const uint8_t *frame, size_t size)
{
    struct body b = {.at = frame + HEADER, .end = frame + size};
    struct ork_wave wave;
    enum ork_status status;

    switch ((enum ork_event_kind)frame[0]) {
    case ORK_EVENT_JOB:
        return read_job(r, &b);
    case ORK_EVENT_ATTACH:
        return read_attach(r, &b);
    case ORK_EVENT_RECORDS:
        return read_records(r, &b);
    case ORK_EVENT_WAVE:
        status = read_wave(r, &b, &wave);
        return status == ORK_OK
                   ? deliver(r, &(struct ork_event){.kind = ORK_EVENT_WAVE, .wave = &wave})
                   : status;
    case ORK_EVENT_END:
        return read_end(r, &b);
    case ORK_EVENT_UNASSIGNED:
        return deliver(r, &(struct ork_event){.kind = ORK_EVENT_UNASSIGNED});
    case ORK_EVENT_SNAPSHOT:
        return read_snapshot(r, &b);
    case ORK_EVENT_COLLECTED:
        return read_collected(r, &b);
    case ORK_EVENT_LOST:
        return read_lost(r, &b);
    case ORK_EVENT_STACK:
        return read_stack(r, &b);
    case ORK_EVENT_WAITS:
        return read_waits(r, &b);
    case ORK_EVENT_LATEST:
        return read_latest(r, &b);
    case ORK_EVENT_CUT:
        return read_cut(r, &b);
    case ORK_EVENT_UNSEEN:
        return read_unseen(r, &b);
    case ORK_EVENT_GOODBYE:
        return read_goodbye(r, &b);
    }
    return ORK_INVALID;
}
