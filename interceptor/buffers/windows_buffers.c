/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/buffers/windows_buffers.h"

#include "interceptor/mpi/next.h"
#include "interceptor/site/call_record.h"
#include "interceptor/objects/windows.h"
#include "bytes/ranges/words.h"
#include "record/access.h"

#include <errno.h>

static bool has_some(const struct ork_span *span, uint64_t low, uint64_t bytes)
{
    return (uint64_t)span->low < low + bytes && (uint64_t)span->high > low;
}

static bool contains_some(const struct ork_window *w, const struct ork_span *span)
{
    if (has_some(span, (uint64_t)(uintptr_t)w->base, w->bytes))
        return true;
    for (uint32_t i = 0; i < w->attached.count; i++) {
        if (has_some(span, w->attached.item[i].base, w->attached.item[i].bytes))
            return true;
    }
    return false;
}

static bool put(const struct ork_call *call, uint32_t request, const struct ork_window *w,
                const struct ork_span *span, bool is_written)
{
    uint32_t word[ORK_PATTERN_WORDS], words = 0;
    struct ork_list list;
    struct ork_record r =
        ORK_RECORD(call, TOUCH, .comm = w->id, .request = request, .peer = ORK_NO_PEER,
                   .mode = (uint16_t)(ORK_TOUCH_IS_BUFFER |
                                      (is_written ? ORK_TOUCH_IS_STORE : ORK_TOUCH_IS_LOAD)),
                   .bytes = (uint64_t)(span->high - span->low), .extra = (uint64_t)span->low);

    if (span->set != NULL) {
        words = ork_span_to_words(span, word, ORK_PATTERN_WORDS);
        if (words == 0) /* its gaps are not known */
            return false;
    }
    r.count = words;
    ork_list_begin(&list, &r);
    for (uint32_t i = 0; i < words; i++)
        ork_list_add(&list, word[i]);
    ork_list_end(&list);
    ork_publish();
    return true;
}

/* RATIONALE: memory is known by its address, so one window is enough. NULL: there is none. */
static const struct ork_window *find(const struct ork_span *span)
{
    uint32_t next = 0;
    const struct ork_window *w = NULL;

    if (span->low < 0 || !has_some(span, ork_windows_low, ork_windows_high - ork_windows_low))
        return NULL;
    do
        w = ork_windows_next(&next);
    while (w != NULL && !contains_some(w, span));
    return w;
}

bool ork_windows_contain(const struct ork_span *span)
{
    return find(span) != NULL;
}

uint32_t ork_windows_put_buffer(const struct ork_call *call, uint32_t request,
                                const struct ork_span *span, bool is_written)
{
    const struct ork_window *w = ork_accesses_are_off ? NULL : find(span);

    return w != NULL && put(call, request, w, span, is_written) ? w->id : ORK_COMM_UNKNOWN;
}

void ork_windows_end_buffer(uint32_t request, uint32_t window)
{
    struct ork_record r = {.kind = ORK_KIND_TOUCH,
                           .thread = ork_thread.index,
                           .mode = ORK_TOUCH_IS_BUFFER,
                           .comm = window,
                           .request = request,
                           .peer = ORK_NO_PEER};

    ork_send_record(&r);
}

void ork_windows_touch_bytes(const struct ork_call *call, const struct ork_buffer_bytes *bytes)
{
    ork_windows_put_buffer(call, ORK_REQUEST_NULL, &bytes->span, bytes->use == ORK_BUFFER_WRITTEN);
}

bool ork_windows_have_some(const struct ork_buffer *buffer)
{
    struct ork_buffer_bytes bytes;
    int saved = errno;
    bool have = ork_buffer_find(buffer, &bytes);

    if (have) {
        have = find(&bytes.span) != NULL;
        ork_buffer_release(&bytes);
    }
    errno = saved;
    return have;
}

void ork_windows_touch(const struct ork_call *call, const struct ork_buffer *buffer)
{
    struct ork_buffer_bytes bytes;
    int saved = errno;

    if (!ork_accesses_are_off && ork_buffer_find(buffer, &bytes)) {
        ork_windows_touch_bytes(call, &bytes);
        ork_buffer_release(&bytes);
    }
    errno = saved;
}

/* RATIONALE: a message may be shorter than the buffer, and leaves the rest of it alone (MPI-3.1
 * section 3.2.2). Of an element that is not complete, nothing is said. */
void ork_windows_received(const struct ork_call *call, const struct ork_buffer *buffer,
                          const MPI_Status *status)
{
    struct ork_buffer written = *buffer;
    int saved = errno, bytes = 0, size = 0;

    if (status != MPI_STATUS_IGNORE && buffer->count > 0 && !ork_accesses_are_off &&
        ORK_NEXT(MPI_Type_size)(buffer->type, &size) == MPI_SUCCESS && size > 0 &&
        ORK_NEXT(MPI_Get_count)(status, MPI_BYTE, &bytes) == MPI_SUCCESS && bytes > 0) {
        written.count = bytes / size < buffer->count ? bytes / size : buffer->count;
        ork_windows_touch(call, &written);
    }
    errno = saved;
}
