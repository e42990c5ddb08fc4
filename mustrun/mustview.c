/* SPDX-License-Identifier: BSD-3-Clause */
/* mustview: shows a saved MUST_Output.json again, in any of the forms that mustrun writes. */
#include "common/exitcode.h"
#include "common/log.h"
#include "viz/viz.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum format { FORMAT_TEXT, FORMAT_HTML, FORMAT_JSON, FORMAT_DOT, FORMAT_SVG, FORMAT_MAX };
static const char *const format_word[FORMAT_MAX] = {"text", "html", "json", "dot", "svg"};

struct options {
    enum format format;
    uint32_t finding; /* from 1; 0: all of them, or the first that has a graph */
    const char *output;
    bool force;
    const char *input;
};

static const char help[] =
    "Usage: mustview [--format text|html|json|dot|svg] [--finding N] [-o FILE] REPORT.json\n"
    "Show a report of mustrun (MUST_Output.json) again; \"-\" is standard input.\n"
    "\n"
    "  -f, --format FORMAT  text (the default), html, json, dot or svg\n"
    "  -n, --finding N      only finding N, counted from 1; without it dot and svg show\n"
    "                       the first finding that has a graph\n"
    "  -o, --output FILE    write to FILE, which must not exist yet\n"
    "      --force          ... or may be overwritten\n"
    "  -h, --help           show this\n"
    "  -V, --version        show the version\n"
    "\n"
    "Exit code: 0; 64 if the command line or the report is wrong; 69 if the output cannot be\n"
    "made or written.\n";

static int usage(const char *sentence, const char *word)
{
    ork_error("%s%s (--help shows all options)", sentence, word);
    return ORK_EXIT_USAGE;
}

static int set_format(struct options *options, const char *word)
{
    for (unsigned i = 0; i < FORMAT_MAX; i++)
        if (strcmp(word, format_word[i]) == 0) {
            options->format = (enum format)i;
            return 0;
        }
    return usage("the format is text, html, json, dot or svg, not ", word);
}

static int set_finding(struct options *options, const char *word)
{
    char *end;

    errno = 0;
    unsigned long n = strtoul(word, &end, 10);
    if (errno != 0 || *end != '\0' || word[0] < '0' || word[0] > '9' || n == 0 || n > UINT32_MAX)
        return usage("--finding needs a number from 1, not ", word);
    options->finding = (uint32_t)n;
    return 0;
}

/* Print and leave: an exit code. Anything else goes on with -1. */
static int parse_options(int argc, char **argv, struct options *options)
{
    static const struct option known[] = {
        {"format", required_argument, NULL, 'f'},
        {"finding", required_argument, NULL, 'n'},
        {"output", required_argument, NULL, 'o'},
        {"force", no_argument, NULL, 'F'},
        {"help", no_argument, NULL, 'h'},
        {"version", no_argument, NULL, 'V'},
        {NULL, 0, NULL, 0},
    };
    int wrong = 0;

    opterr = 0;
    for (int c; wrong == 0 && (c = getopt_long(argc, argv, ":f:n:o:hV", known, NULL)) != -1;) {
        switch (c) {
        case 'f':
            wrong = set_format(options, optarg);
            break;
        case 'n':
            wrong = set_finding(options, optarg);
            break;
        case 'o':
            options->output = optarg;
            break;
        case 'F':
            options->force = true;
            break;
        case 'h':
            return fputs(help, stdout) < 0 ? ORK_EXIT_UNAVAILABLE : 0;
        case 'V':
            return puts("mustview " ORKNOT_VERSION) < 0 ? ORK_EXIT_UNAVAILABLE : 0;
        case ':':
            return usage("a value is missing behind ", argv[optind - 1]);
        default:
            return usage("there is no option ", argv[optind - 1]);
        }
    }
    if (wrong != 0)
        return wrong;
    if (optind != argc - 1)
        return usage(optind < argc ? "one report is enough" : "which report?", "");
    options->input = argv[optind];
    return -1;
}

/* All of a stream. NULL: errno. */
static char *read_all(FILE *in, size_t *size)
{
    char *text = NULL;
    size_t used = 0;
    size_t room = 0;

    do {
        if (used == room) {
            room = room == 0 ? 65536 : 2 * room;
            char *grown = realloc(text, room);
            if (grown == NULL) {
                free(text);
                return NULL;
            }
            text = grown;
        }
        used += fread(text + used, 1, room - used, in);
    } while (!feof(in) && !ferror(in));
    if (ferror(in)) {
        free(text);
        return NULL;
    }
    *size = used;
    return text;
}

static char *read_file(const char *name, size_t *size)
{
    if (strcmp(name, "-") == 0)
        return read_all(stdin, size);
    FILE *in = fopen(name, "re");
    if (in == NULL)
        return NULL;
    char *text = read_all(in, size);
    int saved = errno;
    fclose(in);
    errno = saved;
    return text;
}

