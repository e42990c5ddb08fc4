/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustview/options.h"

#include "common/log.h"
#include "common/text.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum { HELP_COLUMNS = 80 };

enum option_id {
#define ORK_VIEW_OPTION(id, letter, name, arg, fallback, help) OPTION_##id,
#include "mustview/options.def"
#undef ORK_VIEW_OPTION
    OPTION_MAX
};

struct option_text {
    char letter;
    const char *name;
    const char *arg;
    const char *fallback;
    const char *help;
};

static const struct option_text texts[OPTION_MAX] = {
#define ORK_VIEW_OPTION(id, letter, name, arg, fallback, help) {letter, name, arg, fallback, help},
#include "mustview/options.def"
#undef ORK_VIEW_OPTION
};

static const char *const format_word[ORK_VIEW_FORMAT_MAX] = {
    "text",   "html", "json", "sarif", "junit", "github",
    "gitlab", "dot",  "svg",  "png",   "pdf",   "lanes-svg"};
static const char *const show_word[] = {
    [ORK_SHOW_ALL] = "all", [ORK_SHOW_WAITERS] = "waiters", [ORK_SHOW_KNOT] = "knot"};

const char *ork_view_format_word(enum ork_view_format format)
{
    return format_word[format];
}

bool ork_view_format_is_binary(enum ork_view_format format)
{
    return format == ORK_VIEW_PNG || format == ORK_VIEW_PDF;
}

/* Prints an error message and returns false. */
static bool refuse(const char *sentence, const char *word)
{
    ork_error("%s%s (--help shows all options)", sentence, word);
    return false;
}

/* The index of the word; `count` if it is none of them. */
static unsigned choose(const char *word, const char *const *words, unsigned count)
{
    unsigned i = 0;

    while (i < count && strcmp(word, words[i]) != 0)
        i++;
    return i;
}

static bool set_format(struct ork_view_options *options, const char *word)
{
    unsigned i = choose(word, format_word, ORK_VIEW_FORMAT_MAX);

    if (i == ORK_VIEW_FORMAT_MAX)
        return refuse(
            "the format is text, html, json, sarif, junit, github, gitlab, dot, svg, png, "
            "pdf or lanes-svg, not ",
            word);
    options->format = (enum ork_view_format)i;
    return true;
}

static bool set_show(struct ork_view_options *options, const char *word)
{
    unsigned count = sizeof(show_word) / sizeof(show_word[0]);
    unsigned i = choose(word, show_word, count);

    if (i == count)
        return refuse("--show needs knot, waiters or all, not ", word);
    options->show = (enum ork_show)i;
    return true;
}

static bool set_finding(struct ork_view_options *options, const char *name, const char *word)
{
    char *end;

    errno = 0;
    unsigned long n = strtoul(word, &end, 10);
    if (errno != 0 || *end != '\0' || word[0] < '0' || word[0] > '9' || n == 0 || n > UINT32_MAX) {
        ork_error("%s needs a number from 1, not %s (--help shows all options)", name, word);
        return false;
    }
    options->finding = (uint32_t)n;
    return true;
}

static bool set_output(struct ork_view_options *options, const char *word)
{
    options->output = strcmp(word, "-") != 0 ? word : NULL;
    return true;
}

static bool set_flag(bool *flag)
{
    *flag = true;
    return true;
}

static bool apply(struct ork_view_options *options, enum option_id id, const char *value)
{
    switch (id) {
    case OPTION_FORMAT:
        return set_format(options, value);
    case OPTION_SHOW:
        return set_show(options, value);
    case OPTION_FINDING:
        return set_finding(options, "--finding", value);
    case OPTION_OUTPUT:
        return set_output(options, value);
    case OPTION_REASON:
        options->reason = value;
        return true;
    case OPTION_SOURCE_ROOT:
        options->source_root = value;
        return true;
    case OPTION_FORCE:
        return set_flag(&options->force);
    case OPTION_ORDER:
        return set_flag(&options->order);
    case OPTION_TIMESTAMPS:
        return set_flag(&options->timestamps);
    case OPTION_ORDERED:
        return set_flag(&options->ordered);
    case OPTION_LIVE:
        return set_flag(&options->live);
    case OPTION_SUPPRESSION:
        return set_flag(&options->suppression) && set_finding(options, "--suppression", value);
    case OPTION_DIFF:
        return set_flag(&options->diff);
    case OPTION_HELP:
        return set_flag(&options->help);
    case OPTION_VERSION:
        return set_flag(&options->version);
    case OPTION_MAX:
        break;
    }
    return false;
}

