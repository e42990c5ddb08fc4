/* SPDX-License-Identifier: BSD-3-Clause */
/* The file may contain anything. */
#include "common/vec.h"
#include "order/file/file_format.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

/* What all streams and texts may need. */
#define UNPACKED_MAX (UINT64_C(4) << 30)

struct place {
    uint32_t rank, site;
    char *text;
};

/* What the caller sees comes first. */
struct whole {
    struct ork_order_file file;
    struct place *place; /* by rank and site */
    uint32_t num_places, place_room, rank_room;
};

struct reader {
    FILE *in;
    struct whole *whole;
    char *error;
    uint64_t unpacked;
    uint32_t block; /* number of the present one, from 1 */
    uint8_t content[ORK_ORDER_BLOCK_MAX];
    uint8_t frame[ZSTD_COMPRESSBOUND(ORK_ORDER_BLOCK_MAX)];
};

struct cursor {
    const uint8_t *at, *end;
};

__attribute__((format(printf, 2, 3))) static enum ork_status refuse(struct reader *r,
                                                                    const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(r->error, ORK_ORDER_ERROR, format, args);
    va_end(args);
    return ORK_INVALID;
}

static enum ork_status damaged(struct reader *r)
{
    return refuse(r, "block %" PRIu32 " is damaged", r->block);
}

/* ---- entries ---- */

static bool get(struct cursor *in, uint32_t *value)
{
    uint64_t v = 0;

    for (unsigned shift = 0; shift < 35 && in->at < in->end; shift += 7) {
        uint8_t byte = *in->at++;
        v |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80)) {
            *value = (uint32_t)v;
            return v <= UINT32_MAX;
        }
    }
    return false;
}

/* Ranks up to this one. */
static enum ork_status use_ranks(struct whole *whole, uint32_t count)
{
    struct ork_order_file *file = &whole->file;

    if (!ork_vec_reserve(&file->rank, &whole->rank_room, count, sizeof(*file->rank)))
        return ORK_NOMEM;
    for (uint32_t i = file->num_ranks; i < count; i++)
        file->rank[i].rank = file->rank[i].rank_in_job = i;
    if (count > file->num_ranks)
        file->num_ranks = count;
    return ORK_OK;
}

/* The room of a stream is the next power of 2. */
static size_t room_of(size_t size)
{
    size_t room = 64;

    while (room < size)
        room *= 2;
    return room;
}

static enum ork_status add_stream(struct ork_order_rank *rank, const uint8_t *bytes, size_t size)
{
    if (size == 0)
        return ORK_OK;
    if (rank->stream == NULL || rank->size + size > room_of(rank->size)) {
        uint8_t *bigger = realloc(rank->stream, room_of(rank->size + size));
        if (bigger == NULL)
            return ORK_NOMEM;
        rank->stream = bigger;
    }
    memcpy(rank->stream + rank->size, bytes, size);
    rank->size += size;
    return ORK_OK;
}

static enum ork_status add_place(struct whole *whole, uint32_t rank, uint32_t site,
                                 const uint8_t *text, size_t size)
{
    if (!ork_vec_reserve(&whole->place, &whole->place_room, whole->num_places + 1,
                         sizeof(*whole->place)))
        return ORK_NOMEM;
    char *copy = malloc(size + 1);
    if (copy == NULL)
        return ORK_NOMEM;
    memcpy(copy, text, size);
    copy[size] = '\0';
    whole->place[whole->num_places++] = (struct place){rank, site, copy};
    return ORK_OK;
}

/* An entry with bytes: of a stream, or the text of a site. */
static enum ork_status read_bytes(struct reader *r, struct cursor *in, uint32_t rank,
                                  const uint32_t *site)
{
    uint32_t size;

    if (!get(in, &size) || size > (size_t)(in->end - in->at))
        return damaged(r);
    const uint8_t *bytes = in->at;
    in->at += size;
    if (site != NULL)
        return add_place(r->whole, rank, *site, bytes, size);
    return add_stream(&r->whole->file.rank[rank], bytes, size);
}

