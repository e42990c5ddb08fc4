/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of ranks, equal ones in one row, each with its call stack. */
#include "viz/html.h"

#include "viz/escape.h"
#include "viz/ranks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define RUNS_MAX   12u
#define FRAMES_MAX 64u

static void put_stack(FILE *out, const struct ork_wait *wait)
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

/* "from 1, tag 7": which of the two is clear for calls that only send or receive. */
static void put_arguments(FILE *out, const struct ork_row *row)
{
    const struct ork_wait *wait = row->wait;
    const char *call = wait->call != NULL ? wait->call : "";

    if (wait->peer != NULL && !row->shifted) {
        fputs(strstr(call, "ecv") != NULL || strstr(call, "robe") != NULL ? "from "
              : wait->tag != NULL                                         ? "to "
                                                                          : "root ",
              out);
        ork_escape_html(out, wait->peer);
    }
    if (wait->tag != NULL) {
        fputs(wait->peer != NULL && !row->shifted ? ", tag " : "tag ", out);
        ork_escape_html(out, wait->tag);
    }
}

static void put_call(FILE *out, const struct ork_row *row)
{
    const struct ork_wait *wait = row->wait;
    bool in_call = wait->call != NULL && wait->call[0] != '\0';

    fputs("<td data-label=\"call\"><b class=\"call\">", out);
    ork_escape_html(out, in_call ? wait->call : "no MPI call");
    fputs("</b>", out);
    if (wait->peer != NULL || wait->tag != NULL) {
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

static void put_where(FILE *out, const struct ork_wait *wait)
{
    fputs("<td data-label=\"where\">", out);
    ork_html_put_place(out, &wait->where);
    put_stack(out, wait);
    fputs("</td>", out);
}

static void put_comm(FILE *out, const struct ork_wait *wait)
{
    fputs("<td data-label=\"communicator\" class=\"name\">", out);
    ork_escape_html(out, wait->comm);
    fputs("</td>", out);
}

static void put_row(FILE *out, const struct ork_row *row, unsigned number, uint32_t i)
{
    const char *state = row->wait->state != NULL ? row->wait->state : "";

    fprintf(out, "<tr id=\"f%u-r%" PRIu32 "\" tabindex=\"-1\" data-rank=\"%" PRIu32 "\"%s>", number,
            i, row->rank[0], row->root ? " class=\"root\"" : "");
    fputs("<th scope=\"row\">", out);
    ork_put_ranks(out, row->rank, row->count, RUNS_MAX);
    fputs("</th>", out);
    put_call(out, row);
    fputs("<td data-label=\"waits for\">", out);
    ork_row_put_for(out, row, RUNS_MAX);
    fputs("</td>", out);
    put_where(out, row->wait);
    put_comm(out, row->wait);
    fputs("<td data-label=\"state\">", out);
    ork_escape_html(out, state);
    fputs("</td></tr>\n", out);
}

void ork_html_put_table(FILE *out, const struct ork_rows *rows, unsigned number)
{
    uint32_t left = rows->num_ranks;
    uint32_t roots = 0;

    if (rows->count == 0)
        return;
    fprintf(
        out,
        "<h3 id=\"f%u-table\">Where the ranks are</h3>\n<div class=\"table\"><table>\n"
        "<thead><tr><th scope=\"col\">rank</th><th scope=\"col\">call</th>"
        "<th scope=\"col\">waits for rank</th><th scope=\"col\">where</th>"
        "<th scope=\"col\">communicator</th><th scope=\"col\">state</th></tr></thead>\n<tbody>\n",
        number);
    for (uint32_t i = 0; i < rows->count && ork_html_has_room(out); i++) {
        put_row(out, &rows->row[i], number, i);
        roots += rows->row[i].root;
        left -= rows->row[i].count;
    }
    fputs("</tbody></table></div>\n", out);
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
