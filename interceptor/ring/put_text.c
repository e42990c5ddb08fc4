/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/ring/recorder.h"

void ork_put_text(struct ork_record *record, const char *text, size_t length)
{
    struct ork_list list;

    record->bytes = length;
    record->count = (uint32_t)((length + 3) / 4);
    ork_list_begin(&list, record);
    for (size_t i = 0; i < length; i += 4) {
        uint32_t word = 0;
        memcpy(&word, text + i, length - i < 4 ? length - i : 4);
        ork_list_add(&list, word);
    }
    ork_list_end(&list);
}
