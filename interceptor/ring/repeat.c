/* SPDX-License-Identifier: BSD-3-Clause */
/* Repetitions in the ring (record/ring.h): when they begin and end. */
#include "common/session.h"
#include "interceptor/ring/recorder.h"
#include "record/ring_reader.h"

#include <stdlib.h>
#include <string.h>

/* Slots from one look to the next: the lower number at first, twice as many after each look that
 * finds nothing and after each short repetition. After a long one, fewer at first. */
enum { LOOK_MIN = 512, LOOK_MAX = 1 << 16 };
/* A repetition of fewer records than this many times those of its block is short. */
enum { SHORT_BLOCKS = 16 };
/* Comparisons of records in one look, at most. */
enum { COMPARISONS_MAX = 8192 };
/* Iterations that one block may have, and their records. RATIONALE: the leaf passes longer blocks
 * on record by record. */
enum { WIDTH_MAX = 8, WIDE_BLOCK_MAX = 256 };
/* A block may be that of an inner loop. A block of the outer loop is looked for after so many
 * repetitions in a row that it could contain, and then after four times as many each time. */
enum { INNER_MIN = 4, INNER_MAX = 1 << 20 };

/* What looks remember. RATIONALE: a record that has ended a short repetition belongs to an outer
 * loop, or to what some iterations do in addition; it is rarer than those of the inner loop. So the
 * next block begins with it. */
static struct {
    bool has_ended;            /* the record that is written next has ended a short repetition */
    bool is_rare;              /* such a record is waited for: */
    struct ork_record rare;    /* this one */
    uint32_t waited;           /* records in vain */
    uint64_t interval, oldest; /* oldest: slot; before it is a repetition */
    uint32_t shortest;         /* the latest block that was found, */
    uint32_t width;            /* and the block that is repeated has it so many times; */
    bool is_vain;              /* no width helps */
    uint64_t ended;            /* records before the end of the latest repetition */
    uint32_t inner, inner_max; /* repetitions in a row, see INNER_MIN, */
    uint32_t between;          /* and the fewest records from the end of one to that of the next */
    uint32_t least;            /* records of the block that is looked for */
} looks;

void ork_repeat_init(void)
{
    const char *fold = getenv(ORK_ENV_FOLD);
    bool is_off = fold != NULL && strcmp(fold, "off") == 0;

    memset(&looks, 0, sizeof(looks));
    looks.interval = LOOK_MIN;
    looks.width = 1;
    looks.inner_max = INNER_MIN;
    looks.least = 1;
    ork_recorder.look = is_off ? UINT64_MAX : ork_recorder.slot + LOOK_MIN;
}

/* Is what ends before the slot twice the block, as many times as it is wide? */
static bool is_wide(uint64_t slot, uint32_t block, uint32_t width)
{
    const struct ork_ring *ring = ork_recorder.ring;
    const uint32_t records = (2 * width - 1) * block;
    uint32_t same = 0;

    if (2 * (uint64_t)width * block > slot - looks.oldest)
        return false;
    while (same < records && ork_record_is_same(ork_ring_slot(ring, slot - 1 - same),
                                                ork_ring_slot(ring, slot - 1 - same - block)))
        same++;
    return same == records;
}

/* The shortest block was found: which one is repeated? */
static uint32_t choose_block(uint64_t slot, uint32_t block)
{
    if (block != looks.shortest) {
        looks.width = 1;
        looks.is_vain = false;
    }
    looks.shortest = block;
    return looks.width == 1 || is_wide(slot, block, looks.width) ? looks.width * block : 0;
}

/* The block that ends before a slot, and begins with the same record as the slot: the shortest that
 * is there twice. 0: none. */
static uint32_t block_before(uint64_t slot)
{
    const struct ork_recorder *r = &ork_recorder;
    const struct ork_record *record = ork_ring_slot(r->ring, slot);
    uint64_t slots = slot - looks.oldest;
    uint32_t comparisons = 0;

    for (uint32_t d = looks.least; d <= ORK_REPEAT_BLOCK_MAX && 2 * (uint64_t)d <= slots; d++) {
        uint32_t same = 0;
        if (++comparisons > COMPARISONS_MAX)
            break;
        if (!ork_record_is_same(ork_ring_slot(r->ring, slot - d), record))
            continue;
        while (same < d && ork_record_is_same(ork_ring_slot(r->ring, slot - 1 - same),
                                              ork_ring_slot(r->ring, slot - 1 - same - d)))
            same++;
        if (same == d)
            return d;
        comparisons += same;
    }
    return 0;
}

static void look_later(void)
{
    looks.interval = looks.interval < LOOK_MAX ? looks.interval * 2 : LOOK_MAX;
    looks.waited = 0;
    ork_recorder.look = ork_recorder.slot + looks.interval;
}

/* A long repetition has ended. RATIONALE: often something else came in between, for example the
 * next ORDER record, and the loop goes on. Few slots are looked at, so this costs little. */
static void look_soon(uint32_t block)
{
    looks.interval = block < LOOK_MIN / 2 ? 2 * block : LOOK_MIN;
    looks.waited = 0;
    ork_recorder.look = ork_recorder.slot + looks.interval;
}

