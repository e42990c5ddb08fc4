/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/ring/recorder.h"

#include "common/watch.h"
#include "interceptor/ring/clock.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

_Atomic bool ork_recording;
struct ork_recorder ork_recorder = {.socket = -1, .lock = PTHREAD_MUTEX_INITIALIZER};

/* A rank that is so far ahead of the leaf wakes it, so that the root finds the period of a loop
 * early. Once the root folds, it is half of what the rank may be ahead. */
enum { WAKE_AHEAD = 4096 };
enum { FULL_SLEEP_MIN_NS = 20000, FULL_SLEEP_MAX_NS = 250000 };

/* RATIONALE: a forked child shares the ring but is not a rank; and while it had the socket open,
 * the leaf would not notice the rank's death. */
static void forked(void)
{
    int saved = errno;

    ork_recorder_stop();
    close(ork_recorder.socket);
    errno = saved;
}

/* Used by the thread that waits for the leaf, which holds the lock; in a deterministic run there is
 * only one. */
static struct ork_watch leaf;
static uint32_t beat; /* of the ring, at the latest look */

/* RATIONALE: 0 if the leaf is in another namespace of process ids; then it cannot be looked up. */
static uint32_t pid_of_peer(int socket)
{
    struct ucred peer = {.pid = 0};
    socklen_t size = sizeof(peer);

    return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.pid > 0
               ? (uint32_t)peer.pid
               : 0;
}

void ork_recorder_adopt(struct ork_ring *ring, int socket)
{
    ork_recorder.ring = ring;
    ork_recorder.head = ork_recorder.slot = atomic_load(&ring->head);
    ork_recorder.look = UINT64_MAX;
    ork_ring_set_limit();
    ork_recorder.socket = socket;
    leaf = (struct ork_watch){.pid = pid_of_peer(socket)};
    pthread_atfork(NULL, NULL, forked);
}

void ork_recorder_start(bool multiple)
{
    ork_recorder.multiple = multiple;
    ork_recorder.is_locked |= multiple;
    atomic_store(&ork_recording, true);
}

void ork_recorder_stop(void)
{
    atomic_store(&ork_recording, false);
    ork_recorder.fast_until = 0;
}

/* Processor time of the calling thread; 0: unknown. */
static uint64_t thread_ns(void)
{
    struct timespec t;

    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) != 0)
        return 0;
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* ---- activity between polls ---- */

/* A measurement is useful some hundred times a second. */
enum { LOOK_OFTEN_NS = 1000000, LOOK_SELDOM_NS = 5000000 };
/* Polls take similar times; if one takes this many times as long, something else was done. */
enum { POLL_VARIES = 4 };

static void add_work(uint64_t ns)
{
    struct ork_thread_state *line = ork_thread.line;
    uint64_t work = atomic_load_explicit(&line->work_ns, memory_order_relaxed);

    atomic_store_explicit(&line->work_ns, work + ns, memory_order_relaxed);
}

/* Processor time of the polls after the thread has lost its processor that is no work: it finds
 * other data in the caches. */
enum { RELOAD_NS = 100000 };

/* The thread has used this much processor time since the latest measurement, `passed_ns` ago.
 * RATIONALE: measuring single gaps misses rare work, once in a million polls; this does not. */
static void check_polls(struct ork_gap *gap, uint64_t cpu_ns, uint64_t passed_ns)
{
    uint64_t each_ps = cpu_ns * 1000 / gap->polls;
    uint64_t free_ns = gap->poll_cpu_ps * gap->polls / 1000;
    bool is_first = gap->poll_cpu_ps == 0;

    if (passed_ns > cpu_ns + ORK_POLL_AWAY_NS)
        free_ns += RELOAD_NS;
    if (!is_first && each_ps / POLL_VARIES > gap->poll_cpu_ps && cpu_ns > free_ns)
        add_work(cpu_ns - free_ns);
    gap->poll_cpu_ps += gap->poll_cpu_ps / 64 + 1; /* another loop may have slower polls */
    if (is_first || each_ps < gap->poll_cpu_ps)
        gap->poll_cpu_ps = each_ps;
}

/* RATIONALE: a varying stride reaches every gap of a loop with several polls. */
static void choose_stride(struct ork_gap *gap, uint64_t passed_ns)
{
    if (passed_ns > LOOK_SELDOM_NS)
        gap->stride = gap->stride / 2;
    else if (passed_ns < LOOK_OFTEN_NS && gap->stride < ORK_POLL_STRIDE)
        gap->stride = gap->stride * 2 + 1;
    uint32_t looks = atomic_load_explicit(&ork_thread.line->looks, memory_order_relaxed);
    gap->polls = 1 + gap->stride + (gap->stride > 7 ? looks & 7 : 0);
    ork_thread.polls_to_look = gap->polls;
}

