/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages, and the receives and probes that take them. */
#ifndef ORK_CAUSALITY_MESSAGES_H
#define ORK_CAUSALITY_MESSAGES_H

#include "order/causality/clocks.h"
#include "order/comms/comms.h"

struct message {
    struct channel *channel;
    struct message *next; /* of the channel, in the order in which they were sent */
    int32_t tag;
    uint32_t site;
    uint16_t call; /* at that site: enum ork_call_id */
    uint32_t receiver;
    bool sent, failed, is_synchronous;
    bool is_over;         /* its receive is complete */
    uint64_t watched;     /* see watch.h: this is the number of its receive, from 1; 0: none */
    bool may_know_more;   /* its sender had locked a window: see ork_watch_take() */
    bool is_awaited;      /* synchronous: its sender has not learned yet that it was received */
    union stamp received; /* and then: of the call that posted the receive, once that is over */
    uint64_t time;        /* of the sender */
    /* Of the sender's component from the return of a synchronous send on; 0: it did not return. */
    uint64_t returned;
    union stamp stamp;
    struct receive *taker;
    uint64_t mark, received_mark; /* see events.h: of the send, and of the post of its receive */
};

/* Messages of one member to one member. */
struct channel {
    uint32_t member, rank; /* of the sender */
    struct message *first, *last;
    struct message *open;                         /* all before it are taken */
    struct receive *first_waiting, *last_waiting; /* posted, without a message */
    /* For ork_causality_alternatives(): all before it are taken by receives before a position. */
    struct message *cursor;
    uint64_t cursor_position;
};

/* Messages of one communicator to one member. */
struct mailbox {
    struct ork_comm_ref ref;
    struct channel **channel; /* by member number, ascending */
    uint32_t channels, room;
    struct receive *first_unforced, *last_unforced;
};

enum known {
    KNOWN_LATER,
    KNOWN,
    KNOWN_NEVER, /* takes no message, or it is unknown which one */
};

/* A receive, or a probe. */
struct receive {
    struct rank *rank;
    struct mailbox *box; /* NULL: not followed */
    uint32_t from;       /* member; UINT32_MAX: any */
    int32_t tag;
    bool is_wildcard, is_probe, takes, posted, forced, is_cancelled;
    bool is_nonblocking;
    bool is_void;       /* the call failed, and posted nothing */
    bool was_to_cancel; /* MPI_Cancel was called for it */
    bool is_after;      /* see after.h */
    enum known known;
    uint32_t got_from;
    int32_t got_tag;
    uint32_t site;
    uint16_t call;     /* at that site: enum ork_call_id */
    uint64_t post;     /* as in struct ork_choice */
    uint32_t slot;     /* in the rank's receive[] */
    uint64_t position; /* among the receives and probes of the rank, in the order of the calls */
    uint64_t posted_at, done_at; /* times of the rank; NEVER */
    uint64_t value;              /* of the rank's component when its match is certain; NEVER */
    union stamp stamp;           /* of the call that posted it */
    uint64_t mark;               /* the same: see events.h */
    struct message *message;
    struct choice *choice;
    struct receive *next_waiting;
    struct receive *prev_unforced, *next_unforced; /* of the mailbox */
};

#endif
