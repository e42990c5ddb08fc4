/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/tool/cpu_binding.h"

#include <ctype.h>
#include <dirent.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void remove_from(cpu_set_t *left, const cpu_set_t *taken)
{
    cpu_set_t both;

    CPU_AND(&both, left, taken);
    CPU_XOR(left, left, &both);
}

/* Remove from `left` the processors that `pid` is bound to; false: it may use all of `own`. */
static bool take_away(uint32_t pid, const cpu_set_t *own, cpu_set_t *left)
{
    cpu_set_t set;

    if (sched_getaffinity((pid_t)pid, sizeof(set), &set) != 0)
        return true; /* it has ended */
    CPU_AND(&set, &set, own);
    if (CPU_EQUAL(&set, own))
        return false;
    remove_from(left, &set);
    return true;
}

/* The hardware threads of a processor's core, as in "0-1,64-65"; none: the kernel does not tell. */
static void read_core(size_t cpu, cpu_set_t *core)
{
    char path[80];
    size_t first, last;
    char behind;

    CPU_ZERO(core);
    snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%zu/topology/thread_siblings_list",
             cpu);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return;
    do {
        if (fscanf(file, "%zu", &first) != 1)
            break;
        last = first;
        behind = (char)fgetc(file);
        if (behind == '-' && fscanf(file, "%zu%c", &last, &behind) != 2)
            break;
        for (size_t i = first; i <= last && i < CPU_SETSIZE; i++)
            CPU_SET(i, core);
    } while (behind == ',');
    fclose(file);
}

/* RATIONALE: the other hardware thread of a rank's core is not free. */
static void keep_whole_cores(const cpu_set_t *own, cpu_set_t *left)
{
    cpu_set_t taken, core, both;

    CPU_XOR(&taken, own, left);
    for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (!CPU_ISSET(cpu, left))
            continue;
        read_core(cpu, &core);
        CPU_AND(&both, &core, &taken);
        if (CPU_COUNT(&both) > 0)
            CPU_CLR(cpu, left);
    }
}

/* 0: it has ended. */
static uint32_t parent_of(const char *pid)
{
    char path[64];
    char line[512] = "";
    unsigned parent = 0;

    snprintf(path, sizeof(path), "/proc/%.20s/stat", pid);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return 0;
    if (fgets(line, sizeof(line), file) == NULL)
        line[0] = '\0';
    fclose(file);
    const char *behind = strrchr(line, ')'); /* the name may contain anything */
    return behind != NULL && sscanf(behind, ") %*c %u", &parent) == 1 ? parent : 0;
}

static bool is_one_of(uint32_t number, const uint32_t *list, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (list[i] == number)
            return true;
    }
    return false;
}

/* The parents of the ranks: few. */
static uint32_t find_daemons(const uint32_t *pid, uint32_t count, uint32_t *daemons, uint32_t room)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < count && n < room; i++) {
        char name[16];
        snprintf(name, sizeof(name), "%u", pid[i]);
        uint32_t parent = parent_of(name);
        if (parent > 1 && !is_one_of(parent, daemons, n))
            daemons[n++] = parent;
    }
    return n;
}

static bool take_siblings(const uint32_t *pid, uint32_t count, const cpu_set_t *own,
                          cpu_set_t *left)
{
    uint32_t daemons[16];
    uint32_t n = find_daemons(pid, count, daemons, 16);
    DIR *proc = opendir("/proc");
    bool bound = proc != NULL;

    for (struct dirent *e; bound && (e = readdir(proc)) != NULL;) {
        if (isdigit((unsigned char)e->d_name[0]) && is_one_of(parent_of(e->d_name), daemons, n))
            bound = take_away((uint32_t)strtoul(e->d_name, NULL, 10), own, left);
    }
    if (proc != NULL)
        closedir(proc);
    return bound;
}

/* Those that this process might use before it was first bound; false: unknown. */
static bool find_own(cpu_set_t *own)
{
    static cpu_set_t first;
    static bool is_known;

    if (!is_known)
        is_known = sched_getaffinity(0, sizeof(first), &first) == 0;
    *own = first;
    return is_known;
}

enum ork_status ork_cpu_binding_beside(const uint32_t *pid, uint32_t count, unsigned *processors)
{
    cpu_set_t own, left;
    bool bound = true;

    *processors = 0;
    if (!find_own(&own))
        return ORK_NOTFOUND;
    left = own;
    for (uint32_t i = 0; i < count && bound; i++)
        bound = take_away(pid[i], &own, &left);
    /* RATIONALE: most often the ranks leave none, and to look at all processes takes a while. */
    bound = bound && CPU_COUNT(&left) > 0 && take_siblings(pid, count, &own, &left);
    if (bound)
        keep_whole_cores(&own, &left);
    bound = bound && CPU_COUNT(&left) > 0;
    if (sched_setaffinity(0, sizeof(own), bound ? &left : &own) == 0 && bound)
        *processors = (unsigned)CPU_COUNT(&left);
    return ORK_OK;
}

/* Threads of the machine that run or wait for a processor, with the caller; 0: unknown. */
static unsigned count_runnable(void)
{
    unsigned n = 0;
    FILE *file = fopen("/proc/loadavg", "re");

    if (file == NULL)
        return 0;
    if (fscanf(file, "%*s %*s %*s %u", &n) != 1)
        n = 0;
    fclose(file);
    return n;
}

bool ork_cpu_binding_has_idle(void)
{
    cpu_set_t own, now;

    if (!find_own(&own) || sched_getaffinity(0, sizeof(now), &now) != 0)
        return false;
    if (!CPU_EQUAL(&now, &own))
        return true;
    unsigned runnable = count_runnable();
    return runnable > 0 && runnable <= (unsigned)CPU_COUNT(&own);
}
