/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/site/site.h"

#include "interceptor/mpi/mpi_library.h"
#include "interceptor/site/places.h"
#include "interceptor/site/module.h"
#include "interceptor/site/site_ids.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>

_Atomic(struct ork_site_table *) ork_sites;

int (*_Atomic ork_unwinder)(void **address, int room);

enum { SITES_MIN = 1024, FRAMES_FAR = 32 };

static int find_nothing(void **address, int room)
{
    (void)address, (void)room;
    return 0;
}

/* RATIONALE: libunwind exports backtrace() and _Unwind_*; as a dependency of a preloaded library it
 * would replace the application's. So it is loaded into a scope of its own. Most programs never
 * need it, and to load it takes a good part of the time that the start of a rank takes longer. */
void ork_load_unwinder(void)
{
    int saved = errno;
    void *handle = dlopen(ORK_LIBUNWIND, RTLD_NOW | RTLD_LOCAL);
    void *symbol = handle != NULL ? dlsym(handle, "unw_backtrace") : NULL;
    int (*found)(void **, int) = find_nothing;

    if (symbol != NULL)
        memcpy(&found, &symbol, sizeof(symbol));
    atomic_store(&ork_unwinder, found);
    errno = saved;
}

static struct ork_site_table *table_create(size_t slots)
{
    struct ork_site_table *t = calloc(1, sizeof(*t) + slots * sizeof(t->slot[0]));

    if (t != NULL)
        t->mask = slots - 1;
    return t;
}

bool ork_sites_init(void)
{
    if (atomic_load(&ork_sites) != NULL)
        return true;

    struct ork_site_table *t = table_create(SITES_MIN);

    if (t == NULL)
        return false;
    atomic_store(&ork_sites, t);
    return true;
}

static struct ork_site *place(struct ork_site_table *t, uintptr_t address)
{
    for (size_t i = ork_hash_short(address);; i++) {
        struct ork_site *s = &t->slot[i & t->mask];
        uintptr_t a = atomic_load_explicit(&s->address, memory_order_relaxed);
        if (a == 0 || a == address)
            return s;
    }
}

static void copy_site(struct ork_site *to, const struct ork_site *from, uintptr_t address)
{
    to->id = from->id;
    to->caller = from->caller;
    to->flags = from->flags;
    atomic_store_explicit(&to->address, address, memory_order_release);
}

/* RATIONALE: the smaller table is never freed, because a thread may be reading it. All of them
 * together are no larger than the last. */
static struct ork_site_table *roomy_table(void)
{
    struct ork_site_table *t = atomic_load(&ork_sites);
    struct ork_site_table *bigger;

    if (t->used * 2 <= t->mask)
        return t;
    bigger = table_create((t->mask + 1) * 2);
    if (bigger == NULL)
        return t->used < t->mask ? t : NULL;
    for (size_t i = 0; i <= t->mask; i++) {
        uintptr_t address = atomic_load(&t->slot[i].address);
        if (address != 0)
            copy_site(place(bigger, address), &t->slot[i], address);
    }
    bigger->used = t->used;
    atomic_store_explicit(&ork_sites, bigger, memory_order_release);
    return bigger;
}

uint32_t ork_site_put(const struct ork_module *m, uintptr_t address, uint32_t caller, uint8_t flags)
{
    struct ork_record record = {.kind = ORK_KIND_SITE,
                                .flags = flags,
                                .thread = ork_thread.index,
                                .site = ork_site_next_id(),
                                .arg = m->id,
                                .arg2 = caller,
                                .extra = address - m->base};

    ork_choice_add_site(record.site, m->path, record.extra);
    ork_lock();
    ork_put(&record);
    ork_publish();
    ork_unlock();
    return record.site;
}

static uint8_t flags_of(uintptr_t layer)
{
    const struct ork_module *m = layer != 0 ? ork_module_of(layer) : NULL;

    return m != NULL && ork_library_copies_sections(m->path) ? ORK_F_COPIES : 0;
}

const struct ork_site *ork_site_add(uintptr_t address, uintptr_t layer)
{
    static const struct ork_site nowhere = {.caller = ORK_CALLER_APPLICATION};
    int saved = errno;
    const struct ork_site *result = &nowhere;

    ork_thread.in_library++; /* no access by a signal handler is looked at */
    ork_sites_lock();
    struct ork_site_table *t = roomy_table();
    struct ork_site *s = t != NULL ? place(t, address) : NULL;
    if (s != NULL && atomic_load(&s->address) == 0) {
        struct ork_site made = {.caller = ORK_CALLER_APPLICATION};
        const struct ork_module *m = ork_module_of(address);
        if (m != NULL) {
            made.caller = (uint16_t)m->caller;
            made.flags = flags_of(layer);
        }
        if (m != NULL && (m->caller == ORK_CALLER_APPLICATION || m->caller == ORK_CALLER_PYTHON))
            made.id = ork_site_put(m, address, 0, (uint8_t)made.flags);
        if (m != NULL && m->caller == ORK_CALLER_BINDING)
            made.frame = ork_frame_size(address);
        copy_site(s, &made, address);
        t->used++;
    }
    if (s != NULL)
        result = s;
    ork_sites_unlock();
    ork_thread.in_library--;
    errno = saved;
    return result;
}

void ork_site_add_tool(uintptr_t address, bool is_own)
{
    ork_sites_lock();
    struct ork_site_table *t = roomy_table();
    struct ork_site *s = t != NULL ? place(t, address) : NULL;
    if (s != NULL && atomic_load(&s->address) == 0) {
        struct ork_site made = {.caller = ORK_CALLER_TOOL,
                                .frame = ork_frame_size(address),
                                .flags = is_own ? ORK_SITE_OWN : 0};
        copy_site(s, &made, address);
        t->used++;
    }
    ork_sites_unlock();
}

uint32_t ork_site_of_frames(void *const *frame, int count)
{
    uintptr_t layer = 0;

    for (int i = 1; i < count && frame[i] != NULL; i++) {
        const struct ork_site *s = ork_site_before((uintptr_t)frame[i], layer);
        if (s->caller == ORK_CALLER_PYTHON)
            return ork_python_site(s);
        if (s->caller == ORK_CALLER_APPLICATION)
            return s->id;
        layer = s->caller == ORK_CALLER_BINDING ? (uintptr_t)frame[i] : 0;
    }
    return 0;
}

uint32_t ork_site_far(void)
{
    void *frame[FRAMES_FAR];

    return ork_site_of_frames(frame, ork_backtrace(frame, FRAMES_FAR));
}

bool ork_site_is_recorded(uintptr_t address)
{
    int saved = errno;
    enum ork_caller caller = ork_module_caller(address);

    errno = saved;
    return caller != ORK_CALLER_MPI;
}
