/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustview/order_choices.h"

#include <string.h>

enum ork_status ork_choices_init(struct ork_choices *choices, const struct ork_order_rank *rank)
{
    memset(choices, 0, sizeof(*choices));
    choices->decoder = ork_order_decoder_create();
    if (choices->decoder == NULL)
        return ORK_NOMEM;
    if (rank == NULL ||
        ork_order_decoder_feed(choices->decoder, rank->stream, rank->size) == ORK_OK)
        return ORK_OK;
    ork_choices_release(choices);
    return ORK_NOMEM;
}

void ork_choices_release(struct ork_choices *choices)
{
    ork_order_decoder_destroy(choices->decoder);
    choices->decoder = NULL;
}

enum ork_status ork_choices_next(struct ork_choices *choices, struct ork_choice *choice)
{
    enum ork_status status;

    do {
        status = ork_order_decode(choices->decoder, choice);
    } while (status == ORK_OK && choices->is_filtered && choice->thread != choices->thread);
    return status;
}

enum ork_status ork_choices_hash(const struct ork_order_rank *rank, uint64_t *left,
                                 struct ork_order_hash *hash)
{
    struct ork_choices choices;
    struct ork_choice choice;

    memset(hash, 0, sizeof(*hash));
    enum ork_status status = ork_choices_init(&choices, rank);
    if (status != ORK_OK)
        return status;
    while (status == ORK_OK && (status = ork_choices_next(&choices, &choice)) == ORK_OK)
        status = --*left > 0 ? ork_order_hash_add(hash, &choice) : ORK_INVALID;
    ork_choices_release(&choices);
    return status == ORK_NOTFOUND ? ORK_OK : status;
}
