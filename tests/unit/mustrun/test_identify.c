/* SPDX-License-Identifier: BSD-3-Clause */
/* What launchers answer to --version: identify.c, ask.c. */
#include "mustrun/launcher/identify.h"

#include "mustrun/launcher/ask.h"
#include "mustrun/launcher/launcher.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static void check(const char *answer, enum ork_launcher_kind kind, const char *version)
{
    struct ork_launcher_identity identity;

    assert_true(ork_launcher_identify(answer, &identity));
    assert_int_equal(identity.kind, kind);
    assert_string_equal(identity.version, version);
}

static void each_launcher_says_what_it_is(void **state)
{
    (void)state;
    check("mpirun (Open MPI) 4.1.4\n\nReport bugs to http://www.open-mpi.org/community/help/\n",
          ORK_LAUNCHER_OPENMPI4, "4.1.4");
    check("orterun (OpenRTE) 4.1.4\n", ORK_LAUNCHER_OPENMPI4, "4.1.4");
    check("mpirun (Open MPI) 5.0.10rc2\n", ORK_LAUNCHER_OPENMPI5, "5.0.10rc2");
    check("mpiexec (Open MPI) 6.0.0a1\n", ORK_LAUNCHER_OPENMPI5, "6.0.0a1");
    check("mpirun (Open MPI) 10.1.0\n", ORK_LAUNCHER_OPENMPI5, "10.1.0");
    check("prterun (PRRTE) 3.0.2\n", ORK_LAUNCHER_OPENMPI5, "3.0.2");
    check("HYDRA build details:\n    Version:                                 4.0.2\n    Release "
          "Date:  x\n",
          ORK_LAUNCHER_HYDRA, "4.0.2");
    check("slurm 22.05.8\n", ORK_LAUNCHER_SRUN, "22.05.8");
    check("slurm-wlm 22.05.8\n", ORK_LAUNCHER_SRUN, "22.05.8");
}

static void intel_mpi_has_a_hydra_of_its_own(void **state)
{
    struct ork_launcher_identity identity;

    (void)state;
    assert_true(ork_launcher_identify(
        "Intel(R) MPI Library for Linux* OS, Version 2021.6 Build 20220227 (id: 28877f3f32)\n",
        &identity));
    assert_int_equal(identity.kind, ORK_LAUNCHER_HYDRA);
    assert_true(identity.is_intel);
    assert_string_equal(identity.version, "2021.6");
}

static void other_texts_are_no_answer(void **state)
{
    static const char *const texts[] = {"",
                                        "\n",
                                        "usage: mpirun PROGRAM\n",
                                        "aprun (ALPS) 6.6.67\n",
                                        "Version: 4.0.2\n",
                                        "jsrun 10.3\n"};
    struct ork_launcher_identity identity = {.version = "as before"};

    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        assert_false(ork_launcher_identify(texts[i], &identity));
    assert_string_equal(identity.version, "as before");
}

static void a_version_of_any_length_is_cut(void **state)
{
    struct ork_launcher_identity identity;
    char answer[200] = "mpirun (Open MPI) 4.";

    (void)state;
    memset(answer + strlen(answer), '1', 100);
    assert_true(ork_launcher_identify(answer, &identity));
    assert_int_equal(strlen(identity.version), sizeof(identity.version) - 1);
    check("mpirun (Open MPI) v\n", ORK_LAUNCHER_OPENMPI4, "");
    check("HYDRA build details:\n", ORK_LAUNCHER_HYDRA, "");
}

/* ---- scripts that answer ---- */

static char folder[] = "/tmp/orknot-unit-XXXXXX";
static char script[64];

static int set_up(void **state)
{
    (void)state;
    strcpy(folder + strlen(folder) - 6, "XXXXXX");
    if (mkdtemp(folder) == NULL)
        return -1;
    return snprintf(script, sizeof(script), "%s/mpirun", folder) > 0 ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    unlink(script);
    return rmdir(folder);
}

static void write_script(const char *lines)
{
    FILE *out = fopen(script, "w");

    assert_non_null(out);
    fprintf(out, "#!/bin/sh\n%s\n", lines);
    assert_int_equal(fclose(out), 0);
    assert_int_equal(chmod(script, 0755), 0);
}

static void an_answer_comes_from_standard_output_only(void **state)
{
    char answer[ORK_ASK_ANSWER];

    (void)state;
    write_script("echo error >&2; cat; echo \"[$*]\"; exit 3");
    assert_int_equal(ork_launcher_ask(script, answer), ORK_OK);
    assert_string_equal(answer, "[--version]\n");
    write_script("echo error >&2");
    assert_int_equal(ork_launcher_ask(script, answer), ORK_NOTFOUND);
    assert_string_equal(answer, "");
    assert_int_equal(ork_launcher_ask("/no/such/launcher", answer), ORK_NOTFOUND);
}

/* It keeps the output open for longer than an answer may take. */
static void what_a_script_leaves_behind_is_not_waited_for(void **state)
{
    char answer[ORK_ASK_ANSWER];

    (void)state;
    write_script("exec 2>&1; (trap '' HUP; exec sleep 60) & echo $!; echo answer");
    assert_int_equal(ork_launcher_ask(script, answer), ORK_OK);
    assert_non_null(strstr(answer, "\nanswer\n"));
    assert_int_equal(kill((pid_t)strtol(answer, NULL, 10), SIGKILL), 0); /* it still lives */
}

static void only_the_beginning_of_a_long_answer_is_kept(void **state)
{
    char answer[ORK_ASK_ANSWER];

    (void)state;
    write_script("yes | head -c 100000");
    assert_int_equal(ork_launcher_ask(script, answer), ORK_OK);
    assert_int_equal(strlen(answer), ORK_ASK_ANSWER - 1);
}

static void a_script_is_what_it_answers_whatever_its_name(void **state)
{
    (void)state;
    write_script("echo 'mpirun (Open MPI) 5.0.3'");
    assert_ptr_equal(ork_launcher_of(script), &ork_launcher_prterun);
    char *text = ork_launcher_describe(script);
    assert_non_null(strstr(text, "Open MPI 5 and later (prterun), version 5.0.3"));
    free(text);
}

static void a_script_that_does_not_say_what_it_is_counts_as_mpirun(void **state)
{
    (void)state;
    write_script("exit 1");
    assert_ptr_equal(ork_launcher_of(script), &ork_launcher_mpirun);
    char *text = ork_launcher_describe(script);
    assert_non_null(strstr(text, "Open MPI 4 (orterun); it does not say what it is"));
    free(text);
}

int test_identify(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_launcher_says_what_it_is),
        cmocka_unit_test(intel_mpi_has_a_hydra_of_its_own),
        cmocka_unit_test(other_texts_are_no_answer),
        cmocka_unit_test(a_version_of_any_length_is_cut),
        cmocka_unit_test_setup_teardown(an_answer_comes_from_standard_output_only, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(what_a_script_leaves_behind_is_not_waited_for, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(only_the_beginning_of_a_long_answer_is_kept, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_script_is_what_it_answers_whatever_its_name, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_script_that_does_not_say_what_it_is_counts_as_mpirun,
                                        set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
