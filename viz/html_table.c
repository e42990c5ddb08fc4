/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of ranks, equal ones in one row, each with its call stack. */
#include "viz/html.h"

#include "report/escape.h"
#include "report/finding_kind.h"
#include "report/ranks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define RUNS_MAX   12u
#define FRAMES_MAX 64u

static void put_stack(FILE *out, const struct ork_rank_row *wait)
{
    uint32_t n = wait->num_stack;

    if (n == 0 || !ork_html_has_room(out))
        return;
    fprintf(out, "<details><summary>call stack (%" PRIu32 ")</summary><ol class=\"stack\">", n);
    for (uint32_t i = 0; i < n && i < FRAMES_MAX; i++) {
        fputs("<li>", out);
        ork_html_put_place(out, &wait->stack[i]);
        fputs(wait->stack[i].inlined ? " <span class=\"soft\">inlined</span></li>" : "</li>", out);
    }
    if (n > FRAMES_MAX)
        fprintf(out, "<li class=\"soft\">... and %" PRIu32 " more</li>", n - FRAMES_MAX);
    fputs("</ol></details>", out);
}

/* "from 1, tag 7": which of the two is only clear for calls that either send or receive. */
static void put_arguments(FILE *out, const struct ork_row *row)
{
    const struct ork_rank_row *wait = row->wait;
    const char *call = wait->call != NULL ? wait->call : "";

    if (wait->peer != NULL && !row->shifted) {
        bool sends = strncmp(call, "MPI_Sendrecv", strlen("MPI_Sendrecv")) == 0;
        bool receives = strstr(call, "ecv") != NULL || strstr(call, "robe") != NULL;
        const char *word = ork_row_peer_word(wait);
        fputs(strcmp(word, "peer ") != 0 ? word : receives && !sends ? "from " : "to ", out);
        ork_escape_html(out, wait->peer);
        ork_row_put_remote(out, row);
    }
    if (wait->tag != NULL) {
        fputs(wait->peer != NULL && !row->shifted ? ", tag " : "tag ", out);
        ork_escape_html(out, wait->tag);
    }
    if (wait->operation != NULL) {
        fputs(wait->peer != NULL && !row->shifted ? ", " : "", out);
        ork_escape_html(out, wait->operation);
    }
}

static void put_call(FILE *out, const struct ork_row *row)
{
    const struct ork_rank_row *wait = row->wait;
    bool in_call = wait->call != NULL && wait->call[0] != '\0';

    fputs("<td data-label=\"call\"><b class=\"call\">", out);
    ork_escape_html(out, in_call ? ork_rank_row_name(wait) : "no MPI call");
    fputs("</b>", out);
    if (wait->own_name != NULL) {
        fputs("<br>", out);
        ork_escape_html(out, wait->call);
    }
    if (wait->peer != NULL || wait->tag != NULL || wait->operation != NULL) {
        fputs("<br><span class=\"soft\">", out);
        put_arguments(out, row);
        fputs("</span>", out);
    }
    if (wait->detail != NULL && wait->detail[0] != '\0') {
        fputs("<br><span class=\"soft\">", out);
        ork_escape_html(out, wait->detail);
        fputs("</span>", out);
    }
    fputs("</td>", out);
}

static void put_callers(FILE *out, const struct ork_rank_row *wait)
{
    if (wait->num_callers == 0)
        return;
    fputs("<br><span class=\"soft\">called from</span><ol class=\"stack\">", out);
    for (uint32_t i = 0; i < wait->num_callers; i++) {
        fputs("<li>", out);
        ork_html_put_place(out, &wait->caller[i]);
        fputs("</li>", out);
    }
    fputs("</ol>", out);
}

static void put_where(FILE *out, const struct ork_rank_row *wait)
{
    fputs("<td data-label=\"where\">", out);
    ork_html_put_place(out, &wait->where);
    put_callers(out, wait);
    put_stack(out, wait);
    fputs("</td>", out);
}

static void put_comm(FILE *out, const struct ork_rank_row *wait)
{
    fputs("<td data-label=\"communicator\" class=\"name\">", out);
    ork_escape_html(out, wait->comm);
    fputs("</td>", out);
}

/* Where it is, if the rest of the row is where the strict analysis holds it. */
static void put_now(FILE *out, const struct ork_position *now)
{
    fputs("<td data-label=\"now\">", out);
    if (now->ahead == ORK_AHEAD_GOES)
        fputs("has continued", out);
    if (now->ahead == ORK_AHEAD_AFTER)
        fputs("outside MPI, last in ", out);
    if (now->call != NULL) {
        fputs("<b class=\"call\">", out);
        ork_escape_html(out, now->call);
        fputs("</b><br>", out);
        ork_html_put_place(out, &now->where);
    }
    fputs("</td>", out);
}

/* Columns that some row fills: the communicator, if it is not the same in all rows; the state, if a
 * rank is not blocked. */
struct columns {
    bool now, waits_for, comm, state;
    const char *common; /* the communicator of all rows; NULL: none */
};

