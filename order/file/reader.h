/* SPDX-License-Identifier: BSD-3-Clause */
/* A stream of choices in memory, decoded piece by piece. Pure. */
#ifndef ORK_ORDER_READER_H
#define ORK_ORDER_READER_H

#include "order/file/order.h"

struct ork_order_reader {
    struct ork_order_decoder *decoder; /* NULL: nothing has been read */
    size_t fed;
};

/* ORK_NOTFOUND: there is no further choice. ORK_INVALID, ORK_NOMEM. */
enum ork_status ork_order_read(struct ork_order_reader *reader, const uint8_t *stream, size_t size,
                               struct ork_choice *choice);
/* From the beginning again. */
void ork_order_reader_release(struct ork_order_reader *reader);

#endif
