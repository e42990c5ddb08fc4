/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/text.h"
#include "report/escape.h"
#include "report/last_calls.h"
#include "viz/html.h"
#include "viz/lanes_internal.h"
#include "viz/lanes_words.h"
#include "viz/viz.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Pixels. RATIONALE: in a monospaced font the width of a text is known without the font. */
#define CHAR_WIDTH   7.3 /* at 12 px */
#define SMALL_WIDTH  6.7 /* at 11 px */
#define PAD          8.0
#define BOX_HEIGHT   38.0
#define LANE_HEIGHT  72.0
#define COLUMN_GAP   20.0
#define TOP          14.0
#define FOLD_EDGE    6.0
#define EPOCH_EDGE   8.0
#define FOLD_HEIGHT  10.0 /* of its count, above the first lane */
#define LEGEND_LINE  20.0
#define ORIGIN_SHIFT 18.0  /* so far the line is away from the box */
#define LEAST_WIDTH  310.0 /* of the longest key; a narrow window shows the right end first */

struct canvas {
    FILE *out;
    struct ork_lanes lanes;
    struct ork_lane_words *words; /* by box */
    double *left, *width;         /* by column */
    const char *file;             /* the one that all places are in; NULL: several */
    double top;                   /* of the first lane */
    double start;                 /* of the first column */
    double whole, height;         /* of the drawing */
    unsigned *ins, *outs;         /* lines that end and begin at each box, */
    unsigned *put_in, *put_out;   /* and how many of them are drawn */
};

static void put_text(FILE *out, const char *class_, double x, double y, const char *text)
{
    if (text[0] == '\0')
        return;
    fprintf(out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">", class_, x, y);
    ork_escape_html(out, text);
    fputs("</text>\n", out);
}

/* ---- measures ---- */

static double width_of(const struct ork_lane_words *w)
{
    double first = (double)ork_lane_chars(w->name) * CHAR_WIDTH;
    double second = (double)ork_lane_chars(w->argument) * SMALL_WIDTH;

    if (w->place[0] != '\0')
        first += SMALL_WIDTH + (double)ork_lane_chars(w->place) * SMALL_WIDTH;
    return 2 * PAD + (first > second ? first : second);
}

static void measure(struct canvas *c)
{
    const struct ork_finding *f = c->lanes.finding;
    char label[ORK_LANE_LABEL_MAX * 4 + 32];
    double x = 0;

    for (uint32_t i = 0; i < f->num_last_calls; i++) {
        ork_lane_write_label(&f->last_calls[i], label, sizeof(label));
        double width = (double)ork_lane_chars(label) * CHAR_WIDTH;
        x = width > x ? width : x;
        ork_lane_write_note(f, i, label, sizeof(label));
        width = (double)ork_lane_chars(label) * SMALL_WIDTH;
        x = width > x ? width : x;
    }
    c->top = TOP + (c->lanes.num_folds > 0 ? FOLD_HEIGHT : 0);
    c->start = x + 4 * PAD;
    for (uint32_t i = 0; i < c->lanes.num_boxes; i++) {
        double *width = &c->width[c->lanes.box[i].column];
        double own = width_of(&c->words[i]);
        *width = own > *width ? own : *width;
    }
    x = c->start;
    for (uint32_t i = 0; i < c->lanes.columns; i++) {
        c->left[i] = x;
        x += c->width[i] + COLUMN_GAP;
    }
    c->whole = x > LEAST_WIDTH ? x : LEAST_WIDTH;
    for (uint32_t i = 0; i < c->lanes.num_lines; i++) {
        c->outs[c->lanes.line[i].from]++;
        c->ins[c->lanes.line[i].to]++;
    }
}

static double top_of(const struct canvas *c, uint32_t lane)
{
    return c->top + lane * LANE_HEIGHT;
}

/* ---- drawing ---- */

static void put_tracks(const struct canvas *c)
{
    for (uint32_t i = 0; i < c->lanes.finding->num_last_calls; i++) {
        double y = top_of(c, i) + BOX_HEIGHT / 2;
        fprintf(c->out, "<line class=\"track\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
                c->start - PAD, y, c->whole - COLUMN_GAP / 2, y);
    }
}

