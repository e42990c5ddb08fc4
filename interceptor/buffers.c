/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/buffers.h"

#include "common/vec.h"
#include "interceptor/amount.h"
#include "interceptor/buffer_hash.h"
#include "interceptor/requests.h"
#include "interceptor/windows.h"
#include "ranges/index.h"

#include <errno.h>
#include <stdlib.h>

/* More buffers than this are not entered, and more operations of shared handles are forgotten. */
enum { KNOWN_MAX = 1 << 17, SHARED_MAX = 1 << 12 };

#define NONE ORK_INDEX_NONE

/* A buffer of an operation. */
struct entry {
    struct ork_span span;
    struct ork_byteset *layout; /* owned; NULL: none */
    struct ork_type *type;      /* a reference; NULL: none */
    uint32_t next;              /* another one of the same request, or a spare one */
    uint32_t place;             /* in the index; NONE: the operation is not active */
    uint32_t site;              /* of the call that started it */
    uint32_t window;            /* that has some of its bytes: see ork_windows_put_buffer() */
    uint16_t call;
    uint8_t use;
    bool is_persistent;
    bool has_hash;
    uint64_t hash; /* of its content when it was activated */
};

bool ork_buffers_are_on;
uint32_t ork_buffers_known;

static struct ork_index pending;
static uint32_t num_written; /* pending ones that are written */
static struct entry *entries;
static uint32_t num_entries, entry_room, spare = NONE;
static uint32_t *first; /* by number of the request: its first entry + 1, or 0 */
static uint32_t first_room;
/* RATIONALE: the library uses one handle for many operations that it has completed at once. A call
 * that completes this handle may complete any of them, so only until the first such call it is
 * certain that all of them are pending. */
static uint32_t shared, num_shared; /* as first[] */

void ork_buffers_init(void)
{
    ork_index_init(&pending);
    ork_buffer_hash_init();
    ork_buffers_are_on = ork_usage_is_on[ORK_USAGE_BUFFER_WRITTEN_WHILE_READ] ||
                         (ork_usage_is_on[ORK_USAGE_STORE_WHILE_READ] && ork_watch_is_on) ||
                         ork_buffer_hashes_are_on;
}

/* ---- comparison ---- */

struct comparison {
    const struct ork_call *call;
    unsigned use;
    bool has_returned; /* the call */
};

/* The first byte counts from the lowest one of the pending buffer. */
static bool report(void *context, const struct ork_index_entry *found,
                   const struct ork_common *common)
{
    const struct comparison *c = context;
    const struct entry *e = &entries[found->payload];
    struct ork_usage usage = {
        .id = c->use == ORK_BUFFER_READ   ? ORK_USAGE_BUFFER_READ_WHILE_WRITTEN
              : e->use == ORK_BUFFER_READ ? ORK_USAGE_BUFFER_WRITTEN_WHILE_READ
                                          : ORK_USAGE_BUFFER_WRITTEN_TWICE,
        .value = common->low - e->span.low,
        .value2 = common->high - 1 - e->span.low,
        .other_site = e->site,
        .other_call = e->call,
    };

    if (c->has_returned)
        ork_usage_report_returned(c->call, &usage);
    else
        ork_usage_report_locked(c->call, &usage);
    return false;
}

static void compare(const struct ork_call *call, const struct ork_span *span, unsigned use,
                    bool has_returned)
{
    struct comparison c = {.call = call, .use = use, .has_returned = has_returned};

    if (pending.count == 0 || (use == ORK_BUFFER_READ && num_written == 0))
        return;
    ork_index_visit(&pending, span,
                    use == ORK_BUFFER_READ ? (unsigned)ORK_BUFFER_WRITTEN
                                           : ORK_BUFFER_READ | ORK_BUFFER_WRITTEN,
                    report, &c);
}

void ork_buffers_compare_bytes(const struct ork_call *call, const struct ork_buffer_bytes *bytes)
{
    compare(call, &bytes->span, bytes->use, false);
}

void ork_buffers_compare(const struct ork_call *call, const struct ork_buffer *buffer)
{
    struct ork_buffer_bytes bytes;

    if (!ork_buffer_find(buffer, &bytes))
        return;
    compare(call, &bytes.span, bytes.use, false);
    ork_buffer_release(&bytes);
}

