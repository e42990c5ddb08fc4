/* SPDX-License-Identifier: BSD-3-Clause */
/* The stack that the user sees: from the function that called MPI outwards to main. */
#include "common/clock.h"
#include "overlay/stacktrace/stack_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Frames inside MPI that are walked, beyond those of the application. */
enum { INSIDE_MAX = 192 };

struct ork_stacks {
    struct ork_names *names;
};

enum ork_status ork_stacks_create(struct ork_stacks **out)
{
    struct ork_stacks *stacks = calloc(1, sizeof(*stacks));

    if (stacks == NULL)
        return ORK_NOMEM;
    enum ork_status status = ork_stack_names_create(&stacks->names);
    if (status != ORK_OK) {
        free(stacks);
        return status;
    }
    *out = stacks;
    return ORK_OK;
}

void ork_stacks_destroy(struct ork_stacks *stacks)
{
    if (stacks == NULL)
        return;
    ork_stack_names_destroy(stacks->names);
    free(stacks);
}

static void frames_release(struct ork_frame *frame, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        free(frame[i].function);
        free(frame[i].file);
        free(frame[i].module);
    }
    free(frame);
}

void ork_stack_release(struct ork_stack *stack)
{
    frames_release(stack->frame, stack->num_frames);
    frames_release(stack->inside, stack->num_inside);
    *stack = (struct ork_stack){.thread = stack->thread};
}

/* ---- copying ---- */

static enum ork_status copy(char **to, const char *text)
{
    *to = text != NULL ? strdup(text) : NULL;
    return text == NULL || *to != NULL ? ORK_OK : ORK_NOMEM;
}

static enum ork_status copy_frame(const struct ork_level *level, uint32_t i, struct ork_frame *to)
{
    const struct ork_frame *from = level->place != NULL ? &level->place->frame[i] : NULL;

    *to = (struct ork_frame){.offset = level->step->address};
    enum ork_status status = copy(&to->module, level->step->path);
    if (from == NULL || status != ORK_OK)
        return status;
    to->line = from->line;
    to->inlined = from->inlined;
    status = copy(&to->function, from->function);
    return status == ORK_OK ? copy(&to->file, from->file) : status;
}

static uint32_t frames_of(const struct ork_level *level)
{
    return level->place != NULL ? level->place->num_frames : 1;
}

/* Copy levels up to `limit` frames; *cut: there were more. */
static enum ork_status copy_frames(const struct ork_level *level, uint32_t count, uint32_t limit,
                                   struct ork_frame **frame, uint32_t *num_frames, bool *cut)
{
    uint32_t total = 0;
    enum ork_status status = ORK_OK;

    for (uint32_t i = 0; i < count; i++)
        total += frames_of(&level[i]);
    *cut = *cut || total > limit;
    *frame = calloc((size_t)(total < limit ? total : limit) + 1, sizeof(**frame));
    if (*frame == NULL)
        return ORK_NOMEM;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < frames_of(&level[i]) && *num_frames < limit; k++)
            if (status == ORK_OK)
                status = copy_frame(&level[i], k, &(*frame)[(*num_frames)++]);
    return status;
}

static void read_program(const struct ork_walk *walk, char *program, size_t size)
{
    char link[64];

    if (walk->program != NULL) {
        snprintf(program, size, "%s", walk->program);
        return;
    }
    snprintf(link, sizeof(link), "/proc/%u/exe", walk->pid);
    ssize_t n = readlink(link, program, size - 1);
    program[n > 0 ? n : 0] = '\0';
}

static enum ork_status fold(struct ork_stacks *stacks, const struct ork_walk *walk,
                            struct ork_level *level, const struct ork_stack_limits *limits,
                            struct ork_stack *out)
{
    uint32_t count = walk->num_steps;
    struct ork_python python;
    struct ork_place *run = calloc((size_t)count + 1, sizeof(*run));
    char program[4096];
    bool cut = false;

