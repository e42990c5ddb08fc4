/* SPDX-License-Identifier: BSD-3-Clause */
/* Do the datatypes fit the view of a file: MPI-3.1 sections 13.3, 13.4.1 and 13.6.6? All functions
 * are called with the recorder's lock held. */
#ifndef ORK_INTERCEPTOR_FILE_VIEWS_H
#define ORK_INTERCEPTOR_FILE_VIEWS_H

#include "interceptor/objects/epochs.h"
#include "interceptor/site/site.h"
#include "interceptor/objects/types.h"

#include <mpi.h>

/* All zero is that of a file that was just opened: its etype is MPI_BYTE. */
struct ork_file_view {
    struct ork_sequence *etype; /* NULL: MPI_BYTE, which matches everything, or unknown */
    struct ork_epoch_place set;
};

/* Before MPI_File_set_view. `opened`: what opened the file to write it; NULL: it is only read. */
void ork_file_view_check(const struct ork_call *call, MPI_Datatype etype, MPI_Datatype filetype,
                         const struct ork_epoch_place *opened);
/* That call has set it. */
void ork_file_view_set(struct ork_file_view *view, MPI_Datatype etype, struct ork_epoch_place set);
void ork_file_view_release(struct ork_file_view *view);

/* Before a call that reads or writes so many elements. */
void ork_file_view_check_access(const struct ork_call *call, const struct ork_file_view *view,
                                int count, MPI_Datatype type);

#endif
