/* SPDX-License-Identifier: BSD-3-Clause */
/* The lines of a file of timestamps, after the first one. */
#include "common/vec.h"
#include "windows/stamps/internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- words of a line ---- */

static bool skip(struct reader *r, char c)
{
    if (*r->at != c)
        return false;
    r->at++;
    return true;
}

bool ork_stamps_read_number(struct reader *r, uint64_t limit, uint64_t *out)
{
    const char *start = r->at;
    uint64_t value = 0;

    for (; *r->at >= '0' && *r->at <= '9'; r->at++) {
        value = value * 10 + (uint64_t)(*r->at - '0');
        if (value > limit)
            return false;
    }
    *out = value;
    return r->at != start;
}

/* The next word as a number. */
static bool next_number(struct reader *r, uint64_t limit, uint64_t *out)
{
    return skip(r, ' ') && ork_stamps_read_number(r, limit, out);
}

static bool next_small(struct reader *r, uint64_t limit, uint32_t *out)
{
    uint64_t value;

    if (!next_number(r, limit, &value))
        return false;
    *out = (uint32_t)value;
    return true;
}

static bool is_word(struct reader *r, const char *word)
{
    size_t size = strlen(word);

    if (strncmp(r->at, word, size) != 0 || (r->at[size] != ' ' && r->at[size] != '\0'))
        return false;
    r->at += size;
    return true;
}

static bool is_over(const struct reader *r)
{
    return *r->at == '\0';
}

static char *copy(struct reader *r, const char *text, size_t size)
{
    char *out = strndup(text, size);

    r->failed |= out == NULL;
    return out;
}

/* The event that the next two words name. NULL: there was none so far. */
static struct event *next_event(struct reader *r, uint32_t *rank, uint64_t *number)
{
    if (r->s->ranks == 0 || !next_small(r, r->s->ranks - 1, rank) ||
        !next_number(r, UINT32_MAX, number))
        return NULL;
    struct events *of = &r->s->of[*rank];
    return *number == 0 || *number > of->count ? NULL : &of->item[*number - 1];
}

/* ---- lines; false: it is damaged ---- */

static bool read_ranks(struct reader *r)
{
    uint32_t ranks;

    if (r->s->ranks != 0 || !next_small(r, ORK_STAMPS_RANKS, &ranks) || ranks == 0)
        return false;
    r->s->of = calloc(ranks, sizeof(*r->s->of));
    r->failed |= r->s->of == NULL;
    r->s->ranks = ranks;
    return is_over(r);
}

static bool read_change(struct reader *r, struct event *e, uint32_t rank)
{
    struct ork_stamps *s = r->s;
    struct change c;
    uint64_t value;

    if (!next_small(r, s->ranks - 1, &c.rank) || !skip(r, '=') ||
        !ork_stamps_read_number(r, UINT32_MAX, &value))
        return false;
    c.value = (uint32_t)value;
    if (c.rank == rank)
        e->own = c.value;
    if (s->changes == UINT32_MAX ||
        !ork_vec_reserve(&s->change, &s->change_room, s->changes + 1, sizeof(*s->change))) {
        r->failed = true;
        return true;
    }
    s->change[s->changes++] = c;
    e->changes++;
    return true;
}

static bool read_event(struct reader *r)
{
    struct ork_stamps *s = r->s;
    uint32_t rank;
    uint64_t number;

    if (s->ranks == 0 || !next_small(r, s->ranks - 1, &rank) ||
        !next_number(r, UINT32_MAX - 1, &number) || number != s->of[rank].count + UINT64_C(1) ||
        !skip(r, ' '))
        return false;
    struct events *of = &s->of[rank];
    struct event e = {.first = s->changes, .sources = NO_SOURCE};
    size_t size = strcspn(r->at, " ");
    const char *call = r->at;
    r->at += size;
    if (size == 0 || !next_small(r, UINT32_MAX, &e.site))
        return false;
    while (!is_over(r) && !r->failed) {
        if (!read_change(r, &e, rank))
            return false;
    }
    if (e.own <= (of->count == 0 ? 0 : of->item[of->count - 1].own))
        return false;
    if (!ork_vec_reserve(&of->item, &of->room, of->count + 1, sizeof(*of->item)) ||
        (e.call = copy(r, call, size)) == NULL) {
        r->failed = true;
        return true;
    }
    of->item[of->count++] = e;
    return true;
}

