/* SPDX-License-Identifier: BSD-3-Clause */
#include "order/file/reader.h"

/* So many bytes are decoded at once: a decoder keeps a copy of them. */
enum { PIECE = 4096 };

enum ork_status ork_order_read(struct ork_order_reader *reader, const uint8_t *stream, size_t size,
                               struct ork_choice *choice)
{
    enum ork_status status = ORK_NOTFOUND;

    if (reader->decoder == NULL)
        reader->decoder = ork_order_decoder_create();
    if (reader->decoder == NULL)
        return ORK_NOMEM;
    while ((status = ork_order_decode(reader->decoder, choice)) == ORK_NOTFOUND) {
        size_t left = size - reader->fed;
        size_t piece = left < PIECE ? left : PIECE;
        if (piece == 0)
            return ORK_NOTFOUND;
        status = ork_order_decoder_feed(reader->decoder, stream + reader->fed, piece);
        if (status != ORK_OK)
            return status;
        reader->fed += piece;
    }
    return status;
}

void ork_order_reader_release(struct ork_order_reader *reader)
{
    ork_order_decoder_destroy(reader->decoder);
    *reader = (struct ork_order_reader){.decoder = NULL};
}
