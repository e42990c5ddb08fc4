/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/launcher/launcher.h"

#include "common/log.h"
#include "common/text.h"
#include "mustrun/launcher/ask.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct ork_launcher *const launchers[] = {
    [ORK_LAUNCHER_OPENMPI4] = &ork_launcher_mpirun,
    [ORK_LAUNCHER_OPENMPI5] = &ork_launcher_prterun,
    [ORK_LAUNCHER_HYDRA] = &ork_launcher_hydra,
    [ORK_LAUNCHER_SRUN] = &ork_launcher_srun,
};

/* What is known of the launcher that was looked at last. */
struct known {
    char name[PATH_MAX]; /* as the user gave it */
    struct ork_executable file;
    struct ork_launcher_identity identity;
    bool was_asked, has_answered;
};

/* ---- which one is it? ---- */

/* Names that no other launcher has. */
static bool is_named(const char *path, enum ork_launcher_kind *kind)
{
    static const struct {
        const char *name;
        enum ork_launcher_kind kind;
    } names[] = {{"orterun", ORK_LAUNCHER_OPENMPI4},
                 {"prterun", ORK_LAUNCHER_OPENMPI5},
                 {"mpiexec.hydra", ORK_LAUNCHER_HYDRA},
                 {"srun", ORK_LAUNCHER_SRUN}};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (strcmp(ork_base_name(path), names[i].name) == 0) {
            *kind = names[i].kind;
            return true;
        }
    }
    return false;
}

bool ork_launcher_is_name(const char *word)
{
    /* Debian's mpirun.openmpi, mpiexec.mpich, ... */
    static const char *const common[] = {"mpirun", "mpiexec"};
    const char *name = ork_base_name(word);
    enum ork_launcher_kind kind;

    for (size_t i = 0; i < sizeof(common) / sizeof(common[0]); i++) {
        size_t length = strlen(common[i]);
        if (strncmp(name, common[i], length) == 0 && (name[length] == '\0' || name[length] == '.'))
            return true;
    }
    return is_named(word, &kind);
}

/* RATIONALE: mpirun and mpiexec are links to the launcher of the library that a site prefers. */
static bool is_file_named(const char *path, enum ork_launcher_kind *kind)
{
    char target[PATH_MAX];

    return realpath(path, target) != NULL && is_named(target, kind);
}

static void ask(struct known *k)
{
    char answer[ORK_ASK_ANSWER];

    enum ork_status status = ork_launcher_ask(k->file.path, answer);

    k->was_asked = true;
    if (status == ORK_AGAIN)
        ork_error("%s --version does not end: it is taken for %s", k->file.path,
                  ork_launcher_facts(launchers[k->identity.kind])->name);
    k->has_answered = status == ORK_OK && ork_launcher_identify(answer, &k->identity);
}

static bool is_program(enum ork_executable_kind kind)
{
    return kind == ORK_EXECUTABLE_DYNAMIC || kind == ORK_EXECUTABLE_STATIC ||
           kind == ORK_EXECUTABLE_PRIVILEGED;
}

/* RATIONALE: to ask takes as long as the launcher's start, so a program with a name of its own is
 * not asked. A script may start any launcher, whatever it is called; but srun answers only where
 * Slurm is configured. */
static void look(struct known *k)
{
    bool is_known =
        is_named(k->name, &k->identity.kind) || is_file_named(k->file.path, &k->identity.kind);

    if (is_known && (is_program(k->file.kind) || k->identity.kind == ORK_LAUNCHER_SRUN))
        return;
    if (is_program(k->file.kind) || k->file.kind == ORK_EXECUTABLE_SCRIPT)
        ask(k);
}

static struct known *know(const char *mpiexec)
{
    static struct known known;

    if (known.name[0] != '\0' && strcmp(known.name, mpiexec) == 0)
        return &known;
    known = (struct known){.identity = {.kind = ORK_LAUNCHER_OPENMPI4}};
    snprintf(known.name, sizeof(known.name), "%s", mpiexec);
    ork_executable_inspect(mpiexec, NULL, getenv("PATH"), &known.file);
    look(&known);
    return &known;
}

