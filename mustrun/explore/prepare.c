/* SPDX-License-Identifier: BSD-3-Clause */
/* What must be there before the first run: folder, input, store. */
#include "common/exitcode.h"
#include "common/log.h"
#include "common/text.h"
#include "mustrun/explore/explore.h"
#include "mustrun/explore/exploring.h"
#include "viz/viz.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- folders ---- */

static int remove_one(const char *path, const struct stat *info, int type, struct FTW *where)
{
    (void)info;
    (void)type;
    (void)where;
    return remove(path);
}

void ork_exploring_remove(const char *folder)
{
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

bool ork_exploring_make_folder(const char *path)
{
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return true;
    ork_error("cannot create the folder %s: %s", path, strerror(errno));
    return false;
}

/* "work-12" */
static bool is_numbered(const char *name, const char *what)
{
    size_t length = strlen(what);

    return strncmp(name, what, length) == 0 && name[length] != '\0' &&
           strspn(name + length, "0123456789") == strlen(name + length);
}

/* Remove runs that had not ended, and unless the exploration continues, its outcomes. */
static void clear_folder(const struct ork_exploring *x, bool resumes)
{
    DIR *folder = opendir(x->absolute);
    struct dirent *entry;

    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        if (!is_numbered(entry->d_name, "work-") &&
            (resumes || !is_numbered(entry->d_name, "run-")))
            continue;
        char *path = ork_text("%s/%s", x->absolute, entry->d_name);
        if (path != NULL)
            ork_exploring_remove(path);
        free(path);
    }
    if (folder != NULL)
        closedir(folder);
}

/* RATIONALE: each run has to read the input from its beginning; what cannot be read twice is
 * copied. A terminal is no input of many runs. */
static bool prepare_input(struct ork_exploring *x)
{
    struct stat info;
    char buffer[1 << 16];
    ssize_t size = 0;

    if (isatty(STDIN_FILENO) || fstat(STDIN_FILENO, &info) != 0 || S_ISCHR(info.st_mode)) {
        x->input = strdup("/dev/null");
        return x->input != NULL;
    }
    x->input = ork_text("%s/input", x->absolute);
    int out =
        x->input != NULL ? open(x->input, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
    while (out >= 0 && (size = read(STDIN_FILENO, buffer, sizeof(buffer))) > 0) {
        if (write(out, buffer, (size_t)size) != size) {
            size = -1;
            break;
        }
    }
    if (out < 0 || size < 0)
        ork_error("cannot copy the standard input to %s: %s", x->input != NULL ? x->input : "",
                  strerror(errno));
    if (out >= 0)
        close(out);
    return out >= 0 && size == 0;
}

static bool prepare_folder(struct ork_exploring *x)
{
    const struct ork_options *options = x->options;
    bool here = strcmp(options->output_dir, ".") == 0;

    x->folder = here ? strdup(ORK_EXPLORATION_NAME)
                     : ork_text("%s/" ORK_EXPLORATION_NAME, options->output_dir);
    if (x->folder == NULL || !ork_exploring_make_folder(options->output_dir) ||
        !ork_exploring_make_folder(x->folder))
        return false;
    x->absolute = realpath(x->folder, NULL);
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
                    e->symmetric != NULL ? e->symmetric : "");
}

static bool open_store(struct ork_exploring *x)
{
    bool resumes = x->options->explore.resumes;
    char *path = ork_text("%s/exploration.db", x->absolute);
    char *program = text_of_program(x), *bounds = text_of_bounds(&x->options->explore);
    char error[ORK_STORE_ERROR] = "";
    enum ork_status status = ORK_NOMEM;

    if (path != NULL && program != NULL && bounds != NULL)
        status = ork_store_open(path, resumes, program, bounds, &x->store, error);
    if (status != ORK_OK)
        ork_error("cannot %s the exploration in %s: %s", resumes ? "continue" : "write", x->folder,
                  error[0] != '\0' ? error : ork_status_text(status));
    if (status != ORK_OK)
        x->code = status == ORK_NOMEM                ? ORK_EXIT_INTERNAL
                  : status == ORK_INVALID && resumes ? ORK_EXIT_DATA
                                                     : ORK_EXIT_USAGE;
    free(path);
    free(program);
    free(bounds);
    return status == ORK_OK;
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
    if (!open_store(x))
        return false;
    clear_folder(x, e->resumes);
    x->slots = e->jobs;
    x->slot = calloc(x->slots, sizeof(*x->slot));
    x->code = x->slot != NULL ? 0 : ORK_EXIT_INTERNAL;
    return x->code == 0;
}
