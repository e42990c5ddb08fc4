/* SPDX-License-Identifier: BSD-3-Clause */
/* The environments of both jobs: session and token of the run, and the interceptor in LD_PRELOAD.
 */
#ifndef ORK_MUSTRUN_LAUNCHER_ENV_H
#define ORK_MUSTRUN_LAUNCHER_ENV_H

#include "common/session.h"
#include "common/status.h"
#include "mustrun/launcher/argv.h"

#include <sys/types.h>

/* Open MPI: variables of mpirun's environment that all processes of its job get,
 * "NAME=value;NAME;..." */
#define ORK_ENV_LIST_PARAMETER "mca_base_env_list"
#define ORK_ENV_LIST           "OMPI_MCA_" ORK_ENV_LIST_PARAMETER

#define ORK_ENV_SANITIZER "ASAN_OPTIONS"

/* What both jobs need on all nodes. */
#define ORK_ENV_OURS ORK_ENV_SESSION ";" ORK_ENV_TOKEN

/* What names a run and proves to belong to it: see common/session.h. */
struct ork_session {
    char name[32];
    char token[33];
};

/* A session nobody else has: the process's number and random letters and digits. ORK_IO: no random
 * numbers. */
enum ork_status ork_session_init(struct ork_session *session, pid_t pid);

/* Value of a variable in a list "NAME=value", NULL if it is not there. */
const char *ork_env_get(char *const *environment, const char *name);

/* LD_PRELOAD with the interceptor in front of the user's own (NULL, "" for none), but behind
 * libraries of AddressSanitizer. The caller frees it; NULL: out of memory. */
char *ork_env_preload(const char *interceptor, const char *own);

/* The interceptor behind the library of AddressSanitizer that a program needs ("": none), unless
 * the user preloads that already. The caller frees it; NULL: out of memory. */
char *ork_env_front(const char *sanitizer, const char *interceptor, const char *own);

/* Value of mca_base_env_list that has the interceptor, session, token, (`poll`) --must:poll and
 * (if they are several) the number of leaves of a node beside the user's `list`. LD_PRELOAD without
 * a value in it means `own`, the one of the environment (or NULL). The caller frees it; NULL: out
 * of memory. */
char *ork_env_list(const char *list, const char *interceptor, const char *own, bool poll,
                   unsigned leaves);

/* The application's environment: the user's, session and token, and what lets a program with
 * AddressSanitizer start behind a script. */
void ork_env_application(char *const *environment, const struct ork_session *session,
                         struct ork_argv *out);

/* The tool's environment: without the user's LD_PRELOAD and list of variables, but with session and
 * token. */
void ork_env_tool(char *const *environment, const struct ork_session *session,
                  struct ork_argv *out);

#endif
