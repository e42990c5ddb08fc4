/* SPDX-License-Identifier: BSD-3-Clause */
/* The environments of both jobs: session and token of the run, and the interceptor in LD_PRELOAD.
 */
#ifndef ORK_MUSTRUN_LAUNCHER_ENV_H
#define ORK_MUSTRUN_LAUNCHER_ENV_H

#include "common/session.h"
#include "common/status.h"
#include "mustrun/launcher/argv.h"
#include "mustrun/options/options.h"

#include <stdbool.h>
#include <sys/types.h>

#define ORK_ENV_SANITIZER "ASAN_OPTIONS"

/* Identifies a run and proves that a process belongs to it: see common/session.h. */
struct ork_session {
    char name[32];
    char token[33];
};

/* A unique session: the process's number and random letters and digits. ORK_IO: no random
 * numbers. */
enum ork_status ork_session_init(struct ork_session *session, pid_t pid);

/* Is this entry "NAME=value" the variable of that name? */
bool ork_env_is(const char *entry, const char *name);

/* The names of all variables of common/session.h; ends with NULL. */
extern const char *const ork_env_ours[];

/* Value of a variable in a list "NAME=value", NULL if it is missing. */
const char *ork_env_get(char *const *environment, const char *name);

/* LD_PRELOAD with the interceptor before the user's own value (NULL, "" for none), but after
 * libraries of AddressSanitizer. The caller frees it; NULL: out of memory. */
char *ork_env_preload(const char *interceptor, const char *own);

/* The interceptor after the library of AddressSanitizer that a program needs ("": none), unless the
 * user preloads that already. The caller frees it; NULL: out of memory. */
char *ork_env_front(const char *sanitizer, const char *interceptor, const char *own);

/* The application's environment: the user's, session and token, and settings that let a program
 * with AddressSanitizer start from a script. */
void ork_env_application(char *const *environment, const struct ork_session *session,
                         struct ork_argv *out);

/* Further variables of the application's processes, as the options ask for them; those of a
 * caller's environment do not count. `leaves`: of a node. */
void ork_env_settings(const struct ork_options *options, unsigned leaves, struct ork_argv *out);

/* The tool's environment: with session and token, but without the user's LD_PRELOAD and the
 * variable `omit` (NULL: none). */
void ork_env_tool(char *const *environment, const struct ork_session *session, const char *omit,
                  struct ork_argv *out);

#endif
