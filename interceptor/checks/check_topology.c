/* SPDX-License-Identifier: BSD-3-Clause */
/* Examinations of topologies: MPI-3.1 chapter 7. */
#include "interceptor/checks/check.h"

#include "interceptor/mpi/mpi_library.h"
#include "interceptor/mpi/next.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

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
    for (int i = 0; i < n; i++) {
        if (dim[i] == 0)
            return ork_report_element(call, ORK_USAGE_GRID_EMPTY, argument, i, 0, 0);
    }
    for (int i = 0; i < n && processes <= b->size; i++)
        processes *= dim[i];
    return processes > b->size &&
           ork_report_argument(call, ORK_USAGE_GRID, argument, processes, b->size, NULL);
}

bool ork_wrong_division(const struct ork_call *call, const char *argument, int n, const int *dim,
                        int processes)
{
    int64_t product = 1;

    if (dim == NULL || n <= 0 || processes <= 0)
        return false;
    if (ork_wrong_array(call, ORK_USAGE_NEGATIVE_ELEMENT, argument, n, dim, 0))
        return true;
    for (int i = 0; i < n && product <= processes; i++)
        product *= dim[i] != 0 ? dim[i] : 1;
    return processes % product != 0 &&
           ork_report_argument(call, ORK_USAGE_DIMS_DIVIDE, argument, product, processes, NULL);
}

/* The first coordinate that is outside of a dimension that is not periodic. */
static bool find_outside(const struct ork_comm_bounds *b, const int *coordinate, int *found,
                         int *size)
{
    int n = b->num_dims;
    int *grid = calloc(3 * (size_t)n + 1, sizeof(*grid)); /* dimensions, periods, own coordinates */
    int i = grid != NULL &&
                    ORK_NEXT(MPI_Cart_get)(b->comm, n, grid, grid + n, grid + 2 * n) == MPI_SUCCESS
                ? 0
                : n;

    while (i < n && (grid[n + i] || (coordinate[i] >= 0 && coordinate[i] < grid[i])))
        i++;
    *found = i;
    *size = i < n ? grid[i] : 0;
    free(grid);
    return i < n;
}

bool ork_wrong_coordinates(const struct ork_call *call, const char *argument,
                           const struct ork_comm_bounds *b, const int *coordinate)
{
    int i, size;
    int saved = errno;
    bool wrong = coordinate != NULL && find_outside(b, coordinate, &i, &size);

    errno = saved;
    return wrong &&
           ork_report_element(call, ORK_USAGE_COORDINATE, argument, i, coordinate[i], size);
}

/* ---- graphs ---- */

/* index[i] edges leave the nodes up to i. */
static bool wrong_index(const struct ork_call *call, const char *argument, int n, const int *index)
{
    int before = 0;

    for (int i = 0; i < n; i++) {
        if (index[i] < before)
            return ork_report_element(call, ORK_USAGE_GRAPH_INDEX, argument, i, index[i], before);
        before = index[i];
    }
    return false;
}

bool ork_wrong_graph(const struct ork_call *call, const char *argument,
                     const struct ork_comm_bounds *b, int n, const int *index, const char *edges,
                     const int *edge)
{
    if (!b->is_valid || n <= 0 || index == NULL)
        return false;
    if (n > b->size)
        return ork_report_argument(call, ORK_USAGE_GRAPH_SIZE, argument, n, b->size, NULL);
    if (wrong_index(call, argument, n, index))
        return true;
    for (int i = 0; edge != NULL && i < index[n - 1]; i++) {
        if (edge[i] < 0 || edge[i] >= n)
            return ork_report_element(call, ORK_USAGE_GRAPH_EDGE, edges, i, edge[i], n);
    }
    return false;
}

int ork_sum(int n, const int *value)
{
    int64_t sum = 0;

    for (int i = 0; value != NULL && i < n; i++)
        sum += value[i] > 0 ? value[i] : 0;
    return sum < INT_MAX ? (int)sum : 0;
}

bool ork_wrong_neighbours(const struct ork_call *call, const char *argument,
                          const struct ork_comm_bounds *b, int n, const int *rank)
{
    for (int i = 0; b->is_valid && rank != NULL && i < n; i++) {
        if (rank[i] < 0 || rank[i] >= b->size)
            return ork_report_element(call, ORK_USAGE_NEIGHBOUR, argument, i, rank[i], b->size);
    }
    return false;
}

bool ork_wrong_weights(const struct ork_call *call, const char *argument, int n, const int *weight)
{
    if (ork_library_is_unweighted(weight) || ork_library_is_empty_weights(weight))
        return false;
    return ork_wrong_array(call, ORK_USAGE_NEGATIVE_WEIGHT, argument, n, weight, 0);
}
