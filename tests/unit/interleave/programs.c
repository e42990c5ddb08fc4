/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/interleave/programs.h"

#include "tests/unit/detector/unit.h"

static const struct ork_interleave_options variant[] = {
    {0},
    {.no_filter = true},
    {.no_filter = true, .no_components = true},
    {.no_filter = true, .no_persistent = true},
    {.no_filter = true, .no_memo = true},
    {.no_filter = true, .no_symmetry = true},
    {.no_filter = true,
     .no_components = true,
     .no_persistent = true,
     .no_memo = true,
     .no_symmetry = true},
};
enum { VARIANTS = sizeof(variant) / sizeof(variant[0]) };

/* ---- writing programs; group 0 are all ranks ---- */

struct ork_interleave *program_create(uint32_t ranks)
{
    struct ork_interleave *p = NULL;
    uint32_t member[64];

    assert_in_range(ranks, 1, 64);
    if (ork_interleave_create(ranks, &p) != ORK_OK)
        return NULL;
    for (uint32_t r = 0; r < ranks; r++)
        member[r] = r;
    ork_interleave_group(p, member, ranks);
    return p;
}

struct ork_interleave_op write_message(uint32_t rank, uint32_t peer, int32_t tag)
{
    return (struct ork_interleave_op){
        .rank = rank, .peer = peer, .tag = tag, .took = ANY, .took_tag = ANY_TAG, .info = rank};
}

uint32_t write_isend(struct ork_interleave *p, uint32_t rank, uint32_t peer, int32_t tag)
{
    struct ork_interleave_op op = write_message(rank, peer, tag);

    op.is_send = true;
    return ork_interleave_post(p, &op);
}

uint32_t write_irecv(struct ork_interleave *p, uint32_t rank, uint32_t peer, int32_t tag)
{
    struct ork_interleave_op op = write_message(rank, peer, tag);

    return ork_interleave_post(p, &op);
}

void write_wait(struct ork_interleave *p, uint32_t rank, uint32_t op)
{
    const struct ork_interleave_part part = {.is_whole = true, .number = op};

    ork_interleave_await(p, rank, ORK_INTERLEAVE_ALL, &part, 1, 0, 100 + rank);
}

void write_send(struct ork_interleave *p, uint32_t rank, uint32_t peer, int32_t tag)
{
    write_wait(p, rank, write_isend(p, rank, peer, tag));
}

void write_recv(struct ork_interleave *p, uint32_t rank, uint32_t peer, int32_t tag)
{
    write_wait(p, rank, write_irecv(p, rank, peer, tag));
}

void write_recv_that_took(struct ork_interleave *p, uint32_t rank, uint32_t source,
                          enum took status)
{
    uint32_t op = write_irecv(p, rank, ANY, 0);
    struct ork_interleave_op *is = ork_interleave_change(p, op);

    is->took = source;
    is->took_tag = 0;
    is->may_differ = true;
    is->blind = status != LOOKED_AT;
    is->looked = status != IGNORED;
    write_wait(p, rank, op);
}

void write_arrive(struct ork_interleave *p, uint32_t rank, uint32_t wave)
{
    const struct ork_interleave_part part = {.is_whole = true, .is_wave = true, .number = wave};

    ork_interleave_arrive(p, rank, wave);
    ork_interleave_await(p, rank, ORK_INTERLEAVE_ALL, &part, 1, 0, 100 + rank);
}

void write_ends(struct ork_interleave *p, uint32_t ranks)
{
    for (uint32_t r = 0; r < ranks; r++)
        ork_interleave_set_end(p, r, ORK_INTERLEAVE_ENDED);
}

/* ---- asking ---- */

enum ork_interleave_result program_search(struct ork_interleave *p,
                                          const struct ork_interleave_options *options)
{
    enum ork_interleave_result result = ORK_INTERLEAVE_STOPPED;

    assert_int_equal(ork_interleave_search(p, options, &result), ORK_OK);
    return result;
}

void assert_deadlocked(const struct ork_interleave *p, const char *ranks)
{
    char is[65] = "";

    for (uint32_t r = 0; ranks[r] != '\0'; r++) {
        struct ork_interleave_position place = ork_interleave_position(p, r);
        is[r] = place.ended ? 'E' : place.deadlocked ? 'D' : '-';
        is[r + 1] = '\0';
    }
    assert_string_equal(is, ranks);
}

void program_check(void (*write)(struct ork_interleave *p), uint32_t ranks, const char *deadlocked)
{
    for (unsigned v = 0; v < VARIANTS; v++) {
        struct ork_interleave *p = program_create(ranks);
        write(p);
        enum ork_interleave_result result = program_search(p, &variant[v]);
        assert_int_equal(result,
                         deadlocked == NULL ? ORK_INTERLEAVE_SAFE : ORK_INTERLEAVE_DEADLOCK);
        if (deadlocked != NULL)
            assert_deadlocked(p, deadlocked);
        assert_int_equal(program_search(p, &variant[v]), result);
        ork_interleave_destroy(p);
    }
}

uint64_t program_states(void (*write)(struct ork_interleave *p), uint32_t ranks,
                        const struct ork_interleave_options *options)
{
    struct ork_interleave *p = program_create(ranks);

    write(p);
    assert_int_equal(program_search(p, options), ORK_INTERLEAVE_SAFE);
    uint64_t states = ork_interleave_statistics(p).states;
    ork_interleave_destroy(p);
    return states;
}
