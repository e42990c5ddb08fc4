/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/hash.h"
#include "order/file/order.h"

uint32_t ork_choice_place(const char *name, uint64_t position)
{
    uint64_t hash = ork_hash_add(ork_hash_text(0, name), position);
    uint32_t place = (uint32_t)(hash >> 32);

    return place != 0 ? place : 1;
}
