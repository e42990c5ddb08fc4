/* SPDX-License-Identifier: BSD-3-Clause */
/* Who calls an MPI function, and from where: return address -> kind of caller and call site. Looked
 * up without a lock, created under one. Code that is unloaded and replaced by other code at the
 * same address keeps its first site. */
#ifndef ORK_SITE_H
#define ORK_SITE_H

#include "common/hash.h"
#include "interceptor/ring/errands.h"
#include "interceptor/ring/noise.h"
#include "interceptor/site/python.h"
#include "interceptor/ring/recorder.h"
#include "interceptor/site/backtrace.h"
#include "interceptor/site/unwind.h"

#include <errno.h>
#include <mpi.h>

enum ork_caller {
    ORK_CALLER_APPLICATION,
    ORK_CALLER_BINDING, /* a language layer of the MPI library: Fortran, C++ */
    ORK_CALLER_PYTHON,  /* an extension module, such as mpi4py's */
    ORK_CALLER_TOOL,    /* a function MPI_X that is not the library's, see wrappers.h */
    ORK_CALLER_MPI, /* the MPI library itself, its plugins, or this library: not the application */
};

/* Which of the two names of a function was called? */
enum ork_level { ORK_LEVEL_MPI, ORK_LEVEL_PMPI };

struct ork_site {
    _Atomic(uintptr_t) address; /* 0: empty */
    union {
        uint32_t id;    /* of the SITE record; 0 unless the caller is the application or Python */
        uint32_t frame; /* of a language layer's or a tool's call: see ork_frame_size() */
    };
    uint16_t caller; /* enum ork_caller */
    uint16_t flags;  /* of the SITE record; of a tool's call: ORK_SITE_OWN */
};

/* A tool's call of another function than the one that the program has called. */
enum { ORK_SITE_OWN = 1 };

struct ork_site_table {
    size_t mask; /* slots - 1 */
    size_t used;
    struct ork_site slot[];
};
extern _Atomic(struct ork_site_table *) ork_sites;

/* One recorded call. */
struct ork_call {
    void *address; /* return address of the hook */
    uint32_t site;
    uint16_t id;    /* enum ork_call_id */
    uint16_t outer; /* enum ork_state of the thread around this call: an attribute callback runs
                     * inside MPI_Finalize */
};

/* When the ring exists; a second call does nothing. False: out of memory. */
bool ork_sites_init(void);

struct ork_module;
/* Write the SITE record of a new call site. RATIONALE: it is published before a table has the
 * site, because another thread may use that at once. `caller`: the site of the caller; 0: not
 * wanted. The lock of the sites is held. */
uint32_t ork_site_put(const struct ork_module *m, uintptr_t address, uint32_t caller,
                      uint8_t flags);

/* The caller with this return address, entered (with its SITE record) if it is new. Never NULL.
 * `layer`: it calls the language layer at this address; 0: another one. */
const struct ork_site *ork_site_add(uintptr_t address, uintptr_t layer);

/* The same for the caller of the hook of a function, which may be a tool's. */
const struct ork_site *ork_site_add_caller(uintptr_t address, enum ork_call_id id,
                                           enum ork_level level) __attribute__((cold, noinline));

/* Enter a call of another tool; does nothing if it is known. `is_own`: see ORK_SITE_OWN. */
void ork_site_add_tool(uintptr_t address, bool is_own);

/* NULL: the caller is new. */
static inline const struct ork_site *ork_site_known(uintptr_t address)
{
    const struct ork_site_table *t = atomic_load_explicit(&ork_sites, memory_order_acquire);

    for (size_t i = ork_hash_short(address);; i++) {
        const struct ork_site *s = &t->slot[i & t->mask];
        uintptr_t a = atomic_load_explicit(&s->address, memory_order_acquire);
        if (ORK_LIKELY(a == address))
            return s;
        if (a == 0)
            return NULL;
    }
}

static inline const struct ork_site *ork_site_before(uintptr_t address, uintptr_t layer)
{
    const struct ork_site *s = ork_site_known(address);

    return ORK_LIKELY(s != NULL) ? s : ork_site_add(address, layer);
}

static inline const struct ork_site *ork_site_of(uintptr_t address)
{
    return ork_site_before(address, 0);
}

/* The site of the innermost frame of the application; frame[0] is the hook's own. 0: none of
 * them. */
uint32_t ork_site_of_frames(void *const *frame, int count);
/* The same from a longer walk. */
uint32_t ork_site_far(void);

/* As above for the call that starts recording: there is no table yet, so the two questions are
 * separate. */
bool ork_site_is_recorded(uintptr_t address);
uint32_t ork_site_resolve(const struct ork_call *call);

/* A language layer called from `site`: walk frame by frame to the application; `cfa` is the hook's
 * canonical frame address. 0: a frame's size is unknown. RATIONALE: a walk of the stack by a
 * general unwinder costs more than all the rest of a recorded call. */
static inline uint32_t ork_site_above(const struct ork_site *site, uintptr_t cfa)
{
    for (int layers = 0; layers < 3 && site->frame != 0; layers++) {
        cfa += site->frame;
        site = ork_site_before(ork_return_address(cfa), site->address);
        if (ORK_LIKELY(site->caller == ORK_CALLER_APPLICATION))
            return site->id;
        if (site->caller != ORK_CALLER_BINDING)
            return 0;
    }
    return 0;
}

