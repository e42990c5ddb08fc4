/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the numbers of a stream, which may be anything. All return ORK_NOTFOUND if their end is
 * missing. Private to order/. */
#ifndef ORK_ORDER_CURSOR_H
#define ORK_ORDER_CURSOR_H

#include "order/file/predict.h"

struct ork_cursor {
    const uint8_t *at, *end;
};

static inline enum ork_status ork_cursor_get_byte(struct ork_cursor *in, uint8_t *value)
{
    if (in->at == in->end)
        return ORK_NOTFOUND;
    *value = *in->at++;
    return ORK_OK;
}

/* A varint. */
static inline enum ork_status ork_cursor_get(struct ork_cursor *in, uint64_t max, uint64_t *value)
{
    uint64_t v = 0;

    for (unsigned shift = 0; shift < 64; shift += 7) {
        uint8_t byte;
        enum ork_status status = ork_cursor_get_byte(in, &byte);
        if (status != ORK_OK)
            return status;
        if (shift == 63 && byte > 1)
            return ORK_INVALID;
        v |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80)) {
            *value = v;
            return v <= max ? ORK_OK : ORK_INVALID;
        }
    }
    return ORK_INVALID;
}

static inline enum ork_status ork_cursor_get_u32(struct ork_cursor *in, uint32_t max,
                                                 uint32_t *value)
{
    uint64_t v = 0;
    enum ork_status status = ork_cursor_get(in, max, &v);

    *value = (uint32_t)v;
    return status;
}

/* `base` and a signed difference, modulo 2^32. */
static inline enum ork_status ork_cursor_get_near(struct ork_cursor *in, uint32_t base,
                                                  uint32_t *value)
{
    uint64_t v = 0;
    enum ork_status status = ork_cursor_get(in, (UINT64_C(1) << 33) - 1, &v);

    *value = base + (uint32_t)ork_predict_unzigzag(v);
    return status;
}

#endif
