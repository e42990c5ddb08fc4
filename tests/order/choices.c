/* SPDX-License-Identifier: BSD-3-Clause */
/* Compare the choices that causality/ finds in the records of a run with the order of the same run,
 * which is in the same trace (--must:trace):
 *
 *     order_choices TRACE
 *
 * Exit code 0: they are the same. Some choices have no record: window locks, and tests that
 * completed nothing. */
#include "order/causality/causality.h"
#include "overlay/stream/trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS_MAX = 1 << 10 };

struct seen {
    struct ork_choice *choice; /* of the first thread, by number */
    bool *found;
    size_t count;
};

struct order {
    struct ork_order_decoder *decoder;
    uint32_t left; /* bytes of the ORDER record that are still to come */
    struct seen seen;
};

struct test {
    struct ork_causality *causality;
    uint32_t ranks;
    struct order order[RANKS_MAX];
    unsigned found, wrong;
};

_Noreturn static void die(const char *what)
{
    fprintf(stderr, "choices: %s\n", what);
    exit(2);
}

static void check(bool good, const char *what)
{
    if (!good)
        die(what);
}

/* ---- the order ---- */

static void decode_all(struct order *o)
{
    struct ork_choice c;
    struct seen *s = &o->seen;

    while (ork_order_decode(o->decoder, &c) == ORK_OK) {
        if (c.thread != 0 || c.kind == ORK_CHOICE_END)
            continue;
        s->choice = realloc(s->choice, (s->count + 1) * sizeof(*s->choice));
        check(s->choice != NULL, "out of memory");
        s->choice[s->count++] = c;
    }
}

static void add_bytes(struct order *o, const struct ork_record *cont)
{
    struct ork_cont list;
    uint8_t bytes[sizeof(list.word)];

    memcpy(&list, cont, sizeof(list));
    memcpy(bytes, list.word, sizeof(bytes));
    uint32_t now = o->left < 4u * list.words ? o->left : 4u * list.words;
    check(ork_order_decoder_feed(o->decoder, bytes, now) == ORK_OK, "out of memory");
    o->left -= now;
}

static void read_order(struct order *o, const struct ork_record *record, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (record[i].kind == ORK_KIND_ORDER)
            o->left = (uint32_t)record[i].bytes;
        else if (record[i].kind == ORK_KIND_CONT && o->left > 0)
            add_bytes(o, &record[i]);
    }
    decode_all(o);
}

/* ---- the trace ---- */

static void begin(struct test *t, const struct ork_trace_chunk *chunk)
{
    for (size_t i = 0; i < chunk->num_records && t->causality == NULL; i++) {
        const struct ork_record *r = &chunk->record[i];
        if (r->kind != ORK_KIND_JOB)
            continue;
        check(r->arg2 > 0 && r->arg2 <= RANKS_MAX, "the number of ranks is not known");
        t->ranks = r->arg2;
        check(ork_causality_create(t->ranks, &t->causality) == ORK_OK, "out of memory");
        for (uint32_t k = 0; k < t->ranks; k++)
            t->order[k].decoder = ork_order_decoder_create();
    }
}

static void take_chunk(struct test *t, const struct ork_trace_chunk *chunk)
{
    begin(t, chunk);
    if (chunk->rank >= t->ranks)
        return;
    if (chunk->kind == ORK_TRACE_END) {
        ork_causality_end(t->causality, chunk->rank, ORK_CAUSAL_OWN);
        return;
    }
    check(ork_causality_feed(t->causality, chunk->rank, chunk->record, chunk->num_records) ==
              ORK_OK,
          "out of memory");
    read_order(&t->order[chunk->rank], chunk->record, chunk->num_records);
}

static void read_trace(struct test *t, const char *path)
{
    FILE *file = fopen(path, "rb");
    struct ork_trace_reader *reader;
    struct ork_trace_chunk chunk;
    enum ork_status status;

    check(file != NULL && ork_trace_open(file, &reader) == ORK_OK, "the trace cannot be read");
    while ((status = ork_trace_next(reader, &chunk)) == ORK_OK)
        take_chunk(t, &chunk);
    check(status == ORK_CLOSED && t->causality != NULL, "the trace is damaged");
    ork_trace_reader_destroy(reader);
    fclose(file);
}

/* ---- comparison ---- */

static bool is_same(const struct ork_choice *a, const struct ork_causal_choice *b)
{
    if (a->kind != b->kind || a->site != b->site)
        return false;
    if (a->kind == ORK_CHOICE_WAIT || a->kind == ORK_CHOICE_TEST || a->kind == ORK_CHOICE_CANCEL)
        return true;
    return a->post == b->post && a->source == b->source && a->tag == b->tag;
}

static bool compare(void *context, const struct ork_causal_choice *c)
{
    struct test *t = context;
    struct seen *s = &t->order[c->rank].seen;

    if (c->number == 0 || c->number > s->count || !is_same(&s->choice[c->number - 1], c)) {
        printf("rank %u: choice %" PRIu64 " (kind %u, post %" PRIu64 ", source %d, tag %d) is "
               "another one in the order\n",
               c->rank, c->number, c->kind, c->post, c->source, c->tag);
        t->wrong++;
        return true;
    }
    s->found[c->number - 1] = true;
    t->found++;
    return true;
}

/* RATIONALE: a receive that failed and got no message has a choice, but no alternatives. */
static bool has_record(const struct ork_choice *c)
{
    if (c->kind == ORK_CHOICE_RECEIVE && c->source == ORK_NO_PEER)
        return false;
    return c->kind == ORK_CHOICE_RECEIVE || c->kind == ORK_CHOICE_PROBE ||
           c->kind == ORK_CHOICE_WAIT || c->kind == ORK_CHOICE_CANCEL;
}

static void compare_all(struct test *t)
{
    for (uint32_t r = 0; r < t->ranks; r++) {
        const char *lost = ork_causality_lost(t->causality, r);
        t->order[r].seen.found = calloc(t->order[r].seen.count + 1, sizeof(bool));
        check(t->order[r].seen.found != NULL, "out of memory");
        if (lost != NULL) {
            printf("rank %u was not followed: %s\n", r, lost);
            t->wrong++;
        }
    }
    ork_causality_choices(t->causality, compare, t);
    for (uint32_t r = 0; r < t->ranks; r++) {
        const struct seen *s = &t->order[r].seen;
        for (size_t i = 0; i < s->count; i++) {
            if (s->found[i] || !has_record(&s->choice[i]))
                continue;
            printf("rank %u: choice %zu of the order (kind %u) was not found\n", r, i + 1,
                   s->choice[i].kind);
            t->wrong++;
        }
    }
}

static bool count_alternative(void *context, const struct ork_alternative *a)
{
    (void)a;
    ++*(unsigned *)context;
    return true;
}

int main(int argc, char **argv)
{
    static struct test t;
    unsigned alternatives = 0;

    check(argc == 2, "usage: order_choices TRACE");
    read_trace(&t, argv[1]);
    compare_all(&t);
    check(ork_causality_alternatives(t.causality, count_alternative, &alternatives) == ORK_OK,
          "out of memory");
    printf("%u choices, %u alternatives\n", t.found, alternatives);
    ork_causality_destroy(t.causality);
    for (uint32_t r = 0; r < t.ranks; r++) {
        ork_order_decoder_destroy(t.order[r].decoder);
        free(t.order[r].seen.choice);
        free(t.order[r].seen.found);
    }
    return t.wrong == 0 && t.found > 0 ? 0 : 1;
}
