/* SPDX-License-Identifier: BSD-3-Clause */
/* What is added is kept in pieces until it fills a block. There, the pieces of a rank are one
 * entry: so a flush costs one frame, however many ranks there are. */
#include "common/assert.h"
#include "common/hash_map.h"
#include "common/output_file.h"
#include "common/vec.h"
#include "order/file/file_format.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

enum { LEVEL = 3, NO_PIECE = UINT32_MAX };

struct piece {
    uint32_t start, size; /* in bytes[] */
    uint32_t next;        /* of the same rank */
};

struct rank {
    uint64_t offset;      /* of the next byte of its stream */
    uint32_t first, last; /* pieces; without bytes: not in use */
    uint32_t bytes;       /* that are kept */
};

struct ork_order_writer {
    int fd;
    int error; /* errno of the first failure */
    uint32_t num_blocks;
    struct rank *rank;
    uint32_t num_ranks;
    uint32_t *waiting; /* ranks with pieces */
    uint32_t num_waiting, waiting_room;
    struct piece *piece;
    uint32_t num_pieces, piece_room;
    struct ork_hash_map sites; /* those that were written, by rank and site */
    ZSTD_CCtx *zstd;
    uint32_t num_bytes;
    uint32_t num_entries;                 /* bytes of entry[] */
    uint8_t bytes[ORK_ORDER_BLOCK_MAX];   /* the pieces */
    uint8_t content[ORK_ORDER_BLOCK_MAX]; /* complete entries, then those of the pieces */
    uint8_t block[ORK_ORDER_BLOCK_HEADER + ZSTD_COMPRESSBOUND(ORK_ORDER_BLOCK_MAX)];
};

