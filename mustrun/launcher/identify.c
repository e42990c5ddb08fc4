/* SPDX-License-Identifier: BSD-3-Clause */
/* The answers: "mpirun (Open MPI) 5.0.3", "orterun (OpenRTE) 4.1.4", "prterun (PRRTE) 3.0.2";
 * "HYDRA build details:" with a line "Version: 4.0.2"; "Intel(R) MPI Library for Linux* OS, Version
 * 2021.6 Build .."; "slurm 22.05.8", "slurm-wlm 22.05.8". */
#include "mustrun/launcher/identify.h"

#include <stdlib.h>
#include <string.h>

/* Copy the number that begins at `text`, behind blanks: digits, letters, dots and dashes. */
static void take_version(const char *text, struct ork_launcher_identity *out)
{
    static const char parts[] = "0123456789.-_abcdefghijklmnopqrstuvwxyz";

    text += strspn(text, " \t");
    size_t length = *text >= '0' && *text <= '9' ? strspn(text, parts) : 0;
    if (length >= sizeof(out->version))
        length = sizeof(out->version) - 1;
    memcpy(out->version, text, length);
    out->version[length] = '\0';
}

/* What follows `words` in the text; NULL: they are not there. */
static const char *behind(const char *text, const char *words)
{
    const char *found = strstr(text, words);

    return found != NULL ? found + strlen(words) : NULL;
}

static bool is_open_mpi(const char *answer, struct ork_launcher_identity *out)
{
    static const struct {
        const char *words;
        enum ork_launcher_kind kind;
    } names[] = {{"(OpenRTE) ", ORK_LAUNCHER_OPENMPI4},
                 {"(PRRTE) ", ORK_LAUNCHER_OPENMPI5},
                 {"(Open MPI) ", ORK_LAUNCHER_OPENMPI4}};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const char *version = behind(answer, names[i].words);
        if (version == NULL)
            continue;
        *out = (struct ork_launcher_identity){.kind = names[i].kind};
        take_version(version, out);
        if (i == 2 && strtol(version, NULL, 10) >= 5)
            out->kind = ORK_LAUNCHER_OPENMPI5;
        return true;
    }
    return false;
}

static bool is_hydra(const char *answer, struct ork_launcher_identity *out)
{
    const char *intel = behind(answer, "Intel(R) MPI Library");
    const char *mpich = behind(answer, "HYDRA build details:");
    const char *text = intel != NULL ? intel : mpich;

    if (text == NULL)
        return false;
    *out = (struct ork_launcher_identity){.kind = ORK_LAUNCHER_HYDRA, .is_intel = intel != NULL};
    const char *version = behind(text, intel != NULL ? "Version " : "Version:");
    if (version != NULL)
        take_version(version, out);
    return true;
}

static bool is_srun(const char *answer, struct ork_launcher_identity *out)
{
    if (strncmp(answer, "slurm", 5) != 0)
        return false;
    *out = (struct ork_launcher_identity){.kind = ORK_LAUNCHER_SRUN};
    take_version(answer + strcspn(answer, " \n"), out);
    return true;
}

bool ork_launcher_identify(const char *answer, struct ork_launcher_identity *out)
{
    return is_hydra(answer, out) || is_open_mpi(answer, out) || is_srun(answer, out);
}
