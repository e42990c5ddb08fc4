/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/touch.h"

#include "common/log.h"
#include "interceptor/buffers.h"
#include "interceptor/sweeps.h"
#include "interceptor/touch_lock.h"
#include "interceptor/windows.h"

#include <errno.h>

/* The pieces that a thread used last, by page. */
enum { PIECES = 64 };
static _Thread_local struct ork_piece pieces[PIECES] __attribute__((tls_model("initial-exec")));
/* The thread is in touch(). RATIONALE: a signal handler may interrupt it there. */
static _Thread_local bool is_inside __attribute__((tls_model("initial-exec")));

/* An access by the program. */
struct touch {
    bool is_store;
    uint64_t address, size;
    uintptr_t code;
};

/* The piece that has this byte. False: unknown for now. */
static bool find_piece(uint64_t address, struct ork_piece *piece)
{
    uint64_t page = address & ~(uint64_t)(ORK_MEMORY_PAGE - 1);

    if (!ork_touch_lock())
        return false;
    *piece = (struct ork_piece){
        .low = page,
        .high = page + ORK_MEMORY_PAGE,
        .generation = atomic_load_explicit(&ork_watch_generation, memory_order_relaxed)};
    ork_buffers_cut(piece, address);
    ork_origins_cut(piece, address);
    ork_windows_cut(piece, address);
    ork_touch_unlock();
    return true;
}

static const struct ork_piece *piece_of(uint64_t address)
{
    struct ork_piece *p = &pieces[(address >> ORK_MEMORY_PAGE_SHIFT) % PIECES];
    uint32_t now = atomic_load_explicit(&ork_watch_generation, memory_order_acquire);

    if (ORK_LIKELY(p->generation == now && address >= p->low && address < p->high))
        return p;
    return find_piece(address, p) ? p : NULL;
}

static void check(const struct touch *t)
{
    uint32_t site;

    if (!ork_touch_site(t->code, &site) || !ork_touch_lock())
        return;
    ork_buffers_touch(site, t->is_store, t->address, t->size);
    ork_origins_touch(site, t->is_store, t->address, t->size);
    ork_touch_unlock();
}

static void touch_piece(const struct touch *t, const struct ork_piece *p)
{
    if ((p->checks & (t->is_store ? ORK_PIECE_CHECKS_STORES : ORK_PIECE_CHECKS_LOADS)) != 0)
        check(t);
    if ((p->checks & ORK_PIECE_IS_WINDOW) != 0)
        ork_sweeps_add(&(struct ork_window_touch){.code = t->code,
                                                  .window = p->window,
                                                  .is_store = t->is_store,
                                                  .address = t->address,
                                                  .size = t->size});
}

static void touch_pieces(const struct touch *whole)
{
    struct touch t = *whole;

    while (t.size > 0) {
        const struct ork_piece *p = piece_of(t.address);
        if (p == NULL)
            return;
        uint64_t left = t.size, here = p->high - t.address;
        t.size = left < here ? left : here;
        touch_piece(&t, p);
        t.address += t.size;
        t.size = left - t.size;
    }
}

/* RATIONALE: what the library does itself, or has done by a callback such as a reduction operation
 * of the program, is not an access by the program. */
static void touch(uintptr_t address, size_t size, enum ork_memory_use use, uintptr_t code)
{
    if (!atomic_load_explicit(&ork_recording, memory_order_acquire) || ork_thread.in_library > 0 ||
        ork_thread.state != ORK_STATE_RUNNING || is_inside || address >= (uint64_t)INT64_MAX - size)
        return;
    int saved = errno;
    is_inside = true;
    touch_pieces(&(struct touch){
        .is_store = use == ORK_MEMORY_STORE, .address = address, .size = size, .code = code});
    is_inside = false;
    errno = saved;
}

/* RATIONALE: all threads need the recorder's lock from the first recorded call on, and operations
 * that are pending already are not watched. */
const struct ork_memory_tool *orknot_memory_attach(uint32_t version)
{
    static struct ork_memory_tool tool;

    if (version != ORK_MEMORY_VERSION) {
        ork_error("loads and stores are not seen: the program has liborknot-memory of another "
                  "version of Orknot");
        return NULL;
    }
    if (atomic_load(&ork_recording) && !ork_watch_is_on)
        return NULL;
    ork_watch_is_on = true;
    tool = (struct ork_memory_tool){.filter = ork_watch_filter(), .touch = touch};
    return &tool;
}