void ork_poll_look(void)
{
    int saved = errno;
    struct ork_gap *gap = &ork_thread.gap;
    uint64_t cpu = thread_ns();
    uint64_t now = ork_clock_ns();

    if (gap->looked_ns != 0)
        check_polls(gap, cpu - gap->looked_cpu, now - gap->looked_ns);
    choose_stride(gap, now - gap->looked_ns);
    gap->looked_ns = now;
    gap->looked_cpu = cpu;
    gap->slept_ns = gap->sleeps = gap->losses = gap->clocks = 0;
    now = ork_clock_ns();
    gap->left_ns = ork_clock_ns();
    gap->clock_ns = gap->left_ns - now;
    errno = saved;
}

/* Each sleep reads the clock twice: the time of one reading is inside it, of the other outside. */
static bool has_worked(const struct ork_gap *gap, uint64_t now_ns)
{
    uint64_t free_ns = gap->slept_ns + gap->clock_ns * (gap->sleeps + 1) + ORK_POLL_LOOP_NS +
                       (gap->losses > 0   ? gap->losses * ORK_POLL_COLD_NS
                        : gap->sleeps > 0 ? ORK_POLL_WAKE_NS
                                          : 0);

    return now_ns - gap->left_ns > free_ns;
}

/* RATIONALE: a count, not a sum: a sum would grow by the time slices of other processes in a
 * gap. */
void ork_poll_looked(void)
{
    int saved = errno;
    struct ork_thread_state *line = ork_thread.line;
    uint32_t looks = atomic_load_explicit(&line->looks, memory_order_relaxed);
    uint32_t busy = atomic_load_explicit(&line->busy, memory_order_relaxed);
    uint32_t timed = atomic_load_explicit(&line->timed, memory_order_relaxed);

    if (has_worked(&ork_thread.gap, ork_clock_ns()))
        atomic_store_explicit(&line->busy, busy + 1, memory_order_relaxed);
    if (ork_thread.gap.clocks > 0)
        atomic_store_explicit(&line->timed, timed + 1, memory_order_relaxed);
    atomic_store_explicit(&line->looks, looks + 1, memory_order_relaxed);
    ork_thread.gap.left_ns = 0;
    errno = saved;
}

static bool has_leaf_stopped(void)
{
    uint32_t now = atomic_load_explicit(&ork_recorder.ring->beat, memory_order_relaxed);
    bool has_sign = now != beat;

    beat = now;
    return ork_watch_is_stopped(&leaf, ork_clock_ns(), has_sign, true);
}

/* Nothing is sent on the socket after the answer, so any event on it is the end. */
bool ork_recorder_is_alone(void)
{
    struct pollfd p = {.fd = ork_recorder.socket, .events = POLLIN | POLLRDHUP};

    if (poll(&p, 1, 0) > 0)
        return true;
    if (!has_leaf_stopped())
        return false;
    atomic_store(&ork_recorder.ring->is_cut, 1);
    return true;
}

/* RATIONALE: a repeated record takes no slot. So after a repetition, far more records may be ahead
 * of the leaf than there are slots, and each written one takes one more. */
void ork_ring_set_limit(void)
{
    struct ork_recorder *r = &ork_recorder;

    const bool is_folded = atomic_load_explicit(&r->ring->is_folded, memory_order_relaxed) != 0;
    const uint32_t repeated = is_folded ? ORK_REPEAT_AHEAD_FOLDED : ORK_REPEAT_AHEAD_MAX;
    uint64_t room = r->block != 0 ? repeated : ORK_RING_AHEAD_MAX, taken;

    if (r->block != 0)
        taken = atomic_load_explicit(&r->ring->tail, memory_order_acquire);
    else
        taken = r->head - r->slot + atomic_load_explicit(&r->ring->tail_slot, memory_order_acquire);
    const uint64_t wake = taken + (is_folded ? room / 2 : WAKE_AHEAD);
    r->full = taken + room;
    r->limit = r->head < wake ? wake : r->full;
    r->fast_until = 0;
}

/* RATIONALE: the leaf sleeps for a while when it has seen nothing to do, and a loop of nothing but
 * calls can fill the ring in this time. */
void ork_ring_wake_leaf(void)
{
    ssize_t sent = send(ork_recorder.socket, "", 1, MSG_DONTWAIT | MSG_NOSIGNAL);
    (void)sent;
}

bool ork_ring_wait(void)
{
    struct ork_recorder *r = &ork_recorder;
    int saved = errno, cancelled;
    uint64_t start = 0;
    long pause = FULL_SLEEP_MIN_NS;

    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancelled); /* the lock is held */
    ork_ring_set_limit();
    if (r->limit == r->full)
        ork_ring_wake_leaf();
    for (;;) {
        ork_ring_set_limit();
        if (r->head < r->limit || !atomic_load(&ork_recording))
            break;
        if (start == 0) {
            start = ork_clock_ns();
            ork_publish();
            atomic_fetch_add(&r->ring->full_waits, 1);
        }
        if (ork_recorder_is_alone()) {
            ork_recorder_stop();
            break;
        }
        nanosleep(&(struct timespec){.tv_nsec = pause}, NULL);
        pause = pause < FULL_SLEEP_MAX_NS / 2 ? pause * 2 : FULL_SLEEP_MAX_NS;
    }
    if (start != 0)
        atomic_fetch_add(&r->ring->full_ns, ork_clock_ns() - start);
    errno = saved;
    return atomic_load(&ork_recording);
}
