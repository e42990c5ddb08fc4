/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers of the threads that call MPI. The number of a thread that has ended is reused, so that
 * nothing grows with the number of threads over time. */
#include "interceptor/outcomes/choice.h"
#include "interceptor/fastpath/loop_body.h"
#include "interceptor/checks/thread_levels.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The last number is shared by all threads that get no other one. */
enum { NUMBERS = UINT16_MAX, LAST = NUMBERS - 1, WORD_BITS = 64 };

static pthread_mutex_t numbers = PTHREAD_MUTEX_INITIALIZER;
static uint64_t in_use[(NUMBERS + WORD_BITS - 1) / WORD_BITS];
static uint32_t highest; /* highest number ever in use, + 1 */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key; /* only for its destructor */
static bool has_key;

/* The lowest free number. *again: it was in use before. */
static uint16_t take_number(bool *again)
{
    uint32_t word = 0, number = LAST;

    pthread_mutex_lock(&numbers);
    while (word * WORD_BITS < LAST && in_use[word] == UINT64_MAX)
        word++;
    if (word * WORD_BITS < LAST) {
        number = word * WORD_BITS + (uint32_t)__builtin_ctzll(~in_use[word]);
        in_use[word] |= number < LAST ? UINT64_C(1) << number % WORD_BITS : 0;
    }
    *again = number < highest && number != LAST;
    if (number >= highest) {
        highest = number + 1;
        atomic_store(&ork_recorder.ring->threads, highest);
    }
    pthread_mutex_unlock(&numbers);
    return (uint16_t)number;
}

static void give_back(uint16_t number)
{
    pthread_mutex_lock(&numbers);
    in_use[number / WORD_BITS] &= ~(UINT64_C(1) << number % WORD_BITS);
    pthread_mutex_unlock(&numbers);
}

static void put_end(uint16_t number)
{
    ork_put(&(struct ork_record){.kind = ORK_KIND_THREAD_END,
                                 .thread = number,
                                 .request = ORK_REQUEST_NULL,
                                 .peer = ORK_NO_PEER});
    ork_publish();
}

/* The calling thread ends. RATIONALE: without MPI_THREAD_MULTIPLE nothing separates it from a call
 * of another thread, so the next thread that gets its number writes its end. A thread that is
 * cancelled inside a call keeps its number, because the call may still be active. */
static void end_thread(void *unused)
{
    struct ork_thread *t = &ork_thread;
    int saved = errno;

    (void)unused;
    if (t->line == NULL || t->index == LAST || t->state == ORK_STATE_BLOCKED ||
        !atomic_load(&ork_recording))
        return;
    if (ork_recorder.multiple) {
        ork_lock();
        ork_choice_end_thread();
        put_end(t->index);
        ork_unlock();
    }
    if (t->index < ORK_RING_THREADS - 1) /* several threads may share the last line */
        atomic_store(&t->line->tid, 0);
    give_back(t->index);
    t->line = NULL;
    errno = saved;
}

static void make_key(void)
{
    has_key = pthread_key_create(&key, end_thread) == 0;
}

void ork_thread_start(void)
{
    int saved = errno;
    bool again;
    uint16_t number = take_number(&again);
    uint32_t line = number < ORK_RING_THREADS ? number : ORK_RING_THREADS - 1;

    ork_thread.index = number;
    ork_thread.state = ORK_STATE_RUNNING;
    ork_thread.polls_to_look = 1;
    ork_thread.line = &ork_recorder.ring->thread[line];
    ork_thread.ordinal = atomic_fetch_add(&ork_recorder.num_threads, 1);
    ork_thread.polls_before = atomic_load(&ork_thread.line->polls);
    ork_thread.choices = ork_thread.named = ork_thread.posts = ork_thread.locks = 0;
    ork_thread.receives = 0;
    atomic_store(&ork_thread.line->tid, (uint32_t)syscall(SYS_gettid));
    if (ork_thread.ordinal != 0) {
        ork_loop_body_stop();
        ork_level_new_thread();
    }
    if (again && !ork_recorder.multiple)
        put_end(number);
    pthread_once(&once, make_key);
    if (has_key)
        pthread_setspecific(key, &ork_thread);
    errno = saved;
}
