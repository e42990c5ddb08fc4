/* SPDX-License-Identifier: BSD-3-Clause */
/* What must be there before the first run: folder, input, store. */
#include "common/exitcode.h"
#include "common/log.h"
#include "common/output_file.h"
#include "common/text.h"
#include "mustrun/explore/explore.h"
#include "mustrun/explore/exploring.h"
#include "viz/viz.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- folders ---- */

void ork_exploring_remove(const struct ork_exploring *x, const char *path)
{
    ork_output_remove(x->fd, ork_base_name(path));
}

static bool fail_to_make(const char *path, const char *why)
{
    ork_error("cannot create the folder %s: %s", path, why);
    return false;
}

bool ork_exploring_make_folder(const struct ork_exploring *x, const char *path)
{
    ork_exploring_remove(x, path);
    return mkdirat(x->fd, ork_base_name(path), 0777) == 0 || fail_to_make(path, strerror(errno));
}

/* "work-12" */
static bool is_numbered(const char *name, const char *what)
{
    size_t length = strlen(what);

    return strncmp(name, what, length) == 0 && name[length] != '\0' &&
           strspn(name + length, "0123456789") == strlen(name + length);
}

/* Remove what is named so; or only say whether something is. */
static bool find_numbered(const struct ork_exploring *x, const char *what, bool removes)
{
    DIR *folder = opendir(x->absolute);
    struct dirent *entry;
    bool found = false;

    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        if (!is_numbered(entry->d_name, what))
            continue;
        found = true;
        if (removes)
            ork_output_remove(x->fd, entry->d_name);
    }
    if (folder != NULL)
        closedir(folder);
    return found;
}

static bool copy_input(int to)
{
    char buffer[1 << 16];
    ssize_t size = -1;

    while (to >= 0 && (size = read(STDIN_FILENO, buffer, sizeof(buffer))) > 0) {
        if (write(to, buffer, (size_t)size) != size)
            return false;
    }
    return size == 0;
}

/* RATIONALE: each run has to read the input from its beginning; what cannot be read twice is
 * copied. A terminal is no input of many runs. The copy has no name, so that nothing is left
 * behind. */
static bool prepare_input(struct ork_exploring *x)
{
    struct stat info;

    if (isatty(STDIN_FILENO) || fstat(STDIN_FILENO, &info) != 0 || S_ISCHR(info.st_mode)) {
        x->input = strdup("/dev/null");
        return x->input != NULL;
    }
    ork_output_remove(x->fd, "input");
    x->input_fd = ork_output_new(x->fd, "input");
    bool done = copy_input(x->input_fd);
    if (!done)
        ork_error("cannot copy the standard input to %s/input: %s", x->folder, strerror(errno));
    ork_output_remove(x->fd, "input");
    x->input = ork_text("/proc/self/fd/%d", x->input_fd);
    return done && x->input != NULL;
}

/* NULL: that was reported. */
static char *path_of(int folder)
{
    char *link = ork_text("/proc/self/fd/%d", folder);
    char *path = link != NULL ? realpath(link, NULL) : NULL;

    if (path == NULL)
        ork_error("cannot find the folder of the exploration: %s", strerror(errno));
    free(link);
    return path;
}

/* The folder of the exploration. RATIONALE: in a folder such as /tmp another user may have made
 * one, or a link to one. */
static bool open_folder(struct ork_exploring *x)
{
    const char *dir = x->options->output_dir, *why;

    if (mkdir(dir, 0777) != 0 && errno != EEXIST)
        return fail_to_make(dir, strerror(errno));
    int parent = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (parent < 0)
        return fail_to_make(dir, strerror(errno));
    enum ork_status status = ork_output_folder(parent, ORK_EXPLORATION_NAME, &x->fd, &why);
    if (status == ORK_EXISTS)
        ork_error("cannot use the folder %s: %s", x->folder, why);
    else if (status != ORK_OK)
        fail_to_make(x->folder, strerror(errno));
    close(parent);
    return status == ORK_OK;
}

static bool prepare_folder(struct ork_exploring *x)
{
    const struct ork_options *options = x->options;
    bool here = strcmp(options->output_dir, ".") == 0;

    x->folder = here ? strdup(ORK_EXPLORATION_NAME)
                     : ork_text("%s/" ORK_EXPLORATION_NAME, options->output_dir);
    if (x->folder == NULL || !open_folder(x))
        return false;
    x->absolute = path_of(x->fd);
    return x->absolute != NULL && prepare_input(x);
}

