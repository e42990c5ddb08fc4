/* SPDX-License-Identifier: BSD-3-Clause */
#include "leaf_stage.h"

#include "unit.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static enum ork_status on_attach(void *context, const struct ork_attached *attached)
{
    struct above *a = context;

    a->attached++;
    a->latest = *attached;
    return ORK_OK;
}

static enum ork_status on_batch(void *context, uint32_t rank, const struct ork_record *record,
                                size_t n)
{
    struct above *a = context;

    assert_in_range(rank, 0, 7);
    assert_int_equal(a->ended, 0);
    for (size_t i = 0; i < n; i++) {
        if (record[i].kind >= ORK_KIND_MAX)
            a->senseless++;
        else
            a->in_order &= record[i].extra == a->next[rank]++;
    }
    a->records += n;
    return ORK_OK;
}

static enum ork_status on_end(void *context, uint32_t rank, enum ork_death how, uint64_t full_waits)
{
    struct above *a = context;

    (void)rank;
    a->ended++;
    a->how = how;
    a->full_waits = full_waits;
    return ORK_OK;
}

static size_t credit(void *context)
{
    const struct above *a = context;

    return a->credit;
}

int stage_set_up(void **state)
{
    static struct stage s;

    memset(&s, 0, sizeof(s));
    snprintf(s.session, sizeof(s.session), "%s", peer_session());
    s.above.up = (struct ork_up){.context = &s.above,
                                 .attach = on_attach,
                                 .batch = on_batch,
                                 .end = on_end,
                                 .credit = credit};
    s.above.in_order = true;
    s.above.credit = SIZE_MAX;
    *state = &s;
    return ork_leaf_create(s.session, PEER_TOKEN, &s.above.up, &s.leaf) != ORK_OK;
}

int stage_tear_down(void **state)
{
    struct stage *s = *state;

    ork_leaf_destroy(s->leaf);
    return 0;
}

size_t stage_step(struct stage *s)
{
    size_t moved;

    assert_int_equal(ork_leaf_step(s->leaf, &moved), ORK_OK);
    return moved;
}

void stage_join(struct stage *s, struct peer *peer, uint32_t rank)
{
    struct ork_hello hello = peer_hello(rank);

    peer_attach(peer, s->session, &hello);
    stage_step(s);
    assert_int_equal(peer_answer(peer->socket), 1);
}

void stage_hang_up(struct peer *peer)
{
    close(peer->socket);
    peer->socket = -1;
}
