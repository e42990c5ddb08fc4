/* SPDX-License-Identifier: BSD-3-Clause */
/* Other clocks for order/causality, for comparison (docs/explanation/alternatives.md). */
#ifndef ORK_BENCH_LAZY_CLOCKS_H
#define ORK_BENCH_LAZY_CLOCKS_H

#include "order/causality/clocks.h"

/* Lazy Lamport clocks (LLCP): one number for each rank. They find fewer alternatives. */
extern const struct clocks scalar_clocks;
/* Lazy vector clocks (LVCP): they find all alternatives, and some that are impossible. */
extern struct clocks vector_clocks;

#endif
