/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of a library, with arguments in all registers that may have one, and on the stack. */
#ifndef ORK_TESTS_ON_DEMAND_SUBJECT_H
#define ORK_TESTS_ON_DEMAND_SUBJECT_H

long subject_sum(long a, long b, long c, long d, long e, long f, long g, long h);
double subject_mean(double a, double b, double c, double d, double e, double f, double g, double h,
                    double i, long count);
/* The digits that follow, as a number: `l` in the format is a long, `d` a double. */
double subject_list(const char *format, ...);

struct subject_three {
    long first, second, third;
};
struct subject_three subject_three(long first, long second, long third);

/* The library has none of this name. */
void subject_absent(void);

#endif
