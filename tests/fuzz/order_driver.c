/* SPDX-License-Identifier: BSD-3-Clause */
/* Inputs for the decoder of choices without libFuzzer: random bytes, and valid streams with a few
 * bytes changed or removed. The same in every run. order_driver [seed [inputs]] */
#include "tests/fuzz/budget.h"
#include "tests/fuzz/order_target.h"
#include "tests/unit/order/random_choice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 8192, INPUTS = 400 };

struct input {
    uint8_t bytes[ROOM];
    size_t size;
};

static void random_bytes(uint64_t *seed, struct input *input)
{
    uint64_t shift = 56 + random_next(seed) % 8; /* small numbers in some inputs */

    input->size = 2 + random_next(seed) % 64;
    for (size_t i = 0; i < input->size; i++)
        input->bytes[i] = (uint8_t)(random_next(seed) >> shift);
    input->bytes[1] = (uint8_t)(random_next(seed) | 0xa0); /* a call is given: else it is refused */
}

static void valid_stream(uint64_t *seed, struct input *input)
{
    struct ork_order_encoder *encoder = ork_order_encoder_create();
    struct ork_choice choice = {0};
    uint32_t index[RANDOM_INDICES];

    if (encoder == NULL)
        abort();
    input->bytes[0] = (uint8_t)random_next(seed);
    input->size = 1;
    for (uint32_t n = 1 + random_below(seed, 16); n > 0; n--) {
        random_choice(seed, &choice, index);
        for (uint32_t same = 1 + random_below(seed, 3); same > 0; same--)
            input->size += ork_order_encode(encoder, &choice, input->bytes + input->size);
        input->size += ork_order_encode_pending(encoder, input->bytes + input->size);
        if (input->size > ROOM / 2)
            break;
    }
    ork_order_encoder_destroy(encoder);
}

/* Change or remove one byte. */
static void mutate(uint64_t *seed, struct input *input)
{
    size_t at = random_next(seed) % input->size;
    uint8_t *here = input->bytes + at;

    switch (random_next(seed) % 3) {
    case 0:
        *here = (uint8_t)random_next(seed);
        break;
    case 1:
        *here ^= (uint8_t)(1u << random_next(seed) % 8);
        break;
    default:
        memmove(here, here + 1, input->size - at - 1);
        input->size--;
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
