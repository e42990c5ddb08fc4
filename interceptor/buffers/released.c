/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/buffers/released.h"

#include "interceptor/buffers/buffers_internal.h"
#include "interceptor/objects/windows.h"

#include <dlfcn.h>
#include <string.h>

enum { ANY = ORK_BUFFER_READ | ORK_BUFFER_WRITTEN };

static struct ork_span span_of(const struct ork_release *r)
{
    return ork_span_of_block((int64_t)r->low, (int64_t)(r->high - r->low));
}

/* ---- is it of interest? ---- */

/* RATIONALE: the blocks have a fixed place, so another thread can look at them, too. What it reads
 * while they change is looked at again by the next call. */
static bool is_block(const struct ork_release *r)
{
    uint32_t rest = ork_pending.blocks.in_use;

    return ork_pending_blocks_next(&ork_pending.blocks, &rest, (int64_t)r->low, (int64_t)r->high,
                                   ANY) != NULL;
}

static bool is_found(void *context, const struct ork_index_entry *entry,
                     const struct ork_common *common)
{
    (void)context, (void)entry, (void)common;
    return false;
}

/* The tables do not change meanwhile. */
static bool is_in_tables(const struct ork_release *r)
{
    struct ork_span span = span_of(r);

    return (ork_pending.index.count != 0 &&
            ork_index_visit(&ork_pending.index, &span, ANY, is_found, NULL) == ORK_YES) ||
           ork_windows_use(r->low, r->high);
}

/* RATIONALE: without the lock, only the thread that calls MPI may look at the tables. What other
 * threads free is of interest to it only if it is one of the few blocks, or the memory of a window.
 */
bool ork_released_is_near(const struct ork_release *r)
{
    if (r->high > (uint64_t)ORK_OFFSET_LIMIT)
        return false;
    if (is_block(r))
        return true;
    if (!ork_recorder.is_locked)
        return ork_thread.line != NULL ? is_in_tables(r)
                                       : r->low < ork_windows_high && r->high > ork_windows_low;
    if (pthread_mutex_trylock(&ork_recorder.lock) != 0)
        return true;
    bool is_near = is_in_tables(r);
    pthread_mutex_unlock(&ork_recorder.lock);
    return is_near;
}

/* ---- who has given it back? ---- */

/* Is it code of a library that gives memory back for its callers, as operator delete does? */
static bool is_runtime(const void *code)
{
    static const char *const names[] = {"libc.",        "libstdc++.",  "libc++.",
                                        "libgfortran.", "libasan.",    "libtsan.",
                                        "libjemalloc",  "libtcmalloc", "libmimalloc"};
    Dl_info info;

    if (dladdr(code, &info) == 0 || info.dli_fname == NULL)
        return false;
    const char *slash = strrchr(info.dli_fname, '/');
    const char *name = slash != NULL ? slash + 1 : info.dli_fname;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (strncmp(name, names[i], strlen(names[i])) == 0)
            return true;
    }
    return false;
}

static uint32_t site_of(const struct ork_release *r)
{
    for (uint32_t i = 0; r->site == 0 && i < r->num_frames && r->frame[i] != NULL; i++) {
        const struct ork_site *s = ork_site_of((uintptr_t)r->frame[i]);
        if (s->caller == ORK_CALLER_APPLICATION && !is_runtime(r->frame[i]))
            return s->id;
    }
    return r->site;
}

/* ---- what was it used for? ---- */

static void release_blocks(const struct ork_release *r, const struct ork_releaser *by)
{
    for (uint32_t rest = ork_pending.blocks.in_use; rest != 0; rest &= rest - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(rest);
        const struct ork_pending_block *b = &ork_pending.blocks.block[i];
        if (b->low < (int64_t)r->high && b->high > (int64_t)r->low)
            ork_pending_block_release(&ork_pending.blocks, i, by);
    }
}

static bool release_entry(void *context, const struct ork_index_entry *found,
                          const struct ork_common *common)
{
    const struct ork_releaser *by = context;
    struct ork_buffer_entry *e = &ork_pending.entry[found->payload];

    (void)common;
    if (e->released.how != NULL)
        return true;
    e->released.how = by->how;
    e->released.site = by->site;
    e->is_reported = e->use == ORK_BUFFER_WRITTEN;
    if (e->is_reported)
        ork_release_report(
            by, &(struct ork_pending_block){.site = e->site, .call = e->call, .use = e->use});
    return true;
}

/* RATIONALE: what an operation writes is an error at once. One that reads may be over: the program
 * may have lost its request on the way, and have had a reply. So it is an error when the program
 * completes it. */
static void release(const struct ork_release *r, uint32_t site)
{
    struct ork_releaser by = {.how = r->how, .site = site};
    struct ork_span span = span_of(r);

    release_blocks(r, &by);
    if (ork_pending.index.count != 0)
        ork_index_visit(&ork_pending.index, &span, ANY, release_entry, &by);
    ork_windows_release(&(struct ork_call){.id = ORK_CALL_NONE, .site = site}, r->how, r->low,
                        r->high);
}

/* RATIONALE: a lock of its own until all are looked at. Another thread that begins a call waits for
 * it, so it cannot start an operation with memory that was given back and is in use again. */
void ork_released_look(void)
{
    static pthread_mutex_t looking = PTHREAD_MUTEX_INITIALIZER;
    const struct ork_release *r;

    pthread_mutex_lock(&looking);
    do {
        while ((r = ork_release_first()) != NULL) {
            uint32_t site = site_of(r);
            ork_lock();
            release(r, site);
            ork_unlock();
            ork_release_drop();
        }
        atomic_fetch_and(&ork_errands, ~ORK_ERRAND_RELEASE); /* only now others need not wait */
    } while (ork_release_first() != NULL);
    pthread_mutex_unlock(&looking);
}
