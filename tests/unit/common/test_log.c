/* SPDX-License-Identifier: BSD-3-Clause */
/* What is logged is read back through a pipe that stands in for stderr. */
#include "common/log.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

struct capture {
    int saved; /* the real stderr */
    int read_end;
};

static void capture_begin(struct capture *capture)
{
    int ends[2];

    assert_int_equal(pipe(ends), 0);
    capture->saved = dup(STDERR_FILENO);
    capture->read_end = ends[0];
    assert_true(dup2(ends[1], STDERR_FILENO) >= 0);
    close(ends[1]);
}

/* The real stderr is back, and `text` holds what was written, a NUL behind it. */
static void capture_end(struct capture *capture, char *text, size_t size)
{
    dup2(capture->saved, STDERR_FILENO);
    close(capture->saved);
    ssize_t n = read(capture->read_end, text, size - 1);
    close(capture->read_end);
    assert_true(n >= 0);
    text[n] = '\0';
}

static void a_message_is_one_line_with_the_program_in_front(void **state)
{
    struct capture capture;
    char text[256];

    (void)state;
    ork_log_init("must-tool", false);
    capture_begin(&capture);
    ork_error("rank %d: cannot attach", 3);
    capture_end(&capture, text, sizeof(text));
    assert_string_equal(text, "must-tool: rank 3: cannot attach\n");
}

static void the_error_number_is_named_and_kept(void **state)
{
    struct capture capture;
    char text[256];

    (void)state;
    ork_log_init("mustrun", false);
    capture_begin(&capture);
    errno = ENOENT;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat" /* %m is no ISO C */
    ork_error("file: %m");
#pragma GCC diagnostic pop
    int after = errno;
    capture_end(&capture, text, sizeof(text));
    assert_string_equal(text, "mustrun: file: No such file or directory\n");
    assert_int_equal(after, ENOENT);
}

static void details_are_said_only_if_asked_for(void **state)
{
    struct capture capture;
    char text[256];

    (void)state;
    capture_begin(&capture);
    ork_log_init("mustrun", false);
    ork_debug("hidden");
    ork_log_init("mustrun", true);
    ork_debug("shown %s", "once");
    capture_end(&capture, text, sizeof(text));
    assert_string_equal(text, "mustrun: shown once\n");
}

static void a_long_message_is_cut_and_still_one_line(void **state)
{
    struct capture capture;
    char text[4096];
    char message[3000];

    (void)state;
    memset(message, 'x', sizeof(message));
    message[sizeof(message) - 1] = '\0';
    ork_log_init("mustrun", false);
    capture_begin(&capture);
    ork_error("%s", message);
    capture_end(&capture, text, sizeof(text));
    size_t length = strlen(text);
    assert_in_range(length, 500, 1024);
    assert_int_equal(strncmp(text, "mustrun: xxx", 12), 0);
    assert_true(strchr(text, '\n') == text + length - 1);
}

static void a_closed_stderr_does_no_harm(void **state)
{
    int saved = dup(STDERR_FILENO);

    (void)state;
    close(STDERR_FILENO);
    errno = 5;
    ork_error("nobody hears this");
    int after = errno;
    dup2(saved, STDERR_FILENO);
    close(saved);
    assert_int_equal(after, 5);
}

int test_log(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_message_is_one_line_with_the_program_in_front),
        cmocka_unit_test(the_error_number_is_named_and_kept),
        cmocka_unit_test(details_are_said_only_if_asked_for),
        cmocka_unit_test(a_long_message_is_cut_and_still_one_line),
        cmocka_unit_test(a_closed_stderr_does_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
