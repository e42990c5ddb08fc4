/* SPDX-License-Identifier: BSD-3-Clause */
#include "on_demand_subject.h"

#include <stdarg.h>

long subject_sum(long a, long b, long c, long d, long e, long f, long g, long h)
{
    return a + 10 * b + 100 * c + 1000 * d + 10000 * e + 100000 * f + 1000000 * g + 10000000 * h;
}

double subject_mean(double a, double b, double c, double d, double e, double f, double g, double h,
                    double i, long count)
{
    return (a + b + c + d + e + f + g + h + i) / (double)count;
}

double subject_list(const char *format, ...)
{
    va_list list;
    double sum = 0;

    va_start(list, format);
    for (; *format != '\0'; format++)
        sum = 10 * sum + (*format == 'l' ? (double)va_arg(list, long) : va_arg(list, double));
    va_end(list);
    return sum;
}

struct subject_three subject_three(long first, long second, long third)
{
    return (struct subject_three){first, second, third};
}
