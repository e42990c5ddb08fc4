/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/replay/strip.h"

#include "overlay/stream/trace.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS_MAX = 1 << 12, WORDS_MAX = 1 << 14 };

/* The text of a rank whose record has begun and whose list is not complete. */
struct open_text {
    struct ork_record record;
    uint32_t word[WORDS_MAX];
    uint32_t have;
    bool is_open;
};

struct stripper {
    struct ork_trace *out;
    struct open_text *text[RANKS_MAX];
};

static bool is_text(const struct ork_record *r)
{
    return r->kind == ORK_KIND_MODULE || (r->kind == ORK_KIND_SITE && (r->flags & ORK_F_SOURCE));
}

static enum ork_status put(struct stripper *s, uint32_t rank, const struct ork_record *r)
{
    return ork_trace_records(s->out, rank, r, 1);
}

/* Write the record with what stands behind the last slash of its first string. */
static enum ork_status put_text(struct stripper *s, uint32_t rank, struct open_text *t)
{
    char *text = (char *)t->word;
    size_t length = t->record.bytes < t->have * 4ull ? (size_t)t->record.bytes : t->have * 4u;
    size_t first = strnlen(text, length);
    size_t start = first;

    while (start > 0 && text[start - 1] != '/')
        start--;
    memmove(text, text + start, length - start);
    length -= start;
    memset(text + length, 0, sizeof(t->word) - length);
    t->record.bytes = length;
    t->record.count = (uint32_t)((length + 3) / 4);
    t->is_open = false;
    enum ork_status status = put(s, rank, &t->record);
    for (uint32_t at = 0; at < t->record.count && status == ORK_OK; at += ORK_CONT_WORDS) {
        uint32_t n = t->record.count - at < ORK_CONT_WORDS ? t->record.count - at : ORK_CONT_WORDS;
        struct ork_cont cont = {.kind = ORK_KIND_CONT, .words = (uint8_t)n};
        struct ork_record raw;
        memcpy(cont.word, t->word + at, n * sizeof(*t->word));
        memcpy(&raw, &cont, sizeof(raw));
        status = put(s, rank, &raw);
    }
    return status;
}

static enum ork_status take_cont(struct stripper *s, uint32_t rank, struct open_text *t,
                                 const struct ork_record *r)
{
    struct ork_cont cont;

    memcpy(&cont, r, sizeof(cont));
    if (cont.words > ORK_CONT_WORDS || t->have + cont.words > WORDS_MAX)
        return ORK_INVALID;
    memcpy(t->word + t->have, cont.word, cont.words * sizeof(*t->word));
    t->have += cont.words;
    return t->have < t->record.count ? ORK_OK : put_text(s, rank, t);
}

static enum ork_status take(struct stripper *s, uint32_t rank, const struct ork_record *r)
{
    struct open_text *t = s->text[rank];
    struct ork_record copy = *r;

    if (t->is_open && r->kind == ORK_KIND_CONT)
        return take_cont(s, rank, t, r);
    if (is_text(r) && r->count > 0) {
        *t = (struct open_text){.record = *r, .is_open = true};
        return ORK_OK;
    }
    if (r->kind == ORK_KIND_INIT)
        copy.bytes = 0;
    if (r->kind != ORK_KIND_CONT)
        copy.call = 0;
    return put(s, rank, &copy);
}

static enum ork_status take_chunk(struct stripper *s, const struct ork_trace_chunk *chunk)
{
    enum ork_status status = ORK_OK;

    if (chunk->rank >= RANKS_MAX)
        return ORK_INVALID;
    if (chunk->kind == ORK_TRACE_END)
        return ork_trace_end(s->out, chunk->rank, chunk->how);
    if (s->text[chunk->rank] == NULL)
        s->text[chunk->rank] = calloc(1, sizeof(struct open_text));
    if (s->text[chunk->rank] == NULL)
        return ORK_NOMEM;
    for (size_t i = 0; i < chunk->num_records && status == ORK_OK; i++)
        status = take(s, chunk->rank, &chunk->record[i]);
    return status;
}

enum ork_status strip_trace(FILE *in, const char *out)
{
    static struct stripper s;
    struct ork_trace_reader *reader = NULL;
    struct ork_trace_chunk chunk;
    enum ork_status status = ork_trace_open(in, &reader);

    if (status == ORK_OK)
        status = ork_trace_create(out, &s.out);
    while (status == ORK_OK && (status = ork_trace_next(reader, &chunk)) == ORK_OK)
        status = take_chunk(&s, &chunk);
    enum ork_status closed = ork_trace_close(s.out);
    ork_trace_reader_destroy(reader);
    for (uint32_t r = 0; r < RANKS_MAX; r++)
        free(s.text[r]);
    return status == ORK_CLOSED ? closed : status;
}
