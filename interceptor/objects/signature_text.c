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
    const char *name = ork_basic_name(ork_basic_of_id(first));

    if (element != NULL && ork_signature_is_exact(&own, &uniform))
        snprintf(text, ORK_ITEMS_TEXT, "%" PRIu64 " x %s", length, name);
    else
        snprintf(text, ORK_ITEMS_TEXT, "%" PRIu64 " bytes of several datatypes",
                 items->count * items->sequence->bytes);
    ork_sequence_unref(element);
}
