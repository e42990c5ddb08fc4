/* SPDX-License-Identifier: BSD-3-Clause */
/* The tree of decisions in DOT, from left to right, and as SVG. Each node says in words how its
 * runs ended; the colour only repeats that. */
#include "viz/decision_tree.h"

#include "common/text.h"
#include "report/escape.h"
#include "viz/svg_document.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LABEL_MAX 44u /* characters of a line */

static const char head[] =
    "  graph [rankdir=LR, bgcolor=\"#ffffff\", nodesep=0.12, ranksep=0.4, pad=0.1];\n"
    "  node [shape=box, style=\"filled,rounded\", fillcolor=\"#ffffff\", color=\"#3e4c59\", "
    "fontcolor=\"#1f2933\", fontname=Helvetica, fontsize=11, height=0.3, "
    "margin=\"0.3,0.05\"];\n"
    "  edge [color=\"#3e4c59\", arrowsize=0.6];\n";

/* For paper and light screens. */
static const struct {
    const char *fill, *line;
} color[] = {
    [ORK_OUTCOME_ENDED] = {"#ddefe4", "#1d6b43"},
    [ORK_OUTCOME_LOST] = {"#eceff2", "#97a3b0"},
    [ORK_OUTCOME_WARNING] = {"#f4f0d0", "#8a7a10"},
    [ORK_OUTCOME_FINDING] = {"#f6dcea", "#a8326d"},
    [ORK_OUTCOME_EXIT] = {"#d6eef0", "#0b6f7a"},
    [ORK_OUTCOME_SIGNAL] = {"#e9dcf5", "#6f35a5"},
    [ORK_OUTCOME_HANG] = {"#f9ead0", "#a5630a"},
    [ORK_OUTCOME_DEADLOCK] = {"#f8d9d6", "#b42318"},
    [ORK_LOOK_OTHER_RESULT] = {"#dae6f8", "#1f5fbf"},
    [ORK_LOOK_MIXED] = {"#e3e6ea", "#3e4c59"},
};

static const char dark[] = ".graph .ended > path { fill: #1f3b2c; stroke: #71c79a; }\n"
                           ".graph .another > path { fill: #22344f; stroke: #86b4f5; }\n"
                           ".graph .fault > path { fill: #45233a; stroke: #e78fc0; }\n"
                           ".graph .exit > path { fill: #143a3f; stroke: #5cc4cf; }\n"
                           ".graph .signal > path { fill: #35254a; stroke: #bf94ec; }\n"
                           ".graph .hang > path { fill: #44331a; stroke: #e2b25b; }\n"
                           ".graph .deadlock > path { fill: #4a2322; stroke: #f38d83; }\n"
                           ".graph .folded > path + path { fill: none; }\n";

struct tree {
    const struct ork_exploration *e;
    struct ork_decision_tree tree;
};

static void put_number(FILE *out, uint64_t n, const char *what)
{
    ork_put_count(out, n);
    fprintf(out, " %s%s", what, n == 1 ? "" : "s");
}

/* "1 × deadlock, 9 × another output, 30 × same output" */
static void put_looks(const struct ork_tree_node *node, FILE *out)
{
    bool first = true;

    for (unsigned i = 0; i < ORK_LOOKS; i++) {
        unsigned k = ork_look_order[i];
        if (node->by_look[k] == 0)
            continue;
        fputs(first ? "" : ", ", out);
        ork_put_count(out, node->by_look[k]);
        fprintf(out, " \u00d7 %s", ork_look_words(k));
        first = false;
    }
}

/* "outcome 1, deadlock": the number only of one that the page tells more about. */
static void put_outcome(const struct tree *t, const struct ork_tree_node *node, FILE *out)
{
    bool numbered = node->outcome < t->e->num_outcomes && t->e->outcome[node->outcome].is_bad;

    if (node->look == ORK_LOOK_MIXED) {
        put_looks(node, out);
        return;
    }
    if (numbered)
        fprintf(out, "outcome %" PRIu32 ", ", node->outcome + 1);
    fputs(ork_look_words(node->look), out);
}

/* "run 7: outcome 1, deadlock"; `newline` comes before a long list of outcomes. */
static void put_runs(const struct tree *t, const struct ork_tree_node *node, const char *newline,
                     FILE *out)
{
    if (node->beside > 1) {
        put_number(out, node->runs, "run");
    } else {
        fputs("run ", out);
        ork_put_count(out, t->e->run[node->run].number);
    }
    if (node->beside == 1 && node->runs > 1) {
        fputs(" and ", out);
        ork_put_count(out, node->runs - 1);
        fputs(" below it", out);
    }
    fprintf(out, ":%s", node->look == ORK_LOOK_MIXED ? newline : " ");
    put_outcome(t, node, out);
}

