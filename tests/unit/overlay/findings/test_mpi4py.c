/* SPDX-License-Identifier: BSD-3-Clause */
/* What a line of Python calls, if that is a method of mpi4py with another name than MPI's. */
#include "overlay/findings/mpi4py.h"
#include "tests/unit/overlay/stage/unit.h"

#include <stdlib.h>

static void assert_name(const char *line, const char *call, const char *name)
{
    char *found = ork_mpi4py_name(line, call);

    if (name == NULL)
        assert_null(found);
    else
        assert_string_equal(found, name);
    free(found);
}

static void methods_of_other_names_are_found(void **state)
{
    (void)state;
    assert_name("data = comm.recv(source=1)", "MPI_Mprobe", "comm.recv");
    assert_name("data = comm.recv(source=1)", "MPI_Mrecv", "comm.recv");
    assert_name("    return MPI.COMM_WORLD.gather(x)  # comm.gather(y)\n", "MPI_Gatherv",
                "MPI.COMM_WORLD.gather");
    assert_name("x = self.comm.sendrecv(x, 1)", "MPI_Isend", "self.comm.sendrecv");
    assert_name("m = MPI.Message.Probe(comm)", "MPI_Mprobe", "MPI.Message.Probe");
    assert_name("x = comms[0].recv()", "MPI_Mprobe", "recv");
    assert_name("x = pick(comms).recv()", "MPI_Mprobe", "recv");
}

static void methods_that_are_called_as_in_mpi_are_not(void **state)
{
    (void)state;
    assert_name("comm.Recv(x)", "MPI_Recv", NULL);
    assert_name("comm.bcast(x)", "MPI_Bcast", NULL);
    assert_name("m = comm.Mprobe(source=1)", "MPI_Mprobe", NULL);
    assert_name("m = comm.mprobe(source=1)", "MPI_Mprobe", NULL);
}

static void lines_that_may_mean_several_have_none(void **state)
{
    (void)state;
    assert_name("x = comm.recv(source=comm.recv())", "MPI_Mprobe", NULL);
    assert_name("x = socket.recv(9), comm.mprobe()", "MPI_Mprobe", NULL);
}

static void other_lines_have_none(void **state)
{
    (void)state;
    assert_name("", "MPI_Mprobe", NULL);
    assert_name(".", "MPI_Mprobe", NULL);
    assert_name("data = receive(1)  # comm.recv()", "MPI_Mprobe", NULL);
    assert_name("f = comm.recv", "MPI_Mprobe", NULL);
    assert_name("comm.recv_all()", "MPI_Mprobe", NULL);
    assert_name("comm.recv()", "MPI_Barrier", NULL);
    assert_name("comm.recv()", "MPI_M", NULL);
    assert_name("comm.recv()", "", NULL);
}

int test_mpi4py(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(methods_of_other_names_are_found),
        cmocka_unit_test(methods_that_are_called_as_in_mpi_are_not),
        cmocka_unit_test(lines_that_may_mean_several_have_none),
        cmocka_unit_test(other_lines_have_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
