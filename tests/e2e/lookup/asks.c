/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that asks which functions its MPI library has, by weak references and by dlsym(). */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

#define NAMES(X) X(MPI_Send) X(MPI_Isendrecv) X(MPI_Session_init) X(MPIX_Comm_agree) X(MPI_None)

/* RATIONALE: functions that mpi.h need not declare; they are never called. */
#define WEAK(name) extern void weak_##name(void) __asm__(#name) __attribute__((weak));
NAMES(WEAK)

static void tell(const char *how, const char *name, int is_there)
{
    printf("%s %s: %s\n", how, name, is_there ? "yes" : "no");
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
#define TELL(name)                                                                                 \
    tell("weak", #name, weak_##name != NULL);                                                      \
    tell("default", #name, dlsym(RTLD_DEFAULT, #name) != NULL);                                    \
    tell("next", #name, dlsym(RTLD_NEXT, #name) != NULL);                                          \
    tell("all", #name, dlsym(dlopen(NULL, RTLD_LAZY), #name) != NULL);
    NAMES(TELL)
    printf("error: %s\n", dlerror() != NULL ? "yes" : "no");
    MPI_Finalize();
    return 0;
}
