/* SPDX-License-Identifier: BSD-3-Clause */
#include "wave.h"

#include "unit.h"

unsigned wave_ranks(const struct ork_wave *wave)
{
    unsigned n = 0;

    for (uint32_t i = 0; i < wave->num_group_records; i++) {
        for (uint32_t k = 0; k < wave->group_record[i].num_spans; k++)
            n += wave->group_record[i].span[k].count;
    }
    return n;
}

void wave_assert_tidy(const struct ork_wave *wave)
{
    for (uint32_t i = 0; i < wave->num_group_records; i++) {
        const struct ork_group_record *a = &wave->group_record[i];
        assert_int_not_equal(a->num_spans, 0);
        for (uint32_t k = 0; k < a->num_spans; k++) {
            assert_int_not_equal(a->span[k].count, 0);
            if (k > 0) /* a gap between them, or it were one */
                assert_true(a->span[k].first > a->span[k - 1].first + a->span[k - 1].count);
        }
        for (uint32_t j = 0; j < i; j++)
            assert_memory_not_equal(&a->call, &wave->group_record[j].call, sizeof(a->call));
    }
}
