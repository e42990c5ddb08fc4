/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/hooks/touch.h"

#include "interceptor/buffers/buffers.h"
#include "interceptor/memory/sweeps.h"
#include "interceptor/memory/touch_lock.h"
#include "interceptor/objects/windows.h"
#include "interceptor/preload/thread_storage.h"

#include <errno.h>

/* The pieces that a thread used last, by page. */
enum { PIECES = 64 };
ORK_THREAD_LOCALS(struct ork_piece, ork_touch_pieces, PIECES);
/* The thread is in touch(). RATIONALE: a signal handler may interrupt it there. */
ORK_THREAD_LOCAL(bool, ork_touch_is_inside);

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

static inline struct ork_piece *cached_piece(uint64_t address)
{
    return &ork_touch_pieces[(address >> ORK_MEMORY_PAGE_SHIFT) % PIECES];
}

static inline bool has_byte(const struct ork_piece *p, uint64_t address)
{
    return p->generation == atomic_load_explicit(&ork_watch_generation, memory_order_acquire) &&
           address >= p->low && address < p->high;
}

static const struct ork_piece *piece_of(uint64_t address)
{
    struct ork_piece *p = cached_piece(address);

    return has_byte(p, address) || find_piece(address, p) ? p : NULL;
}

static void check(const struct touch *t)
{
    uint32_t site;
    int saved = errno;

    if (ork_touch_site(t->code, &site) && ork_touch_lock()) {
        ork_buffers_touch(site, t->is_store, t->address, t->size);
        ork_origins_touch(site, t->is_store, t->address, t->size);
        ork_touch_unlock();
    }
    errno = saved;
}

static inline void touch_piece(struct touch t, const struct ork_piece *p)
{
    if (ORK_UNLIKELY(
            (p->checks & (t.is_store ? ORK_PIECE_CHECKS_STORES : ORK_PIECE_CHECKS_LOADS)) != 0))
        check(&(struct touch){t.is_store, t.address, t.size, t.code});
    if ((p->checks & ORK_PIECE_IS_WINDOW) != 0)
        ork_sweeps_add(t.code, p->window, t.is_store, t.address, t.size);
}

static __attribute__((noinline)) void touch_pieces(uint64_t address, uint64_t size, bool is_store,
                                                   uintptr_t code)
{
    int saved = errno;

    while (size > 0) {
        const struct ork_piece *p = piece_of(address);
        if (p == NULL)
            break;
        uint64_t here = p->high - address < size ? p->high - address : size;
        touch_piece((struct touch){is_store, address, here, code}, p);
        address += here;
        size -= here;
    }
    errno = saved;
}

/* RATIONALE: what the library does itself, or has done by a callback such as a reduction operation
 * of the program, is not an access by the program. */
static void touch(uintptr_t address, size_t size, enum ork_memory_use use, uintptr_t code)
{
    if (!atomic_load_explicit(&ork_recording, memory_order_acquire) || ork_thread.in_library > 0 ||
        ork_thread.state != ORK_STATE_RUNNING || ork_touch_is_inside ||
        address >= (uint64_t)INT64_MAX - size)
        return;
    const bool is_store = use == ORK_MEMORY_STORE;
    const struct ork_piece *p = cached_piece(address);
    ork_touch_is_inside = true;
    if (ORK_LIKELY(has_byte(p, address) && size <= p->high - address))
        touch_piece((struct touch){is_store, address, size, code}, p);
    else
        touch_pieces(address, size, is_store, code);
    ork_touch_is_inside = false;
}

void ork_touch_init(void)
{
    ork_preload_memory_start(touch);
}
