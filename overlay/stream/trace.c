/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/stream/trace.h"

#include "common/output_file.h"
#include "common/tracefile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char magic[8] = ORK_TRACEFILE_MAGIC; /* without a terminator */
enum { VERSION = 2, CHUNK_MAX = 1 << 24 };

/* One codec for each rank. */
struct codecs {
    struct ork_codec *codec;
    uint32_t count;
};

static struct ork_codec *codec_of(struct codecs *c, uint32_t rank)
{
    if (rank < c->count)
        return &c->codec[rank];
    if (rank >= ORK_RANKS_MAX)
        return NULL;
    uint32_t count = rank * 2 + 8;
    struct ork_codec *bigger = calloc(count, sizeof(*bigger)); /* costs no memory until used */
    if (bigger == NULL)
        return NULL;
    if (c->count > 0)
        memcpy(bigger, c->codec, c->count * sizeof(*bigger));
    free(c->codec);
    c->codec = bigger;
    c->count = count;
    return &c->codec[rank];
}

/* ---- writing ---- */

struct ork_trace {
    FILE *file;
    struct codecs codecs;
    uint8_t *buffer;
    size_t room;
};

enum ork_status ork_trace_create(const char *path, struct ork_trace **out)
{
    const uint32_t version = VERSION;
    struct ork_trace *t = calloc(1, sizeof(*t));

    if (t == NULL)
        return ORK_NOMEM;
    int fd;
    enum ork_status status = ork_output_create(AT_FDCWD, path, ORK_TRACEFILE_MAGIC, &fd);
    t->file = ork_output_stream(fd);
    if (t->file == NULL) {
        int saved = errno;
        free(t);
        errno = saved;
        return status == ORK_OK ? ORK_IO : status;
    }
    fwrite(magic, sizeof(magic), 1, t->file);
    fwrite(&version, sizeof(version), 1, t->file);
    *out = t;
    return ORK_OK;
}

enum ork_status ork_trace_flush(struct ork_trace *t)
{
    return t == NULL || (fflush(t->file) == 0 && ferror(t->file) == 0) ? ORK_OK : ORK_IO;
}

enum ork_status ork_trace_close(struct ork_trace *t)
{
    if (t == NULL)
        return ORK_OK;
    bool failed = ferror(t->file) != 0;
    failed |= fclose(t->file) != 0;
    free(t->codecs.codec);
    free(t->buffer);
    free(t);
    return failed ? ORK_IO : ORK_OK;
}

static enum ork_status put_chunk(struct ork_trace *t, uint32_t rank, enum ork_trace_kind kind,
                                 const void *bytes, size_t size)
{
    const uint32_t head[3] = {rank, (uint32_t)kind, (uint32_t)size};

    if (fwrite(head, sizeof(head), 1, t->file) != 1 || fwrite(bytes, 1, size, t->file) != size)
        return ORK_IO;
    return ORK_OK;
}

/* Bytes that encode() may need. */
#define RECORD_MAX ((size_t)2 * ORK_ENCODED_MAX)

static bool is_codable(const struct ork_record *record)
{
    struct ork_cont cont;

    memcpy(&cont, record, sizeof(cont));
    if (record->kind == ORK_KIND_CONT)
        return cont.words > 0 && cont.words <= ORK_CONT_WORDS;
    return record->kind < ORK_KIND_MAX;
}

/* RATIONALE: bytes that a rank wrote over its own ring cannot be coded. They become a list that is
 * longer than its record states, so that a reader finds the stream invalid at the same place and
 * can still read the other ranks. */
static size_t encode(struct ork_codec *codec, const struct ork_record *record, uint8_t *out)
{
    static const struct ork_record short_list = {.kind = ORK_KIND_START, .count = 1};
    static const struct ork_cont long_list = {.kind = ORK_KIND_CONT, .words = 2};
    struct ork_record cont;

    if (is_codable(record))
        return ork_encode(codec, record, out);
    memcpy(&cont, &long_list, sizeof(cont));
    size_t used = ork_encode(codec, &short_list, out);
    return used + ork_encode(codec, &cont, out + used);
}