static bool has_comm(const struct ork_row *row)
{
    return row->wait->comm != NULL && row->wait->comm[0] != '\0';
}

static const char *common_comm(const struct ork_rank_table *rows)
{
    for (uint32_t i = 0; i < rows->count; i++)
        if (!has_comm(&rows->row[i]) ||
            strcmp(rows->row[i].wait->comm, rows->row[0].wait->comm) != 0)
            return NULL;
    return rows->count > 0 ? rows->row[0].wait->comm : NULL;
}

static struct columns columns_of(const struct ork_rank_table *rows)
{
    struct columns c = {.common = common_comm(rows)};

    for (uint32_t i = 0; i < rows->count; i++) {
        const struct ork_row *row = &rows->row[i];
        c.now |= row->wait->now.ahead != ORK_AHEAD_NOT;
        c.waits_for |= row->others != NULL || row->wait->waits_for.count > 0 || row->wait->is_or;
        c.comm |= has_comm(row) && c.common == NULL;
        c.state |= row->wait->state != NULL && row->wait->state[0] != '\0' &&
                   strcmp(row->wait->state, "blocked") != 0;
    }
    return c;
}

static void put_row(FILE *out, const struct ork_row *row, const struct columns *columns,
                    unsigned number, uint32_t i)
{
    const char *state = ork_row_state_words(row->wait);

    fprintf(out, "<tr id=\"f%u-r%" PRIu32 "\" tabindex=\"-1\" data-rank=\"%" PRIu32 "\"%s>", number,
            i, row->rank[0], row->root ? " class=\"root\"" : "");
    fputs("<th scope=\"row\">", out);
    ork_put_ranks(out, row->rank, row->count, RUNS_MAX);
    fputs("</th>", out);
    if (columns->now)
        put_now(out, &row->wait->now);
    put_call(out, row);
    if (columns->waits_for) {
        fputs("<td data-label=\"waits for\">", out);
        ork_row_put_for(out, row, RUNS_MAX);
        fputs("</td>", out);
    }
    put_where(out, row->wait);
    if (columns->comm)
        put_comm(out, row->wait);
    if (columns->state) {
        fputs("<td data-label=\"state\">", out);
        ork_escape_html(out, state);
        fputs("</td>", out);
    }
    fputs("</tr>\n", out);
}

static const char *title_of(const struct ork_finding *f)
{
    static const enum ork_finding_id id[] = {ORK_FINDING_HANG, ORK_FINDING_STATE,
                                             ORK_FINDING_STATUS, ORK_FINDING_ABNORMAL_END};

    if (f->class_ == ORK_POTENTIAL || f->class_ == ORK_INTERLEAVING)
        return "Where the ranks would wait";
    for (size_t i = 0; i < sizeof(id) / sizeof(id[0]); i++)
        if (ork_finding_is(f, id[i]))
            return "Where the ranks are";
    return f->class_ != ORK_CLASS_NONE ? "Where the ranks are" : "The calls";
}

static void put_head(FILE *out, const struct ork_finding *f, const struct columns *columns,
                     unsigned number)
{
    fprintf(out,
            "<h3 id=\"f%u-table\">%s</h3>\n<div class=\"table\" tabindex=\"0\"><table>\n"
            "<thead><tr><th scope=\"col\">rank</th>%s<th scope=\"col\">%s</th>",
            number, title_of(f), columns->now ? "<th scope=\"col\">now</th>" : "",
            columns->now ? "MPI allows it to block in" : "call");
    if (columns->waits_for)
        fputs("<th scope=\"col\">waits for rank</th>", out);
    fputs("<th scope=\"col\">where</th>", out);
    if (columns->comm)
        fputs("<th scope=\"col\">communicator</th>", out);
    if (columns->state)
        fputs("<th scope=\"col\">state</th>", out);
    fputs("</tr></thead>\n<tbody>\n", out);
}

void ork_html_put_table(FILE *out, const struct ork_finding *f, const struct ork_rank_table *rows,
                        unsigned number)
{
    uint32_t left = rows->num_ranks;
    uint32_t roots = 0;

    if (rows->count == 0)
        return;
    const struct columns columns = columns_of(rows);
    put_head(out, f, &columns, number);
    for (uint32_t i = 0; i < rows->count && ork_html_has_room(out); i++) {
        put_row(out, &rows->row[i], &columns, number, i);
        roots += rows->row[i].root;
        left -= rows->row[i].count;
    }
    fputs("</tbody></table></div>\n", out);
    if (columns.common != NULL) {
        fputs("<p class=\"soft key\">On <code>", out);
        ork_escape_html(out, columns.common);
        fputs("</code>.</p>\n", out);
    }
    if (left > 0) {
        fputs("<p class=\"soft\">... and ", out);
        ork_put_count(out, left);
        fputs(" more ranks: see MUST_Output.json.</p>\n", out);
    }
    if (roots > 0 && roots < rows->count)
        fputs(
            "<p class=\"soft key\"><span class=\"mark\"></span> Marked: the root of the deadlock. "
            "The others only wait for these.</p>\n",
            out);
}
