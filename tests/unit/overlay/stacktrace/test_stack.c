/* SPDX-License-Identifier: BSD-3-Clause */
/* Stacks of programs that are known: names, lines, and where they begin. */
#include "tests/unit/overlay/stage/unit.h"

#include "stack_stage.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void assert_function(uint32_t i, const char *function)
{
    assert_in_range(i + 1, 1, stack.num_frames);
    assert_non_null(stack.frame[i].function);
    assert_string_equal(stack.frame[i].function, function);
    assert_null(stack.frame[i].file);
    assert_int_equal(stack.frame[i].line, 0);
}

static void assert_outermost(const char *function)
{
    assert_true(stack.num_frames > 0);
    const struct ork_frame *last = &stack.frame[stack.num_frames - 1];
    assert_non_null(last->function);
    assert_string_equal(last->function, function);
    assert_false(stack.cut);
}

/* ---- names ---- */

static void functions_and_lines_are_named_inlined_ones_too(void **state)
{
    (void)state;
    start_and_take(ORK_STACK_LINES, "nested");
    assert_frame(0, "stack_subject.c", "innermost", false);
    assert_frame(1, "stack_subject.c", "inlined", true);
    assert_frame(2, "stack_subject.c", "outer", false);
    assert_outermost("main");
    finish();
}

static void a_thread_that_is_not_the_first_has_its_own(void **state)
{
    (void)state;
    start_and_take(ORK_STACK_LINES, "thread");
    assert_int_not_equal(subject.tid, subject.pid);
    assert_frame(0, "stack_subject.c", "innermost", false);
    assert_outermost("thread");
    finish();
}

static void without_debug_information_functions_have_names_but_no_lines(void **state)
{
    (void)state;
    start_and_take(ORK_STACK_SYMBOLS, "nested");
    assert_function(0, "innermost");
    assert_function(1, "outer");
    assert_outermost("main");
    finish();
}

static void a_stripped_program_has_addresses_and_no_invented_names(void **state)
{
    uint64_t offset[4];

    (void)state;
    start_and_take(ORK_STACK_LINES, "nested");
    uint32_t frames = stack.num_frames;
    offset[0] = stack.frame[0].offset;
    offset[1] = stack.frame[2].offset;
    finish();
    start_and_take(ORK_STACK_STRIPPED, "nested");
    assert_in_range(stack.num_frames, 3, frames);
    assert_int_equal(stack.frame[0].offset, offset[0]);
    assert_int_equal(stack.frame[1].offset, offset[1]);
    for (uint32_t i = 0; i < stack.num_frames; i++) {
        assert_null(stack.frame[i].function);
        assert_null(stack.frame[i].file);
        assert_string_equal(basename_of(stack.frame[i].module), "fixture_stack_stripped");
    }
    finish();
}

static void fortran_is_named_by_its_debug_information(void **state)
{
    (void)state;
    if (access(ORK_STACK_FORTRAN_LINES, X_OK) != 0)
        skip();
    start_and_take(ORK_STACK_FORTRAN_LINES, "");
    assert_frame(0, "stack_fortran.f90", "exchange", false);
    assert_frame(1, "stack_fortran.f90", "iterate", false);
    finish();
}

static void fortran_symbols_become_names_of_the_source(void **state)
{
    (void)state;
    if (access(ORK_STACK_FORTRAN_SYMBOLS, X_OK) != 0)
        skip();
    start_and_take(ORK_STACK_FORTRAN_SYMBOLS, "");
    assert_function(0, "halo::exchange");
    assert_function(1, "iterate");
    finish();
}

static void assert_source_name(const char *symbol, const char *expected)
{
    char *name = ork_symbol_source_name(symbol);

    assert_non_null(name);
    assert_string_equal(name, expected);
    free(name);
}

static void only_what_a_compiler_made_is_taken_off_a_symbol(void **state)
{
    (void)state;
    assert_source_name("exchange_", "exchange");
    assert_source_name("exchange_halo_", "exchange_halo");
    assert_source_name("__halo_MOD_exchange", "halo::exchange");
    assert_source_name("__a_b_MOD_c_d.constprop.0", "a_b::c_d");
    assert_source_name("solve.isra.0", "solve");
    assert_source_name("main", "main");
    assert_source_name("Mixed_", "Mixed_");
    assert_source_name("_", "_");
    assert_source_name("_x_", "_x_");
    assert_source_name("__MOD_", "__MOD_");
    assert_source_name("___MOD_x", "___MOD_x");
    assert_source_name("__halo_MOD_", "__halo_MOD_");
    assert_source_name("x.MOD_y", "x");
    assert_source_name("__x.0_MOD_y", "__x");
    assert_source_name(".0", ".0");
    assert_source_name("", "");
    assert_source_name("_Z", "_Z");
}

static void cplusplus_is_demangled_where_its_library_is(void **state)
{
    void *library = dlopen("libstdc++.so.6", RTLD_LAZY);

    (void)state;
    assert_source_name("_ZN4halo8exchangeEi",
                       library != NULL ? "halo::exchange(int)" : "_ZN4halo8exchangeEi");
    if (library != NULL)
        dlclose(library);
}

/* ---- folding ---- */

static bool is_inside(const char *function)
{
    for (uint32_t i = 0; i < stack.num_inside; i++)
        if (stack.inside[i].function != NULL && strcmp(stack.inside[i].function, function) == 0)
            return true;
    return false;
}

static void the_stack_begins_where_the_application_calls_mpi(void **state)
{
    (void)state;
    start_and_take(ORK_STACK_LINES, "mpi");
    assert_frame(0, "stack_subject.c", "exchange", false);
    assert_outermost("main");
    assert_true(is_inside("wait_for_byte"));
    assert_string_equal(stack.inside[stack.num_inside - 1].function, "MPI_Recv");
    finish();
}