static enum ork_status read_entry(struct reader *r, struct cursor *in)
{
    uint8_t kind = *in->at++;
    struct ork_order_file *file = &r->whole->file;
    uint32_t rank, number;

    if (kind == ORK_ORDER_END) {
        file->complete = true;
        return in->at == in->end ? ORK_OK : damaged(r);
    }
    if (!get(in, &rank) || rank >= ORK_ORDER_RANKS)
        return damaged(r);
    enum ork_status status = use_ranks(r->whole, rank + 1);
    if (status != ORK_OK)
        return status;
    switch (kind) {
    case ORK_ORDER_STREAM:
        return read_bytes(r, in, rank, NULL);
    case ORK_ORDER_PLACE:
        return get(in, &number) ? read_bytes(r, in, rank, &number) : damaged(r);
    case ORK_ORDER_JOB:
        return get(in, &file->rank[rank].job) && get(in, &file->rank[rank].rank_in_job)
                   ? ORK_OK
                   : damaged(r);
    default:
        return damaged(r);
    }
}

/* ---- blocks ---- */

static enum ork_status read_frame(struct reader *r, size_t size)
{
    enum ork_status status = ORK_OK;
    size_t n = ZSTD_decompress(r->content, sizeof(r->content), r->frame, size);

    if (ZSTD_isError(n) || r->whole->file.complete)
        return damaged(r);
    r->unpacked += n;
    if (r->unpacked > UNPACKED_MAX)
        return refuse(r, "it has more than 4 GiB of choices");
    struct cursor in = {r->content, r->content + n};
    while (in.at < in.end && status == ORK_OK)
        status = read_entry(r, &in);
    return status;
}

/* Bytes of the file; fewer at its end. */
static enum ork_status read_some(struct reader *r, uint8_t *bytes, size_t size, size_t *got)
{
    *got = fread(bytes, 1, size, r->in);
    return *got < size && ferror(r->in) ? ORK_IO : ORK_OK;
}

static enum ork_status read_blocks(struct reader *r)
{
    uint8_t header[ORK_ORDER_BLOCK_HEADER];
    size_t got;

    for (;;) {
        enum ork_status status = read_some(r, header, sizeof(header), &got);
        if (status != ORK_OK || got < sizeof(header))
            return status != ORK_OK || got == 0 || !r->whole->file.complete ? status : damaged(r);
        uint32_t size = ork_order_get_u32(header);
        r->block++;
        if (ork_order_get_u32(header + 4) != ork_order_block_check(r->block - 1, size) ||
            size > sizeof(r->frame))
            return damaged(r);
        status = read_some(r, r->frame, size, &got);
        if (status != ORK_OK || got < size)
            return status;
        status = read_frame(r, size);
        if (status != ORK_OK)
            return status;
    }
}

/* ---- header ---- */

/* A length and a text of at least one and of printed characters. NULL: it is not there. */
static const uint8_t *get_text(struct cursor *in, size_t *size)
{
    if (in->at == in->end || *in->at > in->end - in->at - 1)
        return NULL;
    const uint8_t *text = in->at + 1;
    *size = *in->at;
    in->at += 1 + *size;
    return text;
}

static bool is_version(const uint8_t *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (text[i] <= ' ' || text[i] > '~')
            return false;
    }
    return size > 0;
}

/* Before anything else of a header, which may be different in another version. */
static enum ork_status check_version(struct reader *r, struct cursor *in)
{
    size_t size;
    uint32_t format = ork_order_get_u32(in->at);

    in->at += 4;
    const uint8_t *version = get_text(in, &size);
    if (version == NULL)
        return refuse(r, "its header is cut off");
    if (!is_version(version, size))
        return refuse(r, "its header is damaged");
    if (size != strlen(ORKNOT_VERSION) || memcmp(version, ORKNOT_VERSION, size) != 0)
        return refuse(r, "it is from orknot %.*s, and this is %s", (int)size, (const char *)version,
                      ORKNOT_VERSION);
    if (format != ORK_ORDER_FORMAT)
        return refuse(r, "it has format %" PRIu32 ", and this program reads format %d", format,
                      ORK_ORDER_FORMAT);
    return ORK_OK;
}

