/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/process/spawn.h"

#include "common/hash.h"
#include "common/session.h"
#include "interceptor/mpi/jobs.h"
#include "interceptor/mpi/next.h"
#include "interceptor/objects/comms.h"
#include "interceptor/objects/context.h"
#include "interceptor/objects/handles.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char env_command[] = "/usr/bin/env";

/* ---- where the library looks for a command ---- */

/* The value of a key; false: the info object has none, or one that is too long. */
static bool value_of(MPI_Info info, const char *key, char value[PATH_MAX], bool *has_key)
{
    int length = 0, flag = 0;

    *has_key = false;
    if (info == MPI_INFO_NULL || !ork_handle_is_valid(ORK_HANDLE_INFO, ORK_KEY(info)))
        return false;
    ORK_NEXT(MPI_Info_get_valuelen)(info, key, &length, &flag);
    *has_key = flag != 0;
    if (flag == 0 || length >= PATH_MAX)
        return false;
    ORK_NEXT(MPI_Info_get)(info, key, PATH_MAX - 1, value, &flag);
    return true;
}

static bool is_program(const char *folder, size_t length, const char *name)
{
    char path[PATH_MAX];
    int n = length == 0 ? snprintf(path, sizeof(path), "%s", name)
                        : snprintf(path, sizeof(path), "%.*s/%s", (int)length, folder, name);

    return n > 0 && (size_t)n < sizeof(path) && access(path, X_OK) == 0;
}

static bool is_in_path(const char *name)
{
    const char *folder = getenv("PATH");

    while (folder != NULL) {
        size_t length = strcspn(folder, ":");
        if (length > 0 && is_program(folder, length, name))
            return true;
        folder = folder[length] == ':' ? folder + length + 1 : NULL;
    }
    return false;
}

/* Does env find the program that the library would find? It takes a name with '=' for a variable,
 * and one with '-' for an option. */
static bool is_found(const char *command, MPI_Info info)
{
    char folder[PATH_MAX];
    bool has_path = false, has_folder = false;

    if (command == NULL || command[0] == '\0' || command[0] == '-' || strchr(command, '=') != NULL)
        return false;
    value_of(info, "path", folder, &has_path);
    if (has_path)
        return false;
    if (strchr(command, '/') == NULL)
        return is_in_path(command);
    if (command[0] == '/' || !value_of(info, "wdir", folder, &has_folder))
        return !has_folder && is_program("", 0, command);
    return is_program(folder, strlen(folder), command);
}

/* ---- what is passed on ---- */

/* RATIONALE: the process management interface of MPICH has lines of 1024 characters. So parents
 * that take more have no names there: their ranks are in too many runs. */
static bool write_variables(struct ork_spawn *spawn, MPI_Comm comm)
{
    uint32_t count = 0;
    uint32_t *runs = ork_comm_runs(comm, &count);
    char *parents = spawn->variables[1];
    size_t room = sizeof(spawn->variables[1]);
    size_t n = (size_t)snprintf(parents, room, "%s=%u", ORK_ENV_PARENTS, ork_jobs_own());

    snprintf(spawn->variables[0], sizeof(spawn->variables[0]), "%s=%u", ORK_ENV_JOB, spawn->job);
    for (uint32_t i = 0; i < count && n < room; i++)
        n += (size_t)snprintf(parents + n, room - n, ",%u", runs[i]);
    bool done = runs != NULL && n < room;
    free(runs);
    return done;
}

/* The arguments of env; NULL: out of memory. The caller frees it. */
static char **arguments(struct ork_spawn *spawn, char *command, char **argv)
{
    enum { OWN = 3 };
    size_t n = 0;

    while (argv != NULL && argv[n] != NULL)
        n++;
    char **all = malloc((OWN + n + 1) * sizeof(*all));
    if (all == NULL)
        return NULL;
    all[0] = spawn->variables[0];
    all[1] = spawn->variables[1];
    all[2] = command;
    for (size_t i = 0; i < n; i++)
        all[OWN + i] = argv[i];
    all[OWN + n] = NULL;
    return all;
}

static void release(char **command, char ***argv, int count)
{
    for (int i = 0; i < count && argv != NULL; i++)
        free(argv[i]);
    free(argv);
    free(command);
}

/* Nothing, without memory. */
static void replace(struct ork_spawn *spawn, int count)
{
    char **command = calloc((size_t)count, sizeof(*command));
    char ***argv = calloc((size_t)count, sizeof(*argv));
    bool done = command != NULL && argv != NULL;

    for (int i = 0; i < count && done; i++) {
        command[i] = env_command;
        argv[i] = arguments(spawn, spawn->command[i], spawn->argv != NULL ? spawn->argv[i] : NULL);
        done = argv[i] != NULL;
    }
    if (!done) {
        release(command, argv, count);
        return;
    }
    spawn->command = command;
    spawn->argv = argv;
    spawn->count = count;
}

/* The number of the new job, the same at all members of the communicator. */
static uint32_t number_of(uint64_t context)
{
    uint64_t hash = ork_hash_add(ork_hash_add(3, ork_jobs_own()), context);
    uint32_t number = (uint32_t)(hash ^ hash >> 32);

    return number <= 1 || number == UINT32_MAX ? 2 : number; /* 1: see mpich/place.c */
}

/* Give the new job a number. Returns whether this process passes it on. */
static bool begin(struct ork_spawn *spawn, const struct ork_args *a)
{
    int rank = MPI_UNDEFINED;

    ork_lock();
    uint64_t context = ork_jobs_own() != 0 ? ork_context_draw(a->id) : 0;
    if (context != 0) {
        spawn->job = number_of(context);
        ORK_NEXT(MPI_Comm_rank)(a->comm, &rank);
    }
    bool is_root = context != 0 && rank == a->root && write_variables(spawn, a->comm);
    ork_unlock();
    return is_root && access(env_command, X_OK) == 0;
}

void ork_spawn_multiple_begin(struct ork_spawn *spawn, const struct ork_args *a, int count,
                              char *command[], char **argv[], const MPI_Info info[])
{
    int saved = errno;
    bool are_found;

    spawn->command = command;
    spawn->argv = argv;
    spawn->job = 0;
    spawn->count = 0;
    are_found = begin(spawn, a) && count > 0 && command != NULL && info != NULL;
    for (int i = 0; i < count && are_found; i++)
        are_found = is_found(command[i], info[i]);
    if (are_found)
        replace(spawn, count);
    errno = saved;
}

void ork_spawn_begin(struct ork_spawn *spawn, const struct ork_args *a, const char *command,
                     char *argv[], MPI_Info info)
{
    memcpy(&spawn->one_command, &command, sizeof(command)); /* C has it as constant only here */
    spawn->one_argv = argv;
    ork_spawn_multiple_begin(spawn, a, 1, &spawn->one_command, &spawn->one_argv, &info);
}

void ork_spawn_end(struct ork_spawn *spawn, const struct ork_args *a, int result)
{
    int saved = errno;

    if (spawn->count > 0)
        release(spawn->command, spawn->argv, spawn->count);
    if (spawn->job != 0 && result == MPI_SUCCESS && *a->newcomm != MPI_COMM_NULL) {
        ork_lock();
        ork_jobs_add(*a->newcomm, spawn->job);
        ork_unlock();
    }
    errno = saved;
}