static bool read_access(struct reader *r)
{
    uint32_t rank;
    uint64_t number;
    struct event *e = next_event(r, &rank, &number);

    if (e == NULL || !next_small(r, UINT32_MAX, &e->window) ||
        !next_small(r, r->s->ranks - 1, &e->target) || !skip(r, ' '))
        return false;
    bool is_load = is_word(r, "load"), is_plain = is_load || is_word(r, "store");
    e->reads = is_load || (!is_plain && is_word(r, "read"));
    if (!is_plain && !e->reads && !is_word(r, "update"))
        return false;
    e->access = is_plain ? ORK_STAMPS_BY_PROGRAM : ORK_STAMPS_BY_CALL;
    return is_over(r);
}

static bool read_private(struct reader *r)
{
    uint32_t rank;
    uint64_t number;
    struct event *e = next_event(r, &rank, &number);

    if (e == NULL || e->access != ORK_STAMPS_BY_PROGRAM || !next_number(r, number - 1, &e->seen))
        return false;
    e->is_private = true;
    return is_over(r);
}

static bool read_complete(struct reader *r, bool at_target)
{
    uint32_t rank;
    uint64_t number, value;
    struct event *e = next_event(r, &rank, &number);

    if (e == NULL || !next_number(r, UINT32_MAX, &value) || value <= e->own || !is_over(r))
        return false;
    if (e->origin == 0)
        e->origin = value;
    if (at_target)
        e->end = value;
    return true;
}

static bool add_source(struct reader *r, struct event *e, struct source source)
{
    struct ork_stamps *s = r->s;

    if (s->sources == NO_SOURCE ||
        !ork_vec_reserve(&s->source, &s->source_room, s->sources + 1, sizeof(*s->source))) {
        r->failed = true;
        return true;
    }
    source.next = e->sources;
    e->sources = s->sources;
    s->source[s->sources++] = source;
    return true;
}

static bool read_learn(struct reader *r, bool at_start)
{
    struct source source = {.at_start = at_start};
    uint32_t rank;
    uint64_t number;
    struct event *e = next_event(r, &rank, &number);

    return e != NULL && next_event(r, &source.rank, &source.number) != NULL && is_over(r) &&
           add_source(r, e, source);
}

static bool read_all(struct reader *r)
{
    struct source source = {.is_all = true};
    uint32_t rank;
    uint64_t number;
    struct event *e = next_event(r, &rank, &number);

    return e != NULL && next_number(r, UINT64_MAX / 16, &source.number) && is_over(r) &&
           add_source(r, e, source);
}

static bool read_part(struct reader *r)
{
    struct ork_stamps *s = r->s;
    struct part part;
    uint64_t number;

    if (next_event(r, &part.rank, &number) == NULL ||
        !next_number(r, UINT64_MAX / 16, &part.wave) || !is_over(r))
        return false;
    part.event = (uint32_t)number - 1;
    if (!ork_vec_reserve(&s->part, &s->part_room, s->parts + 1, sizeof(*s->part)))
        r->failed = true;
    else
        s->part[s->parts++] = part;
    return true;
}

static bool read_place(struct reader *r)
{
    struct ork_stamps *s = r->s;
    struct place place;

    if (s->ranks == 0 || !next_small(r, s->ranks - 1, &place.rank) ||
        !next_small(r, UINT32_MAX, &place.site) || !skip(r, ' '))
        return false;
    if (!ork_vec_reserve(&s->place, &s->place_room, s->places + 1, sizeof(*s->place)) ||
        (place.text = copy(r, r->at, strlen(r->at))) == NULL)
        r->failed = true;
    else
        s->place[s->places++] = place;
    return true;
}

static bool read_lost(struct reader *r)
{
    if (!skip(r, ' ') || r->s->lost != NULL)
        return false;
    r->s->lost = copy(r, r->at, strlen(r->at));
    return true;
}

bool ork_stamps_read_line(struct reader *r)
{
    if (r->s->is_complete)
        return false;
    if (is_word(r, "event"))
        return read_event(r);
    if (is_word(r, "access"))
        return read_access(r);
    if (is_word(r, "private"))
        return read_private(r);
    if (is_word(r, "origin"))
        return read_complete(r, false);
    if (is_word(r, "target"))
        return read_complete(r, true);
    if (is_word(r, "start"))
        return read_learn(r, true);
    if (is_word(r, "learn"))
        return read_learn(r, false);
    if (is_word(r, "part"))
        return read_part(r);
    if (is_word(r, "all"))
        return read_all(r);
    if (is_word(r, "place"))
        return read_place(r);
    if (is_word(r, "lost"))
        return read_lost(r);
    if (is_word(r, "ranks"))
        return read_ranks(r);
    r->s->is_complete = is_word(r, "end") && is_over(r);
    return r->s->is_complete;
}