void ork_buffers_separate(const struct ork_call *call, const struct ork_buffer_bytes *sent,
                          const struct ork_buffer_bytes *received, enum ork_usage_id id)
{
    struct ork_common common;

    if (ork_spans_are_apart(&sent->span, &received->span) ||
        ork_spans_overlap(&sent->span, &received->span, &common) != ORK_YES)
        return;
    ork_usage_report_locked(call,
                            &(struct ork_usage){.id = id,
                                                .value = common.low - received->span.low,
                                                .value2 = common.high - 1 - received->span.low});
}

/* ---- loads and stores of the program ---- */

struct touched {
    struct ork_call call; /* none: its site is that of the access */
    bool is_store;
};

static bool report_touch(void *context, const struct ork_index_entry *found,
                         const struct ork_common *common)
{
    const struct touched *t = context;
    const struct entry *e = &entries[found->payload];

    ork_usage_report_returned(&t->call,
                              &(struct ork_usage){
                                  .id = !t->is_store                ? ORK_USAGE_LOAD_WHILE_WRITTEN
                                        : e->use == ORK_BUFFER_READ ? ORK_USAGE_STORE_WHILE_READ
                                                                    : ORK_USAGE_STORE_WHILE_WRITTEN,
                                  .value = common->low - e->span.low,
                                  .value2 = common->high - 1 - e->span.low,
                                  .other_site = e->site,
                                  .other_call = e->call,
                              });
    return false;
}

void ork_buffers_touch(uint32_t site, bool is_store, uint64_t address, uint64_t size)
{
    struct touched t = {.call = {.site = site, .id = ORK_CALL_NONE}, .is_store = is_store};
    struct ork_span span = ork_span_of_block((int64_t)address, (int64_t)size);

    ork_index_visit(&pending, &span,
                    is_store ? ORK_BUFFER_READ | ORK_BUFFER_WRITTEN : ORK_BUFFER_WRITTEN,
                    report_touch, &t);
}

void ork_buffers_cut(struct ork_piece *piece, uint64_t address)
{
    ork_buffer_cut(piece, address, &pending);
}

/* ---- entries ---- */

static uint32_t *first_of(uint32_t request)
{
    if (request == ORK_REQUEST_SHARED)
        return &shared;
    return request < first_room ? &first[request] : NULL;
}

static bool reserve(uint32_t request)
{
    int saved = errno;
    bool ok = ork_buffers_known < KNOWN_MAX &&
              (request == ORK_REQUEST_SHARED ||
               (request < ORK_REQUEST_SHARED &&
                ork_vec_reserve(&first, &first_room, request + 1, sizeof(*first)))) &&
              (spare != NONE ||
               ork_vec_reserve(&entries, &entry_room, num_entries + 1, sizeof(*entries)));

    errno = saved;
    return ok;
}

/* Takes ownership of the bytes. NULL: they are not entered. */
static struct entry *add(uint32_t request, const struct ork_buffer_bytes *bytes)
{
    uint32_t number, *list;

    if (ORK_UNLIKELY(num_shared == SHARED_MAX))
        ork_buffers_forget(ORK_REQUEST_SHARED);
    if (!reserve(request)) {
        ork_buffer_release(bytes);
        return NULL;
    }
    number = spare != NONE ? spare : num_entries++;
    if (number == spare)
        spare = entries[number].next;
    list = first_of(request);
    entries[number] = (struct entry){.span = bytes->span,
                                     .layout = bytes->layout,
                                     .type = bytes->type,
                                     .next = *list,
                                     .place = NONE,
                                     .window = ORK_COMM_UNKNOWN,
                                     .use = (uint8_t)bytes->use};
    *list = number + 1;
    num_shared += request == ORK_REQUEST_SHARED;
    ork_buffers_known++;
    return &entries[number];
}

