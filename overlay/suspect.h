/* SPDX-License-Identifier: BSD-3-Clause */
/* Busy waiting: ranks that do nothing but call MPI_Test or MPI_Iprobe. If they and blocked ranks
 * wait for each other, and between two looks nothing but the counters of polls changed, a deadlock
 * is suspected. */
#ifndef ORK_SUSPECT_H
#define ORK_SUSPECT_H

#include "detector/detector.h"
#include "overlay/link.h"

/* Between two looks: at least so long, and so many polls of each polling rank. */
#define ORK_SUSPECT_NS    UINT64_C(1000000000)
#define ORK_SUSPECT_POLLS 1000u

struct ork_suspect;

enum ork_status ork_suspect_create(uint32_t nprocs, struct ork_suspect **out);
/* For more ranks than before. ORK_NOMEM. */
enum ork_status ork_suspect_grow(struct ork_suspect *s, uint32_t nprocs);
/* NULL is allowed. */
void ork_suspect_destroy(struct ork_suspect *suspect);

/* Look, at time `now_ns`. *search is NULL if there is no suspicion, else the caller's, with at
 * least one polling rank deadlocked in it; the detector's ranks then still count as polling:
 * ork_suspect_forget() after the report. ORK_NOMEM. */
enum ork_status ork_suspect_look(struct ork_suspect *suspect, struct ork_detector *d,
                                 const struct ork_down *down, uint64_t now_ns,
                                 struct ork_search **search);
void ork_suspect_forget(struct ork_suspect *suspect, struct ork_detector *d);

#endif
