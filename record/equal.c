/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/equal.h"

const struct ork_equal_argument *ork_equal_argument(unsigned coll, unsigned i)
{
    static const struct ork_equal_argument argument[ORK_COLL_MAX][ORK_EQUAL_MAX] = {
#define ORK_EQUAL(coll_, i_, name_, section_, form_)                                               \
    [ORK_COLL_##coll_][i_] = {name_, section_, ORK_EQUAL_##form_},
#include "generated/record/equal.def"
#undef ORK_EQUAL
    };

    return &argument[coll < ORK_COLL_MAX ? coll : ORK_COLL_NONE][i < ORK_EQUAL_MAX ? i : 0];
}

uint64_t ork_equal_value(const struct ork_record *record, unsigned i)
{
    if (ork_equal_argument(record->mode, i)->name == NULL)
        return 0;
    switch (i) {
    case 0:
        return record->extra;
    case 1:
        return record->arg2;
    case 2:
        return (uint32_t)record->peer2;
    case 3:
        return (uint32_t)record->tag;
    default:
        return 0;
    }
}

unsigned ork_equal_difference(const struct ork_record *a, const struct ork_record *b)
{
    unsigned i = 0;

    for (; i < ORK_EQUAL_MAX; i++) {
        uint64_t x = ork_equal_value(a, i), y = ork_equal_value(b, i);
        if (x != y && x != 0 && y != 0)
            break;
    }
    return i;
}

bool ork_equal_is_same(const struct ork_record *a, const struct ork_record *b)
{
    for (unsigned i = 0; i < ORK_EQUAL_MAX; i++) {
        if (ork_equal_value(a, i) != ork_equal_value(b, i))
            return false;
    }
    return true;
}
