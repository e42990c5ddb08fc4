/* SPDX-License-Identifier: BSD-3-Clause */
#include "viz/lanes_words.h"

#include "common/text.h"
#include "report/escape.h"
#include "report/finding_kind.h"
#include "report/last_calls.h"
#include "report/ranks.h"
#include "viz/lanes_internal.h"
#include "viz/ruler.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS_MAX = 6 };

void ork_lane_cut(char *to, size_t size, const char *text, size_t max)
{
    struct ork_text_stream stream;
    FILE *out = ork_text_open(&stream);

    if (out != NULL)
        ork_escape_text(out, text, max);
    char *line = ork_text_close(&stream);
    snprintf(to, size, "%s", line != NULL ? line : "");
    free(line);
}

size_t ork_lane_chars(const char *text)
{
    size_t n = 0;

    for (; *text != '\0'; text++)
        n += ((unsigned char)*text & 0xc0) != 0x80;
    return n;
}

static const char *partner(const char *peer)
{
    return strcmp(peer, "MPI_PROC_NULL") == 0    ? "nobody"
           : strcmp(peer, "MPI_ANY_SOURCE") == 0 ? "any"
                                                 : peer;
}

/* "to 1, tag 2", "from any" */
static void write_argument(const struct ork_last_call *call, char *to, size_t size)
{
    const char *any = "MPI_ANY_TAG";
    char text[256] = "";

    if (call->peer != NULL && call->source == NULL && strcmp(partner(call->peer), "nobody") == 0)
        snprintf(text, sizeof(text), "%s nobody", ork_call_receives(call->call) ? "from" : "to");
    else if (call->source != NULL && call->peer != NULL)
        snprintf(text, sizeof(text), "to %s, from %s", partner(call->peer), partner(call->source));
    else if (call->peer != NULL)
        snprintf(text, sizeof(text), "%s %s%s%s", ork_call_receives(call->call) ? "from" : "to",
                 partner(call->peer), call->tag != NULL ? ", tag " : "",
                 call->tag == NULL             ? ""
                 : strcmp(call->tag, any) == 0 ? "any"
                                               : call->tag);
    else if (call->comm != NULL)
        snprintf(text, sizeof(text), "%s%s%s", call->root != NULL ? "root " : call->comm,
                 call->root != NULL ? call->root : "",
                 call->root != NULL && strcmp(call->comm, "MPI_COMM_WORLD") != 0 ? ", other comm"
                                                                                 : "");
    else if (call->requests > 0)
        snprintf(text, sizeof(text), "%" PRIu32 " request%s", call->requests,
                 call->requests == 1 ? "" : "s");
    ork_lane_cut(to, size, text, ORK_LANE_TEXT_MAX);
}

/* "bytes 0-15 of rank 2" */
static void write_access(const struct ork_lanes *l, uint32_t box, char *to, size_t size)
{
    const struct ork_finding *f = l->finding;
    struct ork_text_stream stream;
    FILE *out = ork_text_open(&stream);

    for (uint32_t i = 0; i < f->num_accesses && out != NULL && ftell(out) == 0; i++) {
        const struct ork_window_access *a = &f->access[i];
        if (!ork_rank_in(ork_lanes_list(l, box)->ranks.item, ork_lanes_list(l, box)->ranks.count,
                         a->rank) ||
            !ork_last_call_is(ork_lanes_call(l, box), a->call, &a->where))
            continue;
        fputs(a->high - 1 > a->low ? "bytes " : "byte ", out);
        ork_ruler_put_bytes(out, a);
        fprintf(out, " of %" PRIu32, a->target);
    }
    char *text = ork_text_close(&stream);
    ork_lane_cut(to, size, text != NULL ? text : "", ORK_LANE_TEXT_MAX);
    free(text);
}

/* "Test x40,282,548": the count is never cut. */
static void write_name(const char *name, uint32_t times, char *to, size_t size)
{
    struct ork_text_stream stream;
    FILE *out = ork_text_open(&stream);

    if (out != NULL && times > 1) {
        fputs(" x", out);
        ork_put_count(out, times);
    }
    char *count = ork_text_close(&stream);
    size_t chars = count != NULL ? strlen(count) : 0;
    ork_lane_cut(to, size, name, ORK_LANE_TEXT_MAX - chars);
    if (count != NULL)
        snprintf(to + strlen(to), size - strlen(to), "%s", count);
    free(count);
}

void ork_lane_write_words(const struct ork_lanes *l, uint32_t box, const char *file,
                          struct ork_lane_words *w)
{
    const struct ork_last_call *call = ork_lanes_call(l, box);
    const char *name = call->own_name != NULL                ? call->own_name
                       : strncmp(call->call, "MPI_", 4) == 0 ? call->call + 4
                                                             : call->call;
    char text[256] = "";

