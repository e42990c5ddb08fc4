/* SPDX-License-Identifier: BSD-3-Clause */
/* Which frames belong to the application, to MPI and its libraries, or to an interpreter? */
#include "overlay/stacktrace/stack_internal.h"

#include <string.h>

static bool is_of_mpi(const struct ork_level *level)
{
    return ork_stack_is_mpi(level->file);
}

static bool is_of_system(const struct ork_level *level)
{
    return ork_stack_is_system(level->file) || strcmp(level->function, "_start") == 0;
}

static bool is_of_python(const struct ork_level *level)
{
    return ork_python_has_file(level->file);
}

/* A function of MPI that an application calls. */
static bool is_entry(const struct ork_level *level)
{
    const char *name = level->function;

    name += *name == 'P';
    return strncmp(name, "MPI_", 4) == 0 && name[4] >= 'A' && name[4] <= 'Z';
}

static bool is_same_file(const struct ork_level *a, const struct ork_level *b)
{
    return a->step->path != NULL && b->step->path != NULL &&
           strcmp(a->step->path, b->step->path) == 0;
}

/* ---- folding ---- */

/* The first level outside the call of MPI at `entry`. */
static uint32_t outside_of(const struct ork_level *level, uint32_t count, uint32_t entry,
                           const char *program)
{
    const char *path = level[entry].step->path;
    bool is_static = path != NULL && strcmp(path, program) == 0;
    uint32_t i = entry;

    while (i < count && (is_entry(&level[i]) || is_of_mpi(&level[i]) ||
                         (!is_static && is_same_file(&level[i], &level[entry]))))
        i++;
    while (i < count && ork_python_has_extension(level[i].file))
        i++;
    for (uint32_t k = 0; k < entry && !is_static; k++) /* MPI called back */
        if (level[k].step->path != NULL && strcmp(level[k].step->path, program) == 0)
            return k;
    return i;
}

uint32_t ork_stack_fold_first(const struct ork_level *level, uint32_t count, const char *program)
{
    uint32_t i = 0;

    for (uint32_t entry = 0; entry < count; entry++)
        if (is_entry(&level[entry]))
            return outside_of(level, count, entry, program);
    for (uint32_t entry = 0; entry < count; entry++) /* there was no time for names */
        if (is_of_mpi(&level[entry]))
            return outside_of(level, count, entry, program);
    while (i < count && is_of_system(&level[i]))
        i++;
    return i;
}

uint32_t ork_stack_fold_last(const struct ork_level *level, uint32_t first, uint32_t count)
{
    if (count >= first + 2 && !is_of_system(&level[count - 1]) && is_of_system(&level[count - 2]))
        count--;
    while (count > first && is_of_system(&level[count - 1]))
        count--;
    return count;
}

/* ---- Python ---- */

enum ork_status ork_stack_fold_read_python(struct ork_names *names, const struct ork_level *level,
                                           uint32_t count, uint32_t pid, uint32_t tid,
                                           struct ork_python *out)
{
    uint64_t address[ORK_PYTHON_SYMBOLS];
    uint32_t i = 0;

    *out = (struct ork_python){.num_frames = 0};
    while (i < count && !is_of_python(&level[i]))
        i++;
    if (i == count || !ork_stack_names_locate(names, pid, level[i].step, ork_python_symbol, address,
                                              ORK_PYTHON_SYMBOLS))
        return ORK_OK;
    return ork_python_read(pid, tid, address, out);
}

static bool is_evaluation(const struct ork_level *level)
{
    return is_of_python(level) && ork_python_is_evaluation(level->function);
}

/* Each call of the evaluation runs the frames up to one that is its entry. Do both lists agree? */
static bool is_in_step(const struct ork_level *level, uint32_t count,
                       const struct ork_python *python)
{
    uint32_t evaluations = 0, entries = 0;

    for (uint32_t i = 0; i < count; i++)
        evaluations += is_evaluation(&level[i]) ? 1 : 0;
    for (uint32_t i = 0; i < python->num_frames; i++)
        entries += python->is_entry[i] ? 1 : 0;
    return entries > 0 && evaluations == entries && python->is_entry[python->num_frames - 1];
}

uint32_t ork_stack_fold_python(struct ork_level *level, uint32_t count,
                               const struct ork_python *python, struct ork_place *run)
{
    static char name[] = "<Python>";
    static struct ork_frame unknown = {.function = name};
    bool known = is_in_step(level, count, python);
    uint32_t kept = 0, next = 0;
    struct ork_place *open = NULL;

    for (uint32_t i = 0; i < count; i++) {
        bool evaluates = is_evaluation(&level[i]);
        if (!is_of_python(&level[i])) {
            open = NULL;
            level[kept++] = level[i];
            continue;
        }
        if (open == NULL) {
            open = run++;
            *open = (struct ork_place){.frame = known ? python->frame + next : &unknown,
                                       .num_frames = known ? 0 : 1};
            level[kept] = level[i];
            level[kept++].place = open;
        }
        for (bool entry = !known || !evaluates; !entry; open->num_frames++)
            entry = python->is_entry[next++];
    }
    return kept;
}