/* ---- the store ---- */

static char *text_of_program(const struct ork_exploring *x)
{
    char *text = ork_argv_quote(x->invocation->words);
    const struct ork_options *o = x->options;
    char *all = text == NULL ? NULL
                             : ork_text("%s\nsends %s, collectives %s, ignore %s, compare %s", text,
                                        o->sends, o->collectives,
                                        o->explore.ignore != NULL ? o->explore.ignore : "",
                                        o->explore.compare != NULL ? o->explore.compare : "");

    free(text);
    return all;
}

/* RATIONALE: limits of runs and time may be raised; other bounds decide what is left out. */
static char *text_of_bounds(const struct ork_explore_options *e)
{
    return ork_text("mixing %u, loop %u, quota %u, symmetric %s", e->mixing, e->loop, e->quota,
                    e->symmetric);
}

/* SQLite writes these. */
static bool check_store(const struct ork_exploring *x)
{
    static const char *const name[] = {"exploration.db", "exploration.db-wal", "exploration.db-shm",
                                       "exploration.db-journal"};

    for (size_t i = 0; i < sizeof(name) / sizeof(*name); i++) {
        enum ork_output_found found = ork_output_look(x->fd, name[i], NULL);
        if (found == ORK_OUTPUT_NOTHING || found == ORK_OUTPUT_OURS)
            continue;
        const char *why = ork_output_obstacle(found);
        ork_error("cannot use %s/%s: %s", x->folder, name[i],
                  why != NULL ? why : "it cannot be examined");
        return false;
    }
    return true;
}

static bool has_words(const struct ork_exploring *x)
{
    return x->program != NULL && x->bounds != NULL;
}

static bool open_store(struct ork_exploring *x)
{
    const struct ork_explore_options *e = &x->options->explore;
    enum ork_store_use use = e->resumes    ? ORK_STORE_RESUME
                             : e->replaces ? ORK_STORE_REPLACE
                                           : ORK_STORE_NEW;
    char *path = ork_text("%s/exploration.db", x->absolute);
    char error[ORK_STORE_ERROR] = "";
    enum ork_status status = ORK_NOMEM;

    x->program = text_of_program(x);
    x->bounds = text_of_bounds(e);
    if (path != NULL && has_words(x))
        status = ork_store_open(path, use, x->program, x->bounds, &x->store, error);
    if (status != ORK_OK)
        ork_error("cannot %s the exploration in %s: %s",
                  e->resumes             ? "continue"
                  : status == ORK_EXISTS ? "replace"
                                         : "write",
                  x->folder, error[0] != '\0' ? error : ork_status_text(status));
    if (status != ORK_OK)
        x->code = status == ORK_NOMEM                   ? ORK_EXIT_INTERNAL
                  : status == ORK_INVALID && e->resumes ? ORK_EXIT_DATA
                                                        : ORK_EXIT_USAGE;
    free(path);
    return status == ORK_OK;
}

/* Folders named like those of an exploration are removed with it, if there is one. */
static bool check_outcomes(const struct ork_exploring *x)
{
    if (!ork_store_is_empty(x->store) || !find_numbered(x, "run-", false))
        return true;
    ork_error("cannot write the exploration in %s: it has folders named run-N, and no exploration",
              x->folder);
    return false;
}

enum ork_status ork_exploring_begin_store(struct ork_exploring *x)
{
    find_numbered(x, "run-", true);
    return ork_store_begin_exploration(x->store, x->program, x->bounds);
}

bool ork_exploring_prepare(struct ork_exploring *x)
{
    char error[ORK_OUTPUT_ERROR];
    char *why = NULL;
    const struct ork_explore_options *e = &x->options->explore;

    x->code = ORK_EXIT_USAGE;
    if (ork_output_rules_init(&x->rules, e->ignore, e->compare, error) != ORK_OK) {
        ork_error("%s", error);
        return false;
    }
    if (!prepare_folder(x))
        return false;
    if (ork_viz_check(x->options->output_dir, x->options->formats, &why) != ORK_OK) {
        ork_error("%s", why != NULL ? why : "out of memory");
        free(why);
        return false;
    }
    if (!check_store(x) || !open_store(x) || !check_outcomes(x))
        return false;
    find_numbered(x, "work-", true); /* runs that had not ended */
    x->slots = e->jobs;
    x->slot = calloc(x->slots, sizeof(*x->slot));
    x->code = x->slot != NULL ? 0 : ORK_EXIT_INTERNAL;
    return x->code == 0;
}
