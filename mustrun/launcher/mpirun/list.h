/* SPDX-License-Identifier: BSD-3-Clause */
/* Variables of mpirun's environment for all processes of its job: "NAME=value;NAME;..." */
#ifndef ORK_MUSTRUN_LAUNCHER_MPIRUN_LIST_H
#define ORK_MUSTRUN_LAUNCHER_MPIRUN_LIST_H

#include "common/session.h"
#include "mustrun/launcher/argv.h"

/* The parameter with the list, and its variable. */
#define ORK_ENV_LIST_PARAMETER "mca_base_env_list"
#define ORK_ENV_LIST           "OMPI_MCA_" ORK_ENV_LIST_PARAMETER

/* What both jobs need on all nodes. */
#define ORK_ENV_OURS ORK_ENV_SESSION ";" ORK_ENV_TOKEN

/* The user's `list` with the interceptor, session, token and `settings` ("NAME=value"). LD_PRELOAD
 * without a value in it means `own`, the one of the environment (or NULL). The caller frees it;
 * NULL: out of memory. */
char *ork_env_list(const char *list, const char *interceptor, const char *own,
                   const struct ork_argv *settings);

#endif