/* In the page they stay in sight when the calls are scrolled, on a background of their own. */
static void put_ranks(const struct canvas *c)
{
    const struct ork_finding *f = c->lanes.finding;
    char label[ORK_LANE_LABEL_MAX * 4 + 32];

    fprintf(c->out,
            "<g class=\"follows\">\n<rect class=\"back\" x=\"0\" y=\"0\" width=\"%.1f\" "
            "height=\"%.1f\"/>\n",
            c->start - 2 * PAD,
            top_of(c, f->num_last_calls) - LANE_HEIGHT + BOX_HEIGHT + EPOCH_EDGE + 1);
    for (uint32_t i = 0; i < f->num_last_calls; i++) {
        ork_lane_write_label(&f->last_calls[i], label, sizeof(label));
        put_text(c->out, "rank", PAD, top_of(c, i) + BOX_HEIGHT / 2 + 4, label);
        ork_lane_write_note(f, i, label, sizeof(label));
        put_text(c->out, "small", PAD, top_of(c, i) + BOX_HEIGHT / 2 + 20, label);
    }
    fputs("</g>\n", c->out);
}

/* The calls of each collective in one bar. */
static void put_bars(const struct canvas *c)
{
    for (uint32_t i = 0; i < c->lanes.num_boxes; i++) {
        uint32_t last = i;
        for (uint32_t k = i + 1; k < c->lanes.num_boxes && c->lanes.group[i] == i; k++)
            last = c->lanes.group[k] == i ? k : last;
        if (last == i)
            continue;
        uint32_t column = c->lanes.box[i].column;
        fprintf(c->out,
                "<rect class=\"bar\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
                "rx=\"9\"/>\n",
                c->left[column] - 5, top_of(c, c->lanes.box[i].lane) - 5, c->width[column] + 10,
                top_of(c, c->lanes.box[last].lane) - top_of(c, c->lanes.box[i].lane) + BOX_HEIGHT +
                    10);
    }
}

/* What reaches from box to box of a lane, around them. */
static void put_around(const struct canvas *c, const char *class_, uint32_t from, uint32_t to,
                       double edge)
{
    uint32_t first = c->lanes.box[from].column, last = c->lanes.box[to].column;
    double x = c->left[first] - edge, right = c->left[last] + c->width[last] + edge;

    fprintf(c->out,
            "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
            "rx=\"9\"/>\n",
            class_, x, top_of(c, c->lanes.box[from].lane) - edge, right - x, BOX_HEIGHT + 2 * edge);
}

static void put_epochs(const struct canvas *c)
{
    for (uint32_t i = 0; i < c->lanes.num_epochs; i++)
        put_around(c, "epoch", c->lanes.epoch[i].first, c->lanes.epoch[i].last, EPOCH_EDGE);
}

/* The calls of iterations in one frame, with their count. */
static void put_folds(const struct canvas *c)
{
    for (uint32_t i = 0; i < c->lanes.num_folds; i++) {
        const struct ork_lane_fold *fold = &c->lanes.fold[i];
        const struct ork_lane_box *first = &c->lanes.box[fold->first];
        char count[32];

        put_around(c, "fold", fold->first, fold->last, FOLD_EDGE);
        snprintf(count, sizeof(count), "x %" PRIu32, fold->times);
        put_text(c->out, "small count", c->left[first->column],
                 top_of(c, first->lane) - FOLD_EDGE - 4, count);
    }
}

static void put_title(const struct canvas *c, uint32_t box)
{
    const struct ork_last_call *call = ork_lanes_call(&c->lanes, box);
    char *words = ork_last_call_words(call), *outcome = ork_last_call_outcome(call);
    char line[512];

    ork_lane_cut(line, sizeof(line), words != NULL ? words : call->call, 120);
    fputs("<title>", c->out);
    ork_escape_html(c->out, line);
    if (call->where.file != NULL) {
        ork_lane_cut(line, sizeof(line), call->where.file, 120);
        fputs(" at ", c->out);
        ork_escape_html(c->out, line);
        fprintf(c->out, ":%" PRIu32, call->where.line);
    }
    if (outcome != NULL && outcome[0] != '\0') {
        fputs(": ", c->out);
        ork_escape_html(c->out, outcome);
    }
    fputs("</title>\n", c->out);
    free(words);
    free(outcome);
}

