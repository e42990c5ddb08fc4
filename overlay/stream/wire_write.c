/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/assert.h"
#include "overlay/stream/wire_internal.h"

#include <stdlib.h>
#include <string.h>

static uint8_t *put(uint8_t *out, uint64_t value)
{
    while (value >= 0x80) {
        *out++ = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    *out++ = (uint8_t)value;
    return out;
}

static uint8_t *put_record(struct stream *s, const struct ork_record *rec, uint8_t *out)
{
    unsigned slot = (rec->site * 7u + rec->kind) % SLOTS;

    if (rec->kind == ORK_KIND_CONT) {
        struct ork_codec none = {0};
        *out++ = SLOT_CONT;
        return out + ork_encode(&none, rec, out);
    }
    *out++ = (uint8_t)slot;
    return out + ork_encode(&s->slot[slot], rec, out);
}

struct ork_wire_writer {
    const struct ork_wire_out *out;
    uint32_t leaf;
    struct streams streams;
    struct stream waves;
    uint8_t *frame; /* the one being written */
};

enum ork_status ork_wire_writer_create(const struct ork_wire_out *out, uint32_t leaf,
                                       struct ork_wire_writer **writer)
{
    struct ork_wire_writer *w = calloc(1, sizeof(*w));

    if (w == NULL)
        return ORK_NOMEM;
    w->out = out;
    w->leaf = leaf;
    *writer = w;
    return ORK_OK;
}

void ork_wire_writer_destroy(struct ork_wire_writer *w)
{
    if (w == NULL)
        return;
    ork_wire_streams_release(&w->streams);
    free(w);
}

/* Begin a frame, and return where its body goes. NULL: no room. */
static uint8_t *begin(struct ork_wire_writer *w, enum ork_event_kind kind, size_t most)
{
    w->frame = w->out->reserve(w->out->context, HEADER + most);
    if (w->frame == NULL)
        return NULL;
    w->frame[0] = (uint8_t)kind;
    return w->frame + HEADER;
}

static void finish(struct ork_wire_writer *w, const uint8_t *end)
{
    size_t body = (size_t)(end - w->frame) - HEADER;

    w->frame[1] = (uint8_t)body;
    w->frame[2] = (uint8_t)(body >> 8);
    w->frame[3] = (uint8_t)(body >> 16);
    w->out->commit(w->out->context, HEADER + body);
}

static enum ork_status write_job(struct ork_wire_writer *w, const struct ork_job_name *job)
{
    uint8_t *p = begin(w, ORK_EVENT_JOB, NUMBER_MAX + sizeof(job->name));

    if (p == NULL)
        return ORK_NOMEM;
    p = put(p, job->size);
    memcpy(p, job->name, sizeof(job->name));
    finish(w, p + sizeof(job->name));
    return ORK_OK;
}

static enum ork_status write_attach(struct ork_wire_writer *w, uint32_t rank, uint32_t pid)
{
    uint8_t *p = begin(w, ORK_EVENT_ATTACH, 3 * NUMBER_MAX);

    if (p == NULL)
        return ORK_NOMEM;
    p = put(put(put(p, rank), pid), w->leaf);
    finish(w, p);
    return ORK_OK;
}

static enum ork_status write_records(struct ork_wire_writer *w, uint32_t rank,
                                     const struct ork_record *record, size_t n, uint32_t again)
{
    struct stream *s = ork_wire_stream_of(&w->streams, rank);

    ORK_ASSERT(again == 0 || n <= ORK_AGAIN_MAX); /* they are in one frame */
    while (s != NULL && n > 0) {
        uint8_t *p = begin(w, ORK_EVENT_RECORDS, ORK_FRAME_MAX - HEADER);
        if (p == NULL)
            return ORK_NOMEM;
        const uint8_t *full = w->frame + ORK_FRAME_MAX - PART_MAX;
        p = put(put(p, rank), again);
        for (unsigned i = 0; i < RECORDS_MAX && n > 0 && p < full; i++, record++, n--)
            p = put_record(s, record, p);
        finish(w, p);
    }
    return s != NULL ? ORK_OK : ORK_NOMEM;
}

static enum ork_status write_wave(struct ork_wire_writer *w, const struct ork_wave *wave)
{
    uint8_t *p = begin(w, ORK_EVENT_WAVE, ORK_FRAME_MAX - HEADER);

    if (p == NULL)
        return ORK_NOMEM;
    p = put(put(put(p, wave->index), wave->group), wave->num_group_records);
    for (uint32_t i = 0; i < wave->num_group_records; i++) {
        const struct ork_group_record *a = &wave->group_record[i];
        uint32_t behind = 0;
        p = put(put_record(&w->waves, &a->call, p), a->num_spans);
        for (uint32_t k = 0; k < a->num_spans; k++) {
            p = put(put(p, a->span[k].first - behind), a->span[k].count);
            behind = a->span[k].first + a->span[k].count;
        }
    }
    finish(w, p);
    return ORK_OK;
}

static enum ork_status write_plain(struct ork_wire_writer *w, enum ork_event_kind kind)
{
    const uint8_t *p = begin(w, kind, 0);

    if (p == NULL)
        return ORK_NOMEM;
    finish(w, p);
    return ORK_OK;
}

static enum ork_status write_unseen(struct ork_wire_writer *w, const struct ork_unseen *unseen)
{
    uint8_t *p = begin(w, ORK_EVENT_UNSEEN, 3 * NUMBER_MAX + sizeof(unseen->library));

    if (p == NULL)
        return ORK_NOMEM;
    p = put(put(put(p, unseen->why), unseen->launched), unseen->is_alone);
    memcpy(p, unseen->library, sizeof(unseen->library));
    finish(w, p + sizeof(unseen->library));
    return ORK_OK;
}

static enum ork_status write_collected(struct ork_wire_writer *w, uint32_t round)
{
    uint8_t *p = begin(w, ORK_EVENT_COLLECTED, NUMBER_MAX);

    if (p == NULL)
        return ORK_NOMEM;
    finish(w, put(p, round));
    return ORK_OK;
}

static uint8_t *put_polled(uint8_t *p, const struct ork_polled *polled)
{
    p = put(put(put(p, polled->site), polled->call), (uint32_t)polled->peer);
    return put(put(p, (uint32_t)polled->tag), polled->comm);
}

static enum ork_status write_snapshot(struct ork_wire_writer *w, uint32_t rank,
                                      const struct ork_snapshot *s)
{
    uint8_t *p = begin(w, ORK_EVENT_SNAPSHOT, (30 + ORK_RING_THREADS) * NUMBER_MAX);

    if (p == NULL)
        return ORK_NOMEM;
    p = put(put(put(put(p, rank), s->head), s->others), s->resting);
    p = put(put(put(put(p, s->stirred), s->others_ns), s->wrong), s->polls);
    p = put(put_polled(put(p, s->probes), &s->polled), s->looks);
    p = put(put(put(put(put(p, s->busy), s->timed), s->work_ns), s->cpu_ns), s->inside_ns);
    p = put(put(put(p, s->wait), s->has_decisions), s->waiting_looks);
    p = put(put(put(put(p, s->slept_ns), s->waited_ns), s->yields), s->is_runnable);
    p = put(put(put(p, s->is_halted), s->sleeps), s->threads);
    for (uint32_t t = 0; t < s->threads; t++)
        p = put(p, s->word[t]);
    finish(w, p);
    return ORK_OK;
}

/* Written as a finding with nothing else: reports have the functions for it. */
static char *stack_text(const struct ork_rank_row *wait)
{
    char id[] = "stack";
    char none[] = "";
    struct ork_rank_row copy = *wait;
    const struct ork_finding finding = {.id = id, .message = none, .waits = &copy, .num_waits = 1};
    char *text;

    copy.call = copy.comm = copy.state = none;
    return ork_finding_to_json(&finding, &text) == ORK_OK ? text : NULL;
}

/* A text with its NUL, cut at the limit. */
static uint8_t *put_text(uint8_t *out, const char *text)
{
    size_t size = text != NULL ? strnlen(text, TEXT_MAX) : 0;

    if (size > 0)
        memcpy(out, text, size);
    out[size] = '\0';
    return out + size + 1;
}

/* Without its stack if that is too long. */
static enum ork_status write_end(struct ork_wire_writer *w, uint32_t rank,
                                 const struct ork_ending *e)
{
    const size_t most = 14 * NUMBER_MAX + sizeof(e->last) + 2 * (TEXT_MAX + 1);
    char *stack = e->wait != NULL ? stack_text(e->wait) : NULL;
    size_t size = stack != NULL ? strlen(stack) : 0;

    size = size <= ORK_FRAME_MAX - HEADER - most ? size : 0;
    uint8_t *p = e->wait == NULL || stack != NULL ? begin(w, ORK_EVENT_END, most + size) : NULL;
    if (p != NULL) {
        p = put(put(put(p, rank), e->how), e->full_waits);
        p = put(put(put(p, e->kind), (uint32_t)e->value), (uint32_t)e->code);
        p = put(put(p, e->sender), e->time_ns);
        p = put(put_polled(p, &e->polled), e->polls);
        memcpy(p, &e->last, sizeof(e->last));
        p = put_text(put_text(p + sizeof(e->last), e->call), e->text);
        if (size > 0)
            memcpy(p, stack, size);
        finish(w, p + size);
    }
    free(stack);
    return p != NULL ? ORK_OK : ORK_NOMEM;
}

static enum ork_status write_stack(struct ork_wire_writer *w, const struct ork_rank_row *wait,
                                   const char *reason)
{
    char *text = stack_text(wait);
    size_t size = strlen(reason) + 1;

    if (text == NULL)
        return ORK_NOMEM;
    if (size + strlen(text) > ORK_FRAME_MAX - HEADER) { /* keep the place, leave out the rest */
        free(text);
        return write_stack(w, &(struct ork_rank_row){.rank = wait->rank}, "it is too long");
    }
    uint8_t *p = begin(w, ORK_EVENT_STACK, size + strlen(text));
    if (p != NULL) {
        memcpy(p, reason, size);
        memcpy(p + size, text, strlen(text));
        finish(w, p + size + strlen(text));
    }
    free(text);
    return p != NULL ? ORK_OK : ORK_NOMEM;
}

/* Each is coded separately: they are few. */
static enum ork_status write_latest(struct ork_wire_writer *w, const struct ork_latest *latest)
{
    size_t most = 2 * NUMBER_MAX + latest->num_calls * (size_t)(PART_MAX + 8 * NUMBER_MAX);
    uint8_t *p = begin(w, ORK_EVENT_LATEST, most);

    if (p == NULL)
        return ORK_NOMEM;
    p = put(put(p, latest->rank), latest->num_calls);
    for (uint32_t i = 0; i < latest->num_calls; i++) {
        const struct ork_latest_call *c = &latest->call[i];
        struct ork_codec none = {0};
        p += ork_encode(&none, &c->call, p);
        p = put(put(put(p, c->times), (uint32_t)c->took), (uint32_t)c->took_tag);
        p = put(put(put(p, c->error), c->awaited_after), c->inside);
        p = put(put(p, c->iteration), c->iterations);
    }
    finish(w, p);
    return ORK_OK;
}

static enum ork_status write_lost(struct ork_wire_writer *w, uint32_t first, uint32_t end)
{
    uint8_t *p = begin(w, ORK_EVENT_LOST, 2 * NUMBER_MAX);

    if (p == NULL)
        return ORK_NOMEM;
    finish(w, put(put(p, first), end));
    return ORK_OK;
}

static enum ork_status write_waits(struct ork_wire_writer *w, uint64_t count)
{
    uint8_t *p = begin(w, ORK_EVENT_WAITS, NUMBER_MAX);

    if (p == NULL)
        return ORK_NOMEM;
    finish(w, put(p, count));
    return ORK_OK;
}

/* An event that is one number. */
static enum ork_status write_number(struct ork_wire_writer *w, enum ork_event_kind kind,
                                    uint32_t number)
{
    uint8_t *p = begin(w, kind, NUMBER_MAX);

    if (p == NULL)
        return ORK_NOMEM;
    finish(w, put(p, number));
    return ORK_OK;
}

enum ork_status ork_wire_forward(struct ork_wire_writer *w, const uint8_t *frame, size_t size)
{
    uint8_t *p = w->out->reserve(w->out->context, size);

    if (p == NULL)
        return ORK_NOMEM;
    memcpy(p, frame, size);
    w->out->commit(w->out->context, size);
    return ORK_OK;
}

static enum ork_status deliver(void *context, const struct ork_event *e)
{
    struct ork_wire_writer *w = context;

    switch (e->kind) {
    case ORK_EVENT_JOB:
        return write_job(w, e->job);
    case ORK_EVENT_ATTACH:
        return write_attach(w, e->rank, e->attached.pid);
    case ORK_EVENT_RECORDS:
        return write_records(w, e->rank, e->records.record, e->records.count, e->records.again);
    case ORK_EVENT_WAVE:
        return write_wave(w, e->wave);
    case ORK_EVENT_END:
        return write_end(w, e->rank, e->ending);
    case ORK_EVENT_UNASSIGNED:
        return write_plain(w, e->kind);
    case ORK_EVENT_UNSEEN:
        return write_unseen(w, e->unseen);
    case ORK_EVENT_SNAPSHOT:
        return write_snapshot(w, e->rank, e->snapshot);
    case ORK_EVENT_COLLECTED:
        return write_collected(w, e->round);
    case ORK_EVENT_LOST:
        return write_lost(w, e->lost.first, e->lost.end);
    case ORK_EVENT_STACK:
        return write_stack(w, e->stack.row, e->stack.reason);
    case ORK_EVENT_WAITS:
        return write_waits(w, e->waits);
    case ORK_EVENT_LATEST:
        return write_latest(w, e->latest);
    case ORK_EVENT_CUT:
        return write_number(w, e->kind, e->rank);
    case ORK_EVENT_GOODBYE:
        return write_number(w, e->kind, e->process);
    }
    return ORK_INVALID;
}

static size_t credit(void *context)
{
    const struct ork_wire_writer *w = context;

    return w->out->room(w->out->context) / PART_MAX;
}

struct ork_up ork_wire_up(struct ork_wire_writer *w)
{
    return (struct ork_up){.context = w, .deliver = deliver, .credit = credit};
}
