/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/tool/cpu_binding.h"

#include <ctype.h>
#include <dirent.h>
#include <hwloc.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool load(hwloc_topology_t *topology)
{
    if (hwloc_topology_init(topology) != 0)
        return false;
    hwloc_topology_set_all_types_filter(*topology, HWLOC_TYPE_FILTER_KEEP_NONE);
    hwloc_topology_set_type_filter(*topology, HWLOC_OBJ_CORE, HWLOC_TYPE_FILTER_KEEP_ALL);
    if (hwloc_topology_load(*topology) == 0)
        return true;
    hwloc_topology_destroy(*topology);
    return false;
}

/* Remove from `left` the processors that `pid` is bound to; false: it is not bound. */
static bool take_away(hwloc_topology_t topology, uint32_t pid, hwloc_bitmap_t set,
                      hwloc_bitmap_t left)
{
    if (hwloc_get_proc_cpubind(topology, (hwloc_pid_t)pid, set, 0) != 0)
        return true; /* it has ended */
    if (hwloc_bitmap_isincluded(hwloc_topology_get_allowed_cpuset(topology), set))
        return false;
    hwloc_bitmap_andnot(left, left, set);
    return true;
}

/* RATIONALE: the other hardware thread of a rank's core is not free. */
static void keep_whole_cores(hwloc_topology_t topology, hwloc_bitmap_t left)
{
    hwloc_obj_t core = NULL;

    while ((core = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_CORE, core)) != NULL) {
        if (!hwloc_bitmap_isincluded(core->cpuset, left))
            hwloc_bitmap_andnot(left, left, core->cpuset);
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

static bool take_siblings(hwloc_topology_t topology, const uint32_t *pid, uint32_t count,
                          hwloc_bitmap_t set, hwloc_bitmap_t left)
{
    uint32_t daemons[16];
    uint32_t n = find_daemons(pid, count, daemons, 16);
    DIR *proc = opendir("/proc");
    bool bound = proc != NULL;

    for (struct dirent *e; bound && (e = readdir(proc)) != NULL;) {
        if (isdigit((unsigned char)e->d_name[0]) && is_one_of(parent_of(e->d_name), daemons, n))
            bound = take_away(topology, (uint32_t)strtoul(e->d_name, NULL, 10), set, left);
    }
    if (proc != NULL)
        closedir(proc);
    return bound;
}

/* RATIONALE: reading the topology of the machine takes milliseconds, at the start of a program;
 * most often a rank may use all processors that the tool may, or the ranks use all of them
 * together. */
static bool may_leave_processors(const uint32_t *pid, uint32_t count)
{
    cpu_set_t own, of_rank, of_ranks;

    CPU_ZERO(&of_ranks);
    if (sched_getaffinity(0, sizeof(own), &own) != 0)
        return true; /* too many processors for the type */
    for (uint32_t i = 0; i < count; i++) {
        if (sched_getaffinity((pid_t)pid[i], sizeof(of_rank), &of_rank) != 0)
            continue; /* it has ended */
        CPU_AND(&of_rank, &of_rank, &own);
        CPU_OR(&of_ranks, &of_ranks, &of_rank);
    }
    return !CPU_EQUAL(&of_ranks, &own);
}

enum ork_status ork_cpu_binding_beside(const uint32_t *pid, uint32_t count, unsigned *processors)
{
    hwloc_topology_t topology;
    enum ork_status status = ORK_NOTFOUND;
    bool bound = true;

    *processors = 0;
    if (!may_leave_processors(pid, count))
        return ORK_OK;
    if (!load(&topology))
        return ORK_NOTFOUND;
    hwloc_bitmap_t left = hwloc_bitmap_dup(hwloc_topology_get_allowed_cpuset(topology));
    hwloc_bitmap_t set = hwloc_bitmap_alloc();
    if (left != NULL && set != NULL) {
        for (uint32_t i = 0; i < count && bound; i++)
            bound = take_away(topology, pid[i], set, left);
        bound = bound && take_siblings(topology, pid, count, set, left);
        keep_whole_cores(topology, left);
        if (bound && !hwloc_bitmap_iszero(left) &&
            hwloc_set_cpubind(topology, left, HWLOC_CPUBIND_PROCESS) == 0)
            *processors = (unsigned)hwloc_bitmap_weight(left);
        status = ORK_OK;
    }
    hwloc_bitmap_free(left);
    hwloc_bitmap_free(set);
    hwloc_topology_destroy(topology);
    return status;
}
