/* SPDX-License-Identifier: BSD-3-Clause */
/* The hashes tell which threads differ; their first different choice is looked for only then. The
 * interleaving of the threads of a rank is no part of its order. */
#include "mustview/order_diff.h"

#include "common/exitcode.h"
#include "common/log.h"
#include "mustview/order_choices.h"
#include "mustview/order_input.h"
#include "mustview/order_words.h"
#include "mustview/output.h"
#include "report/escape.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SIDES = 2 };

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
    uint32_t thread; /* the first one that differs */
};

static uint64_t hash_of(const struct ork_order_hash *hash, uint32_t thread)
{
    return thread < hash->num_threads ? hash->thread[thread].value : 0;
}

/* Is there a thread that differs? */
static bool find_thread(struct comparison *c)
{
    uint32_t a = c->hash[0].num_threads, b = c->hash[1].num_threads;

    for (c->thread = 0; c->thread < a || c->thread < b; c->thread++) {
        if (hash_of(&c->hash[0], c->thread) != hash_of(&c->hash[1], c->thread))
            return true;
    }
    return false;
}

static bool has_equal_outcome(const struct ork_choice *a, const struct ork_choice *b)
{
    if (a->kind != b->kind || a->polls != b->polls)
        return false;
    if (a->kind == ORK_CHOICE_END)
        return true;
    return a->call == b->call && a->place == b->place && a->post == b->post &&
           a->post_thread == b->post_thread && a->source == b->source && a->tag == b->tag &&
           a->count == b->count &&
           (a->count == 0 || memcmp(a->index, b->index, a->count * sizeof(*a->index)) == 0);
}

/* The words of a choice, the caller's; without one: what takes its place. NULL: out of memory. */
static char *words_of(const struct comparison *c, int i, const struct ork_choice *choice,
                      bool with_place)
{
    char *words = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&words, &size);

    if (out == NULL)
        return NULL;
    if (choice != NULL)
        ork_choice_put(c->side[i].file, c->rank, choice, out);
    else
        fputs("no further choice", out);
    if (choice != NULL && with_place)
        fprintf(out, " [place %08" PRIx32 "]", choice->place);
    if (fclose(out) == 0)
        return words;
    free(words);
    return NULL;
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

static enum ork_status put_difference(const struct comparison *c, uint64_t number,
                                      struct ork_choice *choice[SIDES], FILE *out)
{
    ork_order_put_rank(c->of[0] != NULL ? c->of[0] : c->of[1], out);
    if (c->hash[0].num_threads > 1 || c->hash[1].num_threads > 1)
        fprintf(out, ", thread %" PRIu32, c->thread);
    fprintf(out, " differs from choice %" PRIu64 " on\n", number);
    return put_both(c, choice, out);
}

/* The first choices of the thread that differ. */
static enum ork_status put_first(const struct comparison *c, struct ork_choices choices[SIDES],
                                 FILE *out)
{
    for (uint64_t number = 1;; number++) {
        struct ork_choice choice[SIDES];
        struct ork_choice *there[SIDES];
        for (int i = 0; i < SIDES; i++) {
            enum ork_status status = ork_choices_next(&choices[i], &choice[i]);
            if (status == ORK_NOMEM)
                return status;
            there[i] = status == ORK_OK ? &choice[i] : NULL;
        }
        if (there[0] == NULL || there[1] == NULL || !has_equal_outcome(there[0], there[1]))
            return put_difference(c, number, there, out);
    }
}

static enum ork_status put_rank(const struct comparison *c, FILE *out)
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
        status = put_first(c, choices, out);
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
    *is_different = code == 0 && find_thread(&c);
    if (*is_different && put_rank(&c, out) != ORK_OK) {
        ork_error("%s", ork_status_text(ORK_NOMEM));
        code = ORK_EXIT_UNAVAILABLE;
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