static enum ork_status parse_header(struct reader *r, struct cursor *in, const uint8_t *start)
{
    struct ork_order_header *header = &r->whole->file.header;
    size_t size;

    if (in->end - in->at < 4)
        return refuse(r, "its header is cut off");
    header->ranks = ork_order_get_u32(in->at);
    in->at += 4;
    const uint8_t *program = get_text(in, &size);
    if (program == NULL || in->end - in->at < 4)
        return refuse(r, "its header is cut off");
    if (ork_order_get_u32(in->at) != ork_order_header_check(start, (size_t)(in->at - start)) ||
        header->ranks > ORK_ORDER_RANKS)
        return refuse(r, "its header is damaged");
    in->at += 4;
    memcpy(header->program, program, size);
    return ORK_OK;
}

static enum ork_status read_header(struct reader *r)
{
    uint8_t bytes[ORK_ORDER_HEADER_MAX];
    size_t got;
    enum ork_status status = read_some(r, bytes, sizeof(bytes), &got);

    if (status != ORK_OK)
        return status;
    if (got < ORK_ORDER_MAGIC_SIZE || memcmp(bytes, ORK_ORDER_MAGIC, ORK_ORDER_MAGIC_SIZE) != 0)
        return refuse(r, "it is not an order file");
    struct cursor in = {bytes + ORK_ORDER_MAGIC_SIZE, bytes + got};
    if (in.end - in.at < 4)
        return refuse(r, "its header is cut off");
    status = check_version(r, &in);
    if (status == ORK_OK)
        status = parse_header(r, &in, bytes);
    if (status == ORK_OK && fseek(r->in, in.at - bytes, SEEK_SET) != 0)
        status = ORK_IO;
    return status;
}

/* ---- the file ---- */

static int compare_places(const void *a, const void *b)
{
    const struct place *x = a, *y = b;

    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return (x->site > y->site) - (x->site < y->site);
}

static enum ork_status read_whole(struct reader *r)
{
    struct whole *whole = r->whole;
    enum ork_status status = read_header(r);

    if (status == ORK_OK)
        status = use_ranks(whole, whole->file.header.ranks);
    if (status == ORK_OK)
        status = read_blocks(r);
    if (status == ORK_OK && whole->num_places > 0)
        qsort(whole->place, whole->num_places, sizeof(*whole->place), compare_places);
    return status;
}

enum ork_status ork_order_file_read(const char *path, struct ork_order_file **out,
                                    char error[ORK_ORDER_ERROR])
{
    struct whole *whole = calloc(1, sizeof(*whole));
    struct reader *r = calloc(1, sizeof(*r));
    enum ork_status status = whole != NULL && r != NULL ? ORK_OK : ORK_NOMEM;
    int cause = 0;

    if (status == ORK_OK) {
        r->whole = whole;
        r->error = error;
        r->in = fopen(path, "rbe");
        status = r->in != NULL ? read_whole(r) : ORK_IO;
        cause = errno;
        if (r->in != NULL)
            fclose(r->in);
    }
    free(r);
    if (status == ORK_OK)
        *out = &whole->file;
    else if (whole != NULL)
        ork_order_file_destroy(&whole->file);
    errno = cause;
    return status;
}

static const struct whole *whole_of(const struct ork_order_file *file)
{
    return (const struct whole *)file; /* the first member */
}

const char *ork_order_file_place(const struct ork_order_file *file, uint32_t rank, uint32_t site)
{
    const struct whole *whole = whole_of(file);
    const struct place key = {.rank = rank, .site = site};
    const struct place *place =
        whole->num_places == 0
            ? NULL
            : bsearch(&key, whole->place, whole->num_places, sizeof(*whole->place), compare_places);

    return place != NULL ? place->text : NULL;
}

void ork_order_file_destroy(struct ork_order_file *file)
{
    if (file == NULL)
        return;
    struct whole *whole = (struct whole *)file;
    for (uint32_t i = 0; i < file->num_ranks; i++)
        free(file->rank[i].stream);
    for (uint32_t i = 0; i < whole->num_places; i++)
        free(whole->place[i].text);
    free(file->rank);
    free(whole->place);
    free(whole);
}
