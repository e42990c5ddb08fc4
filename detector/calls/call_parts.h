/* SPDX-License-Identifier: BSD-3-Clause */
/* Inside calls: calls.c tells the kinds of records apart, each file below knows one group. */
#ifndef ORK_DETECTOR_CALL_PARTS_H
#define ORK_DETECTOR_CALL_PARTS_H

#include "detector/match/match.h"

/* call_p2p.c */
/* Where a message goes to, or may come from. */
enum reach {
    REACH_NOBODY,  /* MPI_PROC_NULL, or a call in error: it returns at once */
    REACH_UNKNOWN, /* a communicator made by a call that is not analysed, or a rank that is none:
                      nothing can be said */
    REACH_PROCESS,
    REACH_ANY,
};
struct route {
    enum reach reach;
    int32_t tag;
    const struct comm *comm;
    uint32_t process;
    struct spot spot; /* REACH_PROCESS, one tag: once it was looked at */
};
/* RATIONALE: not by value: compilers build it in small pieces and then copy it in large ones, for
 * which a processor has to wait. */
void ork_route_of(struct strand *st, uint32_t comm, int32_t peer, int32_t tag, struct route *to);
void ork_call_enter_send(struct strand *st);
void ork_call_enter_recv(struct strand *st);
void ork_call_enter_sendrecv(struct strand *st);
/* MPI_Start */
void ork_call_start_send(struct strand *st, const struct ork_record *rec);
void ork_call_start_recv(struct strand *st, const struct ork_record *rec);

/* call_probe.c */
void ork_call_enter_probe(struct strand *st);
void ork_call_enter_probed(struct strand *st);
void ork_call_enter_mrecv(struct strand *st);
bool ork_call_probe_is_over(struct strand *st);
/* The message that a matched probe found belongs to it from now on. */
void ork_call_take_message(struct strand *st, uint32_t message, int32_t source, int32_t tag);

/* call_collective.c */
void ork_call_enter_coll(struct strand *st);
void ork_call_enter_finalize(struct strand *st);
bool ork_call_coll_is_over(struct strand *st);
/* MPI_Start of a persistent one. */
void ork_call_start_coll(struct strand *st, struct request *r, const struct ork_record *rec);

#endif
