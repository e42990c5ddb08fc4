/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/site/callers.h"

#include "common/log.h"
#include "common/session.h"
#include "interceptor/site/module.h"
#include "interceptor/site/site_ids.h"

#include <errno.h>
#include <stdlib.h>

/* Frames between the walk and the application: the hook, and layers of other languages. */
enum { INNER_MAX = 12, PATHS_MIN = 1024 };

/* A site with a caller. `caller` is a site, too; 0: the entry is empty. */
struct path {
    uintptr_t address;
    uint32_t caller, site;
};

static unsigned wanted; /* callers of a call */
static struct path *paths;
static size_t mask, used; /* slots - 1 */

void ork_callers_init(void)
{
    const char *text = getenv(ORK_ENV_CALLERS);
    char *end;

    if (text == NULL)
        return;
    unsigned long number = strtoul(text, &end, 10);
    if (number == 0 || number > ORK_CALLERS_MAX || *end != '\0') {
        ork_error("runs without callers: " ORK_ENV_CALLERS " is \"%.60s\"", text);
        return;
    }
    wanted = (unsigned)number;
    ork_errand_add(ORK_ERRAND_CALLERS);
}

static struct path *slot_of(struct path *table, size_t last, uintptr_t address, uint32_t caller)
{
    size_t i = ork_hash_add(address, caller) & last;

    while (table[i].caller != 0 && (table[i].address != address || table[i].caller != caller))
        i = (i + 1) & last;
    return &table[i];
}

/* False: out of memory. */
static bool make_room(void)
{
    if (paths != NULL && used * 2 <= mask)
        return true;
    size_t slots = paths == NULL ? PATHS_MIN : (mask + 1) * 2;
    struct path *table = calloc(slots, sizeof(*table));
    if (table == NULL)
        return false;
    for (size_t i = 0; paths != NULL && i <= mask; i++) {
        if (paths[i].caller != 0)
            *slot_of(table, slots - 1, paths[i].address, paths[i].caller) = paths[i];
    }
    free(paths);
    paths = table;
    mask = slots - 1;
    return true;
}

/* The site of a call at this address, made by `caller`; 0: out of memory, or no known file. */
static uint32_t find(uintptr_t address, uint32_t caller)
{
    uint32_t site = 0;
    uint8_t flags = (uint8_t)ork_site_of(address)->flags;

    ork_sites_lock();
    if (make_room()) {
        struct path *p = slot_of(paths, mask, address, caller);
        const struct ork_module *m = p->caller != 0 ? NULL : ork_module_of(address);
        if (m != NULL) {
            *p = (struct path){address, caller, ork_site_put(m, address, caller, flags)};
            used++;
        }
        site = p->site;
    }
    ork_sites_unlock();
    return site;
}

static bool is_application(void *frame, uint32_t *site)
{
    const struct ork_site *s = frame != NULL ? ork_site_of((uintptr_t)frame) : NULL;

    if (s == NULL || s->caller != ORK_CALLER_APPLICATION)
        return false;
    *site = s->id;
    return true;
}

/* The frames of the application from `address` on: up to the first one that is not, as where the
 * MPI library calls a function of the application. */
static int application(void **frame, int n, const struct ork_call *call, void ***first)
{
    uint32_t site = 0;
    int i = 0, count = 0;

    while (i < n && frame[i] != call->address)
        i++;
    while (i < n && !is_application(frame[i], &site))
        i++;
    *first = &frame[i];
    if (i == n || site != call->site) /* of Python code, for example */
        return 0;
    while (i + count < n && count <= (int)wanted && is_application(frame[i + count], &site))
        count++;
    return count;
}

uint32_t ork_callers_site(const struct ork_call *call)
{
    void *frame[INNER_MAX + ORK_CALLERS_MAX + 1], **first;
    int saved = errno;
    int n = ork_backtrace(frame, INNER_MAX + (int)wanted + 1);
    int count;
    uint32_t site;

    ork_thread.in_library++; /* no access by a signal handler is looked at */
    count = application(frame, n, call, &first);
    site = count > 1 ? ork_site_of((uintptr_t)first[count - 1])->id : 0;
    for (int i = count - 2; i >= 0 && site != 0; i--)
        site = find((uintptr_t)first[i], site);
    ork_thread.in_library--;
    errno = saved;
    return site != 0 ? site : call->site;
}
