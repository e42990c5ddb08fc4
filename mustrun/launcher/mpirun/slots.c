/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/launcher/mpirun/slots.h"

#include "common/text.h"
#include "mustrun/launcher/mpirun/mpiopts.h"
#include "mustrun/launcher/mpirun/nodes.h"

#include <string.h>
#include <unistd.h>

/* Does the user set the number of processes per node? Then mpirun's own rule does not apply. */
static bool chooses_slots(const struct ork_argv *words, const struct ork_extras *extras)
{
    static const char *const names[] = {"oversubscribe", "host",        "H",
                                        "hostfile",      "machinefile", "use-hwthread-cpus"};
    struct ork_context context = ork_mpi_context(words, 1, extras);

    for (size_t i = context.first; i < context.program; i++)
        for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++)
            if (ork_word_is(words->item[i], names[k]))
                return true;
    return false;
}

/* Processes that all contexts request by a number; 0: some context has none. */
static unsigned long count_processes(const struct ork_argv *words, const struct ork_extras *extras)
{
    unsigned long sum = 0;

    for (size_t first = 1; first < words->count;) {
        struct ork_context context = ork_mpi_context(words, first, extras);
        unsigned ranks = ork_nodes_count_ranks(words, context, extras);
        if (ranks == 0)
            return 0;
        sum += ranks;
        first = context.last + 1;
    }
    return sum;
}

/* By a modifier of --map-by, which only prterun knows, or by the old option. */
static bool oversubscribes(const struct ork_argv *words, const struct ork_extras *extras)
{
    struct ork_context context = ork_mpi_context(words, 1, extras);
    size_t map = ork_mpi_find_option(words, context, extras, "map-by", NULL);

    for (size_t i = context.first; i < context.program; i++)
        if (ork_word_is(words->item[i], "oversubscribe"))
            return true;
    return map != 0 && strcasestr(words->item[map], "oversubscribe") != NULL;
}

/* The exit codes if there are too few slots; the second one of prterun with a list of hosts. */
static bool may_be_refused(int code)
{
    return code == 1 || code == 213;
}

char *ork_mpi_slots_hint(const struct ork_launcher *launcher, const struct ork_argv *words,
                         const struct ork_extras *extras, int code)
{
    const struct ork_launcher_facts *facts = ork_launcher_facts(launcher);
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned long processes = count_processes(words, extras);
    bool counts = launcher->kind == ORK_LAUNCHER_OPENMPI5 ? !oversubscribes(words, extras)
                                                          : !chooses_slots(words, extras);

    if (!may_be_refused(code) || processors < 1 || processes <= (unsigned long)processors ||
        !counts)
        return strdup("");
    return ork_text(". %s starts no more processes than there are processor cores: for %lu on this "
                    "machine with %ld, add %s before %s",
                    facts->name, processes, processors, facts->more, extras->np);
}
