/* SPDX-License-Identifier: BSD-3-Clause */
/* RATIONALE: the choices are decoded twice, so that a line is written only if all of them are
 * intact, and no memory is needed for the text. */
#include "mustview/order_text.h"

#include "common/exitcode.h"
#include "common/log.h"
#include "mustview/order_choices.h"
#include "mustview/order_input.h"
#include "mustview/order_words.h"
#include "mustview/output.h"
#include "report/escape.h"

#include <inttypes.h>
#include <stdlib.h>

struct order {
    const struct ork_order_file *file;
    uint64_t choices;  /* of all ranks */
    bool *has_threads; /* by rank: more than one that made choices */
};

static int check(const char *name, struct order *order)
{
    uint64_t left = ORK_VIEW_CHOICES_MAX;
    int code = 0;

    for (uint32_t i = 0; i < order->file->num_ranks && code == 0; i++) {
        struct ork_order_hash hash;
        code = ork_view_hash_order(name, &order->file->rank[i], &left, &hash);
        order->choices += hash.choices;
        order->has_threads[i] = hash.num_threads > 1;
        ork_order_hash_release(&hash);
    }
    return code;
}

static void put_header(const struct order *order, FILE *out)
{
    const struct ork_order_file *file = order->file;

    fputs("order of ", out);
    ork_escape_text(out, file->header.program, ORK_ORDER_PROGRAM);
    fputs(": ", out);
    ork_order_put_number(file->header.ranks, "rank", out);
    if (file->num_ranks > file->header.ranks)
        fprintf(out, " and %" PRIu32 " spawned", file->num_ranks - file->header.ranks);
    fputs(", ", out);
    ork_order_put_number(order->choices, "choice", out);
    fputs(file->complete ? ", complete\n" : ", cut off before the end of the run\n", out);
}

static void put_choice(const struct order *order, const struct ork_order_rank *rank,
                       const struct ork_choice *choice, FILE *out)
{
    ork_order_put_rank(rank, out);
    if (order->has_threads[rank->rank])
        fprintf(out, ", thread %" PRIu32, choice->thread);
    if (choice->kind != ORK_CHOICE_END)
        fprintf(out, ", choice %" PRIu64, choice->number);
    fputs(": ", out);
    ork_choice_put(order->file, rank->rank, choice, out);
    fputc('\n', out);
}

static enum ork_status put_rank(const struct order *order, const struct ork_order_rank *rank,
                                FILE *out)
{
    struct ork_choices choices;
    struct ork_choice choice;

    if (rank->size == 0)
        return ORK_OK;
    enum ork_status status = ork_choices_init(&choices, rank);
    if (status != ORK_OK)
        return status;
    while (!ferror(out) && (status = ork_choices_next(&choices, &choice)) == ORK_OK)
        put_choice(order, rank, &choice, out);
    ork_choices_release(&choices);
    return status == ORK_NOMEM ? status : ORK_OK;
}

static int put_order(const struct ork_view_options *options, const struct order *order)
{
    enum ork_status status = ORK_OK;
    FILE *out;
    int code = ork_view_open(options, &out);

    if (code != 0)
        return code;
    put_header(order, out);
    for (uint32_t i = 0; i < order->file->num_ranks && status == ORK_OK; i++)
        status = put_rank(order, &order->file->rank[i], out);
    if (status != ORK_OK)
        ork_error("%s", ork_status_text(status));
    code = ork_view_close(options, out, status == ORK_OK);
    return code == 0 && status != ORK_OK ? ORK_EXIT_UNAVAILABLE : code;
}

int ork_view_order(const struct ork_view_options *options)
{
    struct ork_order_file *file;
    int code = ork_view_load_order(options->input[0], &file);

    if (code != 0)
        return code;
    struct order order = {.file = file,
                          .has_threads = calloc(file->num_ranks + (size_t)1, sizeof(bool))};
    if (order.has_threads != NULL) {
        code = check(options->input[0], &order);
        if (code == 0)
            code = put_order(options, &order);
    } else {
        ork_error("%s", ork_status_text(ORK_NOMEM));
        code = ORK_EXIT_UNAVAILABLE;
    }
    free(order.has_threads);
    ork_order_file_destroy(file);
    return code;
}
