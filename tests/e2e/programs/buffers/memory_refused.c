/* SPDX-License-Identifier: BSD-3-Clause */
/* A process that may not use process_vm_readv, as in some containers. Its buffers are not compared,
 * so that the changed one is not found, and the report says why.
 *
 * RANKS: 2
 * EXPECT: clean
 * SAYS: the tool may not read the program's memory \(process_vm_readv: Operation not permitted\), so it did not look for send buffers that were changed too early
 * PLAIN: ends
 */
#include <mpi.h>

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

static void refuse(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {.len = sizeof(code) / sizeof(code[0]), .filter = code};

    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0)
        abort();
}

int main(int argc, char **argv)
{
    int rank, word = 1, received;
    MPI_Request request;

    refuse();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Isend(&word, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request);
    word = 2;
    MPI_Recv(&received, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
