/* SPDX-License-Identifier: BSD-3-Clause */
/* Do the datatypes of the two buffers of a one-sided call match: MPI-3.1 section 11.3? */
#include "interceptor/checks/check.h"

#include "interceptor/objects/signature_text.h"
#include "interceptor/objects/types.h"

#include <errno.h>
#include <stdio.h>

static void report(const struct ork_call *call, const char *verb, enum ork_usage_id id,
                   const struct ork_items *moved, const struct ork_items *room)
{
    char from[ORK_ITEMS_TEXT], to[ORK_ITEMS_TEXT], text[2 * ORK_ITEMS_TEXT + 32];

    ork_items_write(from, moved);
    ork_items_write(to, room);
    snprintf(text, sizeof(text), "%s %s into %s", verb, from, to);
    ork_usage_report(call, &(struct ork_usage){.id = id, .text = text});
}

static bool examine(const struct ork_call *call, const char *verb, const struct ork_items *moved,
                    const struct ork_items *room)
{
    struct ork_comparison c = ork_items_compare(moved, room);

    if (c.match != ORK_TYPES_MATCH)
        report(call, verb,
               c.match == ORK_TYPES_DIFFER ? ORK_USAGE_RMA_TYPES : ORK_USAGE_RMA_TYPES_ALIKE, moved,
               room);
    else if (c.is_longer)
        report(call, verb, ORK_USAGE_RMA_TRUNCATION, moved, room);
    return c.match != ORK_TYPES_MATCH || c.is_longer;
}

bool ork_wrong_signature(const struct ork_call *call, const char *verb, int count,
                         MPI_Datatype type, int room, MPI_Datatype room_type)
{
    int saved = errno;
    struct ork_sequence *sequence = ork_type_sequence(type);
    struct ork_sequence *room_sequence = ork_type_sequence(room_type);
    bool is_wrong = false;

    if (sequence != NULL && room_sequence != NULL && count > 0 && room >= 0) {
        struct ork_items moved = {(uint64_t)count, sequence};
        struct ork_items into = {(uint64_t)room, room_sequence};
        is_wrong = examine(call, verb, &moved, &into);
    }
    ork_type_release_sequence(sequence);
    ork_type_release_sequence(room_sequence);
    errno = saved;
    return is_wrong;
}
