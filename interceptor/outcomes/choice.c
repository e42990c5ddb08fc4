/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/outcomes/choice.h"

#include "common/session.h"
#include "common/vec.h"
#include "interceptor/site/call_record.h"
#include "interceptor/ring/clock.h"
#include "interceptor/outcomes/replay.h"

#include <stdlib.h>

/* NULL: nothing is recorded. */
static struct ork_order_encoder *encoder;

/* ---- posted receives, and cancelled operations, by the number of their request ---- */

struct post {
    uint32_t thread;
    uint64_t ordinal; /* 0: none */
};
static struct post *posts;
static uint32_t num_posts;

static void set_post(uint32_t request, uint64_t ordinal)
{
    int saved = errno;

    if (request < ORK_REQUEST_SHARED &&
        ork_vec_reserve(&posts, &num_posts, request + 1, sizeof(*posts)))
        posts[request] = (struct post){.thread = ork_thread.ordinal, .ordinal = ordinal};
    errno = saved;
}

void ork_choice_posted(uint32_t request)
{
    set_post(request, ++ork_thread.posts);
}

void ork_choice_cancels(uint32_t request, uint32_t ordinal)
{
    set_post(request, ordinal);
}

/* ---- the stream ---- */

/* Bytes in the page with which it becomes a record; with fewer than ALMOST_FULL, not sooner than
 * this after the one before. RATIONALE: an ORDER record ends a repetition of records. But what is
 * only in the page is lost if the tool is killed. */
enum { ENOUGH = 240, ALMOST_FULL = ORK_ORDER_PAGE / 8 * 7, LOOK = 64, FEW = 64 };
#define OFTEN_NS UINT64_C(100000000)

static struct ork_order_tail tail;

static inline void set_tail(struct ork_order_tail t)
{
    tail = t;
    atomic_store_explicit(&ork_recorder.ring->order.state, ork_order_tail_pack(t),
                          memory_order_release);
}

/* The bytes of the page as a record. */
static void flush(bool is_last)
{
    struct ork_record r = {.kind = ORK_KIND_ORDER,
                           .thread = ork_thread.index,
                           .request = ORK_REQUEST_NULL,
                           .peer = ORK_NO_PEER,
                           .arg = ork_recorder.num_threads,
                           .arg2 = is_last,
                           .extra = tail.offset};

    ork_put_text(&r, (const char *)ork_recorder.ring->order.byte, tail.used);
    ork_publish();
    set_tail((struct ork_order_tail){.offset = tail.offset + tail.used});
}

