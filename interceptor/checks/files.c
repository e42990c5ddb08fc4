/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/checks/files.h"

#include "common/vec.h"
#include "interceptor/checks/file_views.h"
#include "interceptor/objects/handles.h"
#include "interceptor/requests/requests.h"
#include "interceptor/usage/usage.h"

#include <errno.h>

struct open_file {
    struct ork_file_state state;
    struct ork_file_view view;
};

static struct ork_map by_handle; /* by ORK_KEY(MPI_File) */
static struct ork_ids ids;
static struct open_file *files; /* by id */
static uint32_t room;

static struct open_file *find(MPI_File file)
{
    const struct ork_entry *e = ork_map_find(&by_handle, ORK_KEY(file));

    return e != NULL ? &files[e->id] : NULL;
}

/* ---- access modes ---- */

unsigned ork_files_modes(int amode)
{
    static const struct {
        int theirs;
        unsigned ours;
    } mode[] = {
#define ORK_AMODE(name, bit) {MPI_MODE_##name, ORK_AMODE_##name},
#include "record/amodes.def"
#undef ORK_AMODE
    };
    unsigned found = 0;

    for (size_t i = 0; i < sizeof(mode) / sizeof(mode[0]); i++) {
        if ((amode & mode[i].theirs) != 0)
            found |= mode[i].ours;
    }
    return found;
}

static int num_accesses(unsigned amode)
{
    return __builtin_popcount(amode & (ORK_AMODE_RDONLY | ORK_AMODE_RDWR | ORK_AMODE_WRONLY));
}

static const uint16_t usage_of[] = {
    [ORK_FILE_AMODE_NOT_ONE] = ORK_USAGE_FILE_AMODE_NOT_ONE,
    [ORK_FILE_AMODE_CREATE] = ORK_USAGE_FILE_AMODE_CREATE,
    [ORK_FILE_AMODE_RDWR] = ORK_USAGE_FILE_AMODE_RDWR,
    [ORK_FILE_AMODE_EXCL] = ORK_USAGE_FILE_AMODE_EXCL,
    [ORK_FILE_NOT_READABLE] = ORK_USAGE_FILE_NOT_READABLE,
    [ORK_FILE_NOT_WRITABLE] = ORK_USAGE_FILE_NOT_WRITABLE,
    [ORK_FILE_IS_SEQUENTIAL] = ORK_USAGE_FILE_IS_SEQUENTIAL,
    [ORK_FILE_IS_NOT_RESIZED] = ORK_USAGE_FILE_IS_NOT_RESIZED,
    [ORK_FILE_BEGUN_TWICE] = ORK_USAGE_FILE_BEGUN_TWICE,
    [ORK_FILE_NOT_BEGUN] = ORK_USAGE_FILE_NOT_BEGUN,
    [ORK_FILE_BEGUN_OTHER] = ORK_USAGE_FILE_BEGUN_OTHER,
    [ORK_FILE_BEGUN_BY_OTHER] = ORK_USAGE_FILE_BEGUN_BY_OTHER,
    [ORK_FILE_SPLIT_IS_ACTIVE] = ORK_USAGE_FILE_SPLIT_IS_ACTIVE,
    [ORK_FILE_NOT_ENDED] = ORK_USAGE_FILE_NOT_ENDED,
};

static void report(const struct ork_call *call, enum ork_usage_id id, int64_t value,
                   struct ork_epoch_place other)
{
    ork_usage_report_locked(
        call, &(struct ork_usage){
                  .id = id, .value = value, .other_site = other.site, .other_call = other.call});
}

void ork_files_check_open(const struct ork_call *call, int amode)
{
    unsigned modes = ork_files_modes(amode);
    enum ork_file_misuse misuse = ork_file_check_amode(modes);

    if (misuse != ORK_FILE_RIGHT)
        report(call, (enum ork_usage_id)usage_of[misuse], num_accesses(modes),
               (struct ork_epoch_place){0});
}

/* ---- open files ---- */

static struct ork_epoch_place place_of(const struct ork_call *call)
{
    return (struct ork_epoch_place){.site = call->site, .call = call->id};
}

static void forget(MPI_File file)
{
    struct ork_entry *e = ork_map_find(&by_handle, ORK_KEY(file));

    if (e == NULL)
        return;
    ork_file_view_release(&files[e->id].view);
    ork_ids_give(&ids, e->id);
    ork_map_remove(&by_handle, e);
}

void ork_files_add(const struct ork_call *call, MPI_File file, int amode)
{
    int saved = errno;
    struct ork_entry *e;

    forget(file);
    e = ork_map_insert(&by_handle, ORK_KEY(file));
    if (e != NULL) {
        e->id = ork_ids_take(&ids);
        if (ork_vec_reserve(&files, &room, e->id + 1, sizeof(*files)))
            files[e->id] = (struct open_file){
                .state = {.amode = ork_files_modes(amode), .opened = place_of(call)}};
        else
            ork_map_remove(&by_handle, e);
    }
    errno = saved;
}

