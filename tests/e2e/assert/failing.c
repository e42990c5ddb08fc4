/* SPDX-License-Identifier: BSD-3-Clause */
/* Linked into a must-tool of its own: an invariant fails when the detector gets its thirtieth
 * collective call. */
#include "common/assert.h"
#include "detector/detector.h"

enum ork_status __real_ork_detector_feed_bulk(struct ork_detector *d,
                                              const struct ork_group_record *group_record,
                                              uint32_t n);
enum ork_status __wrap_ork_detector_feed_bulk(struct ork_detector *d,
                                              const struct ork_group_record *group_record,
                                              uint32_t n);

enum ork_status __wrap_ork_detector_feed_bulk(struct ork_detector *d,
                                              const struct ork_group_record *group_record,
                                              uint32_t n)
{
    static unsigned num_waves;

    num_waves++;
    ORK_ASSERT(num_waves < 30);
    return __real_ork_detector_feed_bulk(d, group_record, n);
}