/* The same with the unwinder. RATIONALE: inlined into the hook, so that four frames suffice for
 * mpi_f08: hook, two layers, application. */
static inline __attribute__((always_inline)) uint32_t ork_site_unwound(void)
{
    void *frame[4];
    int saved = errno;
    int n = ork_backtrace(frame, 4);
    uint32_t site = ork_site_of_frames(frame, n);

    if (ORK_UNLIKELY(site == 0))
        site = ork_site_far();
    errno = saved;
    return site;
}

static inline __attribute__((always_inline)) uint32_t
ork_site_behind_binding(const struct ork_site *site)
{
    uintptr_t cfa = (uintptr_t)__builtin_dwarf_cfa();
    uint32_t found = 0;

    if (ORK_LIKELY(ork_return_address(cfa) == site->address)) /* it is the expected frame */
        found = ork_site_above(site, cfa);
    return ORK_LIKELY(found != 0) ? found : ork_site_unwound();
}

/* A tool called from `site`: the place of the program's call, from there outwards, into the call;
 * `cfa` is the hook's canonical frame address. False: the MPI library, and not the program, has
 * called the tool. */
bool ork_find_above_tool(struct ork_call *call, const struct ork_site *site, uintptr_t cfa)
    __attribute__((noinline));

/* Is it a tool's call of another function than the one that the program has called? */
static inline bool ork_call_is_tools_own(const struct ork_call *call)
{
    const struct ork_site *site = ork_site_of((uintptr_t)call->address);

    return site->caller == ORK_CALLER_TOOL && (site->flags & ORK_SITE_OWN) != 0;
}

/* Do what ork_errands asks for, at a call. `id` is that of the call. RATIONALE: to read the two
 * bytes that were just stored there as a part of four would make the processor wait. */
void ork_run_errands(enum ork_noise noise, enum ork_call_id id, struct ork_call *call);

/* See callers.h. */
uint32_t ork_callers_site(const struct ork_call *call);

/* The site of the call gets its callers, with --must:callers. */
static inline void ork_add_callers(struct ork_call *call)
{
    if (ORK_UNLIKELY(
            (atomic_load_explicit(&ork_errands, memory_order_relaxed) & ORK_ERRAND_CALLERS) != 0))
        call->site = ork_callers_site(call);
}

/* Classify a hook's caller and find its site. False: pass the call through. */
static inline __attribute__((always_inline)) bool
ork_find_caller(struct ork_call *call, enum ork_call_id id, enum ork_level level, void *address)
{
    if (!atomic_load_explicit(&ork_recording, memory_order_relaxed))
        return false;

    const struct ork_site *site = ork_site_known((uintptr_t)address);
    if (ORK_UNLIKELY(site == NULL))
        site = ork_site_add_caller((uintptr_t)address, id, level);
    call->address = address;
    if (level == ORK_LEVEL_MPI && ORK_LIKELY(site->caller == ORK_CALLER_APPLICATION))
        call->site = site->id;
    else if (site->caller == ORK_CALLER_BINDING)
        call->site = ork_site_behind_binding(site);
    else if (site->caller == ORK_CALLER_APPLICATION)
        call->site = site->id;
    else if (site->caller == ORK_CALLER_PYTHON)
        call->site = ork_python_site(site);
    else
        return site->caller == ORK_CALLER_TOOL &&
               ork_find_above_tool(call, site, (uintptr_t)__builtin_dwarf_cfa());
    return true;
}

static inline __attribute__((always_inline)) bool ork_begin(struct ork_call *call,
                                                            enum ork_call_id id,
                                                            enum ork_level level,
                                                            enum ork_noise noise, void *address)
{
    if (!ork_find_caller(call, id, level, address))
        return false;
    if (ORK_UNLIKELY(ork_thread.line == NULL))
        ork_thread_start();
    call->id = (uint16_t)id;
    ork_thread.stack = (uintptr_t)__builtin_dwarf_cfa();
    uint32_t errands = atomic_load_explicit(&ork_errands, memory_order_relaxed);
    if (noise == ORK_NOISE_POLL)
        errands &= ~ORK_ERRAND_ITERATION;
    if (ORK_UNLIKELY(errands != 0))
        ork_run_errands(noise, id, call);
    call->outer = ork_thread.state;
    return true;
}

/* The same for a call of which nothing is recorded. RATIONALE: it does not make its thread known,
 * because a known thread counts as able to make other calls. */
static inline __attribute__((always_inline)) bool
ork_begin_local(struct ork_call *call, enum ork_call_id id, enum ork_level level, void *address)
{
    if (!ork_find_caller(call, id, level, address))
        return false;
    ork_add_callers(call);
    call->id = (uint16_t)id;
    call->outer = ork_thread.state;
    return true;
}

/* The same for the call that starts recording; not for one that is repeated. */
static inline bool ork_begin_unattached(struct ork_call *call, enum ork_call_id id, void *address)
{
    int begun = 0;

    *call = (struct ork_call){.address = address, .id = (uint16_t)id};
    PMPI_Initialized(&begun);
    return !begun && ork_site_is_recorded((uintptr_t)address);
}

#endif
