/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/process/fatal.h"

#include "interceptor/buffers/attached.h"
#include "interceptor/mpi/neutral.h"
#include "interceptor/process/end.h"
#include "interceptor/process/outside.h"

bool ork_fatal_is_usable(void)
{
    int begun = 0, over = 1;

    PMPI_Initialized(&begun);
    PMPI_Finalized(&over);
    return begun && !over;
}

void ork_fatal_note(const char *call, const int *code)
{
    char text[MPI_MAX_ERROR_STRING + 1] = "";
    uint32_t class_ = ORK_ERR_OTHER;

    ork_outside_ends_process();
    if (code != NULL && ork_fatal_is_usable()) {
        class_ = ork_error_class_of(*code);
        ork_error_text(*code, text);
        ork_attached_failed(call, class_);
    }
    ork_end_note_error(call, class_, text);
}