/* ---- nonblocking operations ---- */

static struct ork_map pending; /* by ORK_KEY(MPI_Request) */
static struct ork_ids pending_ids;
static struct pending {
    uint64_t request, file;
    struct ork_epoch_place begun;
} * operations; /* by id */
static uint32_t pending_room;

/* RATIONALE: what is complete is not removed, but replaced when its handle is used again. */
void ork_files_pend(const struct ork_call *call, MPI_File file, MPI_Request request)
{
    int saved = errno;

    if (request == MPI_REQUEST_NULL || ork_is_shared(request))
        return;
    struct ork_entry *e = ork_map_find(&pending, ORK_KEY(request));
    if (e == NULL) {
        e = ork_map_insert(&pending, ORK_KEY(request));
        if (e != NULL)
            e->id = ork_ids_take(&pending_ids);
    }
    if (e != NULL && ork_vec_reserve(&operations, &pending_room, e->id + 1, sizeof(*operations)))
        operations[e->id] = (struct pending){ORK_KEY(request), ORK_KEY(file), place_of(call)};
    else if (e != NULL)
        ork_map_remove(&pending, e);
    errno = saved;
}

/* Is its request still that of this operation? The handle of another one may have the same value.
 */
static bool is_pending(const struct pending *p)
{
    struct ork_request r = ork_request_find((MPI_Request)(uintptr_t)p->request);
    struct ork_handle_place place;

    if (r.id != ORK_REQUEST_UNKNOWN)
        return ork_request_is_of(&r, ORK_R_FILE);
    return ork_handle_look(ORK_HANDLE_REQUEST, p->request, &place) == ORK_HANDLE_VALID &&
           place.site == p->begun.site && place.call == p->begun.call;
}

/* Report the first one of the file, and forget all: its handle can be made again. */
static void end_pending(const struct ork_call *call, MPI_File file)
{
    bool is_told = !ork_handles_are_complete();

    for (uint32_t i = 0; i < pending_room; i++) {
        if (operations[i].file != ORK_KEY(file))
            continue;
        if (!is_told && is_pending(&operations[i])) {
            report(call, ORK_USAGE_FILE_PENDING, 0, operations[i].begun);
            is_told = true;
        }
        operations[i].file = 0;
    }
}

void ork_files_close(const struct ork_call *call, MPI_File file)
{
    ork_files_check(call, file, ORK_FILE_ALONE, 0, MPI_DATATYPE_NULL);
    end_pending(call, file);
    forget(file);
}

/* ---- calls ---- */

/* RATIONALE: whether an empty read of a file that is open only to write is wrong, the standard does
 * not say. */
void ork_files_check(const struct ork_call *call, MPI_File file, unsigned uses, int count,
                     MPI_Datatype type)
{
    const struct open_file *f = find(file);
    struct ork_epoch_place other = {0};

    if (f == NULL)
        return;
    if (count == 0 && (uses & (ORK_FILE_BEGIN | ORK_FILE_END)) == 0)
        uses &= ~(unsigned)(ORK_FILE_READ | ORK_FILE_WRITE);
    enum ork_file_misuse misuse = ork_file_check_uses(&f->state, uses, ork_thread.index, &other);
    if (misuse != ORK_FILE_RIGHT)
        report(call, (enum ork_usage_id)usage_of[misuse], 0, other);
    ork_file_view_check_access(call, &f->view, count, type);
}

void ork_files_follow(const struct ork_call *call, MPI_File file, unsigned uses)
{
    struct open_file *f = find(file);

    if (f != NULL)
        ork_file_follow(&f->state, uses, ork_thread.index, place_of(call));
}

void ork_files_check_view(const struct ork_call *call, MPI_File file, MPI_Offset displacement,
                          MPI_Datatype etype, MPI_Datatype filetype)
{
    const struct open_file *f = find(file);
    bool is_current = displacement == MPI_DISPLACEMENT_CURRENT;

    if (f == NULL)
        return;
    bool is_sequential = (f->state.amode & ORK_AMODE_SEQUENTIAL) != 0;
    bool is_written = (f->state.amode & ORK_AMODE_RDONLY) == 0;
    if (is_current != is_sequential)
        report(call,
               is_current ? ORK_USAGE_FILE_VIEW_IS_CURRENT : ORK_USAGE_FILE_VIEW_IS_NOT_CURRENT,
               displacement, f->state.opened);
    ork_file_view_check(call, etype, filetype, is_written ? &f->state.opened : NULL);
}

void ork_files_set_view(const struct ork_call *call, MPI_File file, MPI_Datatype etype)
{
    struct open_file *f = find(file);

    if (f != NULL)
        ork_file_view_set(&f->view, etype, place_of(call));
}

void ork_files_check_seek(const struct ork_call *call, MPI_Offset offset, int whence)
{
    if (whence == MPI_SEEK_SET && offset < 0)
        report(call, ORK_USAGE_FILE_NEGATIVE_SEEK, offset, (struct ork_epoch_place){0});
}