/* After so many bytes more. RATIONALE: the clock is read once in LOOK bytes. */
static bool is_due(uint32_t more)
{
    static uint64_t latest_ns;
    struct timespec t = {0};

    if (tail.used < ENOUGH || (tail.used < ALMOST_FULL && tail.used % LOOK >= more))
        return false;
    ork_real_clock(CLOCK_MONOTONIC_COARSE, &t);
    uint64_t now = (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
    if (tail.used < ALMOST_FULL && now - latest_ns < OFTEN_NS)
        return false;
    latest_ns = now;
    return true;
}

/* Add bytes that code all choices up to now. */
static void append(const uint8_t *bytes, size_t size)
{
    struct ork_order_page *page = &ork_recorder.ring->order;

    while (size > 0) {
        size_t part = size < ORK_ORDER_PAGE - tail.used ? size : ORK_ORDER_PAGE - tail.used;
        memcpy(page->byte + tail.used, bytes, part);
        set_tail(
            (struct ork_order_tail){.offset = tail.offset, .used = tail.used + (uint32_t)part});
        bytes += part;
        size -= part;
        if (is_due((uint32_t)part))
            flush(false);
    }
}

static void append_pending(void)
{
    uint8_t bytes[ORK_CHOICE_ROOM(0)];

    append(bytes, ork_order_encode_pending(encoder, bytes));
}

/* RATIONALE: most choices are in a loop of the program, and this is all that they cost. */
ORK_INLINE bool append_to_loop(const struct ork_choice *choice)
{
    if (tail.pending + 1 >= ORK_ORDER_PENDING_MAX || !ork_order_encode_loop(encoder, choice))
        return false;
    tail.pending++;
    set_tail(tail);
    return true;
}

static void append_choice(const struct ork_choice *choice)
{
    uint8_t few[ORK_CHOICE_ROOM(FEW)];
    int saved = errno;
    uint8_t *bytes = choice->count <= FEW ? few : malloc(ORK_CHOICE_ROOM(choice->count));

    if (bytes != NULL) {
        size_t size = ork_order_encode(encoder, choice, bytes);
        append(bytes, size);
        struct ork_order_tail now = tail;
        now.pending = ork_order_num_pending(encoder);
        if (now.pending >= ORK_ORDER_PENDING_MAX)
            append_pending();
        else
            set_tail(now);
    } else {
        ork_order_encoder_destroy(encoder); /* the stream ends here */
        encoder = NULL;
    }
    if (bytes != few)
        free(bytes);
    errno = saved;
}

void ork_choice_init(void)
{
    const char *wanted = getenv(ORK_ENV_ORDER);

    if (wanted == NULL || strcmp(wanted, "off") != 0)
        encoder = ork_order_encoder_create();
}

bool ork_choices_are_recorded(void)
{
    return encoder != NULL;
}

/* ---- choices ---- */

/* RATIONALE: a thread without choices and polls does not record its end, so that a program without
 * both has no order. */
static void choose_slowly(const struct ork_call *call, struct ork_choice *choice, bool is_recorded)
{
    if (call != NULL)
        choice->place = ork_choice_place_of(call->site);
    if (!is_recorded && encoder != NULL && (ork_thread.choices > 0 || choice->polls > 0))
        append_choice(choice);
    if (ork_replay_is_on())
        ork_replay_check(choice);
}

/* Complete the choice, record it, and compare it with the recorded one. */
ORK_INLINE void choose_inline(const struct ork_call *call, struct ork_choice *choice)
{
    struct ork_thread *t = &ork_thread;
    uint64_t polls = atomic_load_explicit(&t->line->polls, memory_order_relaxed);
    bool is_end = choice->kind == ORK_CHOICE_END;

    choice->thread = t->ordinal;
    choice->polls = polls - t->polls_before;
    t->polls_before = polls;
    t->choices += !is_end;
    if (call != NULL) {
        choice->call = call->id;
        choice->site = call->site;
    }
    bool is_recorded = encoder != NULL && append_to_loop(choice);
    if (!is_recorded || ork_replay_is_on())
        choose_slowly(call, choice, is_recorded);
}

static void choose(const struct ork_call *call, struct ork_choice *choice)
{
    choose_inline(call, choice);
}

void ork_choice_received(const struct ork_call *call, const MPI_Status *status)
{
    bool is_none = status == NULL;

    choose(call,
           &(struct ork_choice){.kind = ORK_CHOICE_RECEIVE,
                                .source = is_none ? ORK_NO_PEER : ork_peer(status->MPI_SOURCE),
                                .tag = is_none ? 0 : ork_tag(status->MPI_TAG)});
}

static const struct post *post_of(uint32_t request)
{
    static const struct post none;

    return request < num_posts ? &posts[request] : &none;
}

bool ork_choice_names(const struct ork_choice *choice, uint32_t request)
{
    const struct post *post = post_of(request);

    return post->ordinal != 0 && post->ordinal == choice->post &&
           post->thread == choice->post_thread;
}

const struct ork_choice *ork_choice_recorded(enum ork_choice_kind kind, uint32_t request)
{
    const struct post *post = post_of(request);

    return ork_replay_outcome(kind, post->thread, post->ordinal);
}

void ork_choice_completed(const struct ork_call *call, uint32_t request, const MPI_Status *status,
                          bool cancelled)
{
    const struct post *post = post_of(request);

    choose(call,
           &(struct ork_choice){.kind = ORK_CHOICE_RECEIVE,
                                .post_thread = post->thread,
                                .post = post->ordinal,
                                .source = cancelled ? ORK_CANCELLED : ork_peer(status->MPI_SOURCE),
                                .tag = cancelled ? 0 : ork_tag(status->MPI_TAG)});
}

void ork_choice_cancelled(const struct ork_call *call, uint32_t request, bool cancelled)
{
    const struct post *post = post_of(request);

    choose(call, &(struct ork_choice){.kind = ORK_CHOICE_CANCEL,
                                      .post_thread = post->thread,
                                      .post = post->ordinal,
                                      .source = cancelled});
}

void ork_choice_probed(const struct ork_call *call, int source, int tag)
{
    choose(call, &(struct ork_choice){
                     .kind = ORK_CHOICE_PROBE, .source = ork_peer(source), .tag = ork_tag(tag)});
}

static void choose_set(const struct ork_call *call, enum ork_choice_kind kind, const int *index,
                       int count)
{
    choose(call, &(struct ork_choice){.kind = (uint8_t)kind,
                                      .count = (uint32_t)count,
                                      .index = (const uint32_t *)index});
}

void ork_choice_tested(const struct ork_call *call, const int *index, int count)
{
    choose_set(call, ORK_CHOICE_TEST, index, count);
}

void ork_choice_waited(const struct ork_call *call, const int *index, int count)
{
    choose_set(call, ORK_CHOICE_WAIT, index, count);
}

/* RATIONALE: inline, because most fields of this choice are known to be empty. */
void ork_choice_locked(const struct ork_call *call, enum ork_choice_kind kind, uint32_t thread,
                       uint64_t ordinal, int32_t target, int32_t number)
{
    choose_inline(call, &(struct ork_choice){.kind = (uint8_t)kind,
                                             .post_thread = thread,
                                             .post = ordinal,
                                             .source = target,
                                             .tag = number});
}

void ork_choice_lock_failed(const struct ork_call *call, int32_t target, int32_t number)
{
    ork_choice_locked(call, ORK_CHOICE_LOCK, ork_thread.ordinal, ++ork_thread.locks, target,
                      number);
}

void ork_choice_end_thread(void)
{
    choose(NULL, &(struct ork_choice){.kind = ORK_CHOICE_END});
}

void ork_choice_end(void)
{
    ork_choice_end_thread();
    if (encoder == NULL || (tail.offset == 0 && tail.used == 0 && tail.pending == 0))
        return;
    append_pending();
    flush(true);
}
