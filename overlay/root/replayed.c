/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/root/replayed.h"

#include "common/text.h"
#include "record/calls.h"

#include <stdlib.h>

/* What a rank's recording has. */
struct recorded {
    uint64_t choices; /* that its threads make one after the other, */
    uint64_t decided; /* and those of them whose outcome is decided */
    uint16_t call;    /* of the last one */
    uint32_t site;
    bool is_plan;
};

/* RATIONALE: an invalid stream is reported where it is read. */
static enum ork_status count(const struct ork_order_rank *rank, struct recorded *out)
{
    struct ork_order_decoder *decoder = ork_order_decoder_create();
    struct ork_choice choice;

    *out = (struct recorded){0};
    if (decoder == NULL)
        return ORK_NOMEM;
    enum ork_status status = ork_order_decoder_feed(decoder, rank->stream, rank->size);
    while (status == ORK_OK && (status = ork_order_decode(decoder, &choice)) == ORK_OK) {
        out->is_plan |= choice.kind == ORK_CHOICE_OPEN;
        if (choice.kind >= ORK_CHOICE_END && choice.kind != ORK_CHOICE_FREE)
            continue;
        out->choices++;
        out->decided += choice.kind != ORK_CHOICE_FREE;
        out->call = choice.call;
        out->site = choice.site;
    }
    ork_order_decoder_destroy(decoder);
    return status == ORK_NOMEM ? ORK_NOMEM : ORK_OK;
}

/* The run. */
struct sum {
    uint64_t repeated, decided;
    bool is_plan;
    uint32_t free_ranks; /* those that made more choices than their recording has */
    uint32_t first_free;
    struct recorded recorded; /* of that one */
};

static void add(struct sum *sum, uint32_t number, const struct ork_replayed *rank,
                const struct recorded *recorded)
{
    uint64_t followed = rank->left != 0 ? rank->left - 1 : rank->made;

    sum->is_plan |= recorded->is_plan;
    sum->decided += recorded->decided;
    sum->repeated += followed < recorded->decided ? followed : recorded->decided;
    if (rank->left != 0 || rank->made <= recorded->choices)
        return;
    if (sum->free_ranks++ > 0)
        return;
    sum->first_free = number;
    sum->recorded = *recorded;
}

/* "rank 0 ran freely after its choice 12, MPI_Recv at farm.c:40, where its recording ends". The
 * texts of the file are untrusted. */
static char *free_words(const struct ork_order_file *file, const struct sum *sum)
{
    const struct recorded *r = &sum->recorded;
    const char *place = ork_order_file_place(file, sum->first_free, r->site);

    if (r->choices == 0)
        return ork_text("rank %u ran freely, because its recording has no choices",
                        sum->first_free);
    return ork_text("rank %u ran freely after its choice %llu, %s%s%s, where its recording ends",
                    sum->first_free, (unsigned long long)r->choices, ork_call_name(r->call),
                    place != NULL ? " at " : "", place != NULL ? place : "");
}

static enum ork_status add_free(const struct ork_order_file *file, const struct sum *sum,
                                struct ork_report *report)
{
    uint32_t others = sum->free_ranks - 1;

    if (sum->free_ranks == 0)
        return ORK_OK;
    char *words = free_words(file, sum);
    if (words == NULL || others == 0)
        return ork_report_take_note(report, words);
    char *all = ork_text("%s; so did %u other rank%s", words, others, others == 1 ? "" : "s");
    free(words);
    return ork_report_take_note(report, all);
}

enum ork_status ork_replayed_summary(const struct ork_order_file *file,
                                     const struct ork_replayed *rank, uint32_t ranks,
                                     struct ork_report *report)
{
    struct sum sum = {0};
    enum ork_status status = ORK_OK;

    for (uint32_t i = 0; i < file->num_ranks && status == ORK_OK; i++) {
        struct ork_replayed none = {0};
        struct recorded recorded;
        status = count(&file->rank[i], &recorded);
        if (status == ORK_OK)
            add(&sum, i, i < ranks ? &rank[i] : &none, &recorded);
    }
    if (status != ORK_OK || sum.is_plan)
        return status;
    status = ork_report_take_note(
        report,
        ork_text("the replay repeated %llu of %llu choice%s%s", (unsigned long long)sum.repeated,
                 (unsigned long long)sum.decided, sum.decided == 1 ? "" : "s",
                 file->complete ? "" : "; its recording was cut off"));
    return status == ORK_OK ? add_free(file, &sum, report) : status;
}
