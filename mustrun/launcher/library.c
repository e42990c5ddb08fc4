/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/launcher/library.h"

#include "common/mpi_files.h"
#include "common/session.h"
#include "mustrun/launcher/ask.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

enum { LIST_SIZE = 1 << 18, WORDS = 8 };

/* The dynamic linker, which also lists what it would load. RATIONALE: another one than that of
 * mustrun has another C library, which the interceptor cannot be loaded beside. */
static const char *dynamic_linker(void)
{
    Dl_info info;
    const void *base = (const void *)getauxval(AT_BASE);

    return base != NULL && dladdr(base, &info) != 0 ? info.dli_fname : NULL;
}

/* Its line "\tNAME => PATH (ADDRESS)": is NAME an MPI library? PATH begins at *path. */
static bool is_library(char *line, char **path)
{
    char *name = line + strspn(line, "\t ");
    char *arrow = strstr(name, " => ");
    char *end = arrow != NULL ? strrchr(arrow, ' ') : NULL;

    if (arrow == NULL || end < arrow + strlen(" => ") || end[1] != '(')
        return false;
    *arrow = *end = '\0';
    *path = arrow + strlen(" => ");
    return ork_mpi_file_of(name) == ORK_MPI_FILE_LIBRARY;
}

/* The first one of the list, which the dynamic linker searches first; NULL: none. */
static char *find_library(char *list)
{
    char *rest = NULL, *path;

    for (char *line = strtok_r(list, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest))
        if (is_library(line, &path))
            return path;
    return NULL;
}

static char *ask(char *const *words)
{
    char *answer = malloc(LIST_SIZE);

    if (answer != NULL && ork_ask(words, answer, LIST_SIZE) == ORK_OK)
        return answer;
    free(answer);
    return NULL;
}

/* RATIONALE: in a process that does nothing, if the files cannot be loaded. */
static char *describe(const char *library, const struct ork_paths *paths)
{
    char *preload = NULL, *answer = NULL;

    if (asprintf(&preload, "LD_PRELOAD=%s:%s", paths->interceptor, library) < 0)
        return NULL;
    char *const words[WORDS] = {"env", preload, ORK_ENV_ASKED "=1", "true", NULL};
    answer = ask(words);
    free(preload);
    return answer;
}

char *ork_library_path(const char *program)
{
    const char *linker = dynamic_linker();
    char *list = NULL;

    if (linker != NULL) {
        char *const words[WORDS] = {(char *)(uintptr_t)linker, "--list", (char *)(uintptr_t)program,
                                    NULL};
        list = ask(words);
    }
    const char *library = list != NULL ? find_library(list) : NULL;
    char *path = library != NULL ? strdup(library) : NULL;
    free(list);
    return path;
}

char *ork_library_describe(const char *program, const struct ork_paths *paths)
{
    char *library = ork_library_path(program);
    char *answer = library != NULL ? describe(library, paths) : NULL;

    free(library);
    return answer;
}