static void a_function_that_mpi_called_back_is_shown(void **state)
{
    (void)state;
    start_and_take(ORK_STACK_LINES, "callback");
    assert_frame(0, "stack_subject.c", "innermost", false);
    assert_frame(3, "stack_subject.c", "called_back", false);
    assert_string_equal(stack.frame[4].function, "MPI_Reduce");
    assert_frame(5, "stack_subject.c", "reduce", false);
    assert_outermost("main");
    finish();
}

static void a_deep_stack_is_cut_at_the_limit(void **state)
{
    (void)state;
    start_and_take(ORK_STACK_LINES, "deep");
    assert_int_equal(stack.num_frames, FRAMES);
    assert_true(stack.cut);
    assert_frame(0, "stack_subject.c", "innermost", false);
    assert_string_equal(stack.frame[FRAMES - 1].function, "recursion");
    finish();
}

static void without_time_the_stack_has_addresses_only(void **state)
{
    const struct ork_stack_limits none = {.frames = FRAMES, .milliseconds = 0};

    (void)state;
    subject_start(&subject, ORK_STACK_LINES, "mpi");
    assert_int_equal(ork_stack_take(stacks, (uint32_t)subject.pid, subject.tid, &none, &stack),
                     ORK_OK);
    assert_true(stack.num_frames > 0);
    assert_string_equal(basename_of(stack.frame[0].module), "fixture_stack_lines");
    for (uint32_t i = 0; i < stack.num_frames; i++) {
        assert_null(stack.frame[i].function);
        assert_non_null(stack.frame[i].module);
    }
    finish();
}

static void a_report_gets_the_frames_of_the_application(void **state)
{
    struct ork_rank_row wait = {.rank = 0};

    (void)state;
    start_and_take(ORK_STACK_LINES, "mpi");
    uint32_t frames = stack.num_frames;
    assert_int_equal(ork_stack_give(&stack, &wait), ORK_OK);
    assert_int_equal(stack.num_frames, 0);
    assert_int_equal(wait.num_stack, frames);
    assert_string_equal(wait.stack[0].function, "exchange");
    assert_int_equal(wait.stack[0].line, line_of("stack_subject.c", "exchange"));
    assert_string_equal(basename_of(wait.stack[0].module), "fixture_stack_lines");
    for (uint32_t i = 0; i < wait.num_stack; i++)
        ork_where_release(&wait.stack[i]);
    free(wait.stack);
    finish();
}

/* ---- Python ---- */

/* The next frame from i on that is of this function. */
static uint32_t find_frame(uint32_t i, const char *function)
{
    while (i < stack.num_frames &&
           (stack.frame[i].function == NULL || strcmp(stack.frame[i].function, function) != 0))
        i++;
    assert_in_range(i, 0, stack.num_frames - 1);
    return i;
}

static void assert_line(uint32_t i, uint32_t line)
{
    assert_string_equal(basename_of(stack.frame[i].file), "stack_subject.py");
    assert_int_equal(stack.frame[i].line, line);
}

static void python_is_named_in_the_order_of_its_calls(void **state)
{
    const uint32_t built_in = line_of("stack_subject.py", "by_built_in");

    (void)state;
    if (strcmp(ORK_STACK_PYTHON_VERSION, "3.11") != 0)
        skip();
    start_and_take(ORK_STACK_PYTHON, ORK_STACK_SOURCES "/stack_subject.py");
    assert_string_equal(stack.frame[0].function, "Solver.exchange");
    assert_line(0, built_in - 5);
    assert_string_equal(stack.frame[1].function, "by_built_in");
    assert_line(1, built_in);
    assert_string_equal(stack.frame[2].function, "by_library.<locals>.called_back");
    assert_line(2, line_of("stack_subject.py", "called_back"));
    uint32_t i = find_frame(3, "by_library");
    assert_true(i > 3); /* the library is between */
    assert_line(i, line_of("stack_subject.py", "by_library"));
    assert_outermost("<module>");
    finish();
}

static void a_python_of_unknown_layout_is_one_frame_without_names(void **state)
{
    (void)state;
    if (strcmp(ORK_STACK_PYTHON_VERSION, "3.11") == 0)
        skip();
    start_and_take(ORK_STACK_PYTHON, ORK_STACK_SOURCES "/stack_subject.py");
    assert_string_equal(stack.frame[0].function, "<Python>");
    assert_null(stack.frame[0].file);
    assert_outermost("<Python>");
    finish();
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, stack_set_up, stack_tear_down)

int test_stack(void)
{
    const struct CMUnitTest tests[] = {
        CASE(functions_and_lines_are_named_inlined_ones_too),
        CASE(a_thread_that_is_not_the_first_has_its_own),
        CASE(without_debug_information_functions_have_names_but_no_lines),
        CASE(a_stripped_program_has_addresses_and_no_invented_names),
        CASE(fortran_is_named_by_its_debug_information),
        CASE(fortran_symbols_become_names_of_the_source),
        CASE(only_what_a_compiler_made_is_taken_off_a_symbol),
        CASE(cplusplus_is_demangled_where_its_library_is),
        CASE(the_stack_begins_where_the_application_calls_mpi),
        CASE(a_function_that_mpi_called_back_is_shown),
        CASE(a_deep_stack_is_cut_at_the_limit),
        CASE(without_time_the_stack_has_addresses_only),
        CASE(a_report_gets_the_frames_of_the_application),
        CASE(python_is_named_in_the_order_of_its_calls),
        CASE(a_python_of_unknown_layout_is_one_frame_without_names),
    };

    signal(SIGPIPE, SIG_IGN); /* a subject that ended too early fails one test only */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
