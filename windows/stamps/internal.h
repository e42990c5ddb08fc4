/* SPDX-License-Identifier: BSD-3-Clause */
/* A file of timestamps in memory. */
#ifndef ORK_STAMPS_INTERNAL_H
#define ORK_STAMPS_INTERNAL_H

#include "windows/stamps/stamps.h"

enum { NO_SOURCE = UINT32_MAX };

struct change {
    uint32_t rank, value;
};

/* What an event learned: from event `number` of `rank`, or from all parts of a collective call. */
struct source {
    bool is_all, at_start;
    uint32_t rank;
    uint64_t number; /* is_all: of the call */
    uint32_t next;   /* of the same event; NO_SOURCE */
};

struct event {
    char *call;
    uint32_t site;
    uint32_t first, changes; /* in change[] */
    uint32_t sources;        /* the first one; NO_SOURCE */
    uint32_t own;
    enum ork_stamps_access access;
    bool reads, is_private;
    uint32_t window, target;
    uint64_t seen;        /* is_private */
    uint64_t origin, end; /* 0: not stated */
};

struct part {
    uint64_t wave;
    uint32_t rank, event; /* index */
};

struct place {
    uint32_t rank, site;
    char *text;
};

struct events {
    struct event *item;
    uint32_t count, room;
};

struct ork_stamps {
    uint32_t ranks;
    struct events *of; /* by rank */
    struct change *change;
    struct source *source;
    struct part *part;   /* by wave */
    struct place *place; /* by rank and site */
    uint32_t changes, sources, parts, places;
    uint32_t change_room, source_room, part_room, place_room;
    char *lost;
    bool is_complete; /* its last line was read */
};

/* ---- read_line.c ---- */
struct reader {
    struct ork_stamps *s;
    const char *at; /* the rest of the line */
    bool failed;    /* out of memory */
};
/* A line after the first one. False: it is damaged. */
bool ork_stamps_read_line(struct reader *r);
/* Digits, up to `limit`. */
bool ork_stamps_read_number(struct reader *r, uint64_t limit, uint64_t *out);

#endif
