/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective calls on files, MPI-3.1 chapter 13. They return errors, unless the application changes
 * that (section 13.7). */
#ifndef ORK_OP_FILE_H
#define ORK_OP_FILE_H

#include "interceptor/checks/files.h"
#include "interceptor/hooks/op_object.h"
#include "record/access.h"

/* A split collective began, with the request args.id: store it with the file. If it failed, nothing
 * was started. The lock is held. */
void ork_file_begun(const struct ork_call *call, const struct ork_args *a, int result);

/* Publish the WAIT record of its end; args.id is then the request, or ORK_REQUEST_NULL if none is
 * open on the file. The lock is held. */
void ork_file_end(const struct ork_call *call, struct ork_args *a);

/* A nonblocking operation on a file has begun. */
static inline void ork_file_pending(const struct ork_call *call, MPI_File file, MPI_Request request)
{
    ork_lock();
    ork_files_pend(call, file, request);
    ork_unlock();
}

/* -- file_open -- */

ORK_INLINE void ork_before_file_open(const struct ork_call *call, struct ork_args *a, unsigned mode)
{
    ork_lock();
    ork_files_check_open(call, a->amode);
    a->id = ork_comm_id(a->comm);
    struct ork_record r = ork_record_object(call, a->id, mode, ORK_F_FALLIBLE);
    ork_agreed_put(&r, a->agreed);
    ork_enter_blocking(&r);
    ork_unlock();
}

ORK_INLINE void ork_after_file_open(const struct ork_call *call, struct ork_args *a, unsigned mode,
                                    int result)
{
    ork_leave_maker(call, a, mode, &ork_files, result == MPI_SUCCESS ? ORK_KEY(*a->newfile) : 0,
                    result);
    if (result != MPI_SUCCESS)
        return;
    ork_lock();
    ork_files_add(call, *a->newfile, a->amode);
    ork_unlock();
}

/* -- file_close -- */

ORK_INLINE void ork_before_file_close(const struct ork_call *call, struct ork_args *a,
                                      unsigned mode)
{
    a->file = a->newfile != NULL ? *a->newfile : MPI_FILE_NULL;
    ork_lock();
    ork_files_close(call, a->file);
    a->id = ork_object_id(&ork_files, ORK_KEY(a->file));
    ork_enter_object(call, a->id, mode, ORK_F_FALLIBLE);
    ork_unlock();
}

ORK_INLINE void ork_after_file_close(const struct ork_call *call, struct ork_args *a, int result)
{
    ork_leave_freer(call, a, &ork_files, ORK_KEY(a->file), result);
}

/* -- file_collective -- */

ORK_INLINE void ork_before_file_collective(const struct ork_call *call, struct ork_args *a,
                                           unsigned mode, unsigned flags)
{
    ork_lock();
    ork_files_check(call, a->file, ork_file_uses_of(mode), a->count, a->datatype);
    if (mode == ORK_COLL_FILE_SET_VIEW)
        ork_files_check_view(call, a->file, a->displacement, a->datatype, a->datatype2);
    if (mode == ORK_COLL_FILE_SEEK_SHARED)
        ork_files_check_seek(call, a->distance, a->whence);
    if ((flags & ORK_F_NONBLOCKING) == 0) {
        struct ork_record r = ork_record_object(call, ork_object_id(&ork_files, ORK_KEY(a->file)),
                                                mode, ORK_F_FALLIBLE);
        ork_agreed_put(&r, a->agreed);
        ork_enter_blocking(&r);
    }
    ork_unlock();
}

ORK_INLINE void ork_after_file_collective(const struct ork_call *call, struct ork_args *a,
                                          unsigned mode, unsigned flags, int result)
{
    if ((flags & ORK_F_NONBLOCKING) == 0) {
        if (mode == ORK_COLL_FILE_SET_VIEW && result == MPI_SUCCESS) {
            ork_lock();
            ork_files_set_view(call, a->file, a->datatype);
            ork_unlock();
        }
        ork_exit_coll(call, result);
        return;
    }
    ork_lock();
    struct ork_record r =
        ork_record_object(call, ork_object_id(&ork_files, ORK_KEY(a->file)), mode, flags);
    ork_start(call, &r, a->request, ORK_R_FILE, result);
    a->id = r.request;
    ork_unlock();
}

/* -- split collectives: file_begin starts an operation whose number is stored with the file,
 * file_end waits for it -- */

/* RATIONALE: published before the call, unlike other nonblocking calls, because the number is known
 * and the library may do all the waiting here (MPI-3.1 section 13.4.5). */
