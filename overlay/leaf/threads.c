/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/leaf/threads.h"

#include "common/hash.h"
#include "overlay/leaf/threads_kernel.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* One look at the threads of a process. */
struct look {
    uint32_t pid;
    const struct ork_ring *ring;
    struct ork_snapshot *s;
    uint64_t seen;   /* bit i: thread i of the ring is there */
    bool is_private; /* some wait for a thread of the process, or a signal handler */
};

static bool is_of_library(const struct ork_ring *ring, uint32_t tid)
{
    uint32_t started = atomic_load(&ring->num_started);

    for (uint32_t i = 0; i < started && i < ORK_RING_STARTED; i++) {
        if (ring->started[i] == tid)
            return true;
    }
    return false;
}

/* The index of this thread in the ring; ORK_RING_THREADS: it has not called MPI. */
static uint32_t line_of(const struct look *look, uint32_t tid)
{
    uint32_t t = 0;

    while (t < look->s->threads && atomic_load(&look->ring->thread[t].tid) != tid)
        t++;
    return t < look->s->threads ? t : ORK_RING_THREADS;
}

static enum ork_state state_of(const struct ork_snapshot *s, uint32_t line)
{
    return line < s->threads ? (enum ork_state)(s->word[line] & 0xff) : ORK_STATE_RUNNING;
}

static void set_at_least(struct ork_snapshot *s, enum ork_others others)
{
    if (s->others < others)
        s->others = others;
}

/* A thread that is in no MPI call that can block. RATIONALE: if it has called MPI before and acts,
 * its own state shows that. */
static void look_at(struct look *look, uint32_t tid, uint32_t line)
{
    struct ork_snapshot *s = look->s;
    struct ork_kernel_thread t = ork_kernel_thread(look->pid, tid);

    s->others_ns += t.cpu_ns;
    if (t.rest == ORK_REST_JOIN && is_of_library(look->ring, t.joined))
        t.rest = ORK_REST_OUTSIDE;
    if (t.rest == ORK_REST_NONE) {
        if (line == ORK_RING_THREADS)
            set_at_least(s, ORK_OTHERS_ACT);
        return;
    }
    if (line < ORK_RING_THREADS)
        s->resting |= UINT64_C(1) << line;
    if (t.rest == ORK_REST_OUTSIDE)
        set_at_least(s, ORK_OTHERS_UNKNOWN);
    look->is_private |= t.rest == ORK_REST_PRIVATE;
    /* RATIONALE: a sum, for the kernel may list the threads in any order. */
    s->stirred += ork_hash_add(ork_hash_add(tid, t.switched), t.cpu_ns);
}

static void look_at_task(struct look *look, uint32_t tid)
{
    uint32_t line = line_of(look, tid);

    if (line < ORK_RING_THREADS)
        look->seen |= UINT64_C(1) << line;
    else if (is_of_library(look->ring, tid))
        return;
    if (state_of(look->s, line) != ORK_STATE_BLOCKED)
        look_at(look, tid, line);
    else if (ork_kernel_is_over(look->pid, tid))
        look->s->others = ORK_OTHERS_ACT;
}

/* Threads of the ring that have ended make no more calls. RATIONALE: unless they ended inside a
 * call. Then the process is being ended, and threads that could have acted may be gone already. */
static void note_ended(struct look *look)
{
    struct ork_snapshot *s = look->s;

    for (uint32_t t = 0; t < s->threads; t++) {
        if ((look->seen >> t & 1) != 0)
            continue;
        if (state_of(s, t) == ORK_STATE_BLOCKED)
            s->others = ORK_OTHERS_ACT;
        else
            s->resting |= UINT64_C(1) << t;
    }
}

void ork_threads_observe(uint32_t pid, const struct ork_ring *ring, struct ork_snapshot *s)
{
    struct look look = {.pid = pid, .ring = ring, .s = s};
    char path[64];

    s->others = ORK_OTHERS_NONE;
    s->resting = s->stirred = s->others_ns = 0;
    if (atomic_load(&ring->any_thread) == 0)
        return;
    snprintf(path, sizeof(path), "/proc/%" PRIu32 "/task", pid);
    DIR *tasks = opendir(path);
    if (tasks == NULL) { /* it has just ended, which will be reported */
        s->others = ORK_OTHERS_ACT;
        return;
    }
    for (struct dirent *task; (task = readdir(tasks)) != NULL;) {
        uint32_t tid = (uint32_t)strtoul(task->d_name, NULL, 10);
        if (tid != 0)
            look_at_task(&look, tid);
    }
    closedir(tasks);
    note_ended(&look);
    if (look.is_private && s->others == ORK_OTHERS_NONE &&
        ork_kernel_handles_signals(pid, atomic_load(&ring->own_signals)))
        s->others = ORK_OTHERS_UNKNOWN;
}
