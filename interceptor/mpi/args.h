/* SPDX-License-Identifier: BSD-3-Clause */
/* The arguments of an MPI call by role. */
#ifndef ORK_ARGS_H
#define ORK_ARGS_H

#include "record/agreed.h"

#include <limits.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/* RATIONALE: if the hook contains the whole operation, the compiler keeps struct ork_args and the
 * record in registers. */
#define ORK_INLINE static inline __attribute__((always_inline))

struct ork_coll_buffers;
struct ork_wait_set;

/* The function does not have this argument. */
enum { ORK_NO_ROOT = INT_MIN, ORK_NO_RANK = INT_MIN };

/* What a count and a datatype amount to. */
struct ork_amount {
    uint64_t bytes;
    uint32_t type; /* type id; ORK_TYPE_UNKNOWN also for no elements of a derived datatype */
};

/* The arguments of a call by role; 0 if a function does not have one. The hook passes args.status
 * to the real call. */
struct ork_args {
    bool in_place;       /* a buffer is MPI_IN_PLACE */
    bool is_void;        /* see ork_is_void() */
    const void *sendbuf; /* what is read, */
    void *recvbuf;       /* and what is written */
    int count;
    MPI_Datatype datatype;
    MPI_Datatype *newtype;
    int peer;
    int tag;
    int peer2; /* MPI_Sendrecv: the source */
    int tag2;
    int count2; /* of the receive */
    MPI_Datatype datatype2;
    MPI_Comm comm;
    MPI_Comm comm2; /* MPI_Intercomm_create: the peer communicator */
    MPI_Comm *newcomm;
    MPI_Request *request;
    MPI_Request polled; /* whose state is only read */
    int length;         /* of request[] */
    int *outcount;
    int *index; /* or indices */
    int *flag;
    MPI_Status *status; /* or statuses */
    MPI_Message *message;
    MPI_Op op;
    int root; /* ORK_NO_ROOT for a collective without root */
    MPI_Group group;
    int color;
    int rank;  /* ORK_NO_RANK if a window function has none */
    int rank2; /* MPI_Intercomm_create: the leader in the peer communicator */
    MPI_Win win;
    MPI_Win *newwin;
    MPI_File file;
    MPI_File *newfile;
    int amode;
    MPI_Offset displacement; /* of a view */
    MPI_Offset distance;     /* of a seek */
    int whence;
    int lock_type;
    int assertion;
    int target; /* of an RMA call: a rank in the window's group */
    MPI_Aint target_disp;
    const void *origin; /* of an RMA call: its buffers, and the elements of the result */
    const void *result;
    const void *compare; /* MPI_Compare_and_swap */
    int count3;
    MPI_Datatype datatype3;
    const void *base; /* of memory for a window, and its size */
    MPI_Aint size;
    int errorcode;
    MPI_Errhandler errhandler;
    int level;
    const char *name;
    uint64_t agreed[ORK_AGREED_MAX]; /* of arguments that must be the same at all ranks */

    /* between before and after */
    uint64_t bytes;
    uint32_t type; /* type id of these; 0 if an array of counts says it */
    bool sends;    /* collective: these are known */
    bool receives; /* collective: and what is received: */
    struct ork_amount received;
    const struct ork_coll_buffers *buffers;
    uint32_t words; /* of the list of the record, which has these counts: */
    uint32_t counts_sent, counts_received;
    uint32_t id; /* of the communicator, window or file to be made on or freed; of the message to be
                  * received; of the request of a collective call or a call on a file */
    uint32_t parent; /* communicator of that message */
    bool is_ordered; /* RMA: its place among others is one of the order of the run */
    bool is_new;     /* the epochs of the window do not know this access yet */
    MPI_Status own;  /* replaces MPI_STATUS_IGNORE */
    struct ork_wait_set *set;
};

#endif
