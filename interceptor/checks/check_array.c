/* SPDX-License-Identifier: BSD-3-Clause */
/* Examinations of the datatypes of parts of arrays: MPI-3.1 sections 4.1.3 and 4.1.4. */
#include "interceptor/checks/check.h"

/* RATIONALE: sizes that are not positive have examinations of their own. */
bool ork_wrong_part(const struct ork_call *call, int n, const int *size, const char *parts,
                    const int *part, const char *starts, const int *start)
{
    for (int i = 0; size != NULL && part != NULL && start != NULL && i < n; i++) {
        if (size[i] <= 0 || part[i] <= 0)
            return false;
        if (part[i] > size[i])
            return ork_report_element(call, ORK_USAGE_PART_SIZE, parts, i, part[i], size[i]);
        if (start[i] < 0 || start[i] > size[i] - part[i])
            return ork_report_element(call, ORK_USAGE_PART_START, starts, i, start[i],
                                      size[i] - part[i]);
    }
    return false;
}

static bool is_wrong_dimension(const struct ork_call *call, const struct ork_distributed *d, int i)
{
    int how = d->distribution[i], argument = d->argument[i];

    if (how != MPI_DISTRIBUTE_BLOCK && how != MPI_DISTRIBUTE_CYCLIC && how != MPI_DISTRIBUTE_NONE)
        return ork_report_element(call, ORK_USAGE_DISTRIBUTION, "array_of_distribs", i, how, 0);
    if (how == MPI_DISTRIBUTE_NONE || argument == MPI_DISTRIBUTE_DFLT_DARG)
        return false;
    if (argument <= 0)
        return ork_report_element(call, ORK_USAGE_DISTRIBUTION_ARGUMENT, "array_of_dargs", i,
                                  argument, 0);
    int least = (int)(((int64_t)d->array[i] + d->processes[i] - 1) / d->processes[i]);
    return how == MPI_DISTRIBUTE_BLOCK && argument < least &&
           ork_report_element(call, ORK_USAGE_DISTRIBUTION_BLOCK, "array_of_dargs", i, argument,
                              least);
}

bool ork_wrong_distributed(const struct ork_call *call, const struct ork_distributed *d)
{
    int64_t processes = 1;

    if (d->size <= 0 || d->n <= 0 || d->array == NULL || d->distribution == NULL ||
        d->argument == NULL || d->processes == NULL)
        return false;
    for (int i = 0; i < d->n; i++) {
        if (d->array[i] <= 0 || d->processes[i] < 0)
            return false;
        if (d->processes[i] == 0 || processes <= d->size)
            processes *= d->processes[i];
    }
    if (processes != d->size)
        return ork_report_argument(call, ORK_USAGE_PROCESS_GRID, "array_of_psizes", processes,
                                   d->size, NULL);
    if (d->rank < 0 || d->rank >= d->size)
        return ork_report_argument(call, ORK_USAGE_PROCESS_OF_GRID, "rank", d->rank, d->size, NULL);
    for (int i = 0; i < d->n; i++) {
        if (is_wrong_dimension(call, d, i))
            return true;
    }
    return false;
}
