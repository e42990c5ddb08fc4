/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank that does not follow the recording of its choices. */
#include "overlay/findings/describe_internal.h"

#include "overlay/findings/phrase.h"
#include "record/calls.h"

#include <stdlib.h>
#include <string.h>

/* "MPI_Recv at farm.c:40 in work", of the recording; its texts are untrusted. */
static char *expected_words(const struct ork_order_file *file, uint32_t rank,
                            const struct ork_record *r)
{
    const char *place = file != NULL && r->bytes <= UINT32_MAX
                            ? ork_order_file_place(file, rank, (uint32_t)r->bytes)
                            : NULL;
    const char *call = ork_call_name(r->arg2);

    return place != NULL ? ork_text("%s at %s", call, place) : strdup(call);
}

static char *actual_words(struct ork_call_sites *sites, uint32_t rank, const struct ork_record *r)
{
    char *place = ork_phrase_place(sites, rank, r->site);
    char *text = place == NULL      ? NULL
                 : place[0] != '\0' ? ork_text("%s at %s", ork_call_name(r->call), place)
                                    : strdup(ork_call_name(r->call));

    free(place);
    return text;
}

/* "choice 17", "choice 17 of thread 2". */
static char *choice_words(const struct ork_record *r)
{
    unsigned long long number = (unsigned long long)r->extra;

    return r->thread == 0 ? ork_text("choice %llu", number)
                          : ork_text("choice %llu of thread %u", number, r->thread);
}

static char *message(uint32_t rank, const struct ork_record *r, const char *choice,
                     const char *expected, const char *actual)
{
    switch (r->arg) {
    case ORK_DIVERGED_OUTCOME:
        return ork_text("rank %u does not follow the recording at %s: %s cannot have the outcome "
                        "that was recorded for %s",
                        rank, choice, actual, expected);
    case ORK_DIVERGED_MORE:
        return ork_text("rank %u does not follow the recording, which ends before %s: it called %s",
                        rank, choice, actual);
    case ORK_DIVERGED_FEWER:
        return ork_text("rank %u does not follow the recording at %s: expected %s, but there was "
                        "no further choice",
                        rank, choice, expected);
    default:
        return ork_text("rank %u does not follow the recording at %s: expected %s, but it called "
                        "%s",
                        rank, choice, expected, actual);
    }
}

enum ork_status ork_describe_divergence(struct ork_call_sites *sites,
                                        const struct ork_order_file *file, uint32_t rank,
                                        const struct ork_record *diverged,
                                        struct ork_finding *finding)
{
    struct ork_finding f = {.severity = ORK_ERROR, .id = strdup("replay-divergence")};
    char *choice = choice_words(diverged);
    char *expected = expected_words(file, rank, diverged);
    char *actual = actual_words(sites, rank, diverged);
    enum ork_status status = ORK_NOMEM;

    if (choice != NULL && expected != NULL && actual != NULL)
        f.message = message(rank, diverged, choice, expected, actual);
    if (f.id != NULL && f.message != NULL && ork_describe_add_rank(&f.ranks, rank))
        status = ork_describe_add_detail(
            &f, strdup("from there on this rank runs freely, so that other ranks may diverge, "
                       "too"));
    if (status == ORK_OK)
        status = ork_describe_add_detail(
            &f, strdup("the recording repeats the order of messages; it does not repeat what the "
                       "program decides by the time or by random numbers, or another input"));
    free(choice);
    free(expected);
    free(actual);
    if (status == ORK_OK)
        *finding = f;
    else
        ork_finding_release(&f);
    return status;
}
