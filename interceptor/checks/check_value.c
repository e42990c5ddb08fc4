/* SPDX-License-Identifier: BSD-3-Clause */
/* Examinations of numbers, and of addresses of results. */
#include "interceptor/checks/check.h"

#include <stdio.h>

bool ork_report_argument(const struct ork_call *call, enum ork_usage_id row, const char *argument,
                         int64_t value, int64_t value2, const char *text)
{
    ork_usage_report(
        call, &(struct ork_usage){
                  .id = row, .argument = argument, .value = value, .value2 = value2, .text = text});
    return true;
}

bool ork_report_element(const struct ork_call *call, enum ork_usage_id row, const char *array,
                        int i, int64_t value, int64_t value2)
{
    char text[64];

    snprintf(text, sizeof(text), "%s[%d]", array, i);
    return ork_report_argument(call, row, array, value, value2, text);
}

static bool report(const struct ork_call *call, enum ork_usage_id row, const char *argument,
                   int64_t value)
{
    ork_usage_report(call, &(struct ork_usage){.id = row, .argument = argument, .value = value});
    return true;
}

bool ork_wrong_value(const struct ork_call *call, enum ork_usage_id row, const char *argument,
                     int64_t value, bool is_wrong)
{
    return is_wrong && report(call, row, argument, value);
}

bool ork_wrong_array(const struct ork_call *call, enum ork_usage_id row, const char *argument,
                     int n, const int *value, int least)
{
    for (int i = 0; value != NULL && i < n; i++) {
        if (value[i] < least)
            return ork_report_element(call, row, argument, i, value[i], 0);
    }
    return false;
}

int ork_largest(int n, const int *value)
{
    int largest = 0;

    for (int i = 0; value != NULL && i < n; i++)
        largest = value[i] > largest ? value[i] : largest;
    return largest;
}

bool ork_wrong_null(const struct ork_call *call, const char *argument, const void *address)
{
    return address == NULL && report(call, ORK_USAGE_NULL_RESULT, argument, 0);
}

bool ork_wrong_null_array(const struct ork_call *call, const char *argument, const void *address,
                          int n)
{
    return address == NULL && n > 0 && report(call, ORK_USAGE_NULL_ARRAY, argument, n);
}

/* ---- tags ---- */

static bool wrong_tag(const struct ork_call *call, const char *argument, int tag)
{
    ork_usage_report(
        call, &(struct ork_usage){
                  .id = ORK_USAGE_TAG, .argument = argument, .value = tag, .value2 = ork_tag_ub});
    return true;
}

bool ork_wrong_tag(const struct ork_call *call, const char *argument, int tag)
{
    if (tag == MPI_ANY_TAG)
        return report(call, ORK_USAGE_ANY_TAG, argument, tag);
    return ork_is_no_tag(tag) && wrong_tag(call, argument, tag);
}

bool ork_wrong_recv_tag(const struct ork_call *call, const char *argument, int tag)
{
    return ork_is_no_recv_tag(tag) && wrong_tag(call, argument, tag);
}

bool ork_wrong_environment(const struct ork_call *call, const char *argument, int keyval)
{
    if (!ork_is_environment(keyval))
        return false;
    ork_usage_report(call, &(struct ork_usage){.id = ORK_USAGE_ENVIRONMENT,
                                               .argument = argument,
                                               .text = keyval == MPI_TAG_UB ? "MPI_TAG_UB"
                                                       : keyval == MPI_HOST ? "MPI_HOST"
                                                       : keyval == MPI_IO   ? "MPI_IO"
                                                                          : "MPI_WTIME_IS_GLOBAL"});
    return true;
}
