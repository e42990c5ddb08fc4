/* SPDX-License-Identifier: BSD-3-Clause */
/* The words of one finding, while it is described: fills the templates of messages.def, and owns
 * all texts and sets that are made on the way. Whatever fails is remembered, so that the parts of a
 * description need not check: texts are "" then, and sets incomplete, and ork_writing_end() drops
 * the finding. */
#ifndef ORK_OVERLAY_FINDINGS_WRITING_H
#define ORK_OVERLAY_FINDINGS_WRITING_H

#include "detector/detector.h"
#include "overlay/findings/call_sites.h"
#include "overlay/findings/messages.h"
#include "report/report.h"

#include <stddef.h>

/* Initialise the first two members, the others to zero. */
struct ork_writing {
    const struct ork_detector *d; /* NULL: no description of a state of the detector */
    struct ork_call_sites *sites;
    enum ork_status status; /* ORK_OK, or the first other one */
    void **block;           /* what it owns */
    uint32_t count, room;
};

/* A finding with room for `rows` rows. */
struct ork_finding ork_writing_begin(struct ork_writing *w, const char *id,
                                     enum ork_severity severity, uint32_t rows);
/* Free all that it owns. Returns its status. */
enum ork_status ork_writing_release(struct ork_writing *w);
/* The same; if all went well, `made` moves to *out, else it is released. */
enum ork_status ork_writing_end(struct ork_writing *w, struct ork_finding *made,
                                struct ork_finding *out);
/* The same for a text; NULL: out of memory. The caller's. */
char *ork_writing_end_text(struct ork_writing *w, const char *text);

/* Remember a status. Returns whether nothing has failed so far. */
bool ork_writing_check(struct ork_writing *w, enum ork_status status);

/* Zeroed memory; NULL: out of memory. */
void *ork_writing_alloc(struct ork_writing *w, size_t count, size_t size);
/* Take over a text; NULL: out of memory. Never returns NULL. */
const char *ork_writing_keep(struct ork_writing *w, char *text);
/* A copy for the finding, which owns it; NULL: out of memory. */
char *ork_writing_give(struct ork_writing *w, const char *text);
/* A text that the finding owns; NULL: out of memory, which is remembered. */
char *ork_writing_pass(struct ork_writing *w, char *text);
/* As ork_writing_give(), with a capital letter. */
char *ork_writing_give_sentence(struct ork_writing *w, const char *text);

/* Add to a set of this description, not to one that the finding owns. */
void ork_writing_add(struct ork_writing *w, struct ork_u32s *set, uint32_t rank);

/* A copy of a set, which the finding owns. */
struct ork_u32s ork_writing_give_set(struct ork_writing *w, const struct ork_u32s *set);

/* ---- messages ---- */

/* The value of a slot in a template: its text, and the number that verbs agree with. */
struct ork_slot {
    char letter; /* '\0' after the last one */
    enum ork_slot_kind { ORK_SLOT_TEXT, ORK_SLOT_NUMBER, ORK_SLOT_COUNT, ORK_SLOT_RANKS } kind;
    const char *text;
    int64_t number;
    const uint32_t *rank; /* ascending */
    uint32_t ranks;
};

#define TEXT(letter_, text_)                                                                       \
    (struct ork_slot)                                                                              \
    {                                                                                              \
        .letter = (letter_), .kind = ORK_SLOT_TEXT, .text = (text_)                                \
    }
/* Also for conditions: 0 is false. */
#define NUMBER(letter_, number_)                                                                   \
    (struct ork_slot)                                                                              \
    {                                                                                              \
        .letter = (letter_), .kind = ORK_SLOT_NUMBER, .number = (int64_t)(number_)                 \
    }
/* With commas: "1,198" */
#define COUNT(letter_, number_)                                                                    \
    (struct ork_slot)                                                                              \
    {                                                                                              \
        .letter = (letter_), .kind = ORK_SLOT_COUNT, .number = (int64_t)(number_)                  \
    }
/* As ork_describe_ranks(): "ranks 0-6", "rank 3". */
#define RANKS(letter_, set_)                                                                       \
    (struct ork_slot)                                                                              \
    {                                                                                              \
        .letter = (letter_), .kind = ORK_SLOT_RANKS, .rank = (set_)->item, .ranks = (set_)->count  \
    }
#define RANK(letter_, rank_)                                                                       \
    (struct ork_slot)                                                                              \
    {                                                                                              \
        .letter = (letter_), .kind = ORK_SLOT_RANKS, .rank = &(const uint32_t){rank_}, .ranks = 1  \
    }

/* The message with its slots filled: ork_say(w, SAYS_LOST_TAG, RANK('r', 3), TEXT('c', call)).
 * Never NULL. */
#define ork_say(w, message, ...)                                                                   \
    ork_writing_say(w, message, (const struct ork_slot[]){__VA_ARGS__, {.letter = '\0'}})
const char *ork_writing_say(struct ork_writing *w, enum ork_says message,
                            const struct ork_slot *slots);
/* A message that has no slots. Static storage. */
const char *ork_plain(enum ork_says message);

/* "12.3", of a slot for seconds. */
const char *ork_seconds(struct ork_writing *w, double seconds);
/* "text, between, more"; "more", if text is "". */
const char *ork_join(struct ork_writing *w, const char *text, const char *between,
                     const char *more);

/* Add a sentence to the finding; "" adds nothing. */
void ork_writing_detail(struct ork_writing *w, struct ork_finding *f, const char *text);
/* Move a row, for which there is room, to the finding, and add its rank. Released, if anything has
 * failed. */
void ork_writing_add_row(struct ork_writing *w, struct ork_finding *f, struct ork_rank_row *row);
/* Add a row for a call, for which there is room, and its rank. */
void ork_writing_row(struct ork_writing *w, struct ork_finding *f, uint32_t rank, const char *call,
                     uint32_t site);
/* Set message and summary. */
void ork_writing_headline(struct ork_writing *w, struct ork_finding *f, const char *text);

/* ---- names; see phrase.h ---- */

/* "MPI_Recv at a.c:40" of a call (enum ork_call_id) at a call site of a rank. */
const char *ork_call_at(struct ork_writing *w, uint32_t rank, unsigned call, uint32_t site);
/* "MPI_Recv (a.c:40)" */
const char *ork_call_in(struct ork_writing *w, uint32_t rank, unsigned call, uint32_t site);
/* " (a.c:40)" or "" */
const char *ork_place_in(struct ork_writing *w, uint32_t rank, uint32_t site);
/* "MPI_Recv (a.c:40)" of a place that is known */
const char *ork_where_in(struct ork_writing *w, const char *call, const struct ork_where *where);
const char *ork_comm_words(struct ork_writing *w, uint32_t comm);
/* The place of a call site; its strings are those of `w`. */
struct ork_where ork_writing_where(struct ork_writing *w, uint32_t rank, uint32_t site);

#endif
