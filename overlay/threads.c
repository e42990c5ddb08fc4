/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/threads.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>

static bool is_known(const struct ork_ring *ring, uint32_t tid)
{
    uint32_t started = atomic_load(&ring->num_started);
    uint32_t threads = atomic_load(&ring->threads);

    for (uint32_t i = 0; i < started && i < ORK_RING_STARTED; i++) {
        if (ring->started[i] == tid)
            return true;
    }
    for (uint32_t i = 0; i < threads && i < ORK_RING_THREADS; i++) {
        if (atomic_load(&ring->thread[i].tid) == tid)
            return true;
    }
    return false;
}

/* In futex(2) without a time limit? If the kernel does not tell, no. */
static bool waits_for_another(uint32_t pid, uint32_t tid)
{
    char path[64];
    long number;
    unsigned long argument[4];

    snprintf(path, sizeof(path), "/proc/%u/task/%u/syscall", pid, tid);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return false;
    int n = fscanf(file, "%ld %lx %lx %lx %lx", &number, &argument[0], &argument[1], &argument[2],
                   &argument[3]);
    fclose(file);
    return n == 5 && number == SYS_futex && argument[3] == 0;
}

uint32_t ork_threads_strange(uint32_t pid, const struct ork_ring *ring)
{
    char path[64];
    uint32_t n = 0;

    if (atomic_load(&ring->any_thread) == 0)
        return 0;
    snprintf(path, sizeof(path), "/proc/%u/task", pid);
    DIR *tasks = opendir(path);
    if (tasks == NULL)
        return 0;
    for (struct dirent *task; (task = readdir(tasks)) != NULL;) {
        uint32_t tid = (uint32_t)strtoul(task->d_name, NULL, 10);
        if (tid != 0 && !is_known(ring, tid) && !waits_for_another(pid, tid))
            n++;
    }
    closedir(tasks);
    return n;
}
