/* SPDX-License-Identifier: BSD-3-Clause */
/* Linked into a must-tool of its own: an invariant fails when the detector gets its thirtieth
 * collective call, joined or not, or batch of other records. */
#include "common/assert.h"
#include "detector/detector.h"

enum ork_status __real_ork_detector_feed(struct ork_detector *d, uint32_t rank,
                                         const struct ork_record *record, size_t n);
enum ork_status __wrap_ork_detector_feed(struct ork_detector *d, uint32_t rank,
                                         const struct ork_record *record, size_t n);
enum ork_status __real_ork_detector_feed_bulk(struct ork_detector *d,
                                              const struct ork_group_record *group_record,
                                              uint32_t n);
enum ork_status __wrap_ork_detector_feed_bulk(struct ork_detector *d,
                                              const struct ork_group_record *group_record,
                                              uint32_t n);

static void count_feeds(void)
{
    static unsigned num_feeds;

    num_feeds++;
    ORK_ASSERT(num_feeds < 30);
}

enum ork_status __wrap_ork_detector_feed(struct ork_detector *d, uint32_t rank,
                                         const struct ork_record *record, size_t n)
{
    count_feeds();
    return __real_ork_detector_feed(d, rank, record, n);
}

enum ork_status __wrap_ork_detector_feed_bulk(struct ork_detector *d,
                                              const struct ork_group_record *group_record,
                                              uint32_t n)
{
    count_feeds();
    return __real_ork_detector_feed_bulk(d, group_record, n);
}
