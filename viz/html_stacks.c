/* SPDX-License-Identifier: BSD-3-Clause */
/* The merged call stacks, as a tree of lists. */
#include "viz/html.h"

#include "report/escape.h"
#include "report/ranks.h"
#include "viz/stack_tree.h"

#include <inttypes.h>

#define RUNS_MAX 8u

static void put_node(FILE *out, const struct ork_stack_node *node)
{
    if (node->frame != NULL) {
        ork_html_put_place(out, node->frame);
    } else {
        fputs("<b class=\"call\">", out);
        ork_escape_html(out, node->call[0] != '\0' ? node->call : "outside MPI");
        fputs("</b>", out);
    }
    fprintf(out, " <span class=\"ranks\">%s ", node->count > 1 ? "ranks" : "rank");
    ork_put_ranks(out, node->rank, node->count, RUNS_MAX);
    fputs("</span>", out);
}

static void put_tree(FILE *out, const struct ork_stack_tree *t)
{
    uint32_t depth = 0;

    for (uint32_t i = 0; i < t->count; i++) {
        const struct ork_stack_node *node = &t->node[t->order[i]];
        if (i > 0 && node->depth > depth)
            fputs("\n<ul>\n", out);
        else if (i > 0)
            fputs("</li>\n", out);
        for (; depth > node->depth; depth--)
            fputs("</ul></li>\n", out);
        depth = node->depth;
        fputs("<li>", out);
        put_node(out, node);
    }
    fputs("</li>\n", out);
    for (; depth > 0; depth--)
        fputs("</ul></li>\n", out);
}

/* A tree of one branch says no more than the stack of a row, and one of a frame each no more than
 * the table. */
static bool is_worth_it(const struct ork_stack_tree *t)
{
    bool forks = false, is_deep = false;

    for (uint32_t i = 0; i < t->count; i++) {
        const struct ork_stack_node *node = &t->node[t->order[i]];
        forks |= node->next != 0;
        is_deep |= node->depth > 1;
    }
    return forks && is_deep && t->stacks > 1;
}

enum ork_status ork_html_put_stacks(FILE *out, const struct ork_finding *finding)
{
    struct ork_stack_tree t;
    enum ork_status status = ork_stack_tree_init(&t, finding);

    if (status != ORK_OK)
        return status;
    if (is_worth_it(&t) && ork_html_has_room(out)) {
        fprintf(out, "<h3>Call stacks of %" PRIu32 " ranks, merged</h3>\n<ul class=\"stacks\">\n",
                t.stacks);
        put_tree(out, &t);
        fputs("</ul>\n", out);
        if (t.left_out > 0)
            fprintf(out, "<p class=\"soft\">... and those of %" PRIu32 " more ranks.</p>\n",
                    t.left_out);
    }
    ork_stack_tree_release(&t);
    return ORK_OK;
}
