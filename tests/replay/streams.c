/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/replay/streams.h"

#include "common/vec.h"
#include "overlay/stream/trace.h"
#include "tests/unit/record/random.h"

#include <stdlib.h>
#include <string.h>

enum { RANKS_MAX = 1 << 16, MOST_AT_ONCE = 4 };

/* What came from one rank. */
struct stream {
    struct ork_record *record;
    uint32_t records, room;
    bool has_ended;
    enum ork_end how;
};

/* Records of one rank that came at once; 0: its end. */
struct chunk {
    uint32_t rank;
    size_t records;
};

struct streams {
    struct stream *of; /* by rank */
    uint32_t ranks;
    struct chunk *chunk; /* as they came */
    uint32_t chunks, room;
};

/* How far a detector has got. */
struct position {
    const struct streams *s;
    struct ork_detector *d;
    size_t *at; /* by rank: records that it has */
    bool *is_over;
};

/* ---- reading ---- */

static enum ork_status add_ranks(struct streams *s, uint32_t ranks)
{
    if (ranks > RANKS_MAX)
        return ORK_INVALID;
    if (ranks <= s->ranks)
        return ORK_OK;
    if (!ork_vec_extend(&s->of, s->ranks, ranks, sizeof(*s->of)))
        return ORK_NOMEM;
    s->ranks = ranks;
    return ORK_OK;
}

static enum ork_status add_chunk(struct streams *s, const struct ork_trace_chunk *chunk)
{
    enum ork_status status = add_ranks(s, chunk->rank + 1);

    if (status != ORK_OK)
        return status;
    struct stream *t = &s->of[chunk->rank];
    uint32_t n = chunk->kind == ORK_TRACE_END ? 0 : (uint32_t)chunk->num_records;
    if (n == 0 && chunk->kind != ORK_TRACE_END)
        return ORK_OK;
    if (!ork_vec_reserve(&s->chunk, &s->room, s->chunks + 1, sizeof(*s->chunk)) ||
        !ork_vec_reserve(&t->record, &t->room, t->records + n, sizeof(*t->record)))
        return ORK_NOMEM;
    if (n > 0)
        memcpy(t->record + t->records, chunk->record, n * sizeof(*t->record));
    t->records += n;
    if (chunk->kind == ORK_TRACE_END) {
        t->has_ended = true;
        t->how = (enum ork_end)chunk->how;
    }
    s->chunk[s->chunks++] = (struct chunk){.rank = chunk->rank, .records = n};
    return ORK_OK;
}

enum ork_status streams_read(const char *path, struct streams **out)
{
    struct streams *s = calloc(1, sizeof(*s));
    struct ork_trace_reader *reader;
    struct ork_trace_chunk chunk;
    FILE *file = fopen(path, "rb");
    enum ork_status status = ORK_IO;

    if (s == NULL || file == NULL)
        goto out;
    status = ork_trace_open(file, &reader);
    if (status != ORK_OK)
        goto out;
    while (status == ORK_OK && (status = ork_trace_next(reader, &chunk)) == ORK_OK)
        status = add_chunk(s, &chunk);
    ork_trace_reader_destroy(reader);
    if (status == ORK_CLOSED)
        status = ORK_OK;
out:
    if (file != NULL)
        fclose(file);
    if (status != ORK_OK) {
        streams_destroy(s);
        return status;
    }
    *out = s;
    return ORK_OK;
}

void streams_destroy(struct streams *s)
{
    if (s == NULL)
        return;
    for (uint32_t r = 0; r < s->ranks; r++)
        free(s->of[r].record);
    free(s->of);
    free(s->chunk);
    free(s);
}

/* The size of the first job stands in the INIT record of each of its ranks. */
uint32_t streams_num_ranks(const struct streams *s)
{
    uint32_t ranks = 0;

    for (uint32_t r = 0; r < s->ranks; r++) {
        for (size_t i = 0; i < s->of[r].records; i++) {
            const struct ork_record *rec = &s->of[r].record[i];
            if (rec->kind == ORK_KIND_INIT && rec->peer == (int32_t)r)
                ranks = rec->arg2;
        }
    }
    return ranks > RANKS_MAX ? 0 : ranks;
}

