/* SPDX-License-Identifier: BSD-3-Clause */
/* Choices in plain words. */
#ifndef ORK_MUSTVIEW_ORDER_WORDS_H
#define ORK_MUSTVIEW_ORDER_WORDS_H

#include "order/file/file.h"

#include <stdio.h>

/* "MPI_Recv at farm.c:40: received from rank 3, tag 7 after 2 unsuccessful polls". `file`, `rank`:
 * where the choice is from. */
void ork_choice_put(const struct ork_order_file *file, uint32_t rank,
                    const struct ork_choice *choice, FILE *out);

/* "rank 3"; "rank 5 (rank 1 of job 2)" if it was spawned. */
void ork_order_put_rank(const struct ork_order_rank *rank, FILE *out);
/* "1 choice", "2 choices" */
void ork_order_put_number(uint64_t number, const char *what, FILE *out);

#endif
