/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/options/option_files.h"

#include "common/output_file.h"
#include "common/read_text.h"
#include "common/text.h"
#include "common/vec.h"
#include "mustrun/options/hint.h"
#include "mustrun/options/setting.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SIZE_MAX_ = 65536 }; /* bytes of a file */

static const enum ork_option harmless[] = {
    ORK_OPTION_CALLERS,      ORK_OPTION_STATUS,        ORK_OPTION_HANG_AFTER,
    ORK_OPTION_POLL,         ORK_OPTION_CHECK_BUFFERS, ORK_OPTION_MEMORY_MODEL,
    ORK_OPTION_RACES,        ORK_OPTION_SENDS,         ORK_OPTION_COLLECTIVES,
    ORK_OPTION_NOISE,        ORK_OPTION_DETERMINISTIC, ORK_OPTION_EXPLORE_BOUNDS,
    ORK_OPTION_FANIN,        ORK_OPTION_LEAF_RANKS,    ORK_OPTION_QUEUE_LIMIT,
    ORK_OPTION_START_TIMEOUT};

bool ork_option_is_harmless(enum ork_option id)
{
    for (size_t i = 0; i < sizeof(harmless) / sizeof(harmless[0]); i++)
        if (harmless[i] == id)
            return true;
    return false;
}

/* Options that ask for something else than a run, or for a file of options. */
static bool is_for_words_only(enum ork_option id)
{
    return id == ORK_OPTION_HELP || id == ORK_OPTION_VERSION || id == ORK_OPTION_INFO ||
           id == ORK_OPTION_OPTIONS;
}

/* A file that is being read. */
struct reading {
    const char *name; /* in sentences */
    bool is_of_folder;
    unsigned number; /* of the line */
    struct ork_option_files *out;
    char *error;
};

/* Do not print the file's bytes on the terminal. */
static enum ork_status refuse(const struct reading *in, const char *why, const char *word)
{
    snprintf(in->error, ORK_OPTIONS_ERROR, "%.150s:%u: %s%.100s", in->name, in->number, why, word);
    for (char *c = in->error; *c != '\0'; c++)
        if ((unsigned char)*c < 0x20 || (unsigned char)*c >= 0x7f)
            *c = '?';
    return ORK_INVALID;
}

/* Keep a text, which is taken over; NULL: out of memory. */
static char *keep(struct ork_option_files *files, char *text)
{
    if (text == NULL ||
        !ork_vec_extend(&files->text, files->num_texts, files->num_texts + 1, sizeof(char *))) {
        free(text);
        return NULL;
    }
    return files->text[files->num_texts++] = text;
}

static bool note_of_folder(struct ork_option_files *files, const char *name, const char *value)
{
    char *all = ork_text("%s%s%s%s%s", files->of_folder != NULL ? files->of_folder : "",
                         files->of_folder != NULL ? ", " : "", name, value != NULL ? "=" : "",
                         value != NULL ? value : "");

    free(files->of_folder);
    files->of_folder = all;
    return all != NULL;
}

static enum ork_status check_option(const struct reading *in, const char *name, const char *value)
{
    enum ork_option id = ork_option_find(name, strlen(name));

    if (id == ORK_OPTION_MAX)
        return refuse(in, "there is no option ", name);
    if (is_for_words_only(id))
        return refuse(in, "a file may not set ", name);
    if (in->is_of_folder && !ork_option_is_harmless(ork_option_texts[id].option))
        return refuse(in,
                      "the file in the present folder may not set this, only " ORK_OPTION_FILE
                      " in your home and " ORK_OPTION_PREFIX "options may: ",
                      name);
    const struct ork_option_text *text = &ork_option_texts[id];
    if (text->arg == NULL && value != NULL)
        return refuse(in, "this option takes no value: ", name);
    if (text->arg != NULL && value == NULL)
        return refuse(in, "this option needs a value: ", name);
    return ORK_OK;
}

static enum ork_status add(const struct reading *in, const char *name, const char *value)
{
    struct ork_option_files *out = in->out;
    struct ork_option_lines *lines = &out->lines;
    char *origin = keep(out, ork_text("%.150s:%u: %s", in->name, in->number, name));

    if (origin == NULL ||
        !ork_vec_extend(&lines->item, lines->count, lines->count + 1, sizeof(*lines->item)))
        return ORK_NOMEM;
    lines->item[lines->count++] =
        (struct ork_option_line){.id = ork_option_find(name, strlen(name)),
                                 .value = value != NULL ? value : "1",
                                 .origin = origin};
    return !in->is_of_folder || note_of_folder(out, name, value) ? ORK_OK : ORK_NOMEM;
}

#define BLANKS " \t\r"

