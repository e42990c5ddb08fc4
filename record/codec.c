/* SPDX-License-Identifier: BSD-3-Clause */
/* A coded record is a bit mask of the fields that differ from the previous record, then each of
 * those fields as a zigzag varint of its difference. A CONT record is the kind, the number of words
 * and the words as varints of differences to each other. */
#include "record/codec.h"

#include <string.h>

/* Mask bits. Bit 0: a CONT record follows. */
enum {
    BIT_CONT,
#define ORK_FIELD(type, name) BIT_##name,
#include "record/fields.def"
#undef ORK_FIELD
    BIT_MAX
};

static uint8_t *put(uint8_t *out, uint64_t value)
{
    while (value >= 0x80) {
        *out++ = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    *out++ = (uint8_t)value;
    return out;
}

static enum ork_status get(const uint8_t **in, const uint8_t *end, uint64_t *value)
{
    uint64_t v = 0;
    const uint8_t *p = *in;

    for (unsigned shift = 0; shift < 64; shift += 7) {
        if (p == end)
            return ORK_TRUNCATED;
        uint8_t byte = *p++;
        if (shift == 63 && byte > 1)
            return ORK_INVALID;
        v |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80)) {
            *in = p;
            *value = v;
            return ORK_OK;
        }
    }
    return ORK_INVALID;
}

static uint64_t zigzag(uint64_t difference)
{
    return (difference << 1) ^ (0 - (difference >> 63));
}

static uint64_t unzigzag(uint64_t value)
{
    return (value >> 1) ^ (0 - (value & 1));
}

static size_t encode_cont(const struct ork_record *record, uint8_t *out)
{
    struct ork_cont cont;
    uint8_t *p = put(out, 1u << BIT_CONT);
    uint32_t previous = 0;

    memcpy(&cont, record, sizeof(cont));
    *p++ = cont.words;
    for (unsigned i = 0; i < cont.words && i < ORK_CONT_WORDS; i++) {
        p = put(p, zigzag((uint64_t)(int64_t)(int32_t)(cont.word[i] - previous)));
        previous = cont.word[i];
    }
    return (size_t)(p - out);
}

size_t ork_encode(struct ork_codec *codec, const struct ork_record *record, uint8_t *out)
{
    if (record->kind == ORK_KIND_CONT)
        return encode_cont(record, out);

    const struct ork_record *old = &codec->previous;
    uint32_t mask = 0;
#define ORK_FIELD(type, name) mask |= (record->name != old->name ? 1u : 0u) << BIT_##name;
#include "record/fields.def"
#undef ORK_FIELD
    uint8_t *p = put(out, mask);
#define ORK_FIELD(type, name)                                                                      \
    if (mask >> BIT_##name & 1)                                                                    \
        p = put(p, zigzag((uint64_t)record->name - (uint64_t)old->name));
#include "record/fields.def"
#undef ORK_FIELD
    codec->previous = *record;
    return (size_t)(p - out);
}

static enum ork_status decode_cont(const uint8_t **in, const uint8_t *end,
                                   struct ork_record *record)
{
    struct ork_cont cont = {.kind = ORK_KIND_CONT};
    uint32_t previous = 0;

    if (*in == end)
        return ORK_TRUNCATED;
    cont.words = *(*in)++;
    if (cont.words == 0 || cont.words > ORK_CONT_WORDS)
        return ORK_INVALID;
    for (unsigned i = 0; i < cont.words; i++) {
        uint64_t value;
        enum ork_status status = get(in, end, &value);
        if (status != ORK_OK)
            return status;
        previous += (uint32_t)unzigzag(value);
        cont.word[i] = previous;
    }
    memcpy(record, &cont, sizeof(cont));
    return ORK_OK;
}

static enum ork_status decode_fields(const uint8_t **in, const uint8_t *end, uint64_t mask,
                                     struct ork_record *record)
{
    uint64_t value;
    enum ork_status status;
#define ORK_FIELD(type, name)                                                                      \
    if (mask >> BIT_##name & 1) {                                                                  \
        status = get(in, end, &value);                                                             \
        if (status != ORK_OK)                                                                      \
            return status;                                                                         \
        record->name = (type)((uint64_t)record->name + unzigzag(value));                           \
    }
#include "record/fields.def"
#undef ORK_FIELD
    return ORK_OK;
}

enum ork_status ork_decode(struct ork_codec *codec, const uint8_t *in, size_t size, size_t *used,
                           struct ork_record *record)
{
    const uint8_t *p = in;
    const uint8_t *end = in + size;
    uint64_t mask;
    struct ork_record result = codec->previous;
    enum ork_status status = get(&p, end, &mask);

    if (status != ORK_OK)
        return status;
    if (mask >= UINT64_C(1) << BIT_MAX || ((mask & 1) && mask != 1))
        return ORK_INVALID;
    status = mask == 1 ? decode_cont(&p, end, &result) : decode_fields(&p, end, mask, &result);
    if (status != ORK_OK)
        return status;
    if (mask != 1) {
        if (result.kind == ORK_KIND_CONT || result.kind >= ORK_KIND_MAX)
            return ORK_INVALID;
        codec->previous = result;
    }
    *record = result;
    *used = (size_t)(p - in);
    return ORK_OK;
}
