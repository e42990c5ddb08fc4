/* SPDX-License-Identifier: BSD-3-Clause */
/* The files that this rank has open, MPI-3.1 chapter 13, and checks of the calls that use them. All
 * functions are called with the recorder's lock held. */
#ifndef ORK_FILES_H
#define ORK_FILES_H

#include "interceptor/objects/file_modes.h"
#include "interceptor/site/site.h"
#include "record/record.h"

#include <mpi.h>

/* Bits of record/amodes.def. */
unsigned ork_files_modes(int amode);

/* Before MPI_File_open, and when it has made a file; before MPI_File_close. */
void ork_files_check_open(const struct ork_call *call, int amode);
void ork_files_add(const struct ork_call *call, MPI_File file, int amode);
void ork_files_close(const struct ork_call *call, MPI_File file);

/* Before a call that uses a file: report what is wrong with it. `uses`: see file_modes.h; `count`
 * and `type`: of the elements to be read or written. */
void ork_files_check(const struct ork_call *call, MPI_File file, unsigned uses, int count,
                     MPI_Datatype type);
/* It has returned without an error. */
void ork_files_follow(const struct ork_call *call, MPI_File file, unsigned uses);

/* A nonblocking operation on a file has begun. */
void ork_files_pend(const struct ork_call *call, MPI_File file, MPI_Request request);

/* Before MPI_File_set_view, MPI_File_seek and MPI_File_seek_shared. */
void ork_files_check_view(const struct ork_call *call, MPI_File file, MPI_Offset displacement,
                          MPI_Datatype etype, MPI_Datatype filetype);
void ork_files_check_seek(const struct ork_call *call, MPI_Offset offset, int whence);

/* MPI_File_set_view has returned without an error. */
void ork_files_set_view(const struct ork_call *call, MPI_File file, MPI_Datatype etype);

/* What a collective call does with its file; `mode`: enum ork_coll. */
static inline unsigned ork_file_uses_of(unsigned mode)
{
    static const uint16_t uses[ORK_COLL_MAX] = {
        [ORK_COLL_FILE_SET_VIEW] = ORK_FILE_ALONE,
        [ORK_COLL_FILE_SET_SIZE] = ORK_FILE_ALONE | ORK_FILE_RESIZE,
        [ORK_COLL_FILE_PREALLOCATE] = ORK_FILE_RESIZE,
        [ORK_COLL_FILE_SYNC] = ORK_FILE_ALONE,
        [ORK_COLL_FILE_SEEK_SHARED] = ORK_FILE_SHARED | ORK_FILE_POSITION,
        [ORK_COLL_FILE_READ_ALL] = ORK_FILE_READ | ORK_FILE_INDIVIDUAL | ORK_FILE_COLLECTIVE,
        [ORK_COLL_FILE_READ_AT_ALL] = ORK_FILE_READ | ORK_FILE_EXPLICIT | ORK_FILE_COLLECTIVE,
        [ORK_COLL_FILE_READ_ORDERED] = ORK_FILE_READ | ORK_FILE_SHARED | ORK_FILE_COLLECTIVE,
        [ORK_COLL_FILE_WRITE_ALL] = ORK_FILE_WRITE | ORK_FILE_INDIVIDUAL | ORK_FILE_COLLECTIVE,
        [ORK_COLL_FILE_WRITE_AT_ALL] = ORK_FILE_WRITE | ORK_FILE_EXPLICIT | ORK_FILE_COLLECTIVE,
        [ORK_COLL_FILE_WRITE_ORDERED] = ORK_FILE_WRITE | ORK_FILE_SHARED | ORK_FILE_COLLECTIVE,
    };

    return uses[mode];
}

/* The same for the calls that begin and end it as a split operation. */
static inline unsigned ork_file_split_uses(unsigned mode, unsigned begin_or_end)
{
    return (ork_file_uses_of(mode) & ~(unsigned)ORK_FILE_COLLECTIVE) | begin_or_end;
}

#endif