    write_name(name, l->box[box].times, w->name, sizeof(w->name));
    if (call->where.line > 0 && call->where.file != NULL) {
        snprintf(text, sizeof(text), "%s:%" PRIu32,
                 file != NULL ? "" : ork_base_name(call->where.file), call->where.line);
        ork_lane_cut(w->place, sizeof(w->place), text, ORK_LANE_TEXT_MAX);
    }
    if (call->decided != NULL)
        ork_lane_cut(w->argument, sizeof(w->argument), call->decided, ORK_LANE_DECIDED_MAX);
    else if (l->box[box].look == ORK_LOOK_ACCESS)
        write_access(l, box, w->argument, sizeof(w->argument));
    else
        write_argument(call, w->argument, sizeof(w->argument));
}

const char *ork_lanes_common_file(const struct ork_lanes *l)
{
    const char *file = NULL;

    for (uint32_t i = 0; i < l->num_boxes; i++) {
        const char *own = ork_lanes_call(l, i)->where.file;
        if (own != NULL && file != NULL && strcmp(own, file) != 0)
            return NULL;
        file = own != NULL ? own : file;
    }
    return file;
}

void ork_lane_write_label(const struct ork_last_calls *list, char *to, size_t size)
{
    struct ork_text_stream stream;
    FILE *out = ork_text_open(&stream);

    if (out != NULL) {
        fputs(list->ranks.count > 1 ? "ranks " : "rank ", out);
        ork_put_ranks(out, list->ranks.item, list->ranks.count, RUNS_MAX);
        if (list->thread >= 0)
            fprintf(out, ", thread %" PRId64, list->thread);
        if (list->is_of_first_run)
            fputs(", first run", out);
    }
    char *label = ork_text_close(&stream);
    ork_lane_cut(to, size, label != NULL ? label : "", ORK_LANE_LABEL_MAX);
    free(label);
}

static const struct ork_rank_row *row_of(const struct ork_finding *f, uint32_t rank)
{
    for (uint32_t i = 0; i < f->num_waits; i++) {
        if (f->waits[i].rank == rank)
            return &f->waits[i];
    }
    return NULL;
}

static bool has_lane(const struct ork_finding *f, uint32_t rank)
{
    for (uint32_t i = 0; i < f->num_last_calls; i++) {
        const struct ork_u32s *ranks = &f->last_calls[i].ranks;
        if (ork_rank_in(ranks->item, ranks->count, rank))
            return true;
    }
    return false;
}

static bool is_same_place(const struct ork_rank_row *a, const struct ork_rank_row *b)
{
    return ork_text_is_same(a->call, b->call) && ork_text_is_same(a->comm, b->comm) &&
           ork_text_is_same(a->state, b->state) && a->where.line == b->where.line &&
           a->where.line > 0 && ork_text_is_same(a->where.file, b->where.file);
}

/* Do the ranks of an earlier lane wait there, too? */
static bool is_counted_before(const struct ork_finding *f, uint32_t lane,
                              const struct ork_rank_row *own)
{
    for (uint32_t i = 0; i < lane; i++) {
        const struct ork_u32s *ranks = &f->last_calls[i].ranks;
        const struct ork_rank_row *row = ranks->count > 0 ? row_of(f, ranks->item[0]) : NULL;
        if (row != NULL && is_same_place(row, own))
            return true;
    }
    return false;
}

/* Are its rows the places of the ranks, or only calls that it is about? */
static bool says_where_ranks_are(const struct ork_finding *f)
{
    return f->class_ != ORK_CLASS_NONE || ork_finding_is(f, ORK_FINDING_HANG) ||
           ork_finding_is(f, ORK_FINDING_STATE) || ork_finding_is(f, ORK_FINDING_STATUS);
}

void ork_lane_write_note(const struct ork_finding *f, uint32_t lane, char *to, size_t size)
{
    const struct ork_last_calls *list = &f->last_calls[lane];
    const struct ork_rank_row *own = list->ranks.count > 0 ? row_of(f, list->ranks.item[0]) : NULL;
    uint32_t others = 0;

    to[0] = '\0';
    if (own == NULL || !says_where_ranks_are(f))
        return;
    if (own->call[0] == '\0') {
        bool is_running = own->state != NULL && strcmp(own->state, "running") == 0;
        snprintf(to, size, "%s", is_running ? "outside MPI" : "");
        return;
    }
    if (is_counted_before(f, lane, own))
        return;
    for (uint32_t i = 0; i < f->num_waits; i++)
        others += is_same_place(&f->waits[i], own) && !has_lane(f, f->waits[i].rank);
    if (others > 0)
        snprintf(to, size, "%" PRIu32 " more in this call", others);
}