static bool apply_defaults(struct ork_view_options *options)
{
    memset(options, 0, sizeof(*options));
    for (unsigned id = 0; id < OPTION_MAX; id++)
        if (texts[id].fallback != NULL && !apply(options, (enum option_id)id, texts[id].fallback))
            return false;
    return true;
}

/* Input for getopt_long(): values above those of all letters, so that each option has its own
 * number. */
struct known {
    struct option option[OPTION_MAX + 1];
    char letters[2 * OPTION_MAX + 2];
};
#define FIRST_NUMBER 256

static void fill_known(struct known *known)
{
    char *letter = known->letters;

    memset(known, 0, sizeof(*known));
    *letter++ = ':';
    for (unsigned id = 0; id < OPTION_MAX; id++) {
        known->option[id] = (struct option){
            .name = texts[id].name,
            .has_arg = texts[id].arg != NULL ? required_argument : no_argument,
            .val = FIRST_NUMBER + (int)id,
        };
        if (texts[id].letter == 0)
            continue;
        *letter++ = texts[id].letter;
        if (texts[id].arg != NULL)
            *letter++ = ':';
    }
}

static enum option_id id_of(int c)
{
    unsigned id = 0;

    if (c >= FIRST_NUMBER)
        return (enum option_id)(c - FIRST_NUMBER);
    while (id < OPTION_MAX && (texts[id].letter == 0 || texts[id].letter != c))
        id++;
    return (enum option_id)id;
}

static bool parse_words(int argc, char **argv, struct ork_view_options *options)
{
    struct known known;

    fill_known(&known);
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, known.letters, known.option, NULL)) != -1;) {
        if (c == ':')
            return refuse("a value is missing after ", argv[optind - 1]);
        if (c == '?')
            return refuse("there is no option ", argv[optind - 1]);
        if (!apply(options, id_of(c), optarg))
            return false;
    }
    return true;
}

/* --diff compares whole reports. */
static bool check_diff(const struct ork_view_options *options, int num_inputs)
{
    if (num_inputs != 2)
        return refuse("--diff needs two reports", "");
    if (options->format != ORK_VIEW_TEXT && options->format != ORK_VIEW_JSON)
        return refuse("--diff writes text or json, not ", format_word[options->format]);
    if (options->finding != 0)
        return refuse("--diff cannot be combined with --finding", "");
    if (options->show != ORK_SHOW_ALL)
        return refuse("--diff cannot be combined with --show", "");
    if (strcmp(options->input[0], "-") == 0 && strcmp(options->input[1], "-") == 0)
        return refuse("only one of the reports can come from standard input", "");
    return true;
}

/* --order shows the choices of a run, or compares those of two. */
static bool check_order(const struct ork_view_options *options, int num_inputs)
{
    if (num_inputs != (options->diff ? 2 : 1))
        return refuse(options->diff ? "--order --diff needs two orders" : "--order needs one order",
                      "");
    if (options->format != ORK_VIEW_TEXT)
        return refuse("--order writes text, not ", format_word[options->format]);
    if (options->finding != 0 || options->show != ORK_SHOW_ALL)
        return refuse("--order cannot be combined with --finding, --show or --suppression", "");
    if (strcmp(options->input[0], "-") == 0 || (options->diff && !strcmp(options->input[1], "-")))
        return refuse("--order cannot read standard input", "");
    return true;
}

/* --timestamps shows the events of a run, --ordered compares two of them. */
static bool check_stamps(const struct ork_view_options *options, int num_inputs)
{
    const char *name = options->ordered ? "--ordered" : "--timestamps";

    if (options->ordered && num_inputs != 3)
        return refuse("--ordered needs two events and a file of timestamps", "");
    if (!options->ordered && num_inputs != 1)
        return refuse("--timestamps needs one file of timestamps", "");
    if (options->format != ORK_VIEW_TEXT) {
        ork_error("%s writes text, not %s (--help shows all options)", name,
                  format_word[options->format]);
        return false;
    }
    if (options->diff || options->order || options->live || options->finding != 0 ||
        options->show != ORK_SHOW_ALL || (options->ordered && options->timestamps))
        return refuse(name, " cannot be combined with another thing to show");
    return true;
}