/* ---- feeding ---- */

/* Ranks behind those known are of a job that comes later: it says so first. */
static bool starts_job(const struct position *p, uint32_t rank)
{
    const struct stream *t = &p->s->of[rank];

    return p->at[rank] == 0 && t->records > 0 && t->record[0].kind == ORK_KIND_JOB &&
           t->record[0].peer >= 0 && (uint32_t)t->record[0].peer <= rank &&
           t->record[0].arg2 <= RANKS_MAX;
}

static bool may_come(const struct position *p, uint32_t rank)
{
    const struct stream *t = &p->s->of[rank];

    return !p->is_over[rank] && (p->at[rank] < t->records || t->has_ended);
}

static enum ork_status add_job(struct position *p, uint32_t rank)
{
    const struct ork_record *r = p->s->of[rank].record;

    return !starts_job(p, rank)
               ? ORK_OK
               : ork_detector_add_job(p->d, rank - (uint32_t)r->peer, r->arg2, (uint32_t)r->extra);
}

static enum ork_status feed_end(struct position *p, uint32_t rank)
{
    p->is_over[rank] = true;
    return ork_detector_end(p->d, rank, p->s->of[rank].how);
}

static enum ork_status feed_records(struct position *p, uint32_t rank, size_t n)
{
    const struct ork_record *record = &p->s->of[rank].record[p->at[rank]];
    enum ork_status status = add_job(p, rank);

    p->at[rank] += n;
    return status != ORK_OK ? status : ork_detector_feed(p->d, rank, record, n);
}

static enum ork_status feed_as_recorded(struct position *p)
{
    enum ork_status status = ORK_OK;

    for (size_t i = 0; status == ORK_OK && i < p->s->chunks; i++) {
        const struct chunk *c = &p->s->chunk[i];
        status = c->records == 0 ? feed_end(p, c->rank) : feed_records(p, c->rank, c->records);
    }
    return status;
}

/* Some records of one rank, or its end. RATIONALE: now and then one rank is far ahead. */
static enum ork_status feed_some(struct position *p, uint32_t rank, uint64_t *random)
{
    const struct stream *t = &p->s->of[rank];
    size_t left = t->records - p->at[rank];
    size_t most = random_next(random) >> 60 == 0 ? left : MOST_AT_ONCE;

    if (left == 0)
        return feed_end(p, rank);
    size_t n = 1 + (size_t)(random_next(random) >> 33) % (most == 0 ? 1 : most);
    return feed_records(p, rank, n < left ? n : left);
}

static enum ork_status feed_at_random(struct position *p, uint64_t seed)
{
    enum ork_status status = ORK_OK;
    uint64_t random = seed;

    for (uint32_t r = 0; r < p->s->ranks && status == ORK_OK; r++)
        status = add_job(p, r);
    while (status == ORK_OK) {
        uint32_t candidates = 0, chosen = 0;
        for (uint32_t r = 0; r < p->s->ranks; r++) {
            if (may_come(p, r) && (random_next(&random) >> 33) % ++candidates == 0)
                chosen = r;
        }
        if (candidates == 0)
            return ORK_OK;
        status = feed_some(p, chosen, &random);
    }
    return status;
}

enum ork_status streams_feed(const struct streams *s, struct ork_detector *d, uint64_t seed)
{
    struct position p = {.s = s,
                         .d = d,
                         .at = calloc(s->ranks + 1, sizeof(*p.at)),
                         .is_over = calloc(s->ranks + 1, sizeof(*p.is_over))};
    enum ork_status status = ORK_NOMEM;

    if (p.at != NULL && p.is_over != NULL)
        status = seed == 0 ? feed_as_recorded(&p) : feed_at_random(&p, seed);
    free(p.at);
    free(p.is_over);
    return status;
}
