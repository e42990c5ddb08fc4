/* SPDX-License-Identifier: BSD-3-Clause */
/* Examinations of groups: MPI-3.1 sections 6.3 and 6.4.2. */
#include "interceptor/checks/check.h"

#include "interceptor/mpi/next.h"

#include <errno.h>
#include <stdlib.h>

/* -1: not known. */
static int size_of(MPI_Group group)
{
    int size = -1;

    if (ork_handle_is_valid(ORK_HANDLE_GROUP, ORK_KEY(group)))
        ORK_NEXT(MPI_Group_size)(group, &size);
    return size;
}

/* The members of a group that were chosen so far. */
struct choice {
    const struct ork_call *call;
    const char *argument;
    int size;
    char *is_chosen; /* by rank */
};

/* Choose one more. False: that is right. */
static bool wrong_member(struct choice *c, int64_t rank)
{
    if (rank < 0 || rank >= c->size)
        return ork_report_argument(c->call, ORK_USAGE_GROUP_RANK, c->argument, rank, c->size, NULL);
    if (c->is_chosen[rank])
        return ork_report_argument(c->call, ORK_USAGE_GROUP_TWICE, c->argument, rank, 0, NULL);
    c->is_chosen[rank] = 1;
    return false;
}

static bool begin(struct choice *c, const struct ork_call *call, const char *argument,
                  MPI_Group group)
{
    int size = size_of(group);

    *c = (struct choice){.call = call, .argument = argument, .size = size};
    if (size >= 0)
        c->is_chosen = calloc((size_t)size + 1, 1);
    return c->is_chosen != NULL;
}

bool ork_wrong_group_ranks(const struct ork_call *call, const char *argument, MPI_Group group,
                           int n, const int *rank)
{
    struct choice c;
    int saved = errno;
    bool wrong = false;

    if (rank != NULL && begin(&c, call, argument, group)) {
        for (int i = 0; i < n && !wrong; i++)
            wrong = wrong_member(&c, rank[i]);
        free(c.is_chosen);
    }
    errno = saved;
    return wrong;
}

/* First, last, stride. RATIONALE: the standard does not say what a stride means that leads away
 * from the last rank. */
static bool wrong_range(struct choice *c, int i, const int range[3])
{
    int64_t first = range[0], last = range[1], stride = range[2];
    bool wrong = false;

    if (stride == 0)
        return ork_report_element(c->call, ORK_USAGE_GROUP_STRIDE, c->argument, i, 0, 0);
    if ((first < last) != (stride > 0) && first != last)
        return false;
    for (int64_t rank = first; (stride > 0 ? rank <= last : rank >= last) && !wrong; rank += stride)
        wrong = wrong_member(c, rank);
    return wrong;
}

bool ork_wrong_group_ranges(const struct ork_call *call, const char *argument, MPI_Group group,
                            int n, int range[][3])
{
    struct choice c;
    int saved = errno;
    bool wrong = false;

    if (range != NULL && begin(&c, call, argument, group)) {
        for (int i = 0; i < n && !wrong; i++)
            wrong = wrong_range(&c, i, range[i]);
        free(c.is_chosen);
    }
    errno = saved;
    return wrong;
}

bool ork_wrong_translated(const struct ork_call *call, const char *argument, MPI_Group group, int n,
                          const int *rank)
{
    int size = size_of(group);

    for (int i = 0; size >= 0 && rank != NULL && i < n; i++) {
        if (rank[i] != MPI_PROC_NULL && (rank[i] < 0 || rank[i] >= size))
            return ork_report_argument(call, ORK_USAGE_GROUP_RANK, argument, rank[i], size, NULL);
    }
    return false;
}

/* How many members of a group are not in that of the communicator; 0 if it is not known. */
static int count_others(MPI_Comm comm, MPI_Group group)
{
    MPI_Group all = MPI_GROUP_NULL, others = MPI_GROUP_NULL;
    int n = 0;

    if (ORK_NEXT(MPI_Comm_group)(comm, &all) != MPI_SUCCESS)
        return 0;
    if (ORK_NEXT(MPI_Group_difference)(group, all, &others) == MPI_SUCCESS) {
        ORK_NEXT(MPI_Group_size)(others, &n);
        if (others != MPI_GROUP_EMPTY)
            ORK_NEXT(MPI_Group_free)(&others);
    }
    ORK_NEXT(MPI_Group_free)(&all);
    return n;
}

bool ork_wrong_subgroup(const struct ork_call *call, const char *argument, MPI_Group group,
                        const struct ork_comm_bounds *b)
{
    int saved = errno;
    int n = b->is_valid && size_of(group) > 0 ? count_others(b->comm, group) : 0;

    errno = saved;
    return n > 0 && ork_report_argument(call, ORK_USAGE_GROUP_NO_SUBSET, argument, n, 0, NULL);
}
