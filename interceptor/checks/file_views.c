/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/checks/file_views.h"

#include "interceptor/objects/signature_text.h"
#include "interceptor/usage/usage.h"

#include <errno.h>
#include <stdio.h>

/* What is wrong with the elements of a buffer, or of a filetype, that are to be copies of an
 * etype? */
enum fault { RIGHT, OTHER_TYPES, PART_OF_ETYPE };

static enum fault compare(const struct ork_items *items, const struct ork_sequence *etype)
{
    struct ork_signature all = ork_items_signature(items);
    const struct ork_signature *one = &etype->signature;

    if (all.unknown || one->unknown || all.has_packed || one->has_packed || one->length == 0 ||
        all.length == 0)
        return RIGHT;
    uint64_t copies = all.length / one->length + (all.length % one->length != 0);
    struct ork_items etypes = {copies, etype};
    if (ork_items_compare(items, &etypes).match == ORK_TYPES_DIFFER)
        return OTHER_TYPES;
    return all.length % one->length == 0 ? RIGHT : PART_OF_ETYPE;
}

static void write_text(char *text, size_t size, const struct ork_items *items, const char *relation,
                       const struct ork_sequence *etype)
{
    char elements[ORK_ITEMS_TEXT], of_etype[ORK_ITEMS_TEXT];

    ork_items_write(elements, items);
    ork_items_write(of_etype, &(struct ork_items){1, etype});
    snprintf(text, size, "%s%s%s", elements, relation, of_etype);
}

static void check_overlap(const struct ork_call *call, const char *argument, MPI_Datatype type,
                          const struct ork_epoch_place *opened)
{
    if (ork_type_predefined(type) != ORK_TYPE_UNKNOWN ||
        ork_type_fault(type, 1) != ORK_TYPE_OVERLAPS)
        return;
    ork_usage_report_locked(call, &(struct ork_usage){.id = ORK_USAGE_FILE_VIEW_OVERLAPS,
                                                      .argument = argument,
                                                      .other_site = opened->site,
                                                      .other_call = opened->call});
}

static void check_filetype(const struct ork_call *call, MPI_Datatype etype, MPI_Datatype filetype)
{
    struct ork_sequence *one = ork_type_sequence(etype);
    struct ork_sequence *all = ork_type_sequence(filetype);
    char text[3 * ORK_ITEMS_TEXT];

    if (one != NULL && all != NULL) {
        struct ork_items items = {1, all};
        if (compare(&items, one) != RIGHT) {
            write_text(text, sizeof(text), &items, ", but the etype has ", one);
            ork_usage_report_locked(
                call, &(struct ork_usage){.id = ORK_USAGE_FILE_VIEW_TYPES, .text = text});
        }
    }
    ork_type_release_sequence(one);
    ork_type_release_sequence(all);
}

void ork_file_view_check(const struct ork_call *call, MPI_Datatype etype, MPI_Datatype filetype,
                         const struct ork_epoch_place *opened)
{
    int saved = errno;

    if (opened != NULL) {
        check_overlap(call, "etype", etype, opened);
        check_overlap(call, "filetype", filetype, opened);
    }
    if (etype != MPI_BYTE && etype != filetype)
        check_filetype(call, etype, filetype);
    errno = saved;
}

void ork_file_view_release(struct ork_file_view *view)
{
    if (view->etype != NULL)
        ork_type_release_sequence(view->etype);
    *view = (struct ork_file_view){0};
}

void ork_file_view_set(struct ork_file_view *view, MPI_Datatype etype, struct ork_epoch_place set)
{
    int saved = errno;

    ork_file_view_release(view);
    *view = (struct ork_file_view){.etype = etype == MPI_BYTE ? NULL : ork_type_sequence(etype),
                                   .set = set};
    errno = saved;
}

void ork_file_view_check_access(const struct ork_call *call, const struct ork_file_view *view,
                                int count, MPI_Datatype type)
{
    char text[3 * ORK_ITEMS_TEXT];
    int saved = errno;
    struct ork_sequence *sequence =
        view->etype == NULL || count <= 0 ? NULL : ork_type_sequence(type);

    if (sequence == NULL)
        return;
    struct ork_items items = {(uint64_t)count, sequence};
    enum fault fault = compare(&items, view->etype);
    if (fault != RIGHT) {
        write_text(text, sizeof(text), &items, " in a view with etypes of ", view->etype);
        ork_usage_report_locked(call, &(struct ork_usage){.id = fault == OTHER_TYPES
                                                                    ? ORK_USAGE_FILE_ACCESS_TYPES
                                                                    : ORK_USAGE_FILE_ACCESS_PART,
                                                          .text = text,
                                                          .other_site = view->set.site,
                                                          .other_call = view->set.call});
    }
    ork_type_release_sequence(sequence);
    errno = saved;
}