static void put_box(const struct canvas *c, uint32_t i)
{
    static const char *const look[] = {
        [ORK_LOOK_PLAIN] = "box",           [ORK_LOOK_STUCK] = "box stuck",
        [ORK_LOOK_POLLS] = "box stuck",     [ORK_LOOK_UNFIT] = "box access",
        [ORK_LOOK_PENDING] = "box pending", [ORK_LOOK_NOBODY] = "box nobody",
        [ORK_LOOK_ENDED] = "box access",    [ORK_LOOK_ACCESS] = "box access",
        [ORK_LOOK_DECIDED] = "box decided", [ORK_LOOK_FIRST] = "box first"};
    const struct ork_lane_box *box = &c->lanes.box[i];
    const struct ork_lane_words *w = &c->words[i];
    double x = c->left[box->column], y = top_of(c, box->lane), width = c->width[box->column];

    fprintf(c->out, "<g class=\"%s\">\n", look[box->look]);
    put_title(c, i);
    fprintf(c->out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.0f\" rx=\"6\"/>\n", x, y,
            width, BOX_HEIGHT);
    put_text(c->out, "name", x + PAD, y + 16, w->name);
    put_text(c->out, "small", x + width - PAD - (double)ork_lane_chars(w->place) * SMALL_WIDTH,
             y + 16, w->place);
    put_text(c->out, "small", x + PAD, y + 31, w->argument);
    fputs("</g>\n", c->out);
}

/* Where line number `n` of `all` meets the box. */
static double point_at(const struct canvas *c, uint32_t box, unsigned n, unsigned all)
{
    uint32_t column = c->lanes.box[box].column;

    return c->left[column] + c->width[column] * (n + 1) / (all + 1);
}

static void put_head(const struct canvas *c, const char *class_, double x, double y, bool down)
{
    double back = down ? -7 : 7;

    fprintf(c->out, "<polygon class=\"%s head\" points=\"%.1f,%.1f %.1f,%.1f %.1f,%.1f\"/>\n",
            class_, x, y, x - 4, y + back, x + 4, y + back);
}

static const char *class_of(const struct ork_lane_line *line)
{
    static const char *const class_[] = {[ORK_LINE_MESSAGE] = "message",
                                         [ORK_LINE_NEAR] = "miss",
                                         [ORK_LINE_OTHER] = "other",
                                         [ORK_LINE_UNFIT] = "unfit",
                                         [ORK_LINE_CONFLICT] = "miss conflict",
                                         [ORK_LINE_SWITCHED] = "switched",
                                         [ORK_LINE_FIRST] = "other first",
                                         [ORK_LINE_BEFORE] = "switched before",
                                         [ORK_LINE_FIRST_BEFORE] = "other first before"};

    return class_[line->kind];
}

/* Beside a line. */
static void put_word(const struct canvas *c, const char *class_, double x, double y,
                     const char *word)
{
    double width = (double)ork_lane_chars(word) * SMALL_WIDTH;

    put_text(c->out, class_, x + 8 + width < c->whole ? x + 8 : x - 8 - width, y, word);
}

/* Does a lane say in which run this is? */
static bool is_of_choice(const struct canvas *c, const struct ork_lane_line *line)
{
    enum ork_lane_look look = c->lanes.box[line->to].look;

    return look == ORK_LOOK_DECIDED || look == ORK_LOOK_FIRST;
}

/* At the end of the line. */
static void put_why(const struct canvas *c, const struct ork_lane_line *line, double x, double y)
{
    bool is_to_nobody =
        line->kind == ORK_LINE_NEAR && c->lanes.box[line->from].look == ORK_LOOK_NOBODY;
    bool is_instead = line->kind == ORK_LINE_OTHER || line->kind == ORK_LINE_SWITCHED;

    if (line->differs != NULL && !ork_lane_line_is_of_first_run(line) && !is_of_choice(c, line))
        put_word(c, is_instead ? "small instead" : "small why", x, y,
                 is_to_nobody ? "to nobody" : line->differs);
}

/* At its beginning, between the line and the box. RATIONALE: at its end there is the word of the
 * message that was taken. */
static void put_origin(const struct canvas *c, const struct ork_lane_line *line, double x, double y)
{
    if (ork_lane_line_is_of_first_run(line) && !is_of_choice(c, line))
        put_word(c, "small instead", x + ORIGIN_SHIFT, y, line->differs);
}

static void put_line(struct canvas *c, const struct ork_lane_line *line)
{
    uint32_t from = c->lanes.box[line->from].lane, to = c->lanes.box[line->to].lane;
    const char *class_ = class_of(line);
    bool down = to > from;
    double x1 = point_at(c, line->from, c->put_out[line->from]++, c->outs[line->from]);
    double x2 = point_at(c, line->to, c->put_in[line->to]++, c->ins[line->to]);
    double y1 = top_of(c, from) + (down ? BOX_HEIGHT : 0),
           y2 = top_of(c, to) + (down ? 0 : BOX_HEIGHT);
    double tip = y2 + (line->kind == ORK_LINE_CONFLICT ? 0
                       : down                          ? -6
                                                       : 6),
           middle = (y1 + tip) / 2;

    fprintf(c->out, "<path class=\"%s\" d=\"M%.1f,%.1f C%.1f,%.1f %.1f,%.1f %.1f,%.1f\"/>\n",
            class_, x1, y1, x1, middle, x2, middle, x2, tip);
    if (line->kind != ORK_LINE_CONFLICT)
        put_head(c, class_, x2, y2, down);
    put_why(c, line, x2, y2 + (down ? -12 : 20));
    put_origin(c, line, x1, y1 + (down ? 11 : -3));
}

