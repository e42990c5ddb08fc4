/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/outcomes/replay.h"

#include "common/log.h"
#include "interceptor/ring/recorder.h"
#include "interceptor/preload/thread_storage.h"
#include "order/file/recorded.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

_Atomic bool ork_replaying;

static struct ork_recorded *recorded;

bool ork_replay_load(int fd)
{
    struct stat file;
    void *stream = NULL;
    size_t size = 0;
    bool done = fstat(fd, &file) == 0;

    if (done && file.st_size > 0) {
        size = (size_t)file.st_size;
        stream = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
        done = stream != MAP_FAILED;
    }
    close(fd);
    done = done && ork_recorded_create(stream, size, &recorded) == ORK_OK;
    if (!done && size > 0 && stream != MAP_FAILED)
        munmap(stream, size);
    atomic_store(&ork_replaying, done);
    return done;
}

/* RATIONALE: a rank without memory for its next choice runs freely, as if nothing was recorded. */
static __attribute__((cold, noinline)) void cannot_read(void)
{
    atomic_store(&ork_replaying, false);
    ork_error("cannot read the order to be replayed: this rank runs freely from here on");
}

const struct ork_choice *ork_replay_read_next(void)
{
    const struct ork_choice *next = NULL;
    int saved = errno;
    enum ork_status status = ork_recorded_next(recorded, ork_thread.ordinal, &next);

    if (status != ORK_OK)
        next = NULL;
    if (status != ORK_OK && status != ORK_NOTFOUND)
        cannot_read();
    errno = saved;
    ork_thread.next_choice = next;
    return next;
}

enum ork_status ork_replay_read(uint32_t thread, ork_recorded_take *take, void *context)
{
    return ork_recorded_read(recorded, thread, take, context);
}

uint64_t ork_replay_polls(void)
{
    return atomic_load_explicit(&ork_thread.line->polls, memory_order_relaxed) -
           ork_thread.polls_before;
}

bool ork_replay_polls_fail(const struct ork_choice *next)
{
    return ork_replay_polls() < next->polls;
}

ORK_THREAD_LOCAL(struct ork_choice, ork_replay_found);

const struct ork_choice *ork_replay_outcome(enum ork_choice_kind kind, uint32_t thread,
                                            uint64_t ordinal)
{
    ork_replay_found.kind = (uint8_t)kind;
    return ork_recorded_outcome(recorded, kind, thread, ordinal, &ork_replay_found.source,
                                &ork_replay_found.tag)
               ? &ork_replay_found
               : NULL;
}

void ork_replay_end(void)
{
    atomic_store(&ork_replaying, false);
}

void ork_replay_diverge(enum ork_divergence why, uint16_t call, uint32_t site)
{
    const struct ork_choice *expected = ork_replay_next();
    struct ork_record r = {.kind = ORK_KIND_DIVERGED,
                           .call = call,
                           .thread = ork_thread.index,
                           .site = site,
                           .request = ORK_REQUEST_NULL,
                           .peer = ORK_NO_PEER,
                           .arg = (uint32_t)why,
                           .extra = ork_recorded_number(recorded, ork_thread.ordinal)};

    if (expected != NULL) {
        r.arg2 = expected->call;
        r.bytes = expected->site;
    }
    atomic_store(&ork_replaying, false);
    ork_put(&r);
    ork_publish();
}

static inline bool is_same_outcome(const struct ork_choice *a, const struct ork_choice *b)
{
    uint64_t differs = (a->post ^ b->post) | (a->post_thread ^ b->post_thread) |
                       (uint32_t)(a->source ^ b->source) | (uint32_t)(a->tag ^ b->tag) |
                       (a->count ^ b->count);

    if (differs != 0 || a->count == 0)
        return differs == 0;
    return a->index[0] == b->index[0] &&
           (a->count == 1 || memcmp(a->index, b->index, a->count * sizeof(*a->index)) == 0);
}

bool ork_replay_is_plan(void)
{
    return ork_recorded_is_plan(recorded);
}

bool ork_replay_is_cut(void)
{
    return ork_replay_is_on() && !ork_recorded_is_plan(recorded) && ork_replay_next() == NULL &&
           ork_recorded_is_cut(recorded, ork_thread.ordinal);
}

static bool is_last(void)
{
    return ork_recorded_number(recorded, ork_thread.ordinal) ==
           ork_recorded_count(recorded, ork_thread.ordinal);
}

/* 0: it is the same. RATIONALE: a choice that is left free need not come, if polls that fail before
 * it were all that was decided. */
static enum ork_divergence compare(const struct ork_choice *actual,
                                   const struct ork_choice *expected)
{
    if (actual->kind == ORK_CHOICE_END && expected->kind == ORK_CHOICE_FREE)
        return is_last() && (actual->polls >= expected->polls ||
                             expected->polls >= ORK_CHOICE_POLLS_EQUAL)
                   ? 0
                   : ORK_DIVERGED_FEWER;
    if (actual->kind == ORK_CHOICE_END && expected->kind != ORK_CHOICE_END)
        return ORK_DIVERGED_FEWER;
    if (expected->kind == ORK_CHOICE_END && actual->kind != ORK_CHOICE_END)
        return ORK_DIVERGED_MORE;
    if (expected->kind == ORK_CHOICE_FREE)
        return 0;
    if (actual->kind != expected->kind || actual->call != expected->call)
        return ORK_DIVERGED_CALL;
    if (actual->place != expected->place)
        return ORK_DIVERGED_PLACE;
    struct ork_choice wanted = *expected;
    if (ork_choice_is_again(expected))
        wanted.post = 0;
    return is_same_outcome(actual, &wanted) ? 0 : ORK_DIVERGED_OUTCOME;
}

/* Without divergence, the thread goes on with its next choice. A recording that was cut off does
 * not have the last call of the thread: there it ends, without divergence. */
static __attribute__((noinline)) void check_other(const struct ork_choice *actual,
                                                  const struct ork_choice *expected)
{
    enum ork_divergence why = 0;

    if (!ork_replay_is_on())
        return;
    if (expected != NULL)
        why = compare(actual, expected);
    else if (actual->kind != ORK_CHOICE_END && !ork_recorded_is_cut(recorded, ork_thread.ordinal))
        why = ORK_DIVERGED_MORE;
    if (why != 0 && expected != NULL && ork_choice_is_again(expected))
        ork_replay_end();
    else if (why != 0)
        ork_replay_diverge(why, actual->call, actual->site);
    else if (expected != NULL)
        ork_thread.next_choice = ork_recorded_advance(recorded, ork_thread.ordinal);
}

/* RATIONALE: most choices are what was recorded: this is all that these need. */
void ork_replay_check(const struct ork_choice *actual)
{
    const struct ork_choice *expected = ork_replay_next();
    bool is_same = expected != NULL && actual->kind == expected->kind &&
                   actual->kind < ORK_CHOICE_END && actual->call == expected->call &&
                   actual->place == expected->place && is_same_outcome(actual, expected);

    if (is_same)
        ork_thread.next_choice = ork_recorded_advance(recorded, ork_thread.ordinal);
    else
        check_other(actual, expected);
}
