/* SPDX-License-Identifier: BSD-3-Clause */
/* What the records alone do not tell. Busy waiting: ranks that do nothing but call MPI_Test or
 * MPI_Iprobe; if they and blocked ranks wait for each other, and between two looks nothing but the
 * counters of polls changed, a deadlock is suspected. And ranks of which some threads wait in MPI,
 * and the others, outside MPI, for those (pthread_join, the end of a parallel region). */
#ifndef ORK_SUSPECT_H
#define ORK_SUSPECT_H

#include "detector/detector.h"
#include "overlay/census.h"

/* Between two looks: at least so long, and so many polls of each polling rank. */
#define ORK_SUSPECT_NS    UINT64_C(1000000000)
#define ORK_SUSPECT_POLLS 300u
/* Looks in a row that find a rank's threads asleep. */
#define ORK_SUSPECT_SLEEPS 3u

struct ork_suspect;

enum ork_status ork_suspect_create(uint32_t nprocs, struct ork_suspect **out);
/* For more ranks than before. ORK_NOMEM. */
enum ork_status ork_suspect_grow(struct ork_suspect *s, uint32_t nprocs);
/* NULL is allowed. */
void ork_suspect_destroy(struct ork_suspect *suspect);

/* Look, at time `now_ns`. *search is NULL if there is nothing to tell, else the caller's, with at
 * least one polling rank (*polls) or one asleep deadlocked in it; the detector's ranks then still
 * count as that: ork_suspect_forget() after the report. ORK_NOMEM. */
enum ork_status ork_suspect_look(struct ork_suspect *suspect, struct ork_detector *d,
                                 struct ork_census *census, uint64_t now_ns,
                                 struct ork_search **search, bool *polls);
void ork_suspect_forget(struct ork_suspect *suspect, struct ork_detector *d);

#endif
