/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/overlay/stage/unit.h"

#include "stack_stage.h"

#include <string.h>

const struct ork_stack_limits limits = {.frames = FRAMES, .milliseconds = 20000};
struct ork_stacks *stacks;
struct ork_stack stack;
struct subject subject;

int stack_set_up(void **state)
{
    (void)state;
    return ork_stacks_create(&stacks) != ORK_OK;
}

int stack_tear_down(void **state)
{
    (void)state;
    ork_stack_release(&stack);
    ork_stacks_destroy(stacks);
    return 0;
}

enum ork_status take(void)
{
    ork_stack_release(&stack);
    return ork_stack_take(stacks, (uint32_t)subject.pid, subject.tid, &limits, &stack);
}

void start_and_take(const char *program, const char *mode)
{
    subject_start(&subject, program, mode);
    assert_int_equal(take(), ORK_OK);
    assert_string_equal(stack.reason, "");
    assert_int_equal(stack.thread, subject.tid);
}

void finish(void)
{
    subject_go(&subject);
    assert_int_equal(subject_result(&subject), 1);
    subject_end(&subject);
}

/* Number of the line of fixture `source` that ends in "at <name>". */
uint32_t line_of(const char *source, const char *name)
{
    char path[1024], word[80], text[512];
    uint32_t line = 0;
    bool found = false;

    snprintf(path, sizeof(path), "%s/%s", ORK_STACK_SOURCES, source);
    snprintf(word, sizeof(word), "at %s", name);
    FILE *file = fopen(path, "re");
    assert_non_null(file);
    while (!found && fgets(text, sizeof(text), file) != NULL) {
        const char *at = strstr(text, word);
        line++;
        found = at != NULL && strchr(" \n", at[strlen(word)]) != NULL;
    }
    fclose(file);
    assert_true(found);
    return line;
}

const char *basename_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

/* Frame i of the application, at the mark of its name. */
void assert_frame(uint32_t i, const char *source, const char *function, bool inlined)
{
    assert_in_range(i + 1, 1, stack.num_frames);
    const struct ork_frame *f = &stack.frame[i];
    assert_non_null(f->function);
    assert_string_equal(f->function, function);
    assert_non_null(f->file);
    assert_string_equal(basename_of(f->file), source);
    assert_int_equal(f->line, line_of(source, function));
    assert_int_equal(f->inlined, inlined);
    assert_non_null(f->module);
}
