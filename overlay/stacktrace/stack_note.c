/* SPDX-License-Identifier: BSD-3-Clause */
/* Stacks that a process noted itself when it ended: module and offset of each frame. */
#include "common/clock.h"
#include "common/mpi_files.h"
#include "overlay/stacktrace/stack_internal.h"

#include <stdlib.h>
#include <string.h>

/* The path of module `i`; NULL: no such module. */
static char *copy_path(const struct ork_note *note, uint32_t i)
{
    if (i >= ORK_NOTE_MODULES || note->module[i][0] != '/')
        return NULL;
    return strndup(note->module[i], ORK_NOTE_PATH - 1);
}

/* Frames of the code that wrote the note are not shown. */
static bool is_own(const struct ork_note *note, uint32_t i)
{
    const char *path = i < ORK_NOTE_MODULES ? note->module[i] : "";

    return memmem(path, strnlen(path, ORK_NOTE_PATH), "libmust-interceptor", 19) != NULL;
}

static void take_steps(const struct ork_note *note, struct ork_walk *walk)
{
    uint32_t count = note->num_frames < ORK_NOTE_FRAMES ? note->num_frames : ORK_NOTE_FRAMES;
    uint32_t first = 0;

    while (first < count && is_own(note, note->frame[first].module))
        first++;
    for (uint32_t i = first; i < count; i++) {
        const struct ork_note_frame frame = note->frame[i];
        walk->step[walk->num_steps++] = (struct ork_step){.address = frame.offset,
                                                          .is_call = frame.is_call != 0,
                                                          .path = copy_path(note, frame.module)};
    }
    walk->cut = count >= ORK_NOTE_FRAMES;
}

const char *ork_stack_layer_of_note(const struct ork_note *note)
{
    uint32_t i = 0;

    while (i < note->num_frames && i < ORK_NOTE_FRAMES && is_own(note, note->frame[i].module))
        i++;
    uint32_t module = i < note->num_frames && i < ORK_NOTE_FRAMES ? note->frame[i].module
                                                                  : (uint32_t)ORK_NOTE_MODULES;
    if (module >= ORK_NOTE_MODULES || memchr(note->module[module], '\0', ORK_NOTE_PATH) == NULL)
        return "";
    const char *slash = strrchr(note->module[module], '/');
    return slash != NULL && ork_mpi_file_of(slash + 1) == ORK_MPI_FILE_BINDING ? slash + 1 : "";
}

enum ork_status ork_stack_of_note(struct ork_stacks *stacks, const struct ork_note *note,
                                  const struct ork_stack_limits *limits, struct ork_stack *out)
{
    char *program = copy_path(note, 0);
    struct ork_walk walk = {
        .tid = note->tid,
        .program = program != NULL ? program : "",
        .room = ORK_NOTE_FRAMES,
        .deadline = ork_monotonic_ns() + (uint64_t)limits->milliseconds * 1000000u,
        .step = calloc(ORK_NOTE_FRAMES, sizeof(*walk.step)),
    };

    *out = (struct ork_stack){.thread = note->tid};
    enum ork_status status = walk.step != NULL ? ORK_OK : ORK_NOMEM;
    if (status == ORK_OK) {
        take_steps(note, &walk);
        out->cut = walk.cut;
        status = ork_stack_name_steps(stacks, &walk, limits, out);
    }
    ork_stack_walk_release(&walk);
    free(program);
    if (status != ORK_OK)
        ork_stack_release(out);
    return status;
}
