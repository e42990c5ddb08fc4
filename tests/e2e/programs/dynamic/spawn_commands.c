/* SPDX-License-Identifier: BSD-3-Clause */
/* What a spawned process gets is what the call says: its name, its arguments, the folder of the
 * info object. A command that is a plain name is found in PATH; the second job is that of a shell,
 * which becomes this program.
 *
 * RANKS: 1
 * REPORT_RANKS: 3
 * EXPECT: clean
 * OUTPUT: as called, from a shell
 */
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* 1: the process has what `start_here` gives it; 2: what `start_from_shell` gives it. */
static int what(int argc, char **argv)
{
    char folder[PATH_MAX] = "";

    if (getcwd(folder, sizeof(folder)) == NULL || argc != 3 || strcmp(argv[2], "a=b") != 0)
        return 0;
    if (strcmp(argv[1], "shell") == 0)
        return 2;
    return strncmp(argv[0], "./", 2) == 0 && strcmp(argv[1], folder) == 0 ? 1 : 0;
}

static int answer(MPI_Comm *children)
{
    int answer = 0;

    MPI_Recv(&answer, 1, MPI_INT, 0, 0, *children, MPI_STATUS_IGNORE);
    MPI_Comm_disconnect(children);
    return answer;
}

/* By its name in its folder. */
static int start_here(const char *program)
{
    char folder[PATH_MAX], command[PATH_MAX];
    char *arguments[] = {folder, "a=b", NULL};
    MPI_Info info;
    MPI_Comm children;

    if (realpath(program, folder) == NULL)
        return 0;
    snprintf(command, sizeof(command), ".%s", strrchr(folder, '/'));
    *strrchr(folder, '/') = '\0';
    MPI_Info_create(&info);
    MPI_Info_set(info, "wdir", folder);
    MPI_Comm_spawn(command, arguments, 1, info, 0, MPI_COMM_SELF, &children, MPI_ERRCODES_IGNORE);
    MPI_Info_free(&info);
    return answer(&children);
}

static int start_from_shell(char *program)
{
    char *arguments[] = {"-c", "exec \"$0\" shell a=b", program, NULL};
    MPI_Comm children;

    MPI_Comm_spawn("sh", arguments, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &children,
                   MPI_ERRCODES_IGNORE);
    return answer(&children);
}

int main(int argc, char **argv)
{
    MPI_Comm parent;

    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    if (parent == MPI_COMM_NULL) {
        int here = start_here(argv[0]);
        int from_shell = start_from_shell(argv[0]);
        printf("%s, %s\n", here == 1 ? "as called" : "wrong",
               from_shell == 2 ? "from a shell" : "wrong");
    } else {
        int is = what(argc, argv);
        MPI_Send(&is, 1, MPI_INT, 0, 0, parent);
        MPI_Comm_disconnect(&parent);
    }
    MPI_Finalize();
    return 0;
}
