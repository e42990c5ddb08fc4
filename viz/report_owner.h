/* SPDX-License-Identifier: BSD-3-Clause */
/* Who wrote a file? The first bytes of a report name the tool. */
#ifndef ORK_VIZ_REPORT_OWNER_H
#define ORK_VIZ_REPORT_OWNER_H

#include <stdbool.h>

enum ork_owner {
    ORK_OWNER_NONE,  /* there is no such file */
    ORK_OWNER_US,    /* written by this tool, and this user can replace it */
    ORK_OWNER_OTHER, /* anything else, links and unreadable files too: must not be changed */
};

enum ork_file {
    ORK_FILE_HTML,
    ORK_FILE_JSON,
    ORK_FILE_TEXT,
    ORK_FILE_SARIF,
    ORK_FILE_JUNIT,
    ORK_FILE_CODE_QUALITY,
    ORK_FILE_DOT,
    ORK_FILE_SVG
};

/* In the mark file of a directory of ours. */
#define ORK_MARK      ".orknot"
#define ORK_MARK_TEXT "graphs of MUST_Output.html, replaced by every run\n"

/* `name` in the directory dir. Links are not followed. */
enum ork_owner ork_owner_of_file(int dir, const char *name, enum ork_file kind);
enum ork_owner ork_owner_of_directory(int dir, const char *name);

/* Does it belong to another user? Links are not followed. */
bool ork_is_of_another_user(int dir, const char *name);

/* "<id>-<number>.dot", ".svg" or ".lanes.svg", as the tool names the files of graphs. *kind is
 * written if so. */
bool ork_is_graph_name(const char *name, enum ork_file *kind);

#endif
