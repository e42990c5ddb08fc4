/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts of a report: ranks, calls, communicators, peers. All strings are the caller's; NULL: out of
 * memory. */
#ifndef ORK_OVERLAY_FINDINGS_PHRASE_H
#define ORK_OVERLAY_FINDINGS_PHRASE_H

#include "common/text.h"
#include "detector/detector.h"
#include "overlay/findings/call_sites.h"
#include "report/report.h"

/* "rank 3", "ranks 0 and 1", "ranks 0-6", "ranks 0, 2 and 5": ascending ranks. */
char *ork_phrase_ranks(const uint32_t *rank, uint32_t count);

/* "MPI_COMM_WORLD", the name the application gave, or "MPI_Comm_split of MPI_COMM_WORLD, color 1,
 * at a.c:31". */
char *ork_phrase_comm(const struct ork_detector *d, struct ork_call_sites *sites, uint32_t comm);

/* "3", "MPI_ANY_SOURCE", "MPI_PROC_NULL", ...; as the tag: "7", "MPI_ANY_TAG". */
char *ork_phrase_peer(int32_t peer);
char *ork_phrase_tag(int32_t tag);

/* "MPI_SUM" (enum ork_reduction); NULL: no reduction, or a user-defined one. Static storage. */
const char *ork_phrase_reduction(uint32_t number);

/* What the program calls, if that has another name than `call`: the method of mpi4py "comm.recv".
 * The caller's; NULL: it has not, or it is not known. */
char *ork_phrase_own_name(const char *call, const struct ork_where *where);
/* "MPI_Recv at a.c:40", "MPI_Recv" without a known place; "comm.recv (MPI_Mprobe) at a.py:4" if the
 * program calls a method of mpi4py with another name. Not for a running rank. */
char *ork_phrase_call(const char *call, const struct ork_where *where);
/* "MPI_Recv (a.c:40)", "comm.recv (MPI_Mprobe, a.py:4)", for the middle of a sentence. */
char *ork_phrase_in_call(const char *call, const struct ork_where *where);
/* The same of a call at a call site of a rank; `call` "": the place alone, " (a.c:40)" or "". */
char *ork_phrase_in_call_at(struct ork_call_sites *sites, uint32_t rank, const char *call,
                            uint32_t site);
/* "MPI_Recv at a.c:40" of a call (enum ork_call_id) at a call site of a rank. */
char *ork_phrase_call_at(struct ork_call_sites *sites, uint32_t rank, unsigned call, uint32_t site);

/* "a.c:40 in work", or as much of it as is known: "work", "liba.so", "". */
char *ork_phrase_place(struct ork_call_sites *sites, uint32_t rank, uint32_t site);

#endif
