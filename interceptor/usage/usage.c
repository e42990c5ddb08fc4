/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/usage/usage.h"

#include "common/hash.h"
#include "common/log.h"
#include "common/session.h"
#include "interceptor/usage/inside.h"
#include "interceptor/mpi/neutral.h"

#include <errno.h>
#include <mpi.h>
#include <stdlib.h>

/* TRIES_MAX: calls at one place that are reported while none of them has failed
 * (ORK_USAGE_IF_FAILED). */
enum { TRIES_MAX = 100, TEXT_MAX = 240 };

struct entry {
    struct ork_usage usage; /* its text is not kept */
    uint32_t site;
    uint16_t call;
    const struct ork_call *open; /* the call in which it was found and that has not returned; NULL:
                                  * none */
    bool counts; /* that call is in the `wrong` of its thread: see struct ork_thread_state */
    bool has_failed;
    uint64_t text; /* hash of the text of the first time */
    bool varies;   /* it was not always found with the same values and text */
    uint64_t times;
    uint64_t counted; /* of these, those in COUNTED records */
};

bool ork_usage_is_on[ORK_USAGE_MAX];
static struct entry *entries;
static uint32_t num_entries;
uint64_t ork_usage_reports;

/* Mistakes for which there was no room, how many of them the last record said, and the last one. */
static struct {
    uint64_t count, said;
    enum ork_usage_id id;
} dropped;

void ork_usage_init(void)
{
    static bool is_done;
    const char *list = getenv(ORK_ENV_CHECKS);
    const char *unknown;
    size_t length;

    if (is_done)
        return;
    is_done = true;
    if (!ork_usage_choose(list != NULL ? list : "all", ork_usage_is_on, &unknown, &length))
        ork_error("some checks are off: " ORK_ENV_CHECKS " is \"%.60s\"", list);
}

static bool is_same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool is_same(const struct entry *e, const struct ork_call *call, const struct ork_usage *u)
{
    return e->usage.id == u->id && e->call == call->id && e->site == call->site &&
           e->usage.other_call == u->other_call && e->usage.other_site == u->other_site &&
           is_same_text(e->usage.argument, u->argument);
}

static bool is_repeated(const struct entry *e, const struct ork_usage *u)
{
    return e->usage.value == u->value && e->usage.value2 == u->value2 &&
           e->text == ork_hash_text(0, u->text);
}

/* NULL: there is no room for another one. */
static struct entry *enter(const struct ork_call *call, const struct ork_usage *u)
{
    for (uint32_t i = 0; i < num_entries; i++) {
        if (!is_same(&entries[i], call, u))
            continue;
        entries[i].varies |= !is_repeated(&entries[i], u);
        return &entries[i];
    }
    if (entries == NULL)
        entries = calloc(ORK_USAGES_MAX, sizeof(*entries));
    if (entries == NULL || num_entries == ORK_USAGES_MAX)
        return NULL;
    struct entry *e = &entries[num_entries++];
    *e = (struct entry){.usage = *u, .site = call->site, .call = call->id};
    e->text = ork_hash_text(0, u->text);
    e->usage.text = NULL;
    return e;
}

static struct ork_record record_of(const struct entry *e, enum ork_usage_event event)
{
    return (struct ork_record){.kind = ORK_KIND_USAGE,
                               .call = e->call,
                               .thread = ork_thread.index,
                               .mode = (uint16_t)e->usage.id,
                               .site = e->site,
                               .request = (uint32_t)(e - entries),
                               .peer = (int32_t)event};
}

static void put_found(const struct entry *e, const struct ork_usage *u)
{
    struct ork_record r = record_of(e, ORK_USAGE_FOUND);
    const char *argument = u->argument != NULL ? u->argument : "";
    const char *text = u->text != NULL ? u->text : "";
    char list[TEXT_MAX];
    size_t length = strnlen(argument, TEXT_MAX / 2);
    size_t more = strnlen(text, TEXT_MAX - length - 1);

    memcpy(list, argument, length);
    list[length] = '\0';
    memcpy(list + length + 1, text, more);
    r.tag = u->other_call;
    r.arg2 = u->other_site;
    r.extra = (uint64_t)u->value;
    r.peer2 = (int32_t)(uint32_t)(uint64_t)u->value2;
    r.tag2 = (int32_t)(uint32_t)((uint64_t)u->value2 >> 32);
    ork_put_text(&r, list, length + 1 + more);
}

static void put_count(struct entry *e)
{
    struct ork_record r = record_of(e, ORK_USAGE_COUNTED);

    r.extra = e->counted = e->times;
    r.arg = e->varies;
    ork_put(&r);
}

