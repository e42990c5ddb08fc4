/* SPDX-License-Identifier: BSD-3-Clause */
/* Examinations of numbers, addresses of results, and topologies. */
#include "interceptor/check.h"

#include <stdio.h>

static bool report(const struct ork_call *call, enum ork_usage_id row, const char *argument,
                   int64_t value)
{
    ork_usage_report(call, &(struct ork_usage){.id = row, .argument = argument, .value = value});
    return true;
}

bool ork_wrong_value(const struct ork_call *call, enum ork_usage_id row, const char *argument,
                     int64_t value, bool is_wrong)
{
    return is_wrong && report(call, row, argument, value);
}

bool ork_wrong_array(const struct ork_call *call, enum ork_usage_id row, const char *argument,
                     int n, const int *value, int least)
{
    for (int i = 0; value != NULL && i < n; i++) {
        if (value[i] < least) {
            char text[64];
            snprintf(text, sizeof(text), "%s[%d]", argument, i);
            ork_usage_report(call,
                             &(struct ork_usage){
                                 .id = row, .argument = argument, .value = value[i], .text = text});
            return true;
        }
    }
    return false;
}

int ork_largest(int n, const int *value)
{
    int largest = 0;

    for (int i = 0; value != NULL && i < n; i++)
        largest = value[i] > largest ? value[i] : largest;
    return largest;
}

bool ork_wrong_null(const struct ork_call *call, const char *argument, const void *address)
{
    return address == NULL && report(call, ORK_USAGE_NULL_RESULT, argument, 0);
}

bool ork_wrong_null_array(const struct ork_call *call, const char *argument, const void *address,
                          int n)
{
    return address == NULL && n > 0 && report(call, ORK_USAGE_NULL_ARRAY, argument, n);
}

/* ---- tags ---- */

static bool wrong_tag(const struct ork_call *call, const char *argument, int tag)
{
    ork_usage_report(
        call, &(struct ork_usage){
                  .id = ORK_USAGE_TAG, .argument = argument, .value = tag, .value2 = ork_tag_ub});
    return true;
}

bool ork_wrong_tag(const struct ork_call *call, const char *argument, int tag)
{
    if (tag == MPI_ANY_TAG)
        return report(call, ORK_USAGE_ANY_TAG, argument, tag);
    return ork_is_no_tag(tag) && wrong_tag(call, argument, tag);
}

bool ork_wrong_recv_tag(const struct ork_call *call, const char *argument, int tag)
{
    return ork_is_no_recv_tag(tag) && wrong_tag(call, argument, tag);
}

/* ---- topologies ---- */

bool ork_wrong_topology(const struct ork_call *call, const char *argument,
                        const struct ork_comm_bounds *b, enum ork_topology wanted)
{
    static const char *const name[] = {
        [ORK_TOPOLOGY_NONE] = "no",        [ORK_TOPOLOGY_CARTESIAN] = "no Cartesian",
        [ORK_TOPOLOGY_GRAPH] = "no graph", [ORK_TOPOLOGY_DISTRIBUTED] = "no distributed graph",
        [ORK_TOPOLOGY_ANY] = "no",
    };

    if (!b->is_valid || ork_has_topology(ork_bounds_find(b->comm), wanted))
        return false;
    ork_usage_report(call, &(struct ork_usage){.id = ORK_USAGE_NO_TOPOLOGY,
                                               .argument = argument,
                                               .text = name[wanted]});
    return true;
}

bool ork_wrong_grid(const struct ork_call *call, const char *argument,
                    const struct ork_comm_bounds *b, int n, const int *dim)
{
    int64_t processes = 1;

    if (!b->is_valid || dim == NULL || n <= 0)
        return false;
    if (ork_wrong_array(call, ORK_USAGE_NEGATIVE_ELEMENT, argument, n, dim, 0))
        return true;
    for (int i = 0; i < n && processes <= b->size; i++)
        processes *= dim[i];
    if (processes <= b->size)
        return false;
    ork_usage_report(call, &(struct ork_usage){.id = ORK_USAGE_GRID,
                                               .argument = argument,
                                               .value = processes,
                                               .value2 = b->size});
    return true;
}
