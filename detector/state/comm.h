/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators and their groups. */
#ifndef ORK_DETECTOR_COMM_H
#define ORK_DETECTOR_COMM_H

#include "common/number_map.h"
#include "record/record.h"

#include <stdbool.h>

struct job;
struct lock;
struct in_step;
struct ork_detector;
struct bulk_wave;
struct proc;
struct mpi_thread;
struct neighbors;
struct wave;

struct comm {
    uint32_t id;                 /* never used again, see struct comms */
    struct comm *older, *newer;  /* of those that are kept */
    uint32_t shown;              /* its number in reports; see ork_comm_of_starts() */
    uint32_t size;               /* of both groups together */
    uint32_t local;              /* members of the first group; == size unless inter */
    uint32_t *member;            /* processes; NULL: member i is process i */
    uint32_t *index;             /* collective calls that member i made; see ork_comm_calls() */
    uint32_t passed;             /* further calls, made by all at once: see coll/bulk.c */
    struct bulk_wave *bulk_wave; /* the latest of these; NULL: none */
    uint32_t gathered;           /* members found, in resolution number `gathered_in` */
    uint64_t gathered_in;
    bool inter, self, mentioned;
    bool recorded;           /* the history refers to it */
    bool is_given_up;        /* no rank has it any more: it is kept for the history alone */
    uint32_t at;             /* its place in a program, see program/program.h */
    uint32_t *calls_at_full; /* by member: its calls when the history was full; or NULL */
    uint32_t freed;          /* members that freed it */
    /* numbers that mean it, and requests on it, in all processes; not for world and self */
    uint32_t refs;
    uint16_t freed_by;  /* enum ork_coll of the latest call that freed it */
    struct wave **wave; /* ring of waves base.. base+waves-1 */
    uint32_t wave_cap, wave_first, waves, base;
    struct in_step *in_step; /* NULL: not followed so far */
    uint32_t hub[2];         /* wildcard hubs of either side in search number `hub_search` */
    uint64_t hub_search[2];
    uint64_t key[3]; /* identity: parent and place of creation */
    char *name;
    enum ork_coll made_by;
    uint32_t parent;
    int32_t color;
    uint32_t rank, site;
    struct lock *lock;      /* for a window */
    uint32_t **lock_number; /* by member: as in record/lock_number.h; NULL: it made no lock */
    struct comm *hash_next;
    struct job *world_of;         /* MPI_COMM_WORLD of this job */
    struct job *ends;             /* MPI_Finalize of this job */
    uint32_t *job, num_jobs;      /* jobs of the members, if there are several */
    struct comm *link_next;       /* for one with several jobs */
    struct neighbors **neighbors; /* by member; NULL: unknown; see check/neighbors.h */
    uint32_t num_neighbors;       /* members whose neighbours are known */
    bool *joined;                 /* members that have it: see coll/dynamic_comm.c */
    struct comm *dynamic_next;
    int32_t leader_tag; /* of MPI_Intercomm_create */
    bool made_by_child;
};

/* The communicators that are kept: those that some rank has, those that the history refers to, and
 * descriptions for issues. What is kept does not grow with the number of communicators that were
 * made and freed. A number is never used again. RATIONALE: so a number in an issue, in an operation
 * that is still pending, or in the identity of a communicator that was made on another one, always
 * means the same one, or none. */
struct comms {
    struct comm *oldest, *latest; /* in the order of their numbers, linked by `newer` and `older` */
    uint32_t count, num_given_up;
    uint32_t made;                   /* so far: the number of the next one */
    struct ork_number_map by_number; /* entries: struct comm * */
    struct comm **bucket;            /* by identity: those that a rank may still define */
    uint32_t buckets;
};

struct comm_ref {
    struct comm *comm;
    uint32_t me; /* member number of this process */
};

/* comm.c */
/* Create a communicator with that identity; takes ownership of `member` (NULL: member i is process
 * i). NULL: out of memory. */
