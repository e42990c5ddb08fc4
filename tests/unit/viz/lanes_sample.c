/* SPDX-License-Identifier: BSD-3-Clause */
#include "lanes_sample.h"

#include "tests/unit/report/sample.h"

#include <stdlib.h>
#include <string.h>

enum { CALLS = 4 };

struct ork_finding lanes_sample(uint32_t lanes)
{
    struct ork_finding f = {.id = strdup("deadlock"), .class_ = ORK_MANIFEST};

    f.ranks = (struct ork_u32s){calloc(lanes, sizeof(uint32_t)), lanes};
    f.last_calls = calloc(lanes, sizeof(*f.last_calls));
    f.num_last_calls = lanes;
    for (uint32_t i = 0; i < lanes; i++) {
        f.ranks.item[i] = i;
        f.last_calls[i] = (struct ork_last_calls){
            .ranks = {calloc(1, sizeof(uint32_t)), 1},
            .thread = -1,
            .call = calloc(CALLS, sizeof(struct ork_last_call)),
        };
        f.last_calls[i].ranks.item[0] = i;
    }
    return f;
}

struct ork_last_call *lanes_sample_call(struct ork_finding *f, uint32_t lane, const char *name,
                                        uint32_t line)
{
    struct ork_last_calls *list = &f->last_calls[lane];
    struct ork_last_call *call = &list->call[list->num_calls++];

    assert_true(list->num_calls <= CALLS);
    *call = (struct ork_last_call){.call = strdup(name), .times = 1, .position = UINT32_MAX};
    call->where = (struct ork_where){.file = strdup("/src/a.c"), .line = line};
    return call;
}

void lanes_sample_arrow(struct ork_finding *f, uint32_t from_list, uint32_t from_call,
                        uint32_t to_list, uint32_t to_call)
{
    f->arrow = realloc(f->arrow, (f->num_arrows + 1) * sizeof(*f->arrow));
    f->arrow[f->num_arrows++] = (struct ork_last_arrow){from_list, from_call, to_list, to_call};
}

void lanes_sample_near(struct ork_finding *f, uint32_t waits, const char *waiting, uint32_t line,
                       uint32_t pending, const char *call, uint32_t pending_line)
{
    f->near_miss = calloc(1, sizeof(*f->near_miss));
    f->num_near_misses = 1;
    f->near_miss[0] = (struct ork_near_miss){.waits = {.rank = waits, .call = strdup(waiting)},
                                             .pending = {.rank = pending, .call = strdup(call)},
                                             .differs = strdup("tag"),
                                             .message = strdup("Use the same tag.")};
    f->near_miss[0].waits.where = (struct ork_where){.file = strdup("/src/a.c"), .line = line};
    f->near_miss[0].pending.where =
        (struct ork_where){.file = strdup("/src/a.c"), .line = pending_line};
}

void lanes_sample_row(struct ork_finding *f, uint32_t rank, const char *call, uint32_t line,
                      const char *peer)
{
    f->waits = realloc(f->waits, (f->num_waits + 1) * sizeof(*f->waits));
    f->waits[f->num_waits++] =
        (struct ork_rank_row){.rank = rank,
                              .call = strdup(call),
                              .state = strdup(""),
                              .comm = strdup("MPI_COMM_WORLD"),
                              .peer = strdup(peer),
                              .where = {.file = strdup("/src/a.c"), .line = line}};
}