/* Of the change that a node stands for; `put_text` escapes a string of the application. */
static void put_change(const struct tree *t, const struct ork_tree_node *node, const char *newline,
                       void (*put_text)(FILE *out, const char *s), FILE *out)
{
    const struct ork_forced_choice *change = &t->e->run[node->run].change;

    if (node->beside > 1) {
        put_number(out, node->beside, "other change");
        fputs(newline, out);
    } else if (change->outcome != NULL) {
        fprintf(out, "rank %" PRIu32 ", choice ", change->rank);
        ork_put_count(out, change->number);
        if (change->site.call != NULL) {
            fputs(", ", out);
            put_text(out, change->site.call);
        }
        fputs(newline, out);
        put_text(out, change->outcome);
        fputs(newline, out);
    }
}

/* What it came after has a line of its own, if it does not fit. */
static void put_dot_text(FILE *out, const char *s)
{
    const char *after = strlen(s) > LABEL_MAX ? strstr(s, " after ") : NULL;
    char line[LABEL_MAX + 1];

    if (after != NULL && after > s && (size_t)(after - s) <= LABEL_MAX) {
        snprintf(line, sizeof(line), "%.*s", (int)(after - s), s);
        ork_escape_dot(out, line, LABEL_MAX);
        fputs("\\n", out);
        s = after + 1;
    }
    ork_escape_dot(out, s, LABEL_MAX);
}

static void put_node(const struct tree *t, uint32_t n, FILE *out)
{
    const struct ork_tree_node *node = &t->tree.node[n];
    bool bad = node->outcome < t->e->num_outcomes && t->e->outcome[node->outcome].is_bad;

    fprintf(out, "  n%" PRIu32 " [label=\"", n);
    put_change(t, node, "\\n", put_dot_text, out);
    put_runs(t, node, "\\n", out);
    if (node->runs == 1 && t->e->run[node->run].diverged)
        fputs("\\n(diverged)", out);
    fprintf(out, "\", class=\"%s%s%s\", fillcolor=\"%s\", color=\"%s\"", ork_look_class(node->look),
            bad ? " bad" : "", node->runs > 1 ? " folded" : "", color[node->look].fill,
            color[node->look].line);
    if (bad)
        fputs(", penwidth=2.2", out);
    if (node->runs > 1)
        fputs(", peripheries=2", out);
    fputs("];\n", out);
    if (n > 0)
        fprintf(out, "  n%" PRIu32 " -> n%" PRIu32 ";\n", node->parent, n);
}

static enum ork_status dot_text(const struct tree *t, char **text)
{
    struct ork_text_stream stream;
    FILE *out = ork_text_open(&stream);

    if (out == NULL)
        return ORK_NOMEM;
    fprintf(out, "// orknot\ndigraph orders {\n%s", head);
    for (uint32_t n = 0; n < t->tree.num_nodes; n++)
        put_node(t, n, out);
    fputs("}\n", out);
    return ork_text_take(&stream, ORK_OK, text);
}

static enum ork_status begin(struct tree *t, const struct ork_exploration *e, char **dot)
{
    *t = (struct tree){.e = e};
    if (e->num_runs < 2)
        return ORK_NOTFOUND;
    enum ork_status status = ork_decision_tree_init(&t->tree, e);
    if (status != ORK_OK)
        return status;
    status = dot_text(t, dot);
    if (status != ORK_OK)
        ork_decision_tree_release(&t->tree);
    return status;
}

enum ork_status ork_decision_tree_dot(const struct ork_exploration *e, char **text)
{
    struct tree t;
    enum ork_status status = begin(&t, e, text);

    if (status == ORK_OK)
        ork_decision_tree_release(&t.tree);
    return status;
}

/* For the page: the outcome that tells more. */
static void put_data(const void *of, uint32_t n, FILE *out)
{
    const struct tree *t = of;
    uint32_t outcome = t->tree.node[n].outcome;

    if (outcome < t->e->num_outcomes && t->e->outcome[outcome].is_bad)
        fprintf(out, " data-outcome=\"%" PRIu32 "\"", outcome + 1);
}

static void put_title(const void *of, uint32_t n, FILE *out)
{
    const struct tree *t = of;
    const struct ork_tree_node *node = &t->tree.node[n];
    const struct ork_forced_choice *change = &t->e->run[node->run].change;

    put_change(t, node, ", ", ork_escape_html, out);
    if (node->beside == 1 && change->site.place != NULL) {
        fputs("at ", out);
        ork_escape_html(out, change->site.place);
        fputs("; ", out);
    }
    put_runs(t, node, " ", out);
}

enum ork_status ork_decision_tree_svg(const struct ork_exploration *e, char **text)
{
    struct tree t;
    char *dot = NULL;

    enum ork_status status = begin(&t, e, &dot);
    if (status != ORK_OK)
        return status;
    const struct ork_svg_nodes nodes = {.of = &t,
                                        .count = t.tree.num_nodes,
                                        .put_data = put_data,
                                        .put_title = put_title,
                                        .dark = dark};
    status = ork_svg_document(dot, &nodes, text);
    free(dot);
    ork_decision_tree_release(&t.tree);
    return status;
}
