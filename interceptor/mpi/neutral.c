/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/mpi/neutral.h"

#include "interceptor/mpi/next.h"

#include <mpi.h>
#include <string.h>

static uint32_t class_of(int theirs)
{
    static const struct {
        int theirs;
        enum ork_error_class ours;
    } class_[] = {
#define ORK_ERROR_CLASS(name, number) {MPI_ERR_##name, ORK_ERR_##name},
#include "record/error_classes.def"
#undef ORK_ERROR_CLASS
    };

    for (size_t i = 0; i < sizeof(class_) / sizeof(class_[0]); i++) {
        if (class_[i].theirs == theirs)
            return class_[i].ours;
    }
    return ORK_ERR_FOREIGN + (uint32_t)theirs;
}

uint32_t ork_error_class_of(int code)
{
    int theirs = MPI_ERR_OTHER;

    if (code == MPI_SUCCESS)
        return 0;
    ORK_NEXT(MPI_Error_class)(code, &theirs);
    return class_of(theirs);
}

void ork_error_text(int code, char *text)
{
    int class_ = MPI_ERR_OTHER;
    int length = 0;

    ORK_NEXT(MPI_Error_string)(code, text, &length);
    if (strchr(text, '\n') == NULL)
        return;
    ORK_NEXT(MPI_Error_class)(code, &class_);
    ORK_NEXT(MPI_Error_string)(class_, text, &length);
    text[strcspn(text, "\n")] = '\0';
}

uint32_t ork_thread_level_of(int level)
{
    if (level >= MPI_THREAD_MULTIPLE)
        return ORK_THREAD_MULTIPLE;
    if (level >= MPI_THREAD_SERIALIZED)
        return ORK_THREAD_SERIALIZED;
    return level >= MPI_THREAD_FUNNELED ? ORK_THREAD_FUNNELED : ORK_THREAD_SINGLE;
}
