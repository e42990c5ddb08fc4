/* SPDX-License-Identifier: BSD-3-Clause */
/* What kind of launcher answers so to --version? Pure. */
#ifndef ORK_MUSTRUN_LAUNCHER_IDENTIFY_H
#define ORK_MUSTRUN_LAUNCHER_IDENTIFY_H

#include <stdbool.h>

enum ork_launcher_kind {
#define ORK_LAUNCHER_KIND(id, name, family, variable, more, rank, size, signal) ORK_LAUNCHER_##id,
#include "mustrun/launcher/kinds.def"
#undef ORK_LAUNCHER_KIND
};

struct ork_launcher_identity {
    enum ork_launcher_kind kind;
    char version[32]; /* "4.1.4"; "": it says none */
    bool is_intel;    /* hydra of Intel MPI */
};

/* False: it is none of the known ones; *out is untouched then. The answer may be any text. */
bool ork_launcher_identify(const char *answer, struct ork_launcher_identity *out);

#endif
