/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/supervise/run_facts.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* "2026-11-30 07:46:12 +0000" */
static char *now(void)
{
    time_t seconds = time(NULL);
    struct tm local;
    char text[64];

    if (localtime_r(&seconds, &local) == NULL ||
        strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S %z", &local) == 0)
        return NULL;
    return strdup(text);
}

static char *here(void)
{
    char folder[PATH_MAX];

    return getcwd(folder, sizeof(folder)) != NULL ? strdup(folder) : NULL;
}

static char *host(void)
{
    char name[HOST_NAME_MAX + 1] = "";

    return gethostname(name, sizeof(name) - 1) == 0 && name[0] != '\0' ? strdup(name) : NULL;
}

static enum ork_status copy_words(struct ork_run_facts *facts, char *const *argv)
{
    uint32_t count = 0;

    while (argv != NULL && argv[count] != NULL)
        count++;
    facts->word = calloc((size_t)count + 1, sizeof(*facts->word));
    for (uint32_t i = 0; facts->word != NULL && i < count; i++) {
        facts->word[i] = strdup(argv[i]);
        if (facts->word[i] == NULL)
            return ORK_NOMEM;
        facts->num_words++;
    }
    return facts->word != NULL ? ORK_OK : ORK_NOMEM;
}

enum ork_status ork_run_facts_fill(struct ork_run_facts *facts, const struct ork_options *options)
{
    facts->started = now();
    facts->host = host();
    facts->folder = here();
    facts->launcher = strdup(options->mpiexec);
    facts->mpi = ORKNOT_MPI[0] != '\0' ? strdup(ORKNOT_MPI) : NULL;
    return copy_words(facts, options->argv);
}