ORK_INLINE void ork_before_file_begin(const struct ork_call *call, struct ork_args *a,
                                      unsigned mode)
{
    ork_lock();
    ork_files_check(call, a->file, ork_file_split_uses(mode, ORK_FILE_BEGIN), a->count,
                    a->datatype);
    struct ork_record r = ork_record_object(call, ork_object_id(&ork_files, ORK_KEY(a->file)), mode,
                                            ORK_F_NONBLOCKING | ORK_F_FALLIBLE);
    r.request = r.comm != ORK_COMM_UNKNOWN ? ork_request_number() : ORK_REQUEST_UNKNOWN;
    a->id = r.request;
    ork_enter_blocking(&r);
    ork_unlock();
}

ORK_INLINE void ork_after_file_begin(const struct ork_call *call, struct ork_args *a, unsigned mode,
                                     int result)
{
    ork_lock();
    if (result == MPI_SUCCESS)
        ork_files_follow(call, a->file, ork_file_split_uses(mode, ORK_FILE_BEGIN));
    ork_leave_coll(call, result, false);
    ork_file_begun(call, a, result);
    ork_unlock();
}

ORK_INLINE void ork_before_file_end(const struct ork_call *call, struct ork_args *a, unsigned mode)
{
    ork_lock();
    ork_files_check(call, a->file, ork_file_split_uses(mode, ORK_FILE_END), 0, MPI_DATATYPE_NULL);
    ork_early_ask();
    ork_file_end(call, a);
    ork_enter();
    ork_unlock();
}

ORK_INLINE void ork_after_file_end(const struct ork_call *call, struct ork_args *a, unsigned mode,
                                   int result)
{
    ork_lock();
    ork_files_follow(call, a->file, ork_file_split_uses(mode, ORK_FILE_END));
    ork_request_free(&(struct ork_request){.handle = MPI_REQUEST_NULL, .id = a->id});
    ork_unlock();
    ork_exit_plain(call, result);
}

/* -- file_access: a call that is not collective; the mode is what it does with the file -- */

ORK_INLINE void ork_before_file_access(const struct ork_call *call, struct ork_args *a,
                                       unsigned mode)
{
    ork_lock();
    ork_files_check(call, a->file, mode, a->count, a->datatype);
    if ((mode & ORK_FILE_POSITION) != 0)
        ork_files_check_seek(call, a->distance, a->whence);
    ork_unlock();
}

/* -- file_pointer: one that uses the shared file pointer -- */

/* In the mode of a FILE_ACCESS record. */
static inline uint16_t ork_file_pointer_of(unsigned uses)
{
    return (uses & ORK_FILE_SHARED) != 0 ? ORK_FILE_POINTER_SHARED : ORK_FILE_POINTER_OTHER;
}

ORK_INLINE void ork_before_file_pointer(const struct ork_call *call, struct ork_args *a,
                                        unsigned mode)
{
    ork_lock();
    ork_files_check(call, a->file, mode, a->count, a->datatype);
    ork_unlock();
}

ORK_INLINE void ork_after_file_pointer(const struct ork_call *call, const struct ork_args *a,
                                       int result)
{
    if (result != MPI_SUCCESS)
        return;
    ork_lock();
    struct ork_record r = ORK_RECORD(call, FILE_ACCESS, .mode = ORK_FILE_POINTER_SHARED,
                                     .comm = ork_object_id(&ork_files, ORK_KEY(a->file)),
                                     .request = ORK_REQUEST_NULL, .peer = ORK_NO_PEER);
    ork_send_record(&r);
    ork_unlock();
}

/* -- file_start: a nonblocking one, whose request waits for no other rank -- */

ORK_INLINE void ork_before_file_start(const struct ork_call *call, struct ork_args *a,
                                      unsigned mode)
{
    ork_lock();
    ork_files_check(call, a->file, mode, a->count, a->datatype);
    ork_unlock();
}

ORK_INLINE void ork_after_file_start(const struct ork_call *call, struct ork_args *a, unsigned mode,
                                     int result)
{
    ork_lock();
    struct ork_record r =
        ORK_RECORD(call, FILE_ACCESS, .flags = ORK_F_NONBLOCKING, .mode = ork_file_pointer_of(mode),
                   .comm = ork_object_id(&ork_files, ORK_KEY(a->file)), .request = ORK_REQUEST_NULL,
                   .peer = ORK_NO_PEER);
    ork_start(call, &r, a->request, ORK_R_FILE, result);
    a->id = r.request;
    ork_unlock();
}

#endif
