/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/buffers/buffer_hash.h"

#include "common/session.h"
#include "interceptor/memory/devices.h"
#include "interceptor/memory/memory_read.h"
#include "interceptor/ring/recorder.h"
#include "interceptor/usage/usage.h"
#include "record/unread.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#define XXH_INLINE_ALL
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wundef"
#pragma GCC diagnostic ignored "-Wcast-qual"
#pragma GCC diagnostic ignored "-Wswitch-enum"
#include <xxhash.h>
#pragma GCC diagnostic pop

enum { CHUNK = 1 << 16 };

bool ork_buffer_hashes_are_on;
static int error;
static uint64_t unread; /* buffers; after ork_buffer_hash_finish(): were there any? */
/* The calls whose buffers in device memory were told. RATIONALE: more are not of interest. */
enum { TOLD_MAX = 64 };
static struct {
    uint32_t site;
    uint16_t call;
    enum ork_device device;
} told[TOLD_MAX];
static uint32_t num_told;
static XXH3_state_t state;
static char chunk[CHUNK];

/* RATIONALE: the program may have unmapped a buffer that it sends. */
static bool add_block(void *context, int64_t low, int64_t length)
{
    (void)context;
    while (length > 0) {
        size_t part = length < CHUNK ? (size_t)length : CHUNK;
        if (!ork_memory_copy(chunk, (const void *)(uintptr_t)low, part))
            return false;
        XXH3_64bits_update(&state, chunk, part);
        low += (int64_t)part;
        length -= (int64_t)part;
    }
    return true;
}

int ork_buffer_hash_error(void)
{
    return error;
}

void ork_buffer_hash_init(void)
{
    const char *on = getenv(ORK_ENV_HASHES);
    int saved = errno;

    error = ork_memory_copy(chunk, &state, sizeof(state)) ? 0 : errno;
    ork_buffer_hashes_are_on = on != NULL && strcmp(on, "1") == 0 && error == 0 &&
                               ork_usage_is_on[ORK_USAGE_BUFFER_MODIFIED];
    errno = saved;
}

/* ---- what cannot be read ---- */

static void put_unread(const struct ork_call *call, enum ork_unread mode, uint64_t buffers)
{
    ork_put(&(struct ork_record){.kind = ORK_KIND_UNREAD,
                                 .call = call->id,
                                 .thread = ork_thread.index,
                                 .mode = (uint16_t)mode,
                                 .site = call->site,
                                 .request = ORK_REQUEST_NULL,
                                 .peer = ORK_NO_PEER,
                                 .arg = (uint32_t)error,
                                 .extra = buffers});
    ork_publish();
}

void ork_buffer_hash_tell_error(const struct ork_call *call)
{
    put_unread(call, ORK_UNREAD_ALL, 1);
}

/* The first one is told at once. */
static void count_unread(const struct ork_call *call)
{
    if (unread++ == 0)
        put_unread(call, ORK_UNREAD_ALL, 1);
}

/* The first one. */
static void tell_sampled(const struct ork_call *call)
{
    static bool is_told;

    if (!is_told)
        put_unread(call, ORK_UNREAD_SOME, 1);
    is_told = true;
}

/* RATIONALE: the processor would have to fetch it, or cannot read it at all. */
static void tell_device(const struct ork_call *call, enum ork_device device)
{
    for (uint32_t i = 0; i < num_told; i++) {
        if (told[i].site == call->site && told[i].call == call->id && told[i].device == device)
            return;
    }
    if (num_told == TOLD_MAX)
        return;
    told[num_told].site = call->site;
    told[num_told].call = call->id;
    told[num_told++].device = device;
    ork_put(&(struct ork_record){.kind = ORK_KIND_UNREAD,
                                 .call = call->id,
                                 .thread = ork_thread.index,
                                 .site = call->site,
                                 .request = ORK_REQUEST_NULL,
                                 .peer = ORK_NO_PEER,
                                 .arg2 = (uint32_t)device});
    ork_publish();
}

void ork_buffer_hash_finish(void)
{
    if (unread > 1)
        put_unread(&(struct ork_call){.id = ORK_CALL_NONE}, ORK_UNREAD_ALL, unread - 1);
    unread = unread > 0;
}

/* ---- hashes ---- */

/* RATIONALE: one system call, in which the kernel looks up a page for each piece. */
enum { PIECES = 4, PIECE = 128 };

