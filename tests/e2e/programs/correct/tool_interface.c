/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of the MPI tool information interface, before MPI_Init, beside messages and after
 * MPI_Finalize. Open MPI 4.1 may crash in MPI_T_finalize there.
 *
 * RANKS: 2
 * EXPECT: clean
 * PLAIN: compared
 * MAYBE: abnormal-end
 * OUTPUT: variables before 1, same later 1, got 4
 */
#include <mpi.h>
#include <stdio.h>

static int count_variables(void)
{
    int controls;
    int counters;
    int categories;

    MPI_T_cvar_get_num(&controls);
    MPI_T_pvar_get_num(&counters);
    MPI_T_category_get_num(&categories);
    return controls + counters + categories;
}

static void read_control(void)
{
    char name[100];
    int length = sizeof(name);
    int verbosity;
    int bind;
    int scope;
    MPI_Datatype type;

    MPI_T_cvar_get_info(0, name, &length, &verbosity, &type, NULL, NULL, NULL, &bind, &scope);
}

int main(int argc, char **argv)
{
    int provided;
    int rank;
    int before;
    int later;
    int word = 4;
    MPI_T_pvar_session session;

    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    before = count_variables();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_T_pvar_session_create(&session);
    MPI_Sendrecv_replace(&word, 1, MPI_INT, 1 - rank, 0, 1 - rank, 0, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
    read_control();
    MPI_T_pvar_session_free(&session);
    later = count_variables();
    MPI_Pcontrol(1);
    if (rank == 0)
        printf("variables before %d, same later %d, got %d\n", before > 0, later >= before, word);
    MPI_Finalize();
    count_variables();
    MPI_T_finalize();
    return 0;
}