static void put_dropped(void)
{
    ork_put(&(struct ork_record){.kind = ORK_KIND_USAGE,
                                 .thread = ork_thread.index,
                                 .mode = (uint16_t)dropped.id,
                                 .peer = ORK_USAGE_DROPPED,
                                 .extra = dropped.count});
    dropped.said = dropped.count;
}

static void drop(const struct ork_usage *u)
{
    dropped.id = u->id;
    dropped.count++;
    if ((dropped.count & (dropped.count - 1)) != 0) /* at powers of two */
        return;
    put_dropped();
    ork_publish();
}

static bool is_told(const struct entry *e)
{
    bool is_doubt = ork_usage_kind(e->usage.id)->severity == ORK_USAGE_IF_FAILED;

    return e->times > 1 && (!is_doubt || e->has_failed || e->times > TRIES_MAX);
}

/* The entry, if it is now open; else NULL. */
static struct entry *report(const struct ork_call *call, const struct ork_usage *u)
{
    int saved = errno;
    struct entry *e = ork_usage_is_on[u->id] ? enter(call, u) : NULL;

    ork_usage_reports++;
    if (e == NULL) {
        if (ork_usage_is_on[u->id])
            drop(u);
        errno = saved;
        return NULL;
    }
    e->times++;
    if (!is_told(e)) {
        put_found(e, u);
        e->counted = e->times;
        if (e->open == NULL) {
            e->open = call;
            ork_thread.open_usages++;
        }
    } else if ((e->times & (e->times - 1)) == 0) { /* at powers of two */
        put_count(e);
    }
    ork_publish();
    errno = saved;
    return e->open == call ? e : NULL;
}

void ork_usage_report_locked(const struct ork_call *call, const struct ork_usage *u)
{
    report(call, u);
}

static bool is_error(enum ork_usage_id id)
{
    enum ork_usage_severity severity = ork_usage_kind(id)->severity;

    return severity == ORK_USAGE_ERROR || severity == ORK_USAGE_IF_FAILED;
}

/* RATIONALE: the library may stay in a call that is wrong for ever, whether or not a right one can
 * block. */
void ork_usage_report_before_locked(const struct ork_call *call, const struct ork_usage *u)
{
    struct entry *e = report(call, u);

    if (e != NULL && !e->counts && is_error(u->id) && ork_thread.line != NULL) {
        e->counts = true;
        atomic_fetch_add(&ork_thread.line->wrong, 1);
    }
}

void ork_usage_report(const struct ork_call *call, const struct ork_usage *u)
{
    ork_lock();
    ork_usage_report_before_locked(call, u);
    ork_unlock();
}

void ork_usage_take_back(const struct ork_call *call, const struct ork_usage *u)
{
    for (uint32_t i = 0; i < num_entries; i++) {
        if (!is_same(&entries[i], call, u))
            continue;
        struct ork_record r = record_of(&entries[i], ORK_USAGE_TAKEN_BACK);
        ork_put(&r);
        ork_publish();
    }
}

/* How the open call of an entry returned: its error, or "". */
static void put_returned(struct entry *e, int result, const char *error)
{
    struct ork_record r = record_of(e, ORK_USAGE_RETURNED);

    r.flags = result != MPI_SUCCESS ? (uint8_t)ORK_F_ERROR : (uint8_t)0;
    e->has_failed |= result != MPI_SUCCESS;
    e->open = NULL;
    if (e->counts)
        atomic_fetch_sub(&ork_thread.line->wrong, 1);
    e->counts = false;
    ork_thread.open_usages--;
    ork_put_text(&r, error, strlen(error));
}

static void put_all_returned(const struct ork_call *call, int result, const char *error)
{
    for (uint32_t i = 0; i < num_entries && call != NULL; i++) {
        if (entries[i].open == call)
            put_returned(&entries[i], result, error);
    }
    ork_publish();
}

void ork_usage_report_returned(const struct ork_call *call, const struct ork_usage *u)
{
    ork_usage_report_locked(call, u);
    put_all_returned(call, MPI_SUCCESS, "");
}

void ork_usage_returned(const struct ork_call *call, int result)
{
    int saved = errno;
    char error[MPI_MAX_ERROR_STRING] = "an error";

    ork_inside_leave();
    if (result != MPI_SUCCESS && atomic_load(&ork_recording)) /* else it may not be called */
        ork_error_text(result, error);
    ork_lock();
    put_all_returned(call, result, error);
    ork_unlock();
    errno = saved;
}

void ork_usage_finish(void)
{
    for (uint32_t i = 0; i < num_entries; i++) {
        if (entries[i].counted < entries[i].times)
            put_count(&entries[i]);
    }
    if (dropped.said < dropped.count)
        put_dropped();
    ork_publish();
}
