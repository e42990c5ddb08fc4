/* SPDX-License-Identifier: BSD-3-Clause */
/* Inputs for the codec without libFuzzer: random bytes, and valid streams with a few bytes changed,
 * removed or doubled. The same in every run. codec_driver [seed [inputs]] */
#include "tests/fuzz/budget.h"
#include "tests/fuzz/codec_target.h"

#include "record/codec.h"
#include "tests/unit/record/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 4096, INPUTS = 120000 };

struct input {
    uint8_t bytes[ROOM];
    size_t size;
};

static void random_bytes(uint64_t *seed, struct input *input)
{
    uint64_t shift = 56 + random_next(seed) % 8; /* small numbers in some inputs */

    input->size = random_next(seed) % 64;
    for (size_t i = 0; i < input->size; i++)
        input->bytes[i] = (uint8_t)(random_next(seed) >> shift);
}

static void append(struct input *input, struct ork_codec *codec, const struct ork_record *record)
{
    if (input->size + ORK_ENCODED_MAX <= ROOM)
        input->size += ork_encode(codec, record, input->bytes + input->size);
}

static void valid_stream(uint64_t *seed, struct input *input)
{
    struct ork_codec codec = {0};
    struct ork_record record = {0};

    input->size = 0;
    for (uint64_t n = 1 + random_next(seed) % 16; n > 0; n--) {
        random_record(seed, &record);
        append(input, &codec, &record);
        if (random_next(seed) % 4 == 0) {
            struct ork_cont cont = random_cont(seed);
            struct ork_record list;
            memcpy(&list, &cont, sizeof(list));
            append(input, &codec, &list);
        }
    }
}

/* Change, remove or double one byte. */
static void mutate(uint64_t *seed, struct input *input)
{
    size_t at = random_next(seed) % input->size;
    uint8_t *here = input->bytes + at;
    size_t behind = input->size - at;

    switch (random_next(seed) % 4) {
    case 0:
        *here = (uint8_t)random_next(seed);
        break;
    case 1:
        *here ^= (uint8_t)(1u << random_next(seed) % 8);
        break;
    case 2:
        memmove(here, here + 1, behind - 1);
        input->size--;
        break;
    default:
        if (input->size < ROOM) {
            memmove(here + 1, here, behind);
            input->size++;
        }
    }
}

/* In storage of exactly its size, so that a sanitizer sees a byte too many that is read. */
static void run(const struct input *input)
{
    uint8_t *exact = malloc(input->size == 0 ? 1 : input->size);

    if (exact == NULL)
        abort();
    memcpy(exact, input->bytes, input->size);
    LLVMFuzzerTestOneInput(exact, input->size);
    free(exact);
}

int main(int argc, char **argv)
{
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    uint64_t inputs = argc > 2 ? strtoull(argv[2], NULL, 0) : INPUTS;
    static struct input input;

    if (seed == 0)
        seed = 1;
    for (uint64_t i = 0; i < (inputs = within_budget(i, inputs)); i++) {
        if (i % 3 == 0) {
            random_bytes(&seed, &input);
        } else {
            valid_stream(&seed, &input);
            for (uint64_t n = random_next(&seed) % 4; n > 0 && input.size > 0; n--)
                mutate(&seed, &input);
        }
        run(&input);
    }
    printf("%llu inputs\n", (unsigned long long)inputs);
    return 0;
}
