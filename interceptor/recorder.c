/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/recorder.h"

#include <errno.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

_Atomic bool ork_recording;
struct ork_recorder ork_recorder = {.socket = -1, .lock = PTHREAD_MUTEX_INITIALIZER};
_Thread_local struct ork_thread ork_thread;

enum { FULL_SLEEP_MIN_NS = 20000, FULL_SLEEP_MAX_NS = 1000000 };

/* RATIONALE: a forked child shares the ring but is no rank; and while it held the socket, the leaf
 * would not notice the rank's death. */
static void forked(void)
{
    int saved = errno;

    atomic_store(&ork_recording, false);
    close(ork_recorder.socket);
    errno = saved;
}

void ork_recorder_adopt(struct ork_ring *ring, int socket)
{
    ork_recorder.ring = ring;
    ork_recorder.head = atomic_load(&ring->head);
    ork_recorder.socket = socket;
    pthread_atfork(NULL, NULL, forked);
}

void ork_recorder_start(bool multiple)
{
    ork_recorder.multiple = multiple;
    atomic_store(&ork_recording, true);
}

void ork_recorder_stop(void)
{
    atomic_store(&ork_recording, false);
}

void ork_thread_start(void)
{
    int saved = errno;
    uint32_t index = atomic_fetch_add(&ork_recorder.ring->threads, 1);
    uint32_t line = index < ORK_RING_THREADS ? index : ORK_RING_THREADS - 1;

    ork_thread.index = (uint16_t)(index < UINT16_MAX ? index : UINT16_MAX);
    ork_thread.state = ORK_STATE_RUNNING;
    ork_thread.line = &ork_recorder.ring->thread[line];
    atomic_store(&ork_thread.line->tid, (uint32_t)syscall(SYS_gettid));
    errno = saved;
}

/* Processor time of the calling thread; 0: not known. */
static uint64_t thread_ns(void)
{
    struct timespec t;

    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) != 0)
        return 0;
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* How often the calling thread gave up its processor in order to wait. */
static int64_t thread_sleeps(void)
{
    struct rusage usage;

    return getrusage(RUSAGE_THREAD, &usage) == 0 ? usage.ru_nvcsw : 0;
}

void ork_poll_look(void)
{
    int saved = errno;

    ork_thread.left_sleeps = thread_sleeps();
    ork_thread.left_ns = thread_ns();
    errno = saved;
}

/* RATIONALE: not the share of a processor that the thread uses, for where many ranks share a
 * processor who works gets little of it, too. */
static uint64_t work_since_left(void)
{
    uint64_t now = thread_ns();
    uint64_t used = now > ork_thread.left_ns ? now - ork_thread.left_ns : 0;
    uint64_t asleep = (uint64_t)(thread_sleeps() - ork_thread.left_sleeps) * ORK_POLL_SLEEP_NS;

    return used > asleep ? used - asleep : 0;
}

void ork_poll_looked(void)
{
    int saved = errno;
    struct ork_thread_state *line = ork_thread.line;
    uint64_t work = atomic_load_explicit(&line->work_ns, memory_order_relaxed);
    uint32_t looks = atomic_load_explicit(&line->looks, memory_order_relaxed);

    atomic_store_explicit(&line->work_ns, work + work_since_left(), memory_order_relaxed);
    atomic_store_explicit(&line->looks, looks + 1, memory_order_relaxed);
    ork_thread.left_ns = 0;
    errno = saved;
}

static uint64_t now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

/* Nothing is ever sent on the socket after the answer, so anything that is not silence is the end.
 */
static bool leaf_is_gone(void)
{
    struct pollfd p = {.fd = ork_recorder.socket, .events = POLLIN | POLLRDHUP};

    return poll(&p, 1, 0) > 0;
}

bool ork_ring_wait(void)
{
    struct ork_recorder *r = &ork_recorder;
    int saved = errno;
    uint64_t start = 0;
    long pause = FULL_SLEEP_MIN_NS;

    for (;;) {
        r->tail = atomic_load_explicit(&r->ring->tail, memory_order_acquire);
        if (r->head - r->tail < ORK_RING_RECORDS || !atomic_load(&ork_recording))
            break;
        if (start == 0) {
            start = now_ns();
            ork_publish();
            atomic_fetch_add(&r->ring->full_waits, 1);
        }
        if (leaf_is_gone()) {
            ork_recorder_stop();
            break;
        }
        nanosleep(&(struct timespec){.tv_nsec = pause}, NULL);
        pause = pause < FULL_SLEEP_MAX_NS / 2 ? pause * 2 : FULL_SLEEP_MAX_NS;
    }
    if (start != 0)
        atomic_fetch_add(&r->ring->full_ns, now_ns() - start);
    errno = saved;
    return atomic_load(&ork_recording);
}

void ork_put_text(struct ork_record *record, const char *text, size_t length)
{
    struct ork_list list;

    record->bytes = length;
    record->count = (uint32_t)((length + 3) / 4);
    ork_list_begin(&list, record);
    for (size_t i = 0; i < length; i += 4) {
        uint32_t word = 0;
        memcpy(&word, text + i, length - i < 4 ? length - i : 4);
        ork_list_add(&list, word);
    }
    ork_list_end(&list);
}
