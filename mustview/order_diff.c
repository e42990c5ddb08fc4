/* SPDX-License-Identifier: BSD-3-Clause */
/* The hashes tell which threads differ; their different choices are looked for only then. The
 * interleaving of the threads of a rank is no part of its order. */
#include "mustview/order_diff.h"

#include "common/exitcode.h"
#include "common/log.h"
#include "common/text.h"
#include "mustview/order_choices.h"
#include "mustview/order_input.h"
#include "mustview/order_words.h"
#include "mustview/output.h"
#include "report/escape.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SIDES = 2, SHOWN_MAX = 10 }; /* differences of a thread that are shown */

struct side {
    const char *name;
    struct ork_order_file *file;
    uint64_t left; /* choices that may still be compared */
};

/* One rank of both orders. */
struct comparison {
    struct side *side;
    uint32_t rank;
    const struct ork_order_rank *of[SIDES]; /* NULL: it is not there */
    struct ork_order_hash hash[SIDES];
    uint32_t thread; /* that is compared */
};

static uint64_t hash_of(const struct ork_order_hash *hash, uint32_t thread)
{
    return thread < hash->num_threads ? hash->thread[thread].value : 0;
}

/* Is there a thread, from this one on, that differs? */
static bool find_thread(struct comparison *c)
{
    uint32_t a = c->hash[0].num_threads, b = c->hash[1].num_threads;

    for (; c->thread < a || c->thread < b; c->thread++) {
        if (hash_of(&c->hash[0], c->thread) != hash_of(&c->hash[1], c->thread))
            return true;
    }
    return false;
}

/* Are they made by the same call? Only then do their outcomes mean the same. */
static bool is_same_call(const struct ork_choice *a, const struct ork_choice *b)
{
    return a->kind == b->kind && a->call == b->call && a->place == b->place && a->post == b->post &&
           a->post_thread == b->post_thread;
}

/* But for unsuccessful polls before them. */
static bool has_equal_outcome(const struct ork_choice *a, const struct ork_choice *b)
{
    return a->source == b->source && a->tag == b->tag && a->count == b->count &&
           (a->count == 0 || memcmp(a->index, b->index, a->count * sizeof(*a->index)) == 0);
}

/* NULL: the file has no further choice. */
static bool is_end(const struct ork_choice *c)
{
    return c == NULL || c->kind == ORK_CHOICE_END;
}

static uint64_t num_polls(const struct ork_choice *c)
{
    return c == NULL ? 0 : c->polls;
}

enum difference { DIFFERS_NOT, DIFFERS_IN_POLLS, DIFFERS_IN_OUTCOME, DIFFERS_IN_CALL };

static enum difference compare_choices(const struct ork_choice *a, const struct ork_choice *b)
{
    if (is_end(a) != is_end(b) || (!is_end(a) && !is_same_call(a, b)))
        return DIFFERS_IN_CALL;
    if (!is_end(a) && !has_equal_outcome(a, b))
        return DIFFERS_IN_OUTCOME;
    return num_polls(a) != num_polls(b) ? DIFFERS_IN_POLLS : DIFFERS_NOT;
}

/* The words of a choice, the caller's; without one: what takes its place. NULL: out of memory. */
static char *words_of(const struct comparison *c, int i, const struct ork_choice *choice,
                      bool with_place)
{
    struct ork_text_stream stream;
    FILE *out = ork_text_open(&stream);

    if (out == NULL)
        return NULL;
    if (choice != NULL)
        ork_choice_put(c->side[i].file, c->rank, choice, out);
    else
        fputs("no further choice", out);
    if (choice != NULL && with_place)
        fprintf(out, " [place %08" PRIx32 "]", choice->place);
    return ork_text_close(&stream);
}

