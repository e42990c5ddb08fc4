/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/launcher/mpirun/nodes.h"

#include "mustrun/launcher/env.h"
#include "mustrun/launcher/here.h"
#include "mustrun/launcher/mpirun/mpiopts.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEFAULT_HOSTFILE "orte_default_hostfile"

/* ---- names of hosts, each once ---- */

static void add_host(struct ork_argv *hosts, const char *name, size_t length)
{
    for (size_t i = 0; i < hosts->count; i++) {
        if (strlen(hosts->item[i]) == length && memcmp(hosts->item[i], name, length) == 0)
            return;
    }
    if (length > 0)
        ork_argv_addf(hosts, "%.*s", (int)length, name);
}

/* "n1,n2:4,n3" */
static void add_list(struct ork_argv *hosts, const char *list)
{
    while (*list != '\0') {
        size_t length = strcspn(list, ",");
        add_host(hosts, list, strcspn(list, ":,"));
        list += length + (list[length] == ',');
    }
}

/* One line per host, its name first. */
static void add_file(struct ork_argv *hosts, const char *path)
{
    FILE *file = fopen(path, "re");
    char *line = NULL;
    size_t size = 0;

    while (file != NULL && getline(&line, &size, file) >= 0) {
        const char *name = line + strspn(line, " \t");
        add_host(hosts, name, strcspn(name, " \t\r\n#"));
    }
    free(line);
    if (file != NULL)
        fclose(file);
}

static void add_options(struct ork_argv *hosts, const struct ork_argv *words,
                        struct ork_context context, const char *np)
{
    static const char *const lists[] = {"H", "host"};
    static const char *const files[] = {"hostfile", "machinefile", "default-hostfile"};

    for (unsigned i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
        size_t at = ork_mpi_find_option(words, context, np, lists[i], NULL);
        if (at != 0)
            add_list(hosts, words->item[at]);
    }
    for (unsigned i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        size_t at = ork_mpi_find_option(words, context, np, files[i], NULL);
        if (at != 0)
            add_file(hosts, words->item[at]);
    }
}

static unsigned number_of(const char *text)
{
    unsigned long n = text != NULL ? strtoul(text, NULL, 10) : 0;

    return n <= 1u << 24 ? (unsigned)n : 0;
}

/* Take the hosts of a list, if it has any, and release it. */
static void take_hosts(struct ork_argv *hosts, struct ork_nodes *nodes)
{
    nodes->count = (unsigned)hosts->count;
    nodes->is_here = hosts->count == 1 && ork_here_is_host(hosts->item[0]);
    ork_argv_release(hosts);
}

/* The allocation of the batch system. */
static void take_allocation(char *const *environment, struct ork_nodes *nodes)
{
    static const char *const files[] = {"PBS_NODEFILE", "LSB_DJOB_HOSTFILE", "PE_HOSTFILE"};

    nodes->count = number_of(ork_env_get(environment, "SLURM_JOB_NUM_NODES"));
    nodes->is_here = nodes->count == 1 && ork_here_is_allocated(environment);
    for (unsigned i = 0; nodes->count == 0 && i < sizeof(files) / sizeof(files[0]); i++) {
        struct ork_argv hosts = {0};
        const char *path = ork_env_get(environment, files[i]);
        if (path != NULL)
            add_file(&hosts, path);
        take_hosts(&hosts, nodes);
    }
}

/* The hostfile that is an MCA parameter, of the command or the environment; without an allocation
 * it is what mpirun reads last. */
static void take_default(const struct ork_argv *words, const char *np, char *const *environment,
                         struct ork_nodes *nodes)
{
    struct ork_context context = ork_mpi_context(words, 0, np);
    size_t at = ork_mpi_find_parameter(words, context, np, DEFAULT_HOSTFILE);
    const char *path =
        at != 0 ? words->item[at] : ork_env_get(environment, "OMPI_MCA_" DEFAULT_HOSTFILE);
    struct ork_argv hosts = {0};

    if (path != NULL)
        add_file(&hosts, path);
    take_hosts(&hosts, nodes);
}

/* ---- ranks ---- */

static unsigned count_ranks(const struct ork_argv *words, struct ork_context context,
                            const char *np)
{
    static const char *const names[] = {"np", "n", "c"};
    unsigned ranks = 0;

    for (unsigned i = 0; ranks == 0 && i < sizeof(names) / sizeof(names[0]); i++) {
        size_t at = ork_mpi_find_option(words, context, np, names[i], NULL);
        ranks = at != 0 ? number_of(words->item[at]) : 0;
    }
    for (size_t i = context.first; ranks == 0 && i + 1 < context.program; i++) {
        if (strcmp(words->item[i], np) == 0)
            ranks = number_of(words->item[i + 1]);
    }
    return ranks;
}

struct ork_nodes ork_nodes_of(const struct ork_argv *words, const char *np,
                              char *const *environment)
{
    struct ork_argv hosts = {0};
    struct ork_nodes nodes = {0};

    nodes.is_given = true;
    for (size_t first = 0; first < words->count;) {
        struct ork_context context = ork_mpi_context(words, first, np);
        unsigned ranks = count_ranks(words, context, np);
        add_options(&hosts, words, context, np);
        nodes.is_given = nodes.is_given && ranks > 0;
        nodes.ranks += ranks;
        first = context.last + 1;
    }
    take_hosts(&hosts, &nodes);
    if (nodes.count == 0)
        take_allocation(environment, &nodes);
    if (nodes.count == 0)
        take_default(words, np, environment, &nodes);
    if (nodes.count == 0) {
        nodes.count = 1;
        nodes.is_here = true;
    }
    nodes.is_given = nodes.is_given && nodes.ranks > 0;
    if (!nodes.is_given) {
        long processors = sysconf(_SC_NPROCESSORS_ONLN);
        nodes.ranks = (processors > 0 ? (unsigned)processors : 1) * nodes.count;
    }
    return nodes;
}