static uint8_t *put(uint8_t *out, uint64_t value)
{
    while (value >= 0x80) {
        *out++ = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    *out++ = (uint8_t)value;
    return out;
}

static uint8_t *put_text(uint8_t *out, const char *text, size_t max)
{
    size_t size = strnlen(text, max);

    *out++ = (uint8_t)size;
    memcpy(out, text, size);
    return out + size;
}

/* ---- output ---- */

static enum ork_status failed(struct ork_order_writer *w)
{
    errno = w->error;
    return ORK_IO;
}

static enum ork_status write_all(struct ork_order_writer *w, const uint8_t *bytes, size_t size)
{
    while (size > 0) {
        ssize_t n = write(w->fd, bytes, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            w->error = n < 0 ? errno : EIO;
            return failed(w);
        }
        bytes += n;
        size -= (size_t)n;
    }
    return ORK_OK;
}

static enum ork_status write_header(struct ork_order_writer *w,
                                    const struct ork_order_header *header)
{
    uint8_t bytes[ORK_ORDER_HEADER_MAX];
    uint8_t *p = bytes;

    memcpy(p, ORK_ORDER_MAGIC, ORK_ORDER_MAGIC_SIZE);
    p = ork_order_put_u32(p + ORK_ORDER_MAGIC_SIZE, ORK_ORDER_FORMAT);
    p = put_text(p, ORKNOT_VERSION, UINT8_MAX);
    p = ork_order_put_u32(p, header->ranks);
    p = put_text(p, header->program, ORK_ORDER_PROGRAM - 1);
    p = ork_order_put_u32(p, ork_order_header_check(bytes, (size_t)(p - bytes)));
    return write_all(w, bytes, (size_t)(p - bytes));
}

/* The entry of the pieces of one rank. */
static uint8_t *put_pieces(struct ork_order_writer *w, uint32_t rank, uint8_t *out)
{
    struct rank *r = &w->rank[rank];

    ORK_ASSERT(r->bytes > 0 && r->bytes <= w->num_bytes);
    *out++ = ORK_ORDER_STREAM;
    out = put(out, rank);
    out = put(out, r->bytes);
    for (uint32_t i = r->first; i != NO_PIECE; i = w->piece[i].next) {
        memcpy(out, w->bytes + w->piece[i].start, w->piece[i].size);
        out += w->piece[i].size;
    }
    r->bytes = 0;
    return out;
}

enum ork_status ork_order_writer_flush(struct ork_order_writer *w)
{
    uint8_t *end = w->content + w->num_entries;

    if (w->error != 0)
        return failed(w);
    for (uint32_t i = 0; i < w->num_waiting; i++)
        end = put_pieces(w, w->waiting[i], end);
    ORK_ASSERT((size_t)(end - w->content) <= sizeof(w->content));
    w->num_waiting = w->num_pieces = w->num_bytes = w->num_entries = 0;
    if (end == w->content)
        return ORK_OK;
    size_t size = ZSTD_compress2(w->zstd, w->block + ORK_ORDER_BLOCK_HEADER,
                                 sizeof(w->block) - ORK_ORDER_BLOCK_HEADER, w->content,
                                 (size_t)(end - w->content));
    if (ZSTD_isError(size)) { /* there is room: zstd has no memory */
        w->error = ENOMEM;
        return failed(w);
    }
    uint8_t *p = ork_order_put_u32(w->block, (uint32_t)size);
    ork_order_put_u32(p, ork_order_block_check(w->num_blocks++, (uint32_t)size));
    return write_all(w, w->block, ORK_ORDER_BLOCK_HEADER + size);
}

/* The most bytes that are free in the block. */
static uint32_t room(const struct ork_order_writer *w)
{
    uint32_t used =
        w->num_bytes + w->num_entries + (w->num_waiting + 1) * (uint32_t)ORK_ORDER_ENTRY_MAX;

    return used < ORK_ORDER_BLOCK_MAX ? ORK_ORDER_BLOCK_MAX - used : 0;
}

/* ---- what is added ---- */

static enum ork_status use_rank(struct ork_order_writer *w, uint32_t rank)
{
    if (w->error != 0)
        return failed(w);
    if (rank >= ORK_ORDER_RANKS)
        return ORK_INVALID;
    if (rank >= w->num_ranks) {
        uint32_t wanted = rank < w->num_ranks * 2 ? w->num_ranks * 2 : rank + 1;
        if (!ork_vec_extend(&w->rank, w->num_ranks, wanted, sizeof(*w->rank)))
            return ORK_NOMEM;
        w->num_ranks = wanted;
    }
    return ORK_OK;
}

static enum ork_status add_piece(struct ork_order_writer *w, uint32_t rank, const uint8_t *bytes,
                                 uint32_t size)
{
    struct rank *r = &w->rank[rank];

    ORK_ASSERT(rank < w->num_ranks && size > 0 && size <= sizeof(w->bytes) - w->num_bytes);
    if (!ork_vec_reserve(&w->piece, &w->piece_room, w->num_pieces + 1, sizeof(*w->piece)) ||
        !ork_vec_reserve(&w->waiting, &w->waiting_room, w->num_waiting + 1, sizeof(*w->waiting)))
        return ORK_NOMEM;
    w->piece[w->num_pieces] = (struct piece){w->num_bytes, size, NO_PIECE};
    if (r->bytes == 0) {
        w->waiting[w->num_waiting++] = rank;
        r->first = w->num_pieces;
    } else {
        w->piece[r->last].next = w->num_pieces;
    }
    r->last = w->num_pieces++;
    r->bytes += size;
    r->offset += size;
    memcpy(w->bytes + w->num_bytes, bytes, size);
    w->num_bytes += size;
    return ORK_OK;
}

enum ork_status ork_order_writer_add(struct ork_order_writer *w, uint32_t rank, uint64_t offset,
                                     const uint8_t *bytes, size_t size)
{
    enum ork_status status = use_rank(w, rank);

    if (status != ORK_OK)
        return status;
    uint64_t known = w->rank[rank].offset - offset;
    if (offset > w->rank[rank].offset)
        return ORK_INVALID;
    if (known >= size)
        return ORK_OK;
    bytes += known;
    size -= (size_t)known;
    while (size > 0 && status == ORK_OK) {
        uint32_t part = room(w) < size ? room(w) : (uint32_t)size;
        if (part == 0) {
            status = ork_order_writer_flush(w);
            continue;
        }
        status = add_piece(w, rank, bytes, part);
        bytes += part;
        size -= part;
    }
    return status;
}

/* Room in the block for an entry with so many bytes of text. */
static enum ork_status make_room(struct ork_order_writer *w, size_t size)
{
    return room(w) < ORK_ORDER_ENTRY_MAX + size ? ork_order_writer_flush(w) : ORK_OK;
}

enum ork_status ork_order_writer_site(struct ork_order_writer *w, uint32_t rank, uint32_t site,
                                      const char *place)
{
    const uint64_t key = (uint64_t)(rank + 1) << 32 | site;
    size_t size = strnlen(place, ORK_ORDER_PLACE_MAX);
    enum ork_status status = use_rank(w, rank);

    if (status != ORK_OK || ork_hash_map_get(&w->sites, key) != 0)
        return status;
    status = make_room(w, size);
    if (status == ORK_OK && !ork_hash_map_add(&w->sites, key, 1))
        status = ORK_NOMEM;
    if (status != ORK_OK)
        return status;
    uint8_t *p = w->content + w->num_entries;
    *p++ = ORK_ORDER_PLACE;
    p = put(put(put(p, rank), site), size);
    memcpy(p, place, size);
    w->num_entries = (uint32_t)(p + size - w->content);
    ORK_ASSERT(w->num_entries <= sizeof(w->content));
    return ORK_OK;
}

enum ork_status ork_order_writer_job(struct ork_order_writer *w, uint32_t rank, uint32_t job,
                                     uint32_t rank_in_job)
{
    enum ork_status status = use_rank(w, rank);

    if (status == ORK_OK)
        status = make_room(w, 0);
    if (status != ORK_OK)
        return status;
    uint8_t *p = w->content + w->num_entries;
    *p++ = ORK_ORDER_JOB;
    p = put(put(put(p, rank), job), rank_in_job);
    w->num_entries = (uint32_t)(p - w->content);
    return ORK_OK;
}

/* ---- the writer ---- */

static void destroy(struct ork_order_writer *w)
{
    ZSTD_freeCCtx(w->zstd);
    free(w->rank);
    free(w->waiting);
    free(w->piece);
    ork_hash_map_release(&w->sites);
    free(w);
}

static struct ork_order_writer *create(void)
{
    struct ork_order_writer *w = calloc(1, sizeof(*w));

    if (w == NULL)
        return NULL;
    w->zstd = ZSTD_createCCtx();
    if (w->zstd == NULL ||
        ZSTD_isError(ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_compressionLevel, LEVEL)) ||
        ZSTD_isError(ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_checksumFlag, 1))) {
        destroy(w);
        return NULL;
    }
    return w;
}

