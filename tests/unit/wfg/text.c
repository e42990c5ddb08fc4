/* SPDX-License-Identifier: BSD-3-Clause */
#include "text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char buffer[4096];
static size_t length;

static uint32_t number(const char **text)
{
    char *end;
    unsigned long value = strtoul(*text, &end, 10);

    *text = end;
    return (uint32_t)value;
}

static uint32_t label(const char **text)
{
    if (**text != ':')
        return 0;
    ++*text;
    return number(text);
}

static enum ork_wfg_op op(const char **text)
{
    char c = *(*text)++;

    return c == '|' ? ORK_WFG_OR : ORK_WFG_AND;
}

static void read_hub(struct ork_wfg *wfg, const char **text)
{
    ++*text;
    enum ork_wfg_op kind = op(text);
    uint32_t hub = ork_wfg_add_hub(wfg, kind, number(text));

    while (**text == ' ') {
        ++*text;
        ork_wfg_add_member(wfg, hub, number(text));
    }
}

static void read_part(struct ork_wfg *wfg, const char **text)
{
    uint32_t value;

    switch (**text) {
    case '&':
    case '|': {
        enum ork_wfg_op kind = op(text);
        ork_wfg_open(wfg, kind, number(text));
        if (**text == '(')
            ++*text;
        break;
    }
    case ')':
        ++*text;
        ork_wfg_close(wfg);
        break;
    case 'T':
        ++*text;
        ork_wfg_true(wfg);
        break;
    case '#':
        ++*text;
        value = number(text);
        ork_wfg_hub(wfg, value, label(text));
        break;
    case ' ':
        ++*text;
        break;
    default:
        value = number(text);
        ork_wfg_atom(wfg, value, label(text));
        break;
    }
}

static void read_process(struct ork_wfg *wfg, const char **text)
{
    uint32_t process = number(text);

    if (strncmp(*text, " done", 5) == 0) {
        *text += 5;
        ork_wfg_set_done(wfg, process);
        return;
    }
    ork_wfg_begin(wfg, process);
    while (**text != '\0' && **text != ';')
        read_part(wfg, text);
    ork_wfg_end(wfg);
}

struct ork_wfg *text_build(uint32_t nprocs, const char *text)
{
    struct ork_wfg *wfg = NULL;

    if (ork_wfg_create(nprocs, &wfg) != ORK_OK)
        abort();
    while (*text != '\0') {
        if (*text == ';' || *text == ' ')
            text++;
        else if (*text == '#')
            read_hub(wfg, &text);
        else
            read_process(wfg, &text);
    }
    return wfg;
}

struct ork_wfg *text_search(uint32_t nprocs, const char *text)
{
    struct ork_wfg *wfg = text_build(nprocs, text);

    if (ork_wfg_search(wfg) != ORK_OK) {
        fprintf(stderr, "the search failed: %s\n", text);
        abort();
    }
    return wfg;
}

static void clear(void)
{
    length = 0;
    buffer[0] = '\0';
}

__attribute__((format(printf, 1, 2))) static void put(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    int n = vsnprintf(buffer + length, sizeof(buffer) - length, format, args);
    va_end(args);
    if (n < 0 || (size_t)n >= sizeof(buffer) - length)
        abort();
    length += (size_t)n;
}

static void put_node(const struct ork_wfg *wfg, uint32_t v)
{
    static const char letter[] = {
        [ORK_WFG_PROCESS] = 'P', [ORK_WFG_TERM] = 'T', [ORK_WFG_HUB] = 'H'};
    struct ork_wfg_node node = ork_wfg_node(wfg, v);

    put("%s%c%" PRIu32, v > 0 ? "; " : "", letter[node.kind], v);
    if (node.kind != ORK_WFG_PROCESS)
        put("(%" PRIu32 ")", node.process);
    if (node.label != 0)
        put("[%" PRIu32 "]", node.label);
    put("%c", node.op == ORK_WFG_OR ? '|' : '&');
    for (uint32_t i = 0; i < ork_wfg_num_arcs(wfg, v); i++) {
        struct ork_wfg_arc arc = ork_wfg_arc(wfg, v, i);
        put("%s%" PRIu32, i > 0 ? " " : "", arc.to);
        if (arc.label != 0)
            put(":%" PRIu32, arc.label);
    }
}

const char *text_graph(const struct ork_wfg *wfg)
{
    clear();
    for (uint32_t v = 0; v < ork_wfg_num_nodes(wfg); v++)
        put_node(wfg, v);
    return buffer;
}

const char *text_dead(const struct ork_wfg *wfg)
{
    clear();
    for (uint32_t v = 0; v < ork_wfg_num_nodes(wfg); v++) {
        if (ork_wfg_is_deadlocked(wfg, v))
            put("%s%" PRIu32, length > 0 ? " " : "", v);
    }
    return buffer;
}

static void put_nodes(const uint32_t *node, uint32_t count)
{
    put("%s{", length > 0 ? " " : "");
    for (uint32_t i = 0; i < count; i++)
        put("%s%" PRIu32, i > 0 ? " " : "", node[i]);
    put("}");
}

const char *text_bottom(const struct ork_wfg *wfg)
{
    clear();
    for (uint32_t i = 0; i < ork_wfg_num_bottom(wfg); i++) {
        struct ork_wfg_knot knot = ork_wfg_bottom(wfg, i);
        put_nodes(knot.node, knot.count);
    }
    return buffer;
}

const char *text_maximal(const struct ork_wfg *wfg)
{
    clear();
    for (uint32_t i = 0; i < ork_wfg_num_maximal(wfg); i++) {
        struct ork_wfg_knot knot = ork_wfg_maximal(wfg, i);
        put_nodes(knot.node, knot.count);
        put("%s", knot.bottom ? "*" : "");
    }
    return buffer;
}

const char *text_core(const struct ork_wfg *wfg, uint32_t i)
{
    uint32_t room = ork_wfg_bottom(wfg, i).count;
    uint32_t *node = calloc((size_t)room + 1, sizeof(*node));
    uint32_t count = 0;

    if (node == NULL || ork_wfg_core(wfg, i, node, &count) != ORK_OK)
        abort();
    clear();
    put_nodes(node, count);
    free(node);
    return buffer;
}
