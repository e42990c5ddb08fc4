/* SPDX-License-Identifier: BSD-3-Clause */
/* Variables that are 0 are no requests that a call has made (MPI-3.1 section 3.7.3). No library has
 * such a request, so this is an error whether or not the call fails; the last call crashes here.
 *
 * RANKS: 1
 * EXPECT: no-deadlock
 * FINDING: request-misuse warning
 * FINDING: request-misuse error
 * SAYS: warning: .*array_of_requests\[1\] in MPI_Waitall \(.*is no request that this run has made
 * SAYS: warning: .*array_of_requests\[2\] in MPI_Testsome \(.*is no request that this run has made
 * SAYS: warning: .*array_of_requests\[0\] in MPI_Startall \(.*is no request that this run has made
 * SAYS: warning: .*request in MPI_Request_free \(.*is no request that this run has made
 * SAYS: warning: .*request in MPI_Cancel \(.*is no request that this run has made
 * SAYS: error: .*request in MPI_Wait \(.* of rank 0 is no request that this run has made \(uninit
 * SAYS: rank 0 was killed by SIGSEGV in MPI_Wait
 * SAYS: 6 findings
 * PLAIN: any
 */
#include <mpi.h>

static MPI_Request zero; /* all bytes are 0 */

int main(int argc, char **argv)
{
    int count, index[3], in;
    MPI_Request request = zero, some[3];

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Irecv(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &some[0]);
    some[1] = zero;
    MPI_Waitall(2, some, MPI_STATUSES_IGNORE);
    some[1] = MPI_REQUEST_NULL;
    some[2] = zero;
    MPI_Testsome(3, some, &count, index, MPI_STATUSES_IGNORE);
    MPI_Cancel(&some[0]);
    MPI_Wait(&some[0], MPI_STATUS_IGNORE);
    some[0] = zero;
    MPI_Startall(1, some);
    MPI_Request_free(&request);
    MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
