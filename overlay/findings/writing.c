/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/findings/writing.h"

#include "common/assert.h"
#include "common/vec.h"
#include "overlay/findings/describe_internal.h"
#include "overlay/findings/phrase.h"
#include "record/calls.h"
#include "report/escape.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what it owns ---- */

struct ork_finding ork_writing_begin(struct ork_writing *w, const char *id,
                                     enum ork_severity severity, uint32_t rows)
{
    struct ork_finding f = {.severity = severity,
                            .id = strdup(id),
                            .waits = calloc(rows + (size_t)1, sizeof(*f.waits))};

    ork_writing_check(w, f.id != NULL && f.waits != NULL ? ORK_OK : ORK_NOMEM);
    return f;
}

enum ork_status ork_writing_release(struct ork_writing *w)
{
    for (uint32_t i = 0; i < w->count; i++)
        free(w->block[i]);
    free(w->block);
    w->block = NULL;
    w->count = w->room = 0;
    return w->status;
}

enum ork_status ork_writing_end(struct ork_writing *w, struct ork_finding *made,
                                struct ork_finding *out)
{
    if (w->status == ORK_OK)
        *out = *made;
    else
        ork_finding_release(made);
    return ork_writing_release(w);
}

char *ork_writing_end_text(struct ork_writing *w, const char *text)
{
    char *copy = ork_writing_give(w, text);

    if (ork_writing_release(w) == ORK_OK)
        return copy;
    free(copy);
    return NULL;
}

bool ork_writing_check(struct ork_writing *w, enum ork_status status)
{
    if (w->status == ORK_OK)
        w->status = status;
    return w->status == ORK_OK;
}

/* Takes ownership; NULL: out of memory. */
static void *own(struct ork_writing *w, void *block)
{
    if (block != NULL && ork_vec_reserve(&w->block, &w->room, w->count + 1, sizeof(*w->block))) {
        w->block[w->count++] = block;
        return block;
    }
    free(block);
    ork_writing_check(w, ORK_NOMEM);
    return NULL;
}

void *ork_writing_alloc(struct ork_writing *w, size_t count, size_t size)
{
    return own(w, calloc(count + 1, size));
}

const char *ork_writing_keep(struct ork_writing *w, char *text)
{
    const char *kept = own(w, text);

    return kept != NULL ? kept : "";
}

char *ork_writing_pass(struct ork_writing *w, char *text)
{
    ork_writing_check(w, text != NULL ? ORK_OK : ORK_NOMEM);
    return text;
}

char *ork_writing_give(struct ork_writing *w, const char *text)
{
    return ork_writing_pass(w, strdup(text));
}

char *ork_writing_give_sentence(struct ork_writing *w, const char *text)
{
    return ork_describe_sentence(ork_writing_give(w, text));
}

/* RATIONALE: what a set has grown out of stays until the end, which is as much again. */
void ork_writing_add(struct ork_writing *w, struct ork_u32s *set, uint32_t rank)
{
    if ((set->count & (set->count - 1)) == 0) { /* full: its room is a power of two */
        uint32_t *bigger = ork_writing_alloc(w, 2 * (size_t)set->count, sizeof(*bigger));
        if (bigger == NULL)
            return;
        if (set->count > 0)
            memcpy(bigger, set->item, set->count * sizeof(*bigger));
        set->item = bigger;
    }
    set->item[set->count++] = rank;
}

struct ork_u32s ork_writing_give_set(struct ork_writing *w, const struct ork_u32s *set)
{
    struct ork_u32s copy = {0};

    for (uint32_t i = 0; i < set->count; i++)
        ork_writing_check(w, ork_describe_add_rank(&copy, set->item[i]) ? ORK_OK : ORK_NOMEM);
    return copy;
}

/* ---- messages ---- */

static const struct ork_slot *slot_of(const struct ork_slot *slots, char letter)
{
    while (slots->letter != letter && slots->letter != '\0')
        slots++;
    ORK_ASSERT(slots->letter == letter);
    return slots;
}

static void put_slot(FILE *out, struct ork_writing *w, const struct ork_slot *slot)
{
    switch (slot->kind) {
    case ORK_SLOT_TEXT:
        fputs(slot->text, out);
        break;
    case ORK_SLOT_NUMBER:
        fprintf(out, "%" PRId64, slot->number);
        break;
    case ORK_SLOT_COUNT:
        ork_put_count(out, (uint64_t)slot->number);
        break;
    case ORK_SLOT_RANKS:
        fputs(ork_writing_keep(w, ork_describe_ranks(slot->rank, slot->ranks)), out);
        break;
    }
}

/* {r:one|many} */
static bool is_one(const struct ork_slot *slot)
{
    ORK_ASSERT(slot->kind != ORK_SLOT_TEXT);
    return slot->kind == ORK_SLOT_RANKS ? slot->ranks == 1 : slot->number == 1;
}

