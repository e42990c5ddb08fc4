/* SPDX-License-Identifier: BSD-3-Clause */
/* Options from files: .orknotrc in the home, then in the present folder, then the file of
 * --must:options. A line is "NAME", "NAME VALUE" or "NAME = VALUE"; "#" begins a comment.
 *
 * RATIONALE: the file in the present folder may have come with a repository, whose author is not
 * the user. So it may only set what costs more, or says how the program is to be judged; not what
 * runs a command, names a file or a launcher, or hides or ends anything. */
#ifndef ORK_MUSTRUN_OPTIONS_OPTION_FILES_H
#define ORK_MUSTRUN_OPTIONS_OPTION_FILES_H

#include "mustrun/options/options.h"

#define ORK_OPTION_FILE ".orknotrc"

/* All zero: none. */
struct ork_option_files {
    struct ork_option_lines lines; /* in this order; a later one wins */
    char **ignored;                /* sentences: why a file was not read */
    size_t num_ignored;
    char *of_folder; /* what the file in the present folder sets, "sends=buffered, poll"; NULL:
                        nothing */
    char **text;     /* what `lines` points to */
    size_t num_texts;
};

/* Read the files. `home`: the user's home, NULL: unknown; `named`: the file of --must:options,
 * NULL: none. The caller releases *out also after a failure. ORK_INVALID: *error is a sentence.
 * ORK_NOMEM. */
enum ork_status ork_option_files_read(const char *home, const char *named,
                                      struct ork_option_files *out, char error[ORK_OPTIONS_ERROR]);
void ork_option_files_release(struct ork_option_files *files);

/* May a file in the present folder set this option? */
bool ork_option_is_harmless(enum ork_option id);

#endif
