/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of nonblocking collectives: each rank counts its tests in vain, and sees which of two
 * collectives is complete first.
 *
 * RANKS: 3 */
#include "digest.h"

enum { ROUNDS = 5 };

static void both(int round)
{
    MPI_Request request[2];
    int sum = 0, index, flag;

    MPI_Ibarrier(MPI_COMM_WORLD, &request[0]);
    pause_perhaps();
    MPI_Iallreduce(&round, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request[1]);
    for (int n = 0; n < 2; n += flag) {
        MPI_Testany(2, request, &index, &flag, MPI_STATUS_IGNORE);
        saw(flag ? index : -1);
        usleep(20);
    }
    saw(sum);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Request request;
        int flag = 0, vain = -1;
        pause_perhaps();
        MPI_Ibarrier(MPI_COMM_WORLD, &request);
        for (; !flag; vain++) {
            MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
            usleep(20);
        }
        saw(vain);
        both(i);
    }
    return end();
}