/* RATIONALE: a program that was changed has other places, which may have the same words. */
static enum ork_status put_both(const struct comparison *c, struct ork_choice *choice[SIDES],
                                FILE *out)
{
    char *words[SIDES];

    for (int i = 0; i < SIDES; i++)
        words[i] = words_of(c, i, choice[i], false);
    if (words[0] != NULL && words[1] != NULL && strcmp(words[0], words[1]) == 0) {
        for (int i = 0; i < SIDES; i++) {
            free(words[i]);
            words[i] = words_of(c, i, choice[i], true);
        }
    }
    enum ork_status status = words[0] != NULL && words[1] != NULL ? ORK_OK : ORK_NOMEM;
    if (status == ORK_OK)
        fprintf(out, "    first:  %s\n    second: %s\n", words[0], words[1]);
    free(words[0]);
    free(words[1]);
    return status;
}

/* The differences of a thread so far. */
struct differences {
    uint64_t shown, others, in_polls;
};

static void put_begin(const struct comparison *c, uint64_t number, FILE *out)
{
    ork_order_put_rank(c->of[0] != NULL ? c->of[0] : c->of[1], out);
    if (c->hash[0].num_threads > 1 || c->hash[1].num_threads > 1)
        fprintf(out, ", thread %" PRIu32, c->thread);
    fprintf(out, " differs from choice %" PRIu64 " on\n", number);
}

/* RATIONALE: the first difference is the cause of others; numbers of polls differ in most runs, so
 * of these only the first one is shown, and only if it comes before all others. */
static enum ork_status put_difference(const struct comparison *c, uint64_t number,
                                      enum difference difference, struct ork_choice *choice[SIDES],
                                      struct differences *d, FILE *out)
{
    if (d->shown > 0 && difference == DIFFERS_IN_POLLS) {
        d->in_polls++;
        return ORK_OK;
    }
    if (d->shown >= SHOWN_MAX) {
        d->others++;
        return ORK_OK;
    }
    if (d->shown++ == 0)
        put_begin(c, number, out);
    else
        fprintf(out, "  choice %" PRIu64 "%s\n", number,
                difference == DIFFERS_IN_CALL ? ", from which on the calls differ" : "");
    return put_both(c, choice, out);
}

static void put_others(const struct differences *d, FILE *out)
{
    if (d->others > 0) {
        fputs("  and ", out);
        ork_order_put_number(d->others, "further choice", out);
        fputc('\n', out);
    }
    if (d->in_polls > 0) {
        fputs("  unsuccessful polls before ", out);
        ork_order_put_number(d->in_polls, "further choice", out);
        fputc('\n', out);
    }
}

/* The choices of the thread that differ, as long as both runs make the same calls. */
static enum ork_status put_differences(const struct comparison *c,
                                       struct ork_choices choices[SIDES], FILE *out)
{
    struct differences d = {0};
    bool goes_on = true;

    for (uint64_t number = 1; goes_on; number++) {
        struct ork_choice choice[SIDES];
        struct ork_choice *there[SIDES];
        for (int i = 0; i < SIDES; i++) {
            enum ork_status status = ork_choices_next(&choices[i], &choice[i]);
            if (status == ORK_NOMEM)
                return status;
            there[i] = status == ORK_OK ? &choice[i] : NULL;
        }
        enum difference difference = compare_choices(there[0], there[1]);
        goes_on = difference != DIFFERS_IN_CALL && !is_end(there[0]);
        if (difference != DIFFERS_NOT &&
            put_difference(c, number, difference, there, &d, out) != ORK_OK)
            return ORK_NOMEM;
    }
    put_others(&d, out);
    return ORK_OK;
}

static enum ork_status put_thread(const struct comparison *c, FILE *out)
{
    struct ork_choices choices[SIDES];
    enum ork_status status = ork_choices_init(&choices[0], c->of[0]);

    if (status != ORK_OK)
        return status;
    status = ork_choices_init(&choices[1], c->of[1]);
    if (status == ORK_OK) {
        for (int i = 0; i < SIDES; i++) {
            choices[i].is_filtered = true;
            choices[i].thread = c->thread;
        }
        status = put_differences(c, choices, out);
        ork_choices_release(&choices[1]);
    }
    ork_choices_release(&choices[0]);
    return status;
}

