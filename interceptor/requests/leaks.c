/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/requests/leaks.h"

#include "common/vec.h"
#include "interceptor/requests/requests.h"
#include "interceptor/usage/usage.h"

#include <errno.h>
#include <mpi.h>
#include <stdlib.h>

/* As enum ork_handle_kind, with one more kind. */
enum { PERSISTENT_REQUEST = ORK_HANDLE_KINDS, LEAK_KINDS };

struct leak {
    int kind;
    struct ork_handle_place place;
};

struct leaks {
    struct leak *item;
    uint32_t count;
    uint32_t room;
    bool failed; /* out of memory */
};

/* RATIONALE: persistent requests that are active are left to the detector; and other tools keep
 * what they made until the process ends. */
static void add(void *context, enum ork_handle_kind kind, uint64_t value,
                struct ork_handle_place place)
{
    struct leaks *l = context;
    const struct ork_entry *numbered =
        kind == ORK_HANDLE_REQUEST ? ork_map_find(&ork_requests, value) : NULL;

    if (place.is_tools || (numbered != NULL && (numbered->flags & ORK_R_ACTIVE) != 0))
        return;
    if (l->failed || !ork_vec_reserve(&l->item, &l->room, l->count + 1, sizeof(*l->item)))
        l->failed = true;
    else
        l->item[l->count++] = (struct leak){
            .kind = numbered != NULL ? PERSISTENT_REQUEST : (int)kind, .place = place};
}

static int compare(const void *x, const void *y)
{
    const struct leak *a = x;
    const struct leak *b = y;

    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->place.site != b->place.site)
        return a->place.site < b->place.site ? -1 : 1;
    return (a->place.call > b->place.call) - (a->place.call < b->place.call);
}

/* How a kind is called, and the check that reports it. */
static struct ork_usage usage_of(int kind)
{
    static const struct {
        enum ork_usage_id id;
        const char *name;
    } kinds[LEAK_KINDS] = {
        [ORK_HANDLE_COMM] = {ORK_USAGE_HANDLE_LEAK, "communicator"},
        [ORK_HANDLE_GROUP] = {ORK_USAGE_HANDLE_LEAK, "group"},
        [ORK_HANDLE_DATATYPE] = {ORK_USAGE_HANDLE_LEAK, "datatype"},
        [ORK_HANDLE_OP] = {ORK_USAGE_HANDLE_LEAK, "operator"},
        [ORK_HANDLE_REQUEST] = {ORK_USAGE_REQUEST_LEAK, "request"},
        [PERSISTENT_REQUEST] = {ORK_USAGE_PERSISTENT_LEAK, "persistent request"},
        [ORK_HANDLE_WIN] = {ORK_USAGE_HANDLE_LEAK, "window"},
        [ORK_HANDLE_FILE] = {ORK_USAGE_FILE_LEAK, "file"},
        [ORK_HANDLE_INFO] = {ORK_USAGE_SMALL_LEAK, "info object"},
        [ORK_HANDLE_ERRHANDLER] = {ORK_USAGE_SMALL_LEAK, "error handler"},
        [ORK_HANDLE_KEYVAL] = {ORK_USAGE_SMALL_LEAK, "attribute key"},
        [ORK_HANDLE_MESSAGE] = {ORK_USAGE_MESSAGE_LEAK, "message"},
    };

    return (struct ork_usage){.id = kinds[kind].id, .argument = kinds[kind].name};
}

/* `count` equal leaks. RATIONALE: info objects, error handlers and attribute keys are small, and
 * programs and libraries keep one of them on purpose; several from one place are a loop. */
static void report(const struct leak *leak, uint32_t count)
{
    struct ork_usage usage = usage_of(leak->kind);

    if (usage.id == ORK_USAGE_SMALL_LEAK && count == 1)
        return;
    usage.value = count;
    ork_usage_report_returned(&(struct ork_call){.id = leak->place.call, .site = leak->place.site},
                              &usage);
}

static void report_all(struct leaks *l)
{
    uint32_t n;

    qsort(l->item, l->count, sizeof(*l->item), compare);
    for (uint32_t i = 0; i < l->count; i += n) {
        for (n = 1; i + n < l->count && compare(&l->item[i], &l->item[i + n]) == 0;)
            n++;
        report(&l->item[i], n);
    }
}

static bool are_reported;

void ork_leak_is_freed(enum ork_handle_kind kind, uint64_t value)
{
    struct ork_handle_place place = {0};

    ork_lock();
    if (are_reported && ork_handle_look(kind, value, &place) == ORK_HANDLE_VALID &&
        place.site != 0 && !place.is_tools) {
        struct ork_usage usage = usage_of(kind);
        ork_usage_take_back(&(struct ork_call){.id = place.call, .site = place.site}, &usage);
    }
    ork_unlock();
}

void ork_leaks_report(void)
{
    int saved = errno;
    struct leaks l = {.item = NULL};

    ork_lock();
    if (ork_handles_are_complete())
        ork_handles_visit(add, &l);
    if (l.count > 0 && !l.failed)
        report_all(&l);
    are_reported = true;
    ork_usage_finish(); /* the counts of these, too */
    ork_unlock();
    free(l.item);
    errno = saved;
}
