/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/replay.h"

#include "common/vec.h"
#include "interceptor/recorder.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

_Atomic bool ork_replaying;

/* The choices of one thread, in their order. */
struct thread {
    uint32_t *choice; /* places in `choices` */
    uint32_t num, room;
    uint32_t next; /* the first one that the thread has not made */
};

static struct ork_choice *choices; /* of all threads */
static uint32_t num_choices, choice_room;
static struct thread *threads;
static uint32_t num_threads;
static uint32_t *outcomes; /* places of those with a post, sorted by kind, thread and ordinal */
static uint32_t num_outcomes;

/* ---- loading ---- */

static bool copy_index(struct ork_choice *c)
{
    uint32_t *copy = c->count > 0 ? malloc(c->count * sizeof(*copy)) : NULL;

    if (c->count > 0 && copy == NULL)
        return false;
    if (copy != NULL)
        memcpy(copy, c->index, c->count * sizeof(*copy));
    c->index = copy;
    return true;
}

static bool add(const struct ork_choice *choice)
{
    struct ork_choice copy = *choice;

    if (!ork_vec_reserve(&choices, &choice_room, num_choices + 1, sizeof(*choices)) ||
        !ork_vec_reserve(&threads, &num_threads, choice->thread + 1, sizeof(*threads)))
        return false;
    struct thread *t = &threads[choice->thread];
    if (!ork_vec_reserve(&t->choice, &t->room, t->num + 1, sizeof(*t->choice)) ||
        !copy_index(&copy))
        return false;
    t->choice[t->num++] = num_choices;
    num_outcomes += choice->post != 0;
    choices[num_choices++] = copy;
    return true;
}

static bool decode(const uint8_t *bytes, size_t size)
{
    struct ork_order_decoder *decoder = ork_order_decoder_create();
    struct ork_choice choice;
    enum ork_status status;

    if (decoder == NULL)
        return false;
    status = ork_order_decoder_feed(decoder, bytes, size);
    while (status == ORK_OK) {
        status = ork_order_decode(decoder, &choice);
        if (status == ORK_OK && !add(&choice))
            status = ORK_NOMEM;
    }
    ork_order_decoder_destroy(decoder);
    return status == ORK_NOTFOUND;
}

static int compare_posts(const struct ork_choice *a, const struct ork_choice *b)
{
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->post_thread != b->post_thread)
        return a->post_thread < b->post_thread ? -1 : 1;
    return (a->post > b->post) - (a->post < b->post);
}

static int compare_places(const void *a, const void *b)
{
    return compare_posts(&choices[*(const uint32_t *)a], &choices[*(const uint32_t *)b]);
}

static bool sort_outcomes(void)
{
    uint32_t n = 0;

    outcomes = malloc((num_outcomes + 1) * sizeof(*outcomes));
    if (outcomes == NULL)
        return false;
    for (uint32_t i = 0; i < num_choices; i++) {
        if (choices[i].post != 0)
            outcomes[n++] = i;
    }
    qsort(outcomes, n, sizeof(*outcomes), compare_places);
    return true;
}

bool ork_replay_load(int fd)
{
    struct stat file;
    void *bytes = NULL;
    bool done = fstat(fd, &file) == 0;

    if (done && file.st_size > 0) {
        bytes = mmap(NULL, (size_t)file.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        done = bytes != MAP_FAILED && decode(bytes, (size_t)file.st_size);
        if (bytes != MAP_FAILED)
            munmap(bytes, (size_t)file.st_size);
    }
    close(fd);
    done = done && sort_outcomes();
    atomic_store(&ork_replaying, done);
    return done;
}

/* ---- following ---- */

static struct thread *own_thread(void)
{
    return ork_thread.ordinal < num_threads ? &threads[ork_thread.ordinal] : NULL;
}

const struct ork_choice *ork_replay_next(void)
{
    const struct thread *t = own_thread();

    return t != NULL && t->next < t->num ? &choices[t->choice[t->next]] : NULL;
}

bool ork_replay_polls_fail(const struct ork_choice *next)
{
    uint64_t polls = atomic_load_explicit(&ork_thread.line->polls, memory_order_relaxed);

    return polls - ork_thread.polls_before < next->polls;
}

const struct ork_choice *ork_replay_outcome(enum ork_choice_kind kind, uint32_t thread,
                                            uint64_t ordinal)
{
    struct ork_choice wanted = {.kind = (uint8_t)kind, .post_thread = thread, .post = ordinal};
    uint32_t low = 0, high = num_outcomes;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const struct ork_choice *c = &choices[outcomes[middle]];
        int order = compare_posts(c, &wanted);
        if (order == 0)
            return c;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

void ork_replay_diverge(enum ork_divergence why, uint16_t call, uint32_t site)
{
    const struct ork_choice *expected = ork_replay_next();
    const struct thread *t = own_thread();
    struct ork_record r = {.kind = ORK_KIND_DIVERGED,
                           .call = call,
                           .thread = ork_thread.index,
                           .site = site,
                           .request = ORK_REQUEST_NULL,
                           .peer = ORK_NO_PEER,
                           .arg = (uint32_t)why,
                           .extra = t != NULL ? t->next + 1 : 1};

    if (expected != NULL) {
        r.arg2 = expected->call;
        r.bytes = expected->site;
    }
    atomic_store(&ork_replaying, false);
    ork_put(&r);
    ork_publish();
}

static bool is_same_outcome(const struct ork_choice *a, const struct ork_choice *b)
{
    return a->post == b->post && a->post_thread == b->post_thread && a->source == b->source &&
           a->tag == b->tag && a->count == b->count &&
           (a->count == 0 || memcmp(a->index, b->index, a->count * sizeof(*a->index)) == 0);
}

/* A recording that was cut off does not have the last call of the thread: there it ends, without
 * divergence. */
static bool is_at_cut(const struct thread *t)
{
    return t == NULL || t->num == 0 || choices[t->choice[t->num - 1]].kind != ORK_CHOICE_END;
}

/* 0: it is the same. */
static enum ork_divergence compare(const struct ork_choice *actual,
                                   const struct ork_choice *expected)
{
    if (actual->kind == ORK_CHOICE_END && expected->kind != ORK_CHOICE_END)
        return ORK_DIVERGED_FEWER;
    if (expected->kind == ORK_CHOICE_END && actual->kind != ORK_CHOICE_END)
        return ORK_DIVERGED_MORE;
    if (actual->kind != expected->kind || actual->call != expected->call)
        return ORK_DIVERGED_CALL;
    if (actual->place != expected->place)
        return ORK_DIVERGED_PLACE;
    return is_same_outcome(actual, expected) ? 0 : ORK_DIVERGED_OUTCOME;
}

void ork_replay_check(const struct ork_choice *actual)
{
    const struct ork_choice *expected = ork_replay_next();
    struct thread *t = own_thread();
    enum ork_divergence why = 0;

    if (expected != NULL)
        why = compare(actual, expected);
    else if (actual->kind != ORK_CHOICE_END && !is_at_cut(t))
        why = ORK_DIVERGED_MORE;
    if (why != 0)
        ork_replay_diverge(why, actual->call, actual->site);
    else if (expected != NULL)
        t->next++;
}
