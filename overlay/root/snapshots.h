/* SPDX-License-Identifier: BSD-3-Clause */
/* The published state of all ranks, collected in rounds. A snapshot only counts if the root has
 * taken every record that was published before it. */
#ifndef ORK_OVERLAY_ROOT_SNAPSHOTS_H
#define ORK_OVERLAY_ROOT_SNAPSHOTS_H

#include "overlay/stream/link.h"

struct ork_snapshots;

/* `leaves`: number of leaves that report a finished collect. `down` must outlive it. ORK_NOMEM. */
enum ork_status ork_snapshots_create(const struct ork_down *down, uint32_t leaves,
                                     struct ork_snapshots **out);
/* NULL is allowed. */
void ork_snapshots_destroy(struct ork_snapshots *snapshots);

/* From the link: `n` more records of a rank, and the answers to a collect. ORK_NOMEM. */
enum ork_status ork_snapshots_records(struct ork_snapshots *snapshots, uint32_t rank, size_t n);
/* All records of a rank so far. */
uint64_t ork_snapshots_taken(const struct ork_snapshots *snapshots, uint32_t rank);
void ork_snapshots_record_of_all(
    struct ork_snapshots *snapshots); /* one of each rank known so far */
enum ork_status ork_snapshots_take(struct ork_snapshots *snapshots, uint32_t rank,
                                   const struct ork_snapshot *snapshot);
void ork_snapshots_collected(struct ork_snapshots *snapshots, uint32_t round);
/* These leaves are lost: do not wait for their answers. */
void ork_snapshots_lose(struct ork_snapshots *snapshots, uint32_t leaves);

/* Have `rounds` (1 or 2) collects, each begun after the one before was over, been made within the
 * last moments? If not, returns false and starts them: ask again. `now_ns`: monotonic clock. */
bool ork_snapshots_is_fresh(struct ork_snapshots *snapshots, unsigned rounds, uint64_t now_ns);
/* The snapshots have been used: the next question is answered by new rounds. */
void ork_snapshots_expire(struct ork_snapshots *snapshots);

/* The snapshot of `rank` in the latest round (0) or the one before it (1); NULL: none. */
const struct ork_snapshot *ork_snapshots_of(const struct ork_snapshots *snapshots, unsigned ago,
                                            uint32_t rank);
/* The latest snapshot of `rank`, which may have ended since; NULL: none. */
const struct ork_snapshot *ork_snapshots_last(const struct ork_snapshots *snapshots, uint32_t rank);
/* Has every record published before this snapshot of `rank` been taken, and none after it? */
bool ork_snapshots_is_current(const struct ork_snapshots *snapshots,
                              const struct ork_snapshot *snapshot, uint32_t rank);

#endif
