/* SPDX-License-Identifier: BSD-3-Clause */
/* Words of a launcher's command line that are common to all launchers. */
#ifndef ORK_MUSTRUN_LAUNCHER_WORDS_H
#define ORK_MUSTRUN_LAUNCHER_WORDS_H

#include "mustrun/launcher/argv.h"

enum { ORK_LEARNED_MAX = 16 };

/* Part of a command line: items first..last-1 of a list. Options come before `program`, which is
 * `last` if there is no program. */
struct ork_context {
    size_t first;
    size_t program;
    size_t last;
};

/* Does it begin with a dash, followed by more? */
bool ork_word_is_option(const char *word);

/* Is it the option of that name, with one or two dashes? */
bool ork_word_is(const char *word, const char *name);

/* Is it a word that separates the application contexts of an MPMD command? */
bool ork_word_is_separator(const char *word);

/* The word behind the first one of the context's options that is `word`; NULL: there is none. */
const char *ork_words_behind(const struct ork_argv *words, struct ork_context context,
                             const char *word);

/* Options of a command that the lists of this folder do not have. Each takes one word. */
struct ork_extras {
    const char *np; /* --must:np */
    const char *learned[ORK_LEARNED_MAX];
    size_t count;
};

/* In exactly these letters. */
bool ork_extras_has(const struct ork_extras *extras, const char *option);

/* The text must live as long as the list. Of more than a few, the rest is ignored. */
void ork_extras_add(struct ork_extras *extras, const char *option);

#endif