/* Has the leaf taken so many records that some may be repeated? */
static bool is_near(void)
{
    const struct ork_recorder *r = &ork_recorder;

    return r->head - atomic_load_explicit(&r->ring->tail, memory_order_relaxed) <
           ORK_REPEAT_AHEAD_MAX;
}

/* The latest record was the first that is repeated: its slot becomes free again. */
static void begin(uint32_t block)
{
    struct ork_recorder *r = &ork_recorder;

    r->slot--;
    r->first = r->head - 1;
    r->block = block;
    r->at = block == 1 ? 0 : 1;
    ork_ring_set_limit();
    atomic_store_explicit(&r->ring->block_end, r->slot, memory_order_release);
    atomic_store_explicit(&r->ring->repetition, ork_repetition_pack(r->first, block),
                          memory_order_release);
}

void ork_repeat_look(void)
{
    struct ork_recorder *r = &ork_recorder;
    const struct ork_record *latest = ork_ring_slot(r->ring, r->slot - 1);

    if (looks.has_ended) {
        looks.has_ended = false;
        looks.is_rare = true;
        looks.rare = *latest;
        look_later();
        return;
    }
    if (looks.is_rare && !ork_record_is_same(latest, &looks.rare)) {
        looks.is_rare = ++looks.waited < ORK_REPEAT_BLOCK_MAX;
        r->look = r->slot;
        return;
    }
    uint32_t block = is_near() ? block_before(r->slot - 1) : 0;
    if (block > 0)
        block = choose_block(r->slot - 1, block);
    looks.is_rare = false;
    looks.least = 1;
    if (block > 0)
        begin(block);
    else
        look_later();
}

/* Records that were repeated, but are to be written: the record whose list goes on otherwise. */
static uint32_t records_of_list(void)
{
    const struct ork_recorder *r = &ork_recorder;
    uint32_t n = 1;

    while (n < r->at &&
           ork_ring_slot(r->ring, r->slot - r->block + r->at - n)->kind == ORK_KIND_CONT)
        n++;
    return n;
}

/* The slot that stands for the repetition. False: recording has stopped. */
static bool write_repetition(uint32_t block, uint64_t records)
{
    struct ork_recorder *r = &ork_recorder;

    ork_publish();
    if (r->head >= r->limit && !ork_ring_wait())
        return false;
    r->ring->slot[r->slot++ & (ORK_RING_RECORDS - 1u)] =
        (struct ork_record){.kind = ORK_RING_REPETITION, .arg = block, .extra = records};
    r->limit--; /* it took a slot, and is no record */
    r->full--;
    atomic_store_explicit(&r->ring->skipped, r->head - r->slot, memory_order_release);
    return true;
}

/* A repetition has ended. Was it one of so many inner ones that it is time to look for the outer
 * loop? Its block has all records from the end of an inner repetition to that of the next. */
static bool seeks_outer(void)
{
    const uint64_t between = ork_recorder.head - looks.ended;

    looks.ended = ork_recorder.head;
    if (between > WIDE_BLOCK_MAX)
        looks.inner = 0;
    else if (looks.inner++ == 0 || between < looks.between)
        looks.between = (uint32_t)between;
    if (looks.inner < looks.inner_max)
        return false;
    looks.inner = 0;
    looks.inner_max = looks.inner_max < INNER_MAX ? looks.inner_max * 4 : INNER_MAX;
    return true;
}

static void end(uint32_t rewritten)
{
    struct ork_recorder *r = &ork_recorder;
    const uint32_t block = r->block;
    const uint64_t from = r->slot - block + r->at - rewritten;

    r->head -= rewritten;
    r->block = 0;
    ork_ring_set_limit();
    const uint64_t records = r->head - r->first;
    r->first = 0;
    if (records > 0 && !write_repetition(block, records))
        return;
    looks.oldest = r->slot;
    atomic_store_explicit(&r->ring->repetition, 0, memory_order_release);
    for (uint32_t i = 0; i < rewritten; i++) {
        struct ork_record *slot = ork_slot();
        if (slot == NULL)
            return;
        *slot = *ork_ring_slot(r->ring, from + i);
    }
    looks.has_ended = records < (uint64_t)SHORT_BLOCKS * block;
    if (seeks_outer()) {
        looks.has_ended = true;
        looks.least = looks.between;
        looks.interval = LOOK_MIN;
    }
    if (!looks.has_ended)
        look_soon(block);
    else
        r->look = r->slot;
}

void ork_repeat_end(void)
{
    end(0);
}

void ork_repeat_widen(void)
{
    const uint32_t wider = (looks.width + 1) * looks.shortest;

    if (looks.is_vain || ork_recorder.block != looks.width * looks.shortest)
        return;
    if (looks.width == WIDTH_MAX || wider > WIDE_BLOCK_MAX) {
        looks.is_vain = true;
        looks.width = 1;
        return;
    }
    looks.width++;
    end(0);
    looks.has_ended = false;
    look_soon(wider);
}

void ork_repeat_end_inside(const struct ork_cont *cont)
{
    end(records_of_list());
    struct ork_record *slot = ork_slot();
    if (slot != NULL)
        memcpy(slot, cont, sizeof(*cont));
}
