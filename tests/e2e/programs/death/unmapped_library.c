/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 gets a signal while a library is half unloaded, and in code that no library has: who walks
 * its stack reads memory that is not mapped any more. It still dies of its own signal.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: abnormal-end error
 * SAYS: rank 1 was killed by SIGILL after MPI_Barrier at unmapped_library.c:\d+
 * EXIT: 132
 */
#include <dlfcn.h>
#include <link.h>
#include <mpi.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>

/* Its first page has the headers, which dl_iterate_phdr() shows. */
static void unmap_headers_of(const char *library)
{
    struct link_map *map = NULL;
    void *handle = dlopen(library, RTLD_NOW);

    if (handle != NULL && dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0)
        munmap((void *)map->l_addr, 4096);
}

/* The signal comes in memory of no library, if this processor's code is known. */
static void die_elsewhere(void)
{
#ifdef __x86_64__
    static const unsigned char illegal[] = {0x0f, 0x0b}; /* ud2 */
    void *code =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (code != MAP_FAILED) {
        void (*run)(void);
        memcpy(code, illegal, sizeof(illegal));
        memcpy(&run, &code, sizeof(run));
        run();
    }
#endif
    raise(SIGILL);
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        unmap_headers_of("libanl.so.1");
        die_elsewhere();
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
