/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/launcher/mpirun/nodes.h"

#include "mustrun/launcher/env.h"
#include "mustrun/launcher/hosts.h"
#include "mustrun/launcher/mpirun/mpiopts.h"

#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#define DEFAULT_HOSTFILE "orte_default_hostfile"

static void add_options(struct ork_argv *hosts, const struct ork_argv *words,
                        struct ork_context context, const struct ork_extras *extras)
{
    static const char *const lists[] = {"H", "host"};
    static const char *const files[] = {"hostfile", "machinefile", "default-hostfile"};

    for (unsigned i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
        size_t at = ork_mpi_find_option(words, context, extras, lists[i], NULL);
        if (at != 0)
            ork_hosts_add_list(hosts, words->item[at]);
    }
    for (unsigned i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        size_t at = ork_mpi_find_option(words, context, extras, files[i], NULL);
        if (at != 0)
            ork_hosts_add_file(hosts, words->item[at]);
    }
}

static void take(struct ork_hosts hosts, struct ork_nodes *nodes)
{
    nodes->count = hosts.count;
    nodes->is_here = hosts.is_here;
}

/* The hostfile that is an MCA parameter, of the command or the environment; without an allocation
 * it is what mpirun reads last. */
static void take_default(const struct ork_argv *words, const struct ork_extras *extras,
                         char *const *environment, struct ork_nodes *nodes)
{
    struct ork_context context = ork_mpi_context(words, 0, extras);
    size_t at = ork_mpi_find_parameter(words, context, extras, DEFAULT_HOSTFILE);
    const char *path =
        at != 0 ? words->item[at] : ork_env_get(environment, "OMPI_MCA_" DEFAULT_HOSTFILE);
    struct ork_argv hosts = {0};

    if (path != NULL)
        ork_hosts_add_file(&hosts, path);
    take(ork_hosts_count(&hosts), nodes);
}

/* ---- ranks ---- */

unsigned ork_nodes_count_ranks(const struct ork_argv *words, struct ork_context context,
                               const struct ork_extras *extras)
{
    static const char *const names[] = {"np", "n", "c"};
    unsigned ranks = 0;

    for (unsigned i = 0; ranks == 0 && i < sizeof(names) / sizeof(names[0]); i++) {
        size_t at = ork_mpi_find_option(words, context, extras, names[i], NULL);
        ranks = at != 0 ? ork_hosts_number(words->item[at]) : 0;
    }
    return ranks > 0 ? ranks : ork_hosts_number(ork_words_behind(words, context, extras->np));
}

struct ork_nodes ork_nodes_of(const struct ork_argv *words, const struct ork_extras *extras,
                              char *const *environment)
{
    struct ork_argv hosts = {0};
    struct ork_nodes nodes = {0};

    nodes.is_given = true;
    for (size_t first = 0; first < words->count;) {
        struct ork_context context = ork_mpi_context(words, first, extras);
        unsigned ranks = ork_nodes_count_ranks(words, context, extras);
        add_options(&hosts, words, context, extras);
        nodes.is_given = nodes.is_given && ranks > 0;
        nodes.ranks += ranks;
        first = context.last + 1;
    }
    take(ork_hosts_count(&hosts), &nodes);
    if (nodes.count == 0)
        take(ork_hosts_allocated(environment), &nodes);
    if (nodes.count == 0)
        take_default(words, extras, environment, &nodes);
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
