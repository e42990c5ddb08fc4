/* SPDX-License-Identifier: BSD-3-Clause */
/* Start and end of MPI in this process, MPI-3.1 section 8.7. */
#ifndef ORK_OP_PROCESS_H
#define ORK_OP_PROCESS_H

#include "interceptor/buffers/buffer_hash.h"
#include "interceptor/call/call.h"
#include "interceptor/outcomes/choice.h"
#include "interceptor/process/end.h"
#include "interceptor/requests/leaks.h"
#include "interceptor/process/outside.h"
#include "interceptor/process/unhooked.h"
#include "interceptor/checks/thread_levels.h"
#include "interceptor/usage/usage.h"
#include "interceptor/objects/windows.h"

/* Find the leaf, once. False: this process is not observed. */
bool ork_process_attach(void);
/* The program calls this function, which has no hook, before MPI_Init: unless the leaf is known
 * already, this process is not observed. */
void ork_process_give_up(const char *function);
/* Before MPI_Init. */
void ork_process_begin(void);
/* MPI_Init returned without error: write INIT and start recording, if a leaf accepted the ring. */
void ork_process_start(struct ork_call *call);
/* MPI_Finalize returned: nothing more is recorded. */
void ork_process_end(void);

ORK_INLINE void ork_before_init(void)
{
    ork_outside_starts();
    ork_process_begin();
}

ORK_INLINE void ork_after_init(const struct ork_call *call, int result)
{
    struct ork_call copy = *call;

    if (result == MPI_SUCCESS)
        ork_process_start(&copy);
    ork_unhooked_start();
    ork_outside_started(&copy);
}

ORK_INLINE void ork_before_finalize(const struct ork_call *call)
{
    struct ork_record r = ORK_RECORD(call, FINALIZE, .peer = ORK_NO_PEER);

    ork_lock();
    ork_level_check_finalize(call);
    ork_windows_finish(call);
    ork_buffer_hash_finish();
    ork_usage_finish();
    ork_unhooked_finish();
    ork_choice_end();
    ork_enter_blocking(&r);
    ork_unlock();
}

ORK_INLINE void ork_after_finalize(const struct ork_call *call, int result)
{
    if (result != MPI_SUCCESS) {
        ork_exit_plain(call, result);
        return;
    }
    ork_leaks_report();
    ork_outside_ended(call);
    ork_process_end();
}

ORK_INLINE void ork_before_abort(const struct ork_call *call, struct ork_args *a)
{
    ork_lock();
    struct ork_record r = ORK_RECORD(call, ABORT, .comm = ork_comm_id(a->comm), .peer = ORK_NO_PEER,
                                     .arg = (uint32_t)a->errorcode);
    ork_send_record(&r);
    ork_unlock();
    ork_end_note_abort(a->errorcode);
}

/* -- errhandler: may calls return an error from now on? RATIONALE: for all objects, because new
 * ones inherit the handler; and permanently. -- */

ORK_INLINE void ork_before_errhandler(struct ork_args *a)
{
    if (a->errhandler == MPI_ERRORS_ARE_FATAL)
        return;
    ork_recorder.fallible = ORK_F_FALLIBLE;
    ork_handles_change(); /* calls that repeat have other records */
}

/* -- control: MPI_Pcontrol (MPI-3.1 section 14.2.4) -- */

ORK_INLINE void ork_before_control(const struct ork_call *call, struct ork_args *a)
{
    ork_lock();
    struct ork_record r = ORK_RECORD(call, CONTROL, .peer = ORK_NO_PEER, .arg = (uint32_t)a->level);
    ork_send_record(&r);
    ork_unlock();
}

#endif