/* 0, or an exit code, after an error message. */
static int compare_rank(struct side side[SIDES], uint32_t rank, bool *is_different, FILE *out)
{
    struct comparison c = {.side = side, .rank = rank};
    int code = 0;

    for (int i = 0; i < SIDES; i++)
        c.of[i] = rank < side[i].file->num_ranks ? &side[i].file->rank[rank] : NULL;
    for (int i = 0; i < SIDES && code == 0; i++)
        code = ork_view_hash_order(side[i].name, c.of[i], &side[i].left, &c.hash[i]);
    for (*is_different = false; code == 0 && find_thread(&c); c.thread++) {
        *is_different = true;
        if (put_thread(&c, out) != ORK_OK) {
            ork_error("%s", ork_status_text(ORK_NOMEM));
            code = ORK_EXIT_UNAVAILABLE;
        }
    }
    ork_order_hash_release(&c.hash[0]);
    ork_order_hash_release(&c.hash[1]);
    return code;
}

/* Were the runs of different programs or numbers of ranks? */
static bool put_other_run(const struct side side[SIDES], FILE *out)
{
    const struct ork_order_header *a = &side[0].file->header, *b = &side[1].file->header;

    if (a->ranks == b->ranks && strcmp(a->program, b->program) == 0)
        return false;
    for (int i = 0; i < SIDES; i++) {
        const struct ork_order_header *header = &side[i].file->header;
        fputs(i == 0 ? "the first is of " : ", the second of ", out);
        ork_escape_text(out, header->program, ORK_ORDER_PROGRAM);
        fputs(" with ", out);
        ork_order_put_number(header->ranks, "rank", out);
    }
    fputc('\n', out);
    return true;
}

static void put_summary(const struct side side[SIDES], bool is_other, uint32_t different,
                        uint32_t ranks, FILE *out)
{
    if (different > 0) {
        fprintf(out, "%" PRIu32 " of ", different);
        ork_order_put_number(ranks, "rank", out);
        fputs(different == 1 ? " differs\n" : " differ\n", out);
        return;
    }
    fputs(is_other ? "otherwise the same order" : "the same order", out);
    if (side[0].file->complete != side[1].file->complete)
        fprintf(out, "; the %s is cut off there", side[0].file->complete ? "second" : "first");
    fputc('\n', out);
}

static int compare(struct side side[SIDES], bool *is_different, FILE *out)
{
    uint32_t a = side[0].file->num_ranks, b = side[1].file->num_ranks;
    uint32_t ranks = a > b ? a : b, different = 0;
    bool is_other = put_other_run(side, out);
    int code = 0;

    for (uint32_t rank = 0; rank < ranks && code == 0; rank++) {
        bool differs = false;
        code = compare_rank(side, rank, &differs, out);
        different += differs;
    }
    put_summary(side, is_other, different, ranks, out);
    *is_different = is_other || different > 0;
    return code;
}

static int write_comparison(const struct ork_view_options *options, struct side side[SIDES],
                            bool *is_different)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    int code = out != NULL ? compare(side, is_different, out) : 0;

    if (out == NULL || fclose(out) != 0) {
        ork_error("%s", ork_status_text(ORK_NOMEM));
        code = ORK_EXIT_UNAVAILABLE;
    }
    if (code == 0)
        code = ork_view_write(options, text, size);
    free(text);
    return code;
}

int ork_view_order_diff(const struct ork_view_options *options, bool *is_different)
{
    struct side side[SIDES] = {{.name = options->input[0], .left = ORK_VIEW_CHOICES_MAX},
                               {.name = options->input[1], .left = ORK_VIEW_CHOICES_MAX}};
    int code = ork_view_load_order(side[0].name, &side[0].file);

    if (code != 0)
        return code;
    code = ork_view_load_order(side[1].name, &side[1].file);
    if (code == 0) {
        code = write_comparison(options, side, is_different);
        ork_order_file_destroy(side[1].file);
    }
    ork_order_file_destroy(side[0].file);
    return code;
}
