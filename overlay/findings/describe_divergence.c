/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank that does not follow the recording of its choices. */
#include "overlay/findings/describe_internal.h"

#include "overlay/findings/phrase.h"
#include "record/calls.h"

/* "MPI_Recv at farm.c:40 in work" */
static const char *at_words(struct ork_writing *w, unsigned call, const char *place)
{
    return place[0] == '\0'
               ? ork_call_name(call)
               : ork_say(w, SAYS_DIVERGED_AT, TEXT('c', ork_call_name(call)), TEXT('p', place));
}

/* Of the recording; its texts are untrusted. */
static const char *expected_words(struct ork_writing *w, const struct ork_order_file *file,
                                  uint32_t rank, const struct ork_record *r)
{
    const char *place = file != NULL && r->bytes <= UINT32_MAX
                            ? ork_order_file_place(file, rank, (uint32_t)r->bytes)
                            : NULL;

    return at_words(w, r->arg2, place != NULL ? place : "");
}

static const char *message_of(struct ork_writing *w, const struct ork_order_file *file,
                              uint32_t rank, const struct ork_record *r)
{
    const char *place = ork_writing_keep(w, ork_phrase_place(w->sites, rank, r->site));
    const struct ork_slot who = RANK('r', rank);
    const struct ork_slot expected = TEXT('c', expected_words(w, file, rank, r));
    const struct ork_slot actual = TEXT('d', at_words(w, r->call, place));
    const struct ork_slot choice =
        TEXT('w', ork_say(w, SAYS_DIVERGED_CHOICE, NUMBER('n', r->extra), NUMBER('m', r->thread)));

    switch (r->arg) {
    case ORK_DIVERGED_OUTCOME:
        return ork_say(w, SAYS_DIVERGED_OUTCOME, who, choice, actual, expected);
    case ORK_DIVERGED_MORE:
        return ork_say(w, SAYS_DIVERGED_MORE, who, choice, actual);
    case ORK_DIVERGED_FEWER:
        return ork_say(w, SAYS_DIVERGED_FEWER, who, choice, expected);
    default:
        return ork_say(w, SAYS_DIVERGED_CALL, who, choice, actual, expected);
    }
}

enum ork_status ork_describe_divergence(struct ork_call_sites *sites,
                                        const struct ork_order_file *file, uint32_t rank,
                                        const struct ork_record *diverged,
                                        struct ork_finding *finding)
{
    struct ork_writing w = {.sites = sites};
    struct ork_finding f = ork_writing_begin(&w, "replay-divergence", ORK_ERROR, 0);

    f.message = ork_writing_give(&w, message_of(&w, file, rank, diverged));
    ork_writing_check(&w, ork_describe_add_rank(&f.ranks, rank) ? ORK_OK : ORK_NOMEM);
    ork_writing_detail(&w, &f, ork_plain(SAYS_DIVERGED_FREELY));
    ork_writing_detail(&w, &f, ork_plain(SAYS_DIVERGED_WHY));
    return ork_writing_end(&w, &f, finding);
}