/* What is drawn first may be crossed by the rest. RATIONALE: messages are below the boxes, and the
 * word of the message that was taken must stay readable. */
enum pass { PASS_MESSAGES, PASS_FIRST, PASS_SWITCHED, PASS_ABOVE_BOXES };

static enum pass pass_of(const struct ork_lane_line *line)
{
    if (ork_lane_line_is_of_first_run(line))
        return PASS_FIRST;
    return line->kind == ORK_LINE_MESSAGE                                     ? PASS_MESSAGES
           : line->kind == ORK_LINE_SWITCHED || line->kind == ORK_LINE_BEFORE ? PASS_SWITCHED
                                                                              : PASS_ABOVE_BOXES;
}

static void put_lines(struct canvas *c, enum pass pass)
{
    for (uint32_t i = 0; i < c->lanes.num_lines; i++) {
        if (pass_of(&c->lanes.line[i]) == pass)
            put_line(c, &c->lanes.line[i]);
    }
}

/* ---- legend ---- */

static bool has_look(const struct ork_lanes *l, enum ork_lane_look look)
{
    for (uint32_t i = 0; i < l->num_boxes; i++) {
        if (l->box[i].look == look)
            return true;
    }
    return false;
}

static bool has_line(const struct ork_lanes *l, const char *class_)
{
    for (uint32_t i = 0; i < l->num_lines; i++) {
        if (strcmp(class_of(&l->line[i]), class_) == 0)
            return true;
    }
    return false;
}

static void put_key(struct canvas *c, double *x, double *y, bool is_line, const char *sign,
                    const char *words)
{
    double width = 30 + (double)ork_lane_chars(words) * SMALL_WIDTH + 2 * PAD;

    if (*x + width > c->whole && *x > PAD) {
        *x = PAD;
        *y += LEGEND_LINE;
    }
    if (is_line)
        fprintf(c->out, "<path class=\"%s\" d=\"M%.1f,%.1f L%.1f,%.1f\"/>\n", sign, *x, *y - 4,
                *x + 22, *y - 4);
    else
        fprintf(c->out,
                "<g class=\"box %s\">\n<rect x=\"%.1f\" y=\"%.1f\" width=\"22\" height=\"12\" "
                "rx=\"3\"/>\n</g>\n",
                sign, *x, *y - 10);
    put_text(c->out, "small", *x + 30, *y, words);
    *x += width;
}

/* Returns the end of the drawing. */
static double put_legend(struct canvas *c)
{
    const struct ork_lanes *l = &c->lanes;
    bool hangs = l->finding->class_ != ORK_POTENTIAL && l->finding->class_ != ORK_INTERLEAVING;
    double x = PAD, y = top_of(c, l->finding->num_last_calls) - 8;

    if (has_line(l, "message"))
        put_key(c, &x, &y, true, "message", "message, received at its end");
    if (has_line(l, "miss"))
        put_key(c, &x, &y, true, "miss", "almost a match");
    if (has_line(l, "miss conflict"))
        put_key(c, &x, &y, true, "miss conflict", "nothing orders them");
    if (has_line(l, "other"))
        put_key(c, &x, &y, true, "other", "message that another order takes");
    if (has_line(l, "switched"))
        put_key(c, &x, &y, true, "switched", "message that this run took");
    if (has_line(l, "other first"))
        put_key(c, &x, &y, true, "other first", "message that the first run took there");
    if (has_line(l, "switched before"))
        put_key(c, &x, &y, true, "switched", "came before it in this run");
    if (has_line(l, "other first before"))
        put_key(c, &x, &y, true, "other first", "came before it in the first run");
    if (has_line(l, "unfit"))
        put_key(c, &x, &y, true, "unfit", "message that does not fit");
    if (has_look(l, ORK_LOOK_STUCK))
        put_key(c, &x, &y, false, "stuck", hangs ? "has not returned" : "may not return");
    if (has_look(l, ORK_LOOK_POLLS))
        put_key(c, &x, &y, false, "stuck", "polls without success");
    if (has_look(l, ORK_LOOK_UNFIT))
        put_key(c, &x, &y, false, "access", "calls that do not fit");
    if (has_look(l, ORK_LOOK_PENDING))
        put_key(c, &x, &y, false, "pending", "has no match");
    if (has_look(l, ORK_LOOK_NOBODY))
        put_key(c, &x, &y, false, "nobody", "MPI_PROC_NULL");
    if (has_look(l, ORK_LOOK_ENDED))
        put_key(c, &x, &y, false, "access", "last call of the rank that ended");
    if (has_look(l, ORK_LOOK_DECIDED))
        put_key(c, &x, &y, false, "decided", "what decides, in this run");
    if (has_look(l, ORK_LOOK_FIRST))
        put_key(c, &x, &y, false, "first", "the same in the first run");
    if (l->num_epochs > 0)
        put_key(c, &x, &y, false, "epochs", "epoch");
    if (l->num_folds > 0)
        put_key(c, &x, &y, false, "folded", "calls of an iteration");
    if (c->file != NULL) {
        char words[ORK_LANE_TEXT_MAX * 4 + 64], name[ORK_LANE_TEXT_MAX * 4 + 32];
        ork_lane_cut(name, sizeof(name), ork_base_name(c->file), ORK_LANE_TEXT_MAX);
        snprintf(words, sizeof(words), "lines of %s", name);
        if (x + (double)ork_lane_chars(words) * SMALL_WIDTH > c->whole && x > PAD) {
            x = PAD;
            y += LEGEND_LINE;
        }
        put_text(c->out, "small", x, y, words);
    }
    return y + PAD + 2;
}

