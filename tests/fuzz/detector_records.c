/* SPDX-License-Identifier: BSD-3-Clause */
/* Inputs for the detector without libFuzzer: records of random programs with a few fields changed,
 * records left out, doubled and moved; records of small random fields; random bytes. The same in
 * every run. detector_records [seed [inputs]] */
#include "tests/fuzz/budget.h"
#include "tests/fuzz/detector_records.h"

#include "tests/fuzz/detector/run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 400, INPUTS = 25000 };

struct input {
    uint8_t bytes[ITEMS][FUZZ_ITEM];
    size_t count;
};

static void append(struct input *input, uint32_t what, const struct ork_record *record)
{
    if (input->count == ITEMS)
        return;
    uint8_t *item = input->bytes[input->count++];
    item[0] = (uint8_t)what;
    memcpy(item + 1, record, sizeof(*record));
}

/* ---- where records come from ---- */

/* A small number, or one at the edge of something. */
static uint32_t edgy(struct wfg_random *random)
{
    static const uint32_t edge[] = {
        0,           UINT32_MAX, UINT32_MAX - 1, UINT32_MAX - 2, UINT32_MAX - 3, INT32_MAX,
        0x80000000u, 1u << 24,   (1u << 24) - 1, 1u << 26,       1u << 16,       UINT32_MAX - 4};

    if (wfg_random_percent(random, 85))
        return wfg_random_below(random, 6);
    return edge[wfg_random_below(random, sizeof(edge) / sizeof(*edge))];
}

static struct ork_record random_record(struct wfg_random *random)
{
    struct ork_record r = {0};

#define ORK_FIELD(type, name)                                                                      \
    if (wfg_random_percent(random, 60))                                                            \
        r.name = (type)edgy(random);
#include "record/fields.def"
#undef ORK_FIELD
    r.kind = (uint8_t)wfg_random_below(random, ORK_KIND_MAX + 1u);
    if (wfg_random_percent(random, 70))
        r.thread = 0;
    if (wfg_random_percent(random, 60))
        r.count = 0;
    return r;
}

static void random_list(struct wfg_random *random, struct input *input, uint32_t rank,
                        uint32_t count)
{
    for (uint32_t done = 0; done < count && done < 64; done += ORK_CONT_WORDS) {
        uint32_t n = count - done < ORK_CONT_WORDS ? count - done : ORK_CONT_WORDS;
        struct ork_cont cont = {.kind = ORK_KIND_CONT, .words = (uint8_t)n};
        struct ork_record raw;
        for (uint32_t i = 0; i < n; i++)
            cont.word[i] = edgy(random);
        memcpy(&raw, &cont, sizeof(raw));
        append(input, rank, &raw);
    }
}

static void make_random_records(struct wfg_random *random, struct input *input)
{
    while (input->count < ITEMS / 4) {
        struct ork_record r = random_record(random);
        uint32_t rank = wfg_random_below(random, FUZZ_RANKS);
        append(input, rank, &r);
        random_list(random, input, rank, r.count);
    }
}

static void make_random_bytes(struct wfg_random *random, struct input *input)
{
    input->count = 1 + wfg_random_below(random, 8);
    for (size_t i = 0; i < input->count; i++) {
        for (size_t k = 0; k < FUZZ_ITEM; k++)
            input->bytes[i][k] = (uint8_t)wfg_random_below(random, 256);
    }
}

/* The records of a run, of all ranks in a random order. */
static void make_program_records(struct wfg_random *random, struct input *input)
{
    static struct run run;
    struct program p;
    unsigned next[MAX_RANKS] = {0};

    program_random(wfg_random_next(random), &p);
    if (!run_random(&p, random, &run))
        return;
    for (unsigned idle = 0; idle < 64; idle++) {
        unsigned r = wfg_random_below(random, p.ranks);
        if (next[r] == run.stream[r].count)
            continue;
        append(input, r, &run.stream[r].record[next[r]++]);
        idle = 0;
    }
}

/* ---- what may happen to them ---- */

static void change_field(struct wfg_random *random, uint8_t *item)
{
    struct ork_record r;
    uint32_t which = wfg_random_below(random, 18);
    uint32_t field = 0;

    memcpy(&r, item + 1, sizeof(r));
#define ORK_FIELD(type, name)                                                                      \
    if (field++ == which)                                                                          \
        r.name = (type)edgy(random);
#include "record/fields.def"
#undef ORK_FIELD
    memcpy(item + 1, &r, sizeof(r));
}

static void mutate(struct wfg_random *random, struct input *input)
{
    size_t at = wfg_random_below(random, (uint32_t)input->count);
    size_t other = wfg_random_below(random, (uint32_t)input->count);
    uint8_t *item = input->bytes[at];

    switch (wfg_random_below(random, 6)) {
    case 0:
        memmove(item, item + FUZZ_ITEM, (input->count - at - 1) * FUZZ_ITEM);
        input->count -= input->count > 1;
        break;
    case 1:
        memmove(item, input->bytes[other], FUZZ_ITEM);
        break;
    case 2:
        item[0] = (uint8_t)wfg_random_below(random, 256);
        break;
    case 3:
        item[1 + wfg_random_below(random, FUZZ_ITEM - 1)] ^=
            (uint8_t)(1u << wfg_random_below(random, 8));
        break;
    default:
        change_field(random, item);
        break;
    }
}

/* In storage of exactly its size, so that a sanitizer sees a byte too many that is read. */
static void run_input(const struct input *input)
{
    size_t size = input->count * FUZZ_ITEM;
    uint8_t *copy = malloc(size + 1);

    if (copy == NULL)
        abort();
    memcpy(copy, input->bytes, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

int main(int argc, char **argv)
{
    struct wfg_random random = {wfg_random_argument(argc, argv, 1, 1)};
    uint64_t inputs = wfg_random_argument(argc, argv, 2, INPUTS);
    static struct input input;

    for (uint64_t i = 0; i < (inputs = within_budget(i, inputs)); i++) {
        input.count = 0;
        if (i % 16 == 0)
            make_random_bytes(&random, &input);
        else if (i % 4 == 0)
            make_random_records(&random, &input);
        else
            make_program_records(&random, &input);
        for (uint32_t n = wfg_random_below(&random, 8); n > 0 && input.count > 0; n--)
            mutate(&random, &input);
        run_input(&input);
    }
    printf("%" PRIu64 " inputs\n", inputs);
    return EXIT_SUCCESS;
}
