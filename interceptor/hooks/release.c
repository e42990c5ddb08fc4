/* SPDX-License-Identifier: BSD-3-Clause */
/* free(), realloc() and munmap() of the program. RATIONALE: replaced, because memory that is given
 * back while MPI uses it is known only here. While MPI uses none, that is one load and one branch.
 * Nothing here allocates memory, or waits for a lock. */
#include "interceptor/hooks/release.h"

#include "interceptor/buffers/released.h"
#include "interceptor/memory/releases.h"
#include "interceptor/mpi/next.h"
#include "interceptor/site/site.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <malloc.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define ORK_PUBLIC __attribute__((visibility("default")))

/* The next ones in the search order: another library may have replaced them, too. RATIONALE: set
 * before the preload file leads the program's calls here. */
static void (*_Atomic next_free)(void *);
static void *(*_Atomic next_realloc)(void *, size_t);
static int (*_Atomic next_munmap)(void *, size_t);
/* NULL: it is not that of next_free. */
static size_t (*_Atomic next_usable_size)(void *);

/* ---- the next functions ---- */

#define FIND(name)                                                                                 \
    atomic_store_explicit(&next_##name, (__typeof__(&name))ork_system_find(#name),                 \
                          memory_order_relaxed)

static __attribute__((constructor)) void find_all(void)
{
    FIND(munmap);
    FIND(realloc);
    FIND(free);
}

/* The code of this library. */
static uintptr_t code_low, code_high;

extern const ElfW(Ehdr) ork_elf_header __asm__("__ehdr_start")
    __attribute__((visibility("hidden")));

static void find_code(void)
{
    const uintptr_t base = (uintptr_t)&ork_elf_header;
    const ElfW(Phdr) *header = (const ElfW(Phdr) *)(base + ork_elf_header.e_phoff);

    for (unsigned i = 0; i < ork_elf_header.e_phnum; i++) {
        if (header[i].p_type == PT_LOAD && (header[i].p_flags & PF_X) != 0) {
            code_low = base + header[i].p_vaddr;
            code_high = code_low + header[i].p_memsz;
        }
    }
}

static void *file_of(ork_function function)
{
    const void *address;
    Dl_info info;

    memcpy(&address, &function, sizeof(address));
    return dladdr(address, &info) != 0 ? info.dli_fbase : NULL;
}

/* RATIONALE: an allocator that does not say how large a block is must not be asked another one's
 * way. Then only the first byte of a block is known. */
void ork_release_init(void)
{
    size_t (*usable_size)(void *) = (size_t(*)(void *))ork_system_find("malloc_usable_size");
    void (*release)(void *) = atomic_load(&next_free);

    find_code();
    if (usable_size != NULL && file_of((ork_function)usable_size) == file_of((ork_function)release))
        atomic_store(&next_usable_size, usable_size);
}

/* ---- what is given back ---- */

/* Is it memory of this library that it gives back itself? */
static bool is_own(const void *caller)
{
    return (uintptr_t)caller - code_low < code_high - code_low;
}

/* RATIONALE: what the MPI library gives back inside of a call is its own. */
static bool is_of_program(const void *caller)
{
    return atomic_load_explicit(&ork_recording, memory_order_relaxed) &&
           ork_thread.in_library == 0 && !is_own(caller);
}

static uint64_t size_of(void *p)
{
    size_t (*usable)(void *) = atomic_load_explicit(&next_usable_size, memory_order_relaxed);
    size_t size = usable != NULL ? usable(p) : 0;

    return size > 0 ? size : 1;
}

static uint64_t address_of(const void *p)
{
    return (uint64_t)(uintptr_t)p;
}

/* Its frames, innermost first. RATIONALE: the unwinder is not loaded here, since that allocates
 * memory. */
static void note(struct ork_release *r, void *caller)
{
    int (*walk)(void **, int) = atomic_load_explicit(&ork_unwinder, memory_order_acquire);
    int n = walk != NULL ? walk(r->frame, ORK_RELEASE_FRAMES) : 0;

    r->num_frames = n > 0 ? (uint32_t)n : 1;
    if (n <= 0)
        r->frame[0] = caller;
    if (ork_release_put(r))
        ork_errand_add(ORK_ERRAND_RELEASE);
}

static __attribute__((cold, noinline)) void look(void *p, void *caller)
{
    struct ork_release r = {.how = "free"};
    int saved = errno;

    if (p != NULL && is_of_program(caller)) {
        r.low = address_of(p);
        r.high = r.low + size_of(p);
        if (ork_released_is_near(&r))
            note(&r, caller);
    }
    errno = saved;
}

ORK_PUBLIC void free(void *p)
{
    if (ORK_UNLIKELY(atomic_load_explicit(&ork_releases_matter, memory_order_relaxed) != 0))
        look(p, __builtin_return_address(0));
    atomic_load_explicit(&next_free, memory_order_relaxed)(p);
}

/* RATIONALE: what is given back is known only afterwards, when another thread may have got it. So
 * nothing is noted if several threads call MPI. */
static __attribute__((cold, noinline)) void *look_realloc(void *p, size_t size, void *caller)
{
    struct ork_release r = {.how = "realloc"};
    bool matters = false;

    if (p != NULL && is_of_program(caller) && !ork_recorder.is_locked && ork_thread.line != NULL) {
        r.low = address_of(p);
        r.high = r.low + size_of(p);
        matters = ork_released_is_near(&r);
    }
    void *q = atomic_load_explicit(&next_realloc, memory_order_relaxed)(p, size);
    int saved = errno;
    if (address_of(q) == r.low) /* what is behind it may be gone */
        r.low += size_of(q);
    if (matters && (q != NULL || size == 0) && r.low < r.high && ork_released_is_near(&r))
        note(&r, caller);
    errno = saved;
    return q;
}

ORK_PUBLIC void *realloc(void *p, size_t size)
{
    if (ORK_UNLIKELY(atomic_load_explicit(&ork_releases_matter, memory_order_relaxed) != 0))
        return look_realloc(p, size, __builtin_return_address(0));
    return atomic_load_explicit(&next_realloc, memory_order_relaxed)(p, size);
}

/* RATIONALE: one that the kernel refuses changes nothing. */
static __attribute__((cold, noinline)) void look_munmap(void *address, size_t length, void *caller)
{
    enum { SMALLEST_PAGE = 4096 };
    struct ork_release r = {.low = address_of(address), .how = "munmap"};
    int saved = errno;

    if (length > 0 && r.low % SMALLEST_PAGE == 0 && length <= UINT64_MAX - r.low &&
        is_of_program(caller)) {
        r.high = r.low + length;
        if (ork_released_is_near(&r))
            note(&r, caller);
    }
    errno = saved;
}

ORK_PUBLIC int munmap(void *address, size_t length)
{
    if (ORK_UNLIKELY(atomic_load_explicit(&ork_releases_matter, memory_order_relaxed) != 0))
        look_munmap(address, length, __builtin_return_address(0));
    return atomic_load_explicit(&next_munmap, memory_order_relaxed)(address, length);
}