    if (run == NULL)
        return ORK_NOMEM;
    read_program(walk, program, sizeof(program));
    uint32_t first = ork_stack_fold_first(level, count, program);
    count = ork_stack_fold_last(level, first, count) - first;
    enum ork_status status =
        copy_frames(level, first, UINT32_MAX, &out->inside, &out->num_inside, &cut);
    if (status == ORK_OK)
        status = ork_stack_fold_read_python(stacks->names, level + first, count, walk->pid,
                                            out->thread, &python);
    if (status == ORK_OK) {
        count = ork_stack_fold_python(level + first, count, &python, run);
        status = copy_frames(level + first, count, limits->frames, &out->frame, &out->num_frames,
                             &out->cut);
        ork_python_release(&python);
    }
    free(run);
    return status;
}

/* ---- all steps ---- */

static const char *name_of_file(const char *path)
{
    const char *slash = path != NULL ? strrchr(path, '/') : NULL;

    return slash != NULL ? slash + 1 : path != NULL ? path : "";
}

static enum ork_status name(struct ork_stacks *stacks, const struct ork_walk *walk, uint32_t i,
                            struct ork_level *level)
{
    enum ork_status status = ORK_OK;

    *level = (struct ork_level){.step = &walk->step[i], .function = ""};
    level->file = name_of_file(level->step->path);
    if (ork_monotonic_ns() < walk->deadline)
        status = ork_stack_names_find(stacks->names, walk->pid, level->step, &level->place);
    if (level->place != NULL) {
        const char *function = level->place->frame[level->place->num_frames - 1].function;
        level->function = function != NULL ? function : "";
    }
    return status;
}

enum ork_status ork_stack_name_steps(struct ork_stacks *stacks, const struct ork_walk *walk,
                                     const struct ork_stack_limits *limits, struct ork_stack *out)
{
    struct ork_level *level = calloc((size_t)walk->num_steps + 1, sizeof(*level));
    enum ork_status status = level != NULL ? ORK_OK : ORK_NOMEM;

    for (uint32_t i = walk->num_steps; i-- > 0 && status == ORK_OK;) /* the application's first */
        status = name(stacks, walk, i, &level[i]);
    if (status == ORK_OK)
        status = fold(stacks, walk, level, limits, out);
    free(level);
    return status;
}

enum ork_status ork_stack_take(struct ork_stacks *stacks, uint32_t pid, uint32_t tid,
                               const struct ork_stack_limits *limits, struct ork_stack *out)
{
    struct ork_walk walk = {
        .pid = pid,
        .tid = tid,
        .room = limits->frames + INSIDE_MAX,
        .deadline = ork_monotonic_ns() + (uint64_t)limits->milliseconds * 1000000u,
        .reason = out->reason,
        .reason_size = sizeof(out->reason),
    };

    *out = (struct ork_stack){.thread = tid};
    enum ork_status status = ork_stack_walk_run(&walk);
    out->cut = walk.cut;
    out->stopped_ns = walk.stopped_ns;
    if (status == ORK_OK)
        status = ork_stack_name_steps(stacks, &walk, limits, out);
    ork_stack_walk_release(&walk);
    if (status == ORK_NOMEM)
        ork_stack_release(out);
    return status;
}

enum ork_status ork_stack_give(struct ork_stack *stack, struct ork_rank_row *wait)
{
    struct ork_where *place = calloc((size_t)stack->num_frames + 1, sizeof(*place));

    if (place == NULL)
        return ORK_NOMEM;
    for (uint32_t i = 0; i < stack->num_frames; i++) {
        struct ork_frame *f = &stack->frame[i];
        place[i] = (struct ork_where){.function = f->function,
                                      .file = f->file,
                                      .line = f->line,
                                      .module = f->module,
                                      .offset = f->offset};
    }
    wait->stack = place;
    wait->num_stack = stack->num_frames;
    free(stack->frame);
    stack->frame = NULL;
    stack->num_frames = 0;
    return ORK_OK;
}