const struct ork_launcher *ork_launcher_of(const char *mpiexec)
{
    return launchers[know(mpiexec)->identity.kind];
}

char *ork_launcher_describe(const char *mpiexec)
{
    struct known *k = know(mpiexec);

    if (!k->was_asked)
        ask(k);
    const struct ork_launcher_identity *i = &k->identity;
    bool has_version = i->version[0] != '\0';
    return ork_text("%s: %s%s%s%s", k->file.path[0] != '\0' ? k->file.path : mpiexec,
                    i->is_intel ? "Intel MPI, as " : "",
                    ork_launcher_facts(launchers[i->kind])->family,
                    has_version       ? ", version "
                    : k->has_answered ? ""
                                      : "; it does not say what it is (--version)",
                    i->version);
}

/* ---- what it does ---- */

/* RATIONALE: an option may name one, and many are executable files. */
static bool is_shared_library(const char *word)
{
    const char *end = strstr(ork_base_name(word), ".so");

    return end != NULL && (end[3] == '\0' || end[3] == '.');
}

/* Could a launcher start this word? */
static bool may_start(const char *word, const char *path)
{
    struct ork_executable file;

    if (is_shared_library(word))
        return false;
    ork_executable_inspect(word, NULL, path, &file);
    return is_program(file.kind) || file.kind == ORK_EXECUTABLE_SCRIPT;
}

void ork_launcher_learn_option(const struct ork_launcher *launcher, char *const *words,
                               struct ork_extras *extras, const char *path)
{
    char *const *next = words + 1;

    if (strchr(words[0], '=') != NULL || launcher->knows(words[0], extras) || *next == NULL ||
        ork_word_is_option(*next) || ork_word_is_separator(*next) || may_start(*next, path))
        return;
    next++;
    while (*next != NULL && ork_word_is_option(*next)) {
        size_t args = launcher->option_args(next, extras);
        for (next++; args > 0 && *next != NULL; args--)
            next++;
    }
    if (*next != NULL && !ork_word_is_separator(*next) && may_start(*next, path))
        ork_extras_add(extras, words[0]);
}

size_t ork_launcher_appfile(const struct ork_launcher *launcher, const struct ork_argv *words,
                            struct ork_context context, const struct ork_extras *extras)
{
    return launcher->appfile != NULL ? launcher->appfile(words, context, extras) : 0;
}

bool ork_launcher_recovers(const struct ork_launcher *launcher, const struct ork_argv *words,
                           const struct ork_extras *extras)
{
    return launcher->recovers != NULL && launcher->recovers(words, extras);
}

char *ork_launcher_hint(const struct ork_launcher *launcher, const struct ork_argv *words,
                        const struct ork_extras *extras, int code)
{
    return launcher->hint != NULL ? launcher->hint(launcher, words, extras, code) : strdup("");
}

/* RATIONALE: when a tool process has died, Open MPI 4.1's daemons complain about their own
 * notification; the root reports what matters. A Slurm without processor binding complains when it
 * is asked to bind to none. */
bool ork_launcher_is_noise(const char *line, size_t size)
{
    static const char *const noise[] = {"PMIX ERROR: ", "lacks support for cpu binding"};

    for (size_t i = 0; i < sizeof(noise) / sizeof(noise[0]); i++) {
        if (memmem(line, size, noise[i], strlen(noise[i])) != NULL)
            return true;
    }
    return false;
}

void ork_launcher_learn_leftovers(const struct ork_launcher *launcher, struct ork_leftovers *l,
                                  pid_t pid)
{
    if (launcher->learn_leftovers != NULL)
        launcher->learn_leftovers(l, pid);
}

void ork_launcher_remove_leftovers(const struct ork_launcher *launcher, struct ork_leftovers *l,
                                   pid_t pid)
{
    if (launcher->remove_leftovers != NULL)
        launcher->remove_leftovers(l, pid);
}