static void activate(const struct ork_call *call, uint32_t request, struct entry *e)
{
    int saved = errno;

    e->call = call->id;
    e->site = call->site;
    e->has_hash = ORK_UNLIKELY(ork_buffer_hashes_are_on) && e->use == ORK_BUFFER_READ &&
                  ork_buffer_hash(&e->span, &e->hash);
    e->place = ork_index_insert(&pending, &e->span, e->use, (uint64_t)(e - entries));
    num_written += e->place != NONE && e->use == ORK_BUFFER_WRITTEN;
    if (ORK_UNLIKELY(ork_watch_is_on) && e->place != NONE)
        ork_watch_add((uint64_t)e->span.low, (uint64_t)e->span.high);
    if (ORK_UNLIKELY(ork_windows_exist) && request != ORK_REQUEST_SHARED)
        e->window = ork_windows_put_buffer(call, request, &e->span, e->use == ORK_BUFFER_WRITTEN);
    errno = saved;
}

void ork_buffers_enter(const struct ork_call *call, uint32_t request,
                       const struct ork_buffer_bytes *bytes, bool is_persistent)
{
    struct entry *e = add(request, bytes);

    if (e == NULL)
        return;
    e->is_persistent = is_persistent;
    if (!is_persistent)
        activate(call, request, e);
}

void ork_buffers_start(const struct ork_call *call, uint32_t request,
                       const struct ork_buffer *buffer)
{
    struct ork_buffer_bytes bytes;

    if (!ork_buffers_are_on || !ork_buffer_find(buffer, &bytes))
        return;
    compare(call, &bytes.span, bytes.use, true);
    ork_buffers_enter(call, request, &bytes, false);
}

void ork_buffers_activate(const struct ork_call *call, uint32_t request)
{
    uint32_t *list = first_of(request);

    if (list == NULL)
        return;
    for (uint32_t i = *list; i != 0; i = entries[i - 1].next) {
        struct entry *e = &entries[i - 1];
        if (e->is_persistent && e->place == NONE)
            compare(call, &e->span, e->use, true);
    }
    for (uint32_t i = *list; i != 0; i = entries[i - 1].next) {
        if (entries[i - 1].is_persistent && entries[i - 1].place == NONE)
            activate(call, request, &entries[i - 1]);
    }
}

/* RATIONALE: the call that completes it is still the present one, so the buffer has its content of
 * the time when it was pending. The finding is about the call that started it: that one has
 * returned. */
static void check_content(const struct entry *e)
{
    struct ork_call call = {.id = e->call, .site = e->site};
    uint64_t hash;

    if (ork_buffer_hash(&e->span, &hash) && hash != e->hash)
        ork_usage_report_returned(&call, &(struct ork_usage){.id = ORK_USAGE_BUFFER_MODIFIED});
}

static void deactivate(struct entry *e)
{
    if (e->place == NONE)
        return;
    if (ORK_UNLIKELY(e->has_hash))
        check_content(e);
    if (ORK_UNLIKELY(ork_watch_is_on))
        ork_watch_remove((uint64_t)e->span.low, (uint64_t)e->span.high);
    ork_index_remove(&pending, e->place);
    num_written -= e->use == ORK_BUFFER_WRITTEN;
    e->place = NONE;
    e->window = ORK_COMM_UNKNOWN;
}

void ork_buffers_give_up(uint32_t request)
{
    const uint32_t *list = first_of(request);

    for (uint32_t i = list != NULL ? *list : 0; i != 0; i = entries[i - 1].next) {
        if (entries[i - 1].window == ORK_COMM_UNKNOWN)
            continue;
        ork_windows_end_buffer(request, entries[i - 1].window);
        return; /* that is all of them */
    }
}

void ork_buffers_leave(uint32_t request)
{
    const uint32_t *list = first_of(request);

    for (uint32_t i = list != NULL ? *list : 0; i != 0; i = entries[i - 1].next)
        deactivate(&entries[i - 1]);
}

void ork_buffers_forget(uint32_t request)
{
    uint32_t *list = first_of(request);

    while (list != NULL && *list != 0) {
        struct entry *e = &entries[*list - 1];
        uint32_t next = e->next;
        deactivate(e);
        ork_buffer_release(&(struct ork_buffer_bytes){.layout = e->layout, .type = e->type});
        e->next = spare;
        spare = *list - 1;
        *list = next;
        ork_buffers_known--;
    }
    if (request == ORK_REQUEST_SHARED)
        num_shared = 0;
}
