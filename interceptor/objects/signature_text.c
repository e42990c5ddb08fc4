/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/objects/signature_text.h"

#include <inttypes.h>
#include <stdio.h>

void ork_items_write(char text[ORK_ITEMS_TEXT], const struct ork_items *items)
{
    uint64_t length = ork_items_signature(items).length;
    uint32_t first = ork_items_at(items, 0);
    struct ork_sequence *element = ork_sequence_of_basic(first);
    struct ork_items same = {length, element};
    struct ork_signature own = ork_items_signature(items);
    struct ork_signature uniform = element != NULL ? ork_items_signature(&same) : own;
    const enum ork_basic basic = ork_basic_of_id(first);
    bool is_uniform = length > 0 && basic != ORK_BASIC_NONE && basic < ORK_BASIC_MAX &&
                      element != NULL && ork_signature_is_exact(&own, &uniform);

    if (is_uniform)
        snprintf(text, ORK_ITEMS_TEXT, "%" PRIu64 " x %s", length, ork_basic_name(basic));
    else if (length == 0)
        snprintf(text, ORK_ITEMS_TEXT, "%" PRIu64 " bytes", items->count * items->sequence->bytes);
    else
        snprintf(text, ORK_ITEMS_TEXT, "%" PRIu64 " bytes of several datatypes",
                 items->count * items->sequence->bytes);
    ork_sequence_unref(element);
}