/* --live asks mustrun, which writes text or JSON; in it are the last calls of a run. */
static bool check_live(const struct ork_view_options *options, int num_inputs)
{
    if (num_inputs > 1)
        return refuse("--live takes only one run", "");
    if (options->format != ORK_VIEW_TEXT && options->format != ORK_VIEW_JSON &&
        options->format != ORK_VIEW_LANES_SVG)
        return refuse("--live writes text, json or lanes-svg, not ", format_word[options->format]);
    if (options->format == ORK_VIEW_LANES_SVG && num_inputs == 0)
        return refuse("--live draws the calls of a run: name it", "");
    if (options->diff || options->order || options->finding != 0 || options->show != ORK_SHOW_ALL)
        return refuse("--live cannot be combined with --diff, --order, --finding, --show or "
                      "--suppression",
                      "");
    return true;
}

static bool check_suppression(const struct ork_view_options *options)
{
    if (options->format != ORK_VIEW_TEXT || options->show != ORK_SHOW_ALL)
        return refuse("--suppression cannot be combined with --format or --show", "");
    return true;
}

bool ork_view_options_parse(int argc, char **argv, struct ork_view_options *options)
{
    if (!apply_defaults(options) || !parse_words(argc, argv, options))
        return false;
    if (options->help || options->version)
        return true;
    int num_inputs = argc - optind;
    for (int i = 0; i < num_inputs && i < 3; i++)
        options->input[i] = argv[optind + i];
    if (options->timestamps || options->ordered)
        return check_stamps(options, num_inputs);
    if (options->live)
        return check_live(options, num_inputs);
    if (options->order)
        return check_order(options, num_inputs);
    if (options->suppression && !check_suppression(options))
        return false;
    if (options->reason != NULL && !options->suppression)
        return refuse("--reason needs --suppression", "");
    if (options->diff)
        return check_diff(options, num_inputs);
    if (num_inputs != 1)
        return refuse(num_inputs > 1 ? "mustview takes only one report" : "no report is given", "");
    return true;
}

void ork_view_options_help(FILE *out)
{
    fputs(
        "Usage: mustview [options] REPORT.json\n"
        "       mustview --diff [options] BEFORE.json AFTER.json\n"
        "       mustview --order [options] FILE\n"
        "       mustview --order --diff [options] FILE FILE\n"
        "       mustview --timestamps [options] FILE\n"
        "       mustview --ordered [options] RANK:NUMBER RANK:NUMBER FILE\n"
        "       mustview --live [options] [SESSION]\n"
        "Show a report of mustrun (MUST_Output.json) again; \"-\" is standard input. Or show the\n"
        "order of a run or the timestamps of its events, or ask a run where its ranks are.\n\n",
        out);
    for (unsigned id = 0; id < OPTION_MAX; id++) {
        const struct option_text *text = &texts[id];

        if (text->letter != 0)
            fprintf(out, "  -%c, --%s", text->letter, text->name);
        else
            fprintf(out, "      --%s", text->name);
        char *help = ork_text("%s%s%s%s", text->help, text->fallback != NULL ? " (default: " : "",
                              text->fallback != NULL ? text->fallback : "",
                              text->fallback != NULL ? ")" : "");
        fprintf(out, "%s%s\n", text->arg != NULL ? " " : "", text->arg != NULL ? text->arg : "");
        ork_text_wrap(out, help != NULL ? help : text->help, 6, HELP_COLUMNS);
        free(help);
    }
    fputs("\nExit code: 0; with --diff 1 if the findings or orders differ; with --ordered 1 if "
          "nothing\norders the events; 64 if the command line, a report, an order or a file of "
          "timestamps\nis wrong; 69 if the output cannot be produced or written, or the run does "
          "not answer.\n",
          out);
}
