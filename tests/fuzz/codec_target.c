/* SPDX-License-Identifier: BSD-3-Clause */
/* One fuzz input: bytes are decoded until they end or make no sense. What was decoded and is
 * encoded again decodes to the same. */
#include "tests/fuzz/codec_target.h"

#include "record/codec.h"

#include <stdlib.h>
#include <string.h>

static void check_again(struct ork_codec *writer, struct ork_codec *reader,
                        const struct ork_record *record)
{
    uint8_t bytes[ORK_ENCODED_MAX];
    struct ork_record again;
    size_t used;
    size_t size = ork_encode(writer, record, bytes);

    if (size == 0 || size > sizeof(bytes))
        abort();
    if (ork_decode(reader, bytes, size, &used, &again) != ORK_OK || used != size)
        abort();
    if (memcmp(&again, record, sizeof(again)) != 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ork_codec input = {0};
    struct ork_codec writer = {0};
    struct ork_codec reader = {0};
    struct ork_record record;
    size_t used;
    enum ork_status status;

    while ((status = ork_decode(&input, data, size, &used, &record)) == ORK_OK) {
        if (used == 0 || used > size)
            abort();
        check_again(&writer, &reader, &record);
        data += used;
        size -= used;
    }
    if (status != ORK_TRUNCATED && status != ORK_INVALID)
        abort();
    return 0;
}
