/* SPDX-License-Identifier: BSD-3-Clause */
/* What a wave of collective calls is made of. */
#ifndef ORK_TEST_OVERLAY_WAVE_H
#define ORK_TEST_OVERLAY_WAVE_H

#include "overlay/stream/aggregate.h"

/* How many ranks have made its calls. */
unsigned wave_ranks(const struct ork_wave *wave);
/* Its spans are as record/group_record.h has them, and no two arrivals have the same record. */
void wave_assert_tidy(const struct ork_wave *wave);

#endif