/* Cut blanks off both ends. */
static char *trim(char *s)
{
    s += strspn(s, BLANKS);
    for (size_t n = strlen(s); n > 0 && strchr(BLANKS, s[n - 1]) != NULL; n--)
        s[n - 1] = '\0';
    return s;
}

/* "NAME", "NAME VALUE", "NAME = VALUE"; the name may have its prefix. */
static enum ork_status read_line(const struct reading *in, char *line)
{
    size_t prefix = strlen(ORK_OPTION_PREFIX);

    line = trim(line);
    if (line[0] == '\0' || line[0] == '#')
        return ORK_OK;
    char *name = strncmp(line, ORK_OPTION_PREFIX, prefix) == 0 ? line + prefix : line;
    size_t length = strcspn(name, BLANKS "=");
    char *rest = trim(name + length);
    bool has_value = *rest != '\0';
    char *value = has_value ? trim(rest + (*rest == '=')) : NULL;
    name[length] = '\0';
    enum ork_status status = check_option(in, name, value);
    return status == ORK_OK ? add(in, name, value) : status;
}

static enum ork_status read_lines(struct reading *in, char *text)
{
    enum ork_status status = ORK_OK;

    for (char *line = text, *next; status == ORK_OK && line != NULL; line = next) {
        next = strchr(line, '\n');
        if (next != NULL)
            *next++ = '\0';
        in->number++;
        status = read_line(in, line);
    }
    return status;
}

/* ---- the files ---- */

static enum ork_status ignore(struct ork_option_files *out, const char *name, const char *why)
{
    char *sentence = ork_text("%s is not read: %s", name, why);

    if (sentence == NULL ||
        !ork_vec_extend(&out->ignored, out->num_ignored, out->num_ignored + 1, sizeof(char *))) {
        free(sentence);
        return ORK_NOMEM;
    }
    out->ignored[out->num_ignored++] = sentence;
    return ORK_OK;
}

/* Why nobody asked for this file to be read; NULL: it is the user's own one. */
static const char *distrust(const struct stat *st)
{
    if (st->st_uid != geteuid())
        return "it belongs to another user";
    if ((st->st_mode & S_IWOTH) != 0)
        return "every user may write it";
    return st->st_size > SIZE_MAX_ ? "it is too large" : NULL;
}

/* A file that is there or not: a file that cannot be trusted is left out. */
static enum ork_status read_found(const char *name, bool is_of_folder, const struct stat *earlier,
                                  struct stat *st, struct ork_option_files *out, char *error)
{
    struct reading in = {.name = name, .is_of_folder = is_of_folder, .out = out, .error = error};
    int fd = ork_output_open(AT_FDCWD, name);

    if (fd < 0)
        return errno == ENOENT || errno == ENOTDIR ? ORK_OK : ignore(out, name, strerror(errno));
    const char *why = fstat(fd, st) != 0 ? strerror(errno) : distrust(st);
    bool again =
        earlier->st_ino != 0 && st->st_ino == earlier->st_ino && st->st_dev == earlier->st_dev;
    if (why != NULL || again) {
        close(fd);
        return again ? ORK_OK : ignore(out, name, why);
    }
    char *text = keep(out, ork_read_text_stream(fdopen(fd, "r")));
    return text != NULL ? read_lines(&in, text) : ORK_NOMEM;
}

static enum ork_status read_named(const char *name, struct ork_option_files *out, char *error)
{
    struct reading in = {.name = name, .out = out, .error = error};
    char *text = ork_read_text(name);

    if (text == NULL)
        return ork_setting_refuse(error, "cannot read %.200s: %s", name, strerror(errno));
    return keep(out, text) != NULL ? read_lines(&in, text) : ORK_NOMEM;
}

enum ork_status ork_option_files_read(const char *home, const char *named,
                                      struct ork_option_files *out, char error[ORK_OPTIONS_ERROR])
{
    struct stat none = {.st_ino = 0}, of_home = none, here;
    enum ork_status status = ORK_OK;

    *out = (struct ork_option_files){.lines = {.count = 0}};
    if (home != NULL && home[0] == '/') {
        char *name = keep(out, ork_text("%s/" ORK_OPTION_FILE, home));
        status = name != NULL ? read_found(name, false, &none, &of_home, out, error) : ORK_NOMEM;
    }
    if (status == ORK_OK)
        status = read_found("./" ORK_OPTION_FILE, true, &of_home, &here, out, error);
    if (status == ORK_OK && named != NULL)
        status = read_named(named, out, error);
    return status;
}

void ork_option_files_release(struct ork_option_files *files)
{
    for (size_t i = 0; i < files->num_texts; i++)
        free(files->text[i]);
    for (size_t i = 0; i < files->num_ignored; i++)
        free(files->ignored[i]);
    free(files->text);
    free(files->ignored);
    free(files->of_folder);
    free(files->lines.item);
    *files = (struct ork_option_files){.lines = {.count = 0}};
}