/* ---- all ---- */

static void put_all(struct canvas *c)
{
    put_tracks(c);
    put_epochs(c);
    put_bars(c);
    put_folds(c);
    for (enum pass pass = PASS_MESSAGES; pass < PASS_ABOVE_BOXES; pass++)
        put_lines(c, pass);
    for (uint32_t i = 0; i < c->lanes.num_boxes; i++)
        put_box(c, i);
    put_lines(c, PASS_ABOVE_BOXES);
    put_ranks(c);
    fputs("<g class=\"follows\">\n", c->out);
    c->height = put_legend(c);
    fputs("</g>\n", c->out);
}

static enum ork_status prepare(struct canvas *c)
{
    uint32_t n = c->lanes.num_boxes + 1;

    c->words = calloc(n, sizeof(*c->words));
    c->left = calloc(c->lanes.columns + 1, sizeof(*c->left));
    c->width = calloc(c->lanes.columns + 1, sizeof(*c->width));
    c->ins = calloc(4 * (size_t)n, sizeof(*c->ins));
    if (c->words == NULL || c->left == NULL || c->width == NULL || c->ins == NULL)
        return ORK_NOMEM;
    c->outs = c->ins + n;
    c->put_in = c->outs + n;
    c->put_out = c->put_in + n;
    c->file = ork_lanes_common_file(&c->lanes);
    for (uint32_t i = 0; i < c->lanes.num_boxes; i++)
        ork_lane_write_words(&c->lanes, i, c->file, &c->words[i]);
    measure(c);
    return ORK_OK;
}

/* The elements first: they say how high the drawing is. */
static enum ork_status draw(struct canvas *c, char **text)
{
    struct ork_text_stream stream;

    c->out = ork_text_open(&stream);
    if (c->out != NULL)
        put_all(c);
    char *body = ork_text_close(&stream);
    if (body == NULL)
        return ORK_NOMEM;
    *text = ork_text("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- orknot -->\n"
                     "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"lanes\" width=\"%.0f\" "
                     "height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\">\n%s%s</svg>\n",
                     c->whole, c->height, c->whole, c->height, ork_lanes_style, body);
    free(body);
    return *text != NULL ? ORK_OK : ORK_NOMEM;
}

enum ork_status ork_lanes_svg_switched(const struct ork_finding *finding,
                                       const struct ork_switched_arrow *arrow, uint32_t num,
                                       char **text)
{
    struct canvas c = {0};

    enum ork_status status = ork_lanes_init_switched(&c.lanes, finding, arrow, num);
    if (status != ORK_OK)
        return status;
    status = prepare(&c);
    if (status == ORK_OK)
        status = draw(&c, text);
    free(c.words);
    free(c.left);
    free(c.width);
    free(c.ins);
    ork_lanes_release(&c.lanes);
    return status;
}

enum ork_status ork_viz_lanes_svg(const struct ork_finding *finding, char **text)
{
    return ork_lanes_svg_switched(finding, NULL, 0, text);
}