/* Piece i of 0 .. PIECES - 1, the first and the last bytes among them. */
static struct iovec piece_of_block(const struct ork_span *span, int64_t i)
{
    const int64_t length = span->high - span->low < PIECE ? span->high - span->low : PIECE;
    const int64_t step = (span->high - span->low - length) / (PIECES - 1);
    const int64_t at = i == PIECES - 1 ? span->high - length : span->low + i * step;

    return (struct iovec){.iov_base = (void *)(uintptr_t)at, .iov_len = (size_t)length};
}

/* The same of a layout: never a byte between its blocks. */
static struct iovec piece_of_layout(const struct ork_span *span, int64_t i)
{
    const struct ork_run *run = &span->set->run[i * (span->set->num_runs - 1) / (PIECES - 1)];
    const int64_t length = run->length < PIECE ? run->length : PIECE;
    const int64_t copy = i * (span->count - 1) / (PIECES - 1);
    int64_t at = span->at + copy * span->stride + run->low;

    for (uint32_t k = 0; k < run->num_dims; k++) {
        const struct ork_dim *dim = &span->set->dim[run->dim + k];
        at += i * (dim->count - 1) / (PIECES - 1) * dim->stride;
    }
    at += i % 2 == 0 ? 0 : run->length - length;
    return (struct iovec){.iov_base = (void *)(uintptr_t)at, .iov_len = (size_t)length};
}

static bool compute_sample(const struct ork_span *span, uint64_t *hash)
{
    struct iovec piece[PIECES];
    char bytes[PIECES * PIECE];
    size_t size = 0;

    for (int i = 0; i < PIECES; i++) {
        piece[i] = span->set == NULL ? piece_of_block(span, i) : piece_of_layout(span, i);
        size += piece[i].iov_len;
    }
    if (!ork_memory_gather(bytes, piece, PIECES))
        return false;
    *hash = XXH3_64bits(bytes, size);
    return true;
}

static bool is_sampled(const struct ork_span *span)
{
    return !ork_buffer_hashes_are_on &&
           (span->set != NULL ? span->set->num_runs > 0
                              : span->high - span->low > ORK_BUFFER_LARGE);
}

static bool compute(const struct ork_span *span, uint64_t *hash)
{
    if (is_sampled(span))
        return compute_sample(span, hash);
    XXH3_64bits_reset(&state);
    if (!ork_span_visit(span, add_block, NULL))
        return false;
    *hash = XXH3_64bits_digest(&state);
    return true;
}

/* Some of the bytes cannot be read. RATIONALE: it is certain that the buffer is too long only if
 * its first bytes are there. The memory of a device may be in no mapping at all. */
static void look_at_end(const struct ork_call *call, const struct ork_span *span)
{
    const void *from = (const void *)(uintptr_t)span->low;
    const size_t size = (size_t)(span->high - span->low);
    char first;
    size_t extent = span->set == NULL && ork_memory_copy(&first, from, 1)
                        ? ork_memory_extent(from, size)
                        : size;

    if (extent < size)
        ork_usage_report_returned(call, &(struct ork_usage){.id = ORK_USAGE_BUFFER_TOO_LONG,
                                                            .value = (int64_t)extent,
                                                            .value2 = (int64_t)size});
    else
        count_unread(call);
}

bool ork_buffer_hash(const struct ork_call *call, const struct ork_span *span, uint64_t *hash)
{
    int saved = errno;

    ork_devices_look();
    enum ork_device device = ork_devices_exist ? ork_device_of(span->low) : ORK_DEVICE_NONE;
    if (ORK_UNLIKELY(device != ORK_DEVICE_NONE)) {
        tell_device(call, device);
        return false;
    }
    bool ok = compute(span, hash);

    if (!ok)
        look_at_end(call, span);
    else if (is_sampled(span) && span->high - span->low > ORK_BUFFER_LARGE)
        tell_sampled(call);
    errno = saved;
    return ok;
}

/* RATIONALE: the buffer still has its content of the time when it was pending. The finding is about
 * the call that started the operation: that one has returned. */
void ork_buffer_hash_compare(const struct ork_span *span, uint64_t before,
                             const struct ork_call *call, enum ork_usage_id id)
{
    uint64_t now;

    if (ork_buffer_hash(call, span, &now) && now != before)
        ork_usage_report_returned(call, &(struct ork_usage){.id = id});
}
