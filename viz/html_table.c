/* SPDX-License-Identifier: BSD-3-Clause */
#include "viz/html.h"

#include "viz/escape.h"
#include "viz/ranks.h"
#include "viz/rows.h"

#include <inttypes.h>
#include <stdlib.h>

#define ROWS_MAX 5000u /* more make a page that no browser likes; MUST_Output.json has all */
#define RUNS_MAX 12u

static void put_place(FILE *out, const struct ork_where *where)
{
    if (where->function != NULL) {
        fputs("<code>", out);
        ork_escape_html(out, where->function);
        fputs("</code>", out);
    }
    if (where->file == NULL && where->module == NULL)
        return;
    fputs(where->function != NULL ? ", <code>" : "<code>", out);
    ork_escape_html(out, where->file != NULL ? where->file : where->module);
    if (where->file == NULL)
        fprintf(out, "+0x%" PRIx64, where->offset);
    else if (where->line != 0)
        fprintf(out, ":%" PRIu32, where->line);
    fputs("</code>", out);
}

static void put_stack(FILE *out, const struct ork_wait *wait)
{
    if (wait->num_stack == 0)
        return;
    fputs("<details><summary>stack</summary><ol class=\"stack\">", out);
    for (uint32_t i = 0; i < wait->num_stack; i++) {
        fputs("<li>", out);
        put_place(out, &wait->stack[i]);
        fputs("</li>", out);
    }
    fputs("</ol></details>", out);
}

static void put_cell(FILE *out, const char *tag, const char *s)
{
    fputs(tag, out);
    ork_escape_html(out, s);
    fputs("</td>", out);
}

static void put_call(FILE *out, const struct ork_wait *wait)
{
    fputs("<td class=\"call\">", out);
    ork_escape_html(out, wait->call);
    if (wait->detail != NULL && wait->detail[0] != '\0') {
        fputs("<br><span class=\"soft\">", out);
        ork_escape_html(out, wait->detail);
        fputs("</span>", out);
    }
    fputs("</td>", out);
}

static void put_row(FILE *out, const struct ork_row *row)
{
    const struct ork_wait *wait = row->wait;

    fputs(row->root ? "<tr class=\"root\"><td>" : "<tr><td>", out);
    ork_put_ranks(out, row->rank, row->count, RUNS_MAX);
    fputs("</td>", out);
    put_call(out, wait);
    put_cell(out, "<td class=\"name\">", wait->comm);
    put_cell(out, "<td>", wait->peer);
    put_cell(out, "<td>", wait->tag);
    fputs("<td>", out);
    ork_row_put_for(out, row, RUNS_MAX);
    fputs("</td><td class=\"where\">", out);
    put_place(out, &wait->where);
    put_stack(out, wait);
    fputs("</td>", out);
    put_cell(out, "<td>", wait->state);
    fputs("</tr>\n", out);
}

enum ork_status ork_html_put_table(FILE *out, const struct ork_finding *finding)
{
    struct ork_rows rows;

    if (finding->num_waits == 0)
        return ORK_OK;
    enum ork_status status = ork_rows_init(&rows, finding);
    if (status != ORK_OK)
        return status;
    fputs("<div class=\"table\"><table>\n<thead><tr><th>rank</th><th>call</th><th>communicator</th>"
          "<th>peer</th><th>tag</th><th>waits for</th><th>where</th><th>state</th></tr></thead>\n"
          "<tbody>\n",
          out);
    uint32_t left = rows.num_ranks;
    for (uint32_t i = 0; i < rows.count && i < ROWS_MAX; i++) {
        put_row(out, &rows.row[i]);
        left -= rows.row[i].count;
    }
    fputs("</tbody></table></div>\n", out);
    if (left > 0) {
        fputs("<p class=\"soft\">... and ", out);
        ork_put_count(out, left);
        fputs(" more ranks: see MUST_Output.json.</p>\n", out);
    }
    ork_rows_release(&rows);
    return ORK_OK;
}
