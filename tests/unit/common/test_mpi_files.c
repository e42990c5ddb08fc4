/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of files, each of the kind that it is: mpi_files.c. */
#include "common/mpi_files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void files_of_open_mpi_and_mpich_are_known(void **state)
{
    static const struct {
        const char *name;
        enum ork_mpi_file kind;
    } cases[] = {
        {"libmpi.so.40", ORK_MPI_FILE_LIBRARY},
        {"libmpi_mpifh.so.40", ORK_MPI_FILE_BINDING},
        {"libmpi_usempif08.so.40", ORK_MPI_FILE_BINDING},
        {"libmpi_cxx.so.40", ORK_MPI_FILE_BINDING},
        {"mca_pml_ob1.so", ORK_MPI_FILE_LIBRARY},
        {"libopen-pal.so.40", ORK_MPI_FILE_LIBRARY},
        {"libpmix.so.2", ORK_MPI_FILE_LIBRARY},
        {"libopen_mpi.so.0", ORK_MPI_FILE_LIBRARY},
        {"libmpi_abi.so.1", ORK_MPI_FILE_LIBRARY},
        {"libmpich.so.12", ORK_MPI_FILE_LIBRARY},
        {"libmpichfort.so.12", ORK_MPI_FILE_BINDING},
        {"libmpichcxx.so.12", ORK_MPI_FILE_BINDING},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        assert_int_equal(ork_mpi_file_of(cases[i].name), cases[i].kind);
}

static void other_files_are_not(void **state)
{
    static const char *const names[] = {"",      "libm.so.6",   "libmpi",
                                        "a.out", "my_mca_x.so", "libopenblas.so.0"};

    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        assert_int_equal(ork_mpi_file_of(names[i]), ORK_MPI_FILE_NONE);
}

int test_mpi_files(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_of_open_mpi_and_mpich_are_known),
        cmocka_unit_test(other_files_are_not),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
