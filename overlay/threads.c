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

enum doing {
    OTHER,
    IN_FUTEX, /* without a time limit */
    IN_POLL,  /* waits for input, as the library's own threads do */
};

static bool is_poll(long number)
{
#ifdef SYS_poll
    if (number == SYS_poll || number == SYS_select || number == SYS_epoll_wait)
        return true;
#endif
    return number == SYS_ppoll || number == SYS_pselect6 || number == SYS_epoll_pwait;
}

/* OTHER if the kernel does not tell. */
static enum doing doing_of(uint32_t pid, uint32_t tid)
{
    char text[256], path[64];
    long number;
    unsigned long argument[4];

    snprintf(path, sizeof(path), "/proc/%u/task/%u/syscall", pid, tid);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return OTHER;
    bool told = fgets(text, sizeof(text), file) != NULL;
    fclose(file);
    if (!told)
        return OTHER;
    int n = sscanf(text, "%ld %lx %lx %lx %lx", &number, &argument[0], &argument[1], &argument[2],
                   &argument[3]);
    if (n == 5 && number == SYS_futex && argument[3] == 0)
        return IN_FUTEX;
    return n == 5 && is_poll(number) ? IN_POLL : OTHER;
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
        if (tid != 0 && !is_known(ring, tid) && doing_of(pid, tid) != IN_FUTEX)
            n++;
    }
    closedir(tasks);
    return n;
}

uint64_t ork_threads_asleep(uint32_t pid, const struct ork_ring *ring)
{
    uint32_t threads = atomic_load(&ring->threads);
    uint32_t started = atomic_load(&ring->num_started);
    uint64_t asleep = 0;

    if (atomic_load(&ring->any_thread) == 0 || threads > ORK_RING_THREADS ||
        started > ORK_RING_STARTED)
        return 0;
    for (uint32_t t = 0; t < threads; t++) {
        if ((atomic_load(&ring->thread[t].word) & 0xff) == ORK_STATE_RUNNING &&
            doing_of(pid, atomic_load(&ring->thread[t].tid)) == IN_FUTEX)
            asleep |= UINT64_C(1) << t;
    }
    for (uint32_t i = 0; i < started && asleep != 0; i++) {
        if (doing_of(pid, ring->started[i]) == OTHER)
            return 0;
    }
    return asleep;
}
