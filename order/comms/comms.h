/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators, windows and files of one MPI_COMM_WORLD, from the COMM_DEF records of its ranks.
 * Ranks have their own numbers for them; the context number is the same at all members. Pure: no
 * MPI, no I/O. */
#ifndef ORK_COMMS_H
#define ORK_COMMS_H

#include "common/status.h"
#include "record/record.h"

/* Numbers of communicators and requests are dense: one so far above all others is invalid. */
enum { ORK_NUMBERS_AHEAD = 1 << 16 };

struct ork_group {
    uint32_t refs;
    uint32_t size;    /* both groups of an intercommunicator together */
    uint32_t local;   /* members of the first group; == size unless inter */
    uint32_t *member; /* ranks; NULL: member i is rank i */
    bool inter;
};

struct ork_comm {
    uint64_t context;
    struct ork_group *group;
    bool *joined;   /* members that have it, or had it */
    uint32_t freed; /* members that freed it */
    void *state;    /* the user's */
    struct ork_comm *next;
};

/* What a number means in one rank; comm NULL: not followed. */
struct ork_comm_ref {
    struct ork_comm *comm;
    uint32_t me; /* member number of the rank */
};

/* What the user keeps for each communicator. */
struct ork_comm_user {
    void *context;
    /* A new one: set its state. False: out of memory. */
    bool (*make)(void *context, struct ork_comm *comm);
    /* Free its state, which may be NULL. */
    void (*destroy)(void *context, struct ork_comm *comm);
};

struct ork_comms;
/* MPI_COMM_WORLD and MPI_COMM_SELF of each rank exist at once. NULL: out of memory. */
struct ork_comms *ork_comms_create(uint32_t nprocs, struct ork_comm_user user);
/* NULL is allowed. */
void ork_comms_destroy(struct ork_comms *comms);

struct ork_comm_ref ork_comms_ref(const struct ork_comms *comms, uint32_t rank, uint32_t id);
/* COMM_DEF with its list. ORK_INVALID: the records of the rank are invalid. ORK_NOMEM. A number in
 * use is dropped first, see below: *dropped. */
enum ork_status ork_comms_define(struct ork_comms *comms, uint32_t rank,
                                 const struct ork_record *record, const uint32_t *list,
                                 struct ork_comm **dropped);
/* The processes that call MPI_Comm_create_group together, as a communicator: those of the group in
 * the list of its record, with this communicator and tag. *ref is not followed if the rank is none
 * of them, or some are of another job. ORK_NOMEM. */
enum ork_status ork_comms_of_group(struct ork_comms *comms, uint32_t rank,
                                   const struct ork_record *call, const uint32_t *list,
                                   struct ork_comm_ref *ref);
/* The rank has freed it. Returns it if all its members have; else NULL. */
struct ork_comm *ork_comms_drop(struct ork_comms *comms, uint32_t rank, uint32_t id);
/* It is needed no more. */
void ork_comms_remove(struct ork_comms *comms, struct ork_comm *comm);

/* All of them, until `visit` returns false. */
void ork_comms_visit(const struct ork_comms *comms,
                     bool (*visit)(void *context, const struct ork_comm *comm), void *context);

/* ---- members ---- */

uint32_t ork_comms_rank_of(const struct ork_comm *comm, uint32_t member);
/* The member that `peer` means for this member in a message; false: none. */
bool ork_comms_peer(struct ork_comm_ref ref, int32_t peer, uint32_t *member);
/* The opposite: the rank by which this member names another one in a message. */
int32_t ork_comms_peer_of(struct ork_comm_ref ref, uint32_t member);
/* Can a call with this root be made? For a COLL record of the communicator. */
bool ork_comms_has_root(const struct ork_comm *comm, const struct ork_record *call);
/* The members that may send to this one: first .. first + returned - 1. */
uint32_t ork_comms_peers(struct ork_comm_ref ref, uint32_t *first);

#endif