struct comm *ork_comm_new(struct ork_detector *d, const uint64_t key[3], uint32_t size,
                          uint32_t local, uint32_t *member);
/* NULL: no communicator has this identity. */
struct comm *ork_comm_find(const struct ork_detector *d, const uint64_t key[3]);
/* A communicator with the group of `parent`. NULL: out of memory. */
struct comm *ork_comm_same_group(struct mpi_thread *th, const uint64_t key[3],
                                 const struct comm_ref *parent);
/* The communicator for the starts of a persistent collective, which was made as number `index` on
 * `ref`: they are waves in an order of their own. NULL: out of memory. */
struct comm *ork_comm_of_starts(struct mpi_thread *th, const struct comm_ref *ref, uint32_t index);
/* MPI_Comm_create_group: its waves have an order of their own. NULL: invalid records, or out of
 * memory. */
struct comm *ork_comm_of_group(struct ork_detector *d, struct proc *p, const struct ork_record *rec,
                               const uint32_t *list, uint32_t *me);
/* All of them. */
void ork_comms_release(struct ork_detector *d);
/* No rank will make it again. */
void ork_comm_unhash(struct ork_detector *d, const struct comm *c);
/* No rank has it any more, and no wave or lock of it is open: free what is not needed. */
void ork_comm_discard(struct ork_detector *d, struct comm *c);
/* The history has begun anew, or lacks what it had: free what is kept for it in vain. Call when
 * `recorded` is true of those only to which it still refers. */
void ork_comms_discard_unrecorded(struct ork_detector *d);
/* An issue refers to it: its description stays known after it is freed. */
void ork_comm_mention(struct ork_detector *d, uint32_t id);
void ork_comm_set_ref(struct proc *p, uint32_t id, struct comm *c, uint32_t me);
void ork_comm_set_name(struct proc *p, const struct ork_record *rec, const uint32_t *list);
void ork_comm_describe(struct comm *c, const struct mpi_thread *th, const struct ork_record *rec,
                       const struct comm_ref *parent);
/* The process; in MPI_COMM_SELF, `me` is the process. */
uint32_t ork_comm_member(const struct comm *c, uint32_t me, uint32_t i);
/* The process that rank `r` means in point-to-point calls of member `me` of `c`; false: no such
 * rank. */
bool ork_comm_peer(const struct comm_ref *ref, int32_t r, uint32_t *process);
/* Collective calls that member `i` made. */
/* Can messages of several other processes come? */
static inline bool ork_comm_has_several(const struct comm_ref *ref)
{
    const struct comm *c = ref->comm;

    if (!c->inter)
        return c->size > 2;
    return (ref->me < c->local ? c->size - c->local : c->local) > 1;
}

static inline uint32_t ork_comm_calls(const struct comm *c, uint32_t i)
{
    return c->index[i] + c->passed;
}

/* group.c */
bool ork_runs_are_valid(const struct ork_detector *d, const uint32_t *list, uint32_t runs,
                        uint32_t *size);
/* Is the process in these runs, and where? */
bool ork_runs_find(const uint32_t *list, uint32_t runs, uint32_t process, uint32_t *position);
void ork_runs_expand(const uint32_t *list, uint32_t runs, uint32_t *member);
/* The group of a COMM_DEF record. */
struct layout {
    uint32_t size, local, me;
    bool inter;
    bool swapped; /* the first group of the list is the second group of the communicator */
};
bool ork_layout_of(struct proc *p, const struct ork_record *rec, const uint32_t *list,
                   struct layout *l);
uint32_t *ork_layout_members(struct ork_detector *d, const struct ork_record *rec,
                             const uint32_t *list, const struct layout *l);
/* MPI_Comm_create_group: the caller is not in the group. */
bool ork_comm_is_outside(const struct proc *p, const struct ork_record *rec, const uint32_t *list);

#endif