/* {x?there|not there} */
static bool is_there(const struct ork_slot *slot)
{
    switch (slot->kind) {
    case ORK_SLOT_TEXT:
        return slot->text[0] != '\0';
    case ORK_SLOT_RANKS:
        return slot->ranks > 0;
    case ORK_SLOT_NUMBER:
    case ORK_SLOT_COUNT:
        break;
    }
    return slot->number != 0;
}

static void put(FILE *out, struct ork_writing *w, const char *from, const char *to,
                const struct ork_slot *slots);

/* A choice, after its brace. Returns where it ends. */
static const char *put_choice(FILE *out, struct ork_writing *w, const char *at,
                              const struct ork_slot *slots)
{
    const struct ork_slot *slot = slot_of(slots, at[0]);
    bool is_first = at[1] == ':' ? is_one(slot) : is_there(slot);
    const char *end = strchr(at, '}');

    ORK_ASSERT(end != NULL);
    const char *bar = memchr(at, '|', (size_t)(end - at));
    if (is_first)
        put(out, w, at + 2, bar != NULL ? bar : end, slots);
    else if (bar != NULL)
        put(out, w, bar + 1, end, slots);
    return end;
}

static void put(FILE *out, struct ork_writing *w, const char *from, const char *to,
                const struct ork_slot *slots)
{
    for (; from < to; from++) {
        if (*from == '$')
            put_slot(out, w, slot_of(slots, *++from));
        else if (*from == '{')
            from = put_choice(out, w, from + 1, slots);
        else
            fputc(*from, out);
    }
}

const char *ork_writing_say(struct ork_writing *w, enum ork_says message,
                            const struct ork_slot *slots)
{
    const char *template = ork_message_row(message)->template;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    if (out != NULL) {
        put(out, w, template, template + strlen(template), slots);
        if (fclose(out) != 0) {
            free(text);
            text = NULL;
        }
    }
    return ork_writing_keep(w, text);
}

const char *ork_plain(enum ork_says message)
{
    return ork_message_row(message)->template;
}

const char *ork_seconds(struct ork_writing *w, double seconds)
{
    return ork_writing_keep(w, ork_text("%.1f", seconds));
}

const char *ork_join(struct ork_writing *w, const char *text, const char *between, const char *more)
{
    return text[0] == '\0' ? more : ork_writing_keep(w, ork_text("%s%s%s", text, between, more));
}

void ork_writing_detail(struct ork_writing *w, struct ork_finding *f, const char *text)
{
    if (text[0] != '\0')
        ork_writing_check(w, ork_describe_add_detail(f, ork_writing_give_sentence(w, text)));
}

void ork_writing_headline(struct ork_writing *w, struct ork_finding *f, const char *text)
{
    f->message = ork_writing_give(w, text);
    f->summary = ork_writing_give_sentence(w, text);
}

void ork_writing_add_row(struct ork_writing *w, struct ork_finding *f, struct ork_rank_row *row)
{
    if (w->status == ORK_OK &&
        ork_writing_check(w, ork_describe_add_rank(&f->ranks, row->rank) ? ORK_OK : ORK_NOMEM))
        f->waits[f->num_waits++] = *row;
    else
        ork_rank_row_release(row);
}

void ork_writing_row(struct ork_writing *w, struct ork_finding *f, uint32_t rank, const char *call,
                     uint32_t site)
{
    struct ork_rank_row row = {
        .rank = rank, .call = ork_writing_give(w, call), .state = ork_writing_give(w, "")};

    ork_writing_check(w, ork_call_sites_fill(w->sites, rank, site, &row));
    row.own_name = ork_phrase_own_name(row.call, &row.where);
    ork_writing_add_row(w, f, &row);
}

/* ---- names ---- */

const char *ork_call_at(struct ork_writing *w, uint32_t rank, unsigned call, uint32_t site)
{
    return ork_writing_keep(w, ork_phrase_call_at(w->sites, rank, call, site));
}

const char *ork_call_in(struct ork_writing *w, uint32_t rank, unsigned call, uint32_t site)
{
    return ork_writing_keep(w, ork_phrase_in_call_at(w->sites, rank, ork_call_name(call), site));
}

const char *ork_place_in(struct ork_writing *w, uint32_t rank, uint32_t site)
{
    return ork_writing_keep(w, ork_phrase_in_call_at(w->sites, rank, "", site));
}

const char *ork_where_in(struct ork_writing *w, const char *call, const struct ork_where *where)
{
    return ork_writing_keep(w, ork_phrase_in_call(call, where));
}

const char *ork_comm_words(struct ork_writing *w, uint32_t comm)
{
    return ork_writing_keep(w, ork_phrase_comm(w->d, w->sites, comm));
}

struct ork_where ork_writing_where(struct ork_writing *w, uint32_t rank, uint32_t site)
{
    struct ork_where where;
    enum ork_status status = ork_call_sites_find(w->sites, rank, site, &where);
    char *const text[] = {where.function, where.file, where.module};

    for (size_t i = 0; i < sizeof(text) / sizeof(text[0]); i++) {
        if (text[i] != NULL && own(w, text[i]) == NULL)
            status = ORK_NOMEM;
    }
    return ork_writing_check(w, status) ? where : (struct ork_where){0};
}
