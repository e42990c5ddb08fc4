/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes that used MPI and could not be observed: why, and how many. */
#include "overlay/root/root_internal.h"

#include "common/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The launcher to use, by how the library's version begins; NULL: unknown. */
static const char *own_launcher(const char *library)
{
    static const struct {
        const char *begins, *launcher;
    } known[] = {
        {"Open MPI", "mpirun of the Open MPI that the program was linked with"},
        {"MPICH", "mpiexec.hydra of MPICH (Debian: mpiexec.mpich)"},
        {"Intel", "mpiexec.hydra of Intel MPI"},
        {"MVAPICH", "mpiexec.hydra of MVAPICH"},
    };

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (strncmp(library, known[i].begins, strlen(known[i].begins)) == 0)
            return known[i].launcher;
    }
    return NULL;
}

static enum ork_status add_own_launcher(struct ork_finding *f, const char *library)
{
    const char *launcher = own_launcher(library);

    if (launcher == NULL)
        return ORK_OK;
    f->detail = calloc(1, sizeof(*f->detail));
    if (f->detail == NULL || (f->detail[0] = ork_text("Use %s.", launcher)) == NULL)
        return ORK_NOMEM;
    f->num_details = 1;
    return ORK_OK;
}

/* RATIONALE: one process is enough to know it, and the sentence must come before a hang is waited
 * for. */
static enum ork_status report_mismatch(struct ork_root *root, const struct ork_unseen *unseen)
{
    struct ork_finding f = {.severity = ORK_WARNING};
    char *id = strdup("launcher-mismatch");
    char *message = ork_text(
        "a process came up alone, as rank 0 of 1, although the launcher started %u together: the "
        "launcher does not belong to the MPI library of the program%s%s%s",
        unseen->launched, unseen->library[0] != '\0' ? " (" : "", unseen->library,
        unseen->library[0] != '\0' ? ")" : "");

    root->unseen.is_reported = true;
    f.id = id;
    f.message = message;
    if (id == NULL || message == NULL || add_own_launcher(&f, unseen->library) != ORK_OK) {
        ork_finding_release(&f);
        return ORK_NOMEM;
    }
    root->sink->finding(root->sink->context, &f, false);
    ork_finding_release(&f);
    return ORK_OK;
}

enum ork_status ork_root_on_unseen(struct ork_root *root, const struct ork_unseen *unseen)
{
    struct root_unseen *u = &root->unseen;

    u->count[unseen->why]++;
    if (u->latest.library[0] == '\0')
        u->latest = *unseen;
    return unseen->is_alone && !u->is_reported ? report_mismatch(root, unseen) : ORK_OK;
}

static const char *processes(uint32_t count)
{
    return count == 1 ? "process" : "processes";
}

static void write_reason(FILE *out, const struct root_unseen *u, enum ork_unseen_why why)
{
    uint32_t count = u->count[why];

    switch (why) {
    case ORK_UNSEEN_LOOKED_UP:
        fprintf(out,
                "%u %s initialized MPI, but not through the tool's library: a plugin that is "
                "opened with RTLD_DEEPBIND, or a library that is preloaded before the tool's, "
                "calls the MPI library directly",
                count, processes(count));
        break;
    case ORK_UNSEEN_LIBRARY:
        fprintf(out,
                "%u %s used an MPI library that this version does not support: %s (it "
                "supports " ORK_SUPPORTED ")",
                count, processes(count),
                u->latest.library[0] != '\0' ? u->latest.library : "its version is unknown");
        break;
    case ORK_UNSEEN_ALONE:
        fprintf(out,
                "%u %s came up alone, as rank 0 of 1, although the launcher started %u together",
                count, processes(count), u->latest.launched);
        break;
    case ORK_UNSEEN_FUNCTION:
        fprintf(out, "%u %s may call a function of MPI that this version does not look at (%s)",
                count, processes(count), u->latest.library);
        break;
    case ORK_UNSEEN_MAX:
        break;
    }
}

char *ork_root_unseen_reason(const struct ork_root *root)
{
    const struct root_unseen *u = &root->unseen;
    struct ork_text_stream stream;
    FILE *out = ork_text_open(&stream);
    unsigned written = 0;

    for (unsigned why = 0; why < ORK_UNSEEN_MAX && out != NULL; why++) {
        if (u->count[why] == 0)
            continue;
        fputs(written++ > 0 ? "; " : "", out);
        write_reason(out, u, (enum ork_unseen_why)why);
    }
    return ork_text_close(&stream);
}