enum ork_status ork_order_writer_create(const char *path, const struct ork_order_header *header,
                                        struct ork_order_writer **out)
{
    if (header->ranks > ORK_ORDER_RANKS)
        return ORK_INVALID;
    struct ork_order_writer *w = create();
    if (w == NULL)
        return ORK_NOMEM;
    w->fd = ork_output_new(AT_FDCWD, path);
    if (w->fd < 0) {
        int error = errno;
        destroy(w);
        errno = error;
        return error == EEXIST ? ORK_EXISTS : ORK_IO;
    }
    if (write_header(w, header) != ORK_OK) {
        int error = w->error;
        close(w->fd);
        unlink(path);
        destroy(w);
        errno = error;
        return ORK_IO;
    }
    *out = w;
    return ORK_OK;
}

static enum ork_status end(struct ork_order_writer *w)
{
    enum ork_status status = ork_order_writer_flush(w);

    if (status != ORK_OK)
        return status;
    w->content[w->num_entries++] = ORK_ORDER_END;
    return ork_order_writer_flush(w);
}

enum ork_status ork_order_writer_close(struct ork_order_writer *w, bool complete)
{
    enum ork_status status = complete ? end(w) : ork_order_writer_flush(w);
    int error = status != ORK_OK ? errno : 0;

    if (close(w->fd) != 0 && status == ORK_OK) {
        error = errno;
        status = ORK_IO;
    }
    destroy(w);
    errno = error;
    return status;
}