/* The parser quotes the file: keep its bytes off the terminal. */
static void hide_controls(char *s)
{
    for (; *s != '\0'; s++)
        if ((unsigned char)*s < 0x20 || (unsigned char)*s >= 0x7f)
            *s = '?';
}

static int load(const char *name, struct ork_report *report)
{
    size_t size = 0;
    char *error = NULL;
    char *text = read_file(name, &size);

    if (text == NULL) {
        ork_error("cannot read %s: %s", name, strerror(errno));
        return ORK_EXIT_USAGE;
    }
    enum ork_status status = ork_report_from_json(text, size, report, &error);
    free(text);
    if (status == ORK_OK)
        return 0;
    if (error != NULL)
        hide_controls(error);
    ork_error("%s: %s", name, error != NULL ? error : ork_status_text(status));
    free(error);
    return status == ORK_INVALID ? ORK_EXIT_USAGE : ORK_EXIT_UNAVAILABLE;
}

/* Leave only finding n (from 1) in the report. */
static int keep_finding(struct ork_report *report, uint32_t n)
{
    if (n > report->num_findings) {
        ork_error("there is no finding %" PRIu32 ": the report has %" PRIu32, n,
                  report->num_findings);
        return ORK_EXIT_USAGE;
    }
    for (uint32_t i = 0; i < report->num_findings; i++)
        if (i != n - 1)
            ork_finding_release(&report->finding[i]);
    report->finding[0] = report->finding[n - 1];
    report->num_findings = 1;
    return 0;
}

static enum ork_status render_graph(const struct ork_report *report, enum format format,
                                    char **text)
{
    enum ork_status status = ORK_NOTFOUND;

    for (uint32_t i = 0; i < report->num_findings && status == ORK_NOTFOUND; i++)
        status = format == FORMAT_DOT ? ork_viz_dot(&report->finding[i], text)
                                      : ork_viz_svg(&report->finding[i], text);
    return status;
}

static enum ork_status render_text(const struct ork_report *report, bool color, char **text)
{
    size_t size = 0;
    FILE *out = open_memstream(text, &size);

    if (out == NULL)
        return ORK_NOMEM;
    enum ork_status status = ork_viz_report_text(report, color, out);
    return fclose(out) == 0 ? status : ORK_NOMEM;
}

static enum ork_status render(const struct ork_report *report, const struct options *options,
                              char **text)
{
    switch (options->format) {
    case FORMAT_HTML:
        return ork_viz_html(report, text);
    case FORMAT_JSON:
        return ork_report_to_json(report, text);
    case FORMAT_DOT:
    case FORMAT_SVG:
        return render_graph(report, options->format, text);
    case FORMAT_TEXT:
    case FORMAT_MAX:
        break;
    }
    return render_text(report, options->output == NULL && isatty(STDOUT_FILENO), text);
}

/* ORK_EXIT_... with a sentence said, or 0 and *out. */
static int open_output(const struct options *options, FILE **out)
{
    int flags = O_WRONLY | O_CREAT | O_CLOEXEC | (options->force ? O_TRUNC : O_EXCL);

    *out = stdout;
    if (options->output == NULL)
        return 0;
    int fd = open(options->output, flags, 0666);
    if (fd < 0 && errno == EEXIST) {
        ork_error("%s exists already (--force overwrites it)", options->output);
        return ORK_EXIT_USAGE;
    }
    *out = fd < 0 ? NULL : fdopen(fd, "w");
    if (*out != NULL)
        return 0;
    ork_error("cannot write %s: %s", options->output, strerror(errno));
    if (fd >= 0)
        close(fd);
    return ORK_EXIT_UNAVAILABLE;
}

static int write_output(const struct options *options, const char *text)
{
    const char *name = options->output != NULL ? options->output : "standard output";
    FILE *out;

    int code = open_output(options, &out);
    if (code != 0)
        return code;
    bool written = fputs(text, out) >= 0;
    if (fclose(out) != 0 || !written) {
        ork_error("cannot write %s: %s", name, strerror(errno));
        return ORK_EXIT_UNAVAILABLE;
    }
    return 0;
}

static int show(struct ork_report *report, const struct options *options)
{
    char *text = NULL;
    int code = options->finding != 0 ? keep_finding(report, options->finding) : 0;

    if (code != 0)
        return code;
    enum ork_status status = render(report, options, &text);
    if (status == ORK_OK) {
        code = write_output(options, text);
    } else if (status == ORK_NOTFOUND) {
        ork_error("%s: there is no graph to draw", options->input);
        code = ORK_EXIT_USAGE;
    } else {
        ork_error("cannot make %s: %s", format_word[options->format], ork_status_text(status));
        code = ORK_EXIT_UNAVAILABLE;
    }
    free(text);
    return code;
}

int main(int argc, char **argv)
{
    struct options options = {.format = FORMAT_TEXT};
    struct ork_report report;

    ork_log_init("mustview", false);
    int code = parse_options(argc, argv, &options);
    if (code >= 0)
        return code;
    code = load(options.input, &report);
    if (code != 0)
        return code;
    code = show(&report, &options);
    ork_report_release(&report);
    return code;
}
