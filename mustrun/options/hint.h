/* SPDX-License-Identifier: BSD-3-Clause */
/* What a user may have meant: misspelt options and variables of mustrun. Pure. */
#ifndef ORK_MUSTRUN_OPTIONS_HINT_H
#define ORK_MUSTRUN_OPTIONS_HINT_H

#include "mustrun/launcher/argv.h"

#include <stdbool.h>
#include <stddef.h>

/* Is this word meant as an option of mustrun, although it is not one: "--must-quiet",
 * "-must:quiet", "--must=quiet", "--must"? mpirun has no option of such a name. */
bool ork_hint_is_mistaken(const char *word);

/* A sentence about an option that does not exist, with the one of the nearest spelling or meaning.
 */
void ork_hint_option(const char *word, char *sentence, size_t size);

/* The same for variable i of the environment; false: it is an option, or not meant as one. This is
 * no error, because programs may have variables that begin like ours. */
bool ork_hint_variable(const char *entry, char *sentence, size_t size);

/* The first option of mustrun among a program's words, which the program gets; NULL: none. */
const char *ork_hint_behind(const struct ork_argv *program);

#endif