enum ork_status ork_trace_records(struct ork_trace *t, uint32_t rank,
                                  const struct ork_record *record, size_t n)
{
    struct ork_codec *codec = codec_of(&t->codecs, rank);
    size_t used = 0;

    if (codec == NULL || n > CHUNK_MAX / RECORD_MAX)
        return ORK_NOMEM;
    if (n * RECORD_MAX > t->room) {
        uint8_t *bigger = realloc(t->buffer, n * RECORD_MAX);
        if (bigger == NULL)
            return ORK_NOMEM;
        t->buffer = bigger;
        t->room = n * RECORD_MAX;
    }
    for (size_t i = 0; i < n; i++)
        used += encode(codec, &record[i], t->buffer + used);
    return put_chunk(t, rank, ORK_TRACE_RECORDS, t->buffer, used);
}

enum ork_status ork_trace_end(struct ork_trace *t, uint32_t rank, uint8_t how)
{
    return put_chunk(t, rank, ORK_TRACE_END, &how, 1);
}

/* ---- reading ---- */

struct ork_trace_reader {
    FILE *file;
    struct codecs codecs;
    uint8_t *bytes;
    struct ork_record *record;
    size_t bytes_room, records_room;
};

enum ork_status ork_trace_open(FILE *file, struct ork_trace_reader **out)
{
    char start[sizeof(magic)];
    uint32_t version;

    if (fread(start, sizeof(start), 1, file) != 1 || fread(&version, sizeof(version), 1, file) != 1)
        return ORK_TRUNCATED;
    if (memcmp(start, magic, sizeof(magic)) != 0 || version != VERSION)
        return ORK_INVALID;
    struct ork_trace_reader *r = calloc(1, sizeof(*r));
    if (r == NULL)
        return ORK_NOMEM;
    r->file = file;
    *out = r;
    return ORK_OK;
}

void ork_trace_reader_destroy(struct ork_trace_reader *r)
{
    if (r == NULL)
        return;
    free(r->codecs.codec);
    free(r->bytes);
    free(r->record);
    free(r);
}

static enum ork_status decode_all(struct ork_trace_reader *r, struct ork_codec *codec, size_t size,
                                  size_t *n)
{
    size_t at = 0;

    *n = 0;
    while (at < size) {
        size_t used;
        if (*n == r->records_room) {
            size_t room = r->records_room == 0 ? 1024 : r->records_room * 2;
            struct ork_record *bigger = realloc(r->record, room * sizeof(*bigger));
            if (bigger == NULL)
                return ORK_NOMEM;
            r->record = bigger;
            r->records_room = room;
        }
        enum ork_status status = ork_decode(codec, r->bytes + at, size - at, &used, &r->record[*n]);
        if (status != ORK_OK)
            return status;
        at += used;
        ++*n;
    }
    return ORK_OK;
}

enum ork_status ork_trace_next(struct ork_trace_reader *r, struct ork_trace_chunk *chunk)
{
    uint32_t head[3];
    size_t got = fread(head, 1, sizeof(head), r->file);

    if (got == 0)
        return ORK_CLOSED;
    if (got != sizeof(head))
        return ORK_TRUNCATED;
    uint32_t size = head[2];
    if (size > CHUNK_MAX || head[1] > ORK_TRACE_END || (head[1] == ORK_TRACE_END && size != 1))
        return ORK_INVALID;
    if (size > r->bytes_room) {
        uint8_t *bigger = realloc(r->bytes, size);
        if (bigger == NULL)
            return ORK_NOMEM;
        r->bytes = bigger;
        r->bytes_room = size;
    }
    if (fread(r->bytes, 1, size, r->file) != size)
        return ORK_TRUNCATED;
    *chunk = (struct ork_trace_chunk){.rank = head[0], .kind = (enum ork_trace_kind)head[1]};
    if (chunk->kind == ORK_TRACE_END) {
        chunk->how = r->bytes[0];
        return ORK_OK;
    }
    struct ork_codec *codec = codec_of(&r->codecs, head[0]);
    if (codec == NULL)
        return head[0] >= ORK_RANKS_MAX ? ORK_INVALID : ORK_NOMEM;
    enum ork_status status = decode_all(r, codec, size, &chunk->num_records);
    chunk->record = r->record;
    return status;
}
