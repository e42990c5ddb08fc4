/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/leaf/effort.h"

#include "overlay/leaf/threads_kernel.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_SIZE = 64, TEXT_SIZE = 1024 };

/* The fields after the name, which may contain anything; the first is the state. NULL: unknown. */
static const char *stat_fields(uint32_t pid, uint32_t tid, char text[TEXT_SIZE])
{
    const char *name_end;

    if (!ork_kernel_read_thread(pid, tid, "stat", text, TEXT_SIZE))
        return NULL;
    name_end = strrchr(text, ')');
    return name_end != NULL && name_end[1] == ' ' ? name_end + 2 : NULL;
}

/* In clock ticks, if the kernel counts nothing finer. */
static uint64_t ticks_ns(uint32_t pid, uint32_t tid)
{
    char text[TEXT_SIZE];
    unsigned long user, system;
    long second = sysconf(_SC_CLK_TCK);
    const char *field = stat_fields(pid, tid, text);

    if (field == NULL || second <= 0 ||
        sscanf(field, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system) != 2)
        return 0;
    return (user + system) * (UINT64_C(1000000000) / (uint64_t)second);
}

/* Processor time of one thread. RATIONALE: not of the process, because other threads (of OpenMP)
 * may spin while this one gets no processor. */
static uint64_t thread_ns(uint32_t pid, uint32_t tid)
{
    char text[TEXT_SIZE];
    unsigned long long ns;

    if (ork_kernel_read_thread(pid, tid, "schedstat", text, TEXT_SIZE) &&
        sscanf(text, "%llu", &ns) == 1)
        return ns;
    return ticks_ns(pid, tid);
}

/* A thread stopped by the freezer of a control group has the state "sleeping". The file is empty if
 * the kernel does not provide it. */
static bool is_frozen(uint32_t pid, uint32_t tid)
{
    char text[TEXT_SIZE];

    return ork_kernel_read_thread(pid, tid, "wchan", text, TEXT_SIZE) &&
           (strstr(text, "freezer") != NULL || strstr(text, "refrigerator") != NULL);
}

static bool is_thread_asleep(uint32_t pid, uint32_t tid)
{
    char text[TEXT_SIZE];
    const char *field = stat_fields(pid, tid, text);

    return field != NULL && *field == 'S' && !is_frozen(pid, tid);
}

static bool is_process_asleep(uint32_t pid)
{
    char path[PATH_SIZE];
    bool asleep = true;

    snprintf(path, sizeof(path), "/proc/%u/task", pid);
    DIR *tasks = opendir(path);
    if (tasks == NULL)
        return false;
    for (struct dirent *task; asleep && (task = readdir(tasks)) != NULL;) {
        uint32_t tid = (uint32_t)strtoul(task->d_name, NULL, 10);
        asleep = tid == 0 || is_thread_asleep(pid, tid);
    }
    closedir(tasks);
    return asleep;
}

/* The thread's id in our namespace; the rank may be in another PID namespace. */
static uint32_t id_of(uint32_t pid, const struct ork_ring *ring, uint32_t thread)
{
    uint32_t tid = atomic_load(&ring->thread[thread].tid);

    return tid == ring->pid ? pid : tid;
}

struct ork_effort ork_effort_of(uint32_t pid, const struct ork_ring *ring)
{
    uint32_t threads = atomic_load(&ring->threads);
    struct ork_effort effort = {.sleeps = true};

    for (uint32_t t = 0; t < threads && t < ORK_RING_THREADS; t++) {
        if ((atomic_load(&ring->thread[t].word) & 0xff) != ORK_STATE_BLOCKED &&
            atomic_load(&ring->thread[t].wrong) == 0)
            continue;
        uint32_t tid = id_of(pid, ring, t);
        effort.inside_ns += thread_ns(pid, tid);
        effort.sleeps = effort.sleeps && is_thread_asleep(pid, tid);
    }
    effort.sleeps = effort.sleeps && is_process_asleep(pid);
    return effort;
}
