/* SPDX-License-Identifier: BSD-3-Clause */
/* The result of a run: what its ranks print, and what they leave in a file. */
#ifndef ORK_MUSTRUN_EXPLORE_OUTPUT_H
#define ORK_MUSTRUN_EXPLORE_OUTPUT_H

#include "common/status.h"

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What counts. */
struct ork_output_rules {
    bool ignores;
    regex_t ignored;     /* lines of the standard output that match do not count */
    const char *compare; /* a file that belongs to the result; NULL: none */
};

enum { ORK_OUTPUT_ERROR = 300 };
/* `ignore`: an extended regular expression of POSIX; NULL: none. ORK_INVALID: `error` is a
 * sentence. */
enum ork_status ork_output_rules_init(struct ork_output_rules *rules, const char *ignore,
                                      const char *compare, char error[ORK_OUTPUT_ERROR]);
void ork_output_rules_release(struct ork_output_rules *rules);

/* Is the line one that does not count? It ends with a newline, unless it is the last one. */
bool ork_output_is_ignored(const struct ork_output_rules *rules, char *line, size_t size);

/* The files of the standard output of ranks. */
struct ork_output_files {
    char **path;
    size_t count;
};
/* Those below this folder, by name. Release it, also after ORK_NOMEM. */
enum ork_status ork_output_files_list(const char *folder, struct ork_output_files *files);
void ork_output_files_release(struct ork_output_files *files);

/* The part of such a path that is the same in each run: below the folder, without what a launcher
 * writes there of its own process ("/prterun-host-4711@1/rank.0/stdout"). Points into the path. */
const char *ork_output_name(const char *path, const char *folder);

/* A hash of the result of a run whose output is below `folder`: equal results have equal ones.
 * ORK_IO: errno. ORK_NOMEM. */
enum ork_status ork_output_hash(const struct ork_output_rules *rules, const char *folder,
                                uint64_t *hash);
/* Copy the file that belongs to the result, if there is one, to `path`. ORK_IO: errno. */
enum ork_status ork_output_keep(const struct ork_output_rules *rules, const char *path);

#endif
