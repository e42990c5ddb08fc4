/* SPDX-License-Identifier: BSD-3-Clause */
/* Arguments of collective calls that must be the same at all ranks, or at those of a group. */
#include "record/agreed.h"
#include "tests/unit/detector/script.h"

#define GRID(first, reorder)                                                                       \
    COLL_(CART_CREATE, 0, ORK_NO_PEER, .extra = (first), .peer2 = (int32_t)(reorder))
#define N(x)          ((uint64_t)(x) << 1 | 1)
#define SPLIT_TYPE(t) COLL_(COMM_SPLIT_TYPE, 0, ORK_NO_PEER, .extra = (t))

/* MPI_Comm_create with the group of these runs (first, stride, count). */
#define CREATE(...)                                                                                \
    {                                                                                              \
        .rec = {.kind = ORK_KIND_COLL,                                                             \
                .mode = ORK_COLL_COMM_CREATE,                                                      \
                .peer = ORK_NO_PEER,                                                               \
                .count = LENGTH(__VA_ARGS__)},                                                     \
        .list = {                                                                                  \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
#define CREATE_NOTHING COLL_(COMM_CREATE, 0, ORK_NO_PEER, .bytes = 0)

/* Two halves of four ranks, and the intercommunicator between them as number 3. */
#define HALF(first, other)                                                                         \
    SPLIT(2, 0, first, 1, 2), CALL_INTERCOMM(2, 0, other, 0, 5),                                   \
        DEFINE_INTER(3, 2, first, 1, 2, other, 1, 2)
#define MERGE(high) COLL_(INTERCOMM_MERGE, 3, ORK_NO_PEER, .extra = N(high))

static const struct scenario table[] = {
    {.name = "the same values", .rank = {RANK(GRID(N(4), N(0)), F), RANK(GRID(N(4), N(0)), F)}},
    {.name = "another first value",
     .rank = {RANK(GRID(N(4), N(0)), F), RANK(GRID(N(5), N(0)), F)},
     .issues = 1},
    {.name = "another value behind",
     .rank = {RANK(GRID(N(4), N(0)), F), RANK(GRID(N(4), N(1)), F)},
     .issues = 1},
    {.name = "a value that is not known",
     .rank = {RANK(GRID(N(4), N(0)), F), RANK(GRID(0, N(0)), F)}},
    {.name = "a value that may be any",
     .rank = {RANK(SPLIT_TYPE(N(1)), F), RANK(SPLIT_TYPE(0), F), RANK(SPLIT_TYPE(N(1)), F)}},
    {.name = "the amounts of an operation are no such values",
     .rank = {RANK(COLL_(BARRIER, 0, ORK_NO_PEER, .extra = N(1)), F),
              RANK(COLL_(BARRIER, 0, ORK_NO_PEER, .extra = N(2)), F)}},
    {.name = "other local leaders",
     .rank = {RANK(SPLIT(2, 0, 0, 1, 2), COLL_(INTERCOMM_CREATE, 2, 2, .extra = N(0), .tag = 5), F),
              RANK(SPLIT(2, 0, 0, 1, 2),
                   COLL_(INTERCOMM_CREATE, 2, 2, .arg = 1, .extra = N(1), .tag = 5), F),
              RANK(CALL_SPLIT(0), F)},
     .issues = 1},

    {.name = "disjoint groups, and a rank outside",
     .rank = {RANK(CREATE(0, 1, 2), F), RANK(CREATE(0, 1, 2), F), RANK(CREATE(2, 1, 1), F),
              RANK(CREATE(0, 1, 2), F), RANK(CREATE_NOTHING, F)}},
    {.name = "one group in two ways of writing",
     .rank = {RANK(CREATE(0, 1, 3), F), RANK(CREATE(0, 1, 1, 1, 1, 2), F),
              RANK(CREATE(0, 1, 3), F)}},
    {.name = "a member that passes another group",
     .rank = {RANK(CREATE(0, 1, 2), F), RANK(CREATE(1, 1, 2), F), RANK(CREATE(1, 1, 2), F)},
     .issues = 1},
    {.name = "a member that passes the group in another order",
     .rank = {RANK(CREATE(0, 1, 2), F), RANK(CREATE(1, (uint32_t)-1, 2), F)},
     .issues = 1},
    {.name = "a member that passes no group",
     .rank = {RANK(CREATE(0, 1, 2), F), RANK(CREATE_NOTHING, F)},
     .issues = 1},
    {.name = "a group that only a rank outside passes",
     .rank = {RANK(CREATE(0, 1, 1), F), RANK(CREATE_NOTHING, F), RANK(CREATE(0, 1, 2), F)},
     .issues = 1},

    {.name = "two groups are merged, the low one and the high one",
     .rank = {RANK(HALF(0, 2), MERGE(0), F), RANK(HALF(0, 2), MERGE(0), F),
              RANK(HALF(2, 0), MERGE(1), F), RANK(HALF(2, 0), MERGE(1), F)}},
    {.name = "a member of the second group takes it for the low one",
     .rank = {RANK(HALF(0, 2), MERGE(0), F), RANK(HALF(0, 2), MERGE(0), F),
              RANK(HALF(2, 0), MERGE(1), F), RANK(HALF(2, 0), MERGE(0), F)},
     .issues = 1},
};

int test_agreed(void)
{
    return script_run_table(table, sizeof(table) / sizeof(*table));
}
