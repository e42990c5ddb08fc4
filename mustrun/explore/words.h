/* SPDX-License-Identifier: BSD-3-Clause */
/* What a choice did, in words: "took the message of rank 2, tag 0". */
#ifndef ORK_MUSTRUN_EXPLORE_WORDS_H
#define ORK_MUSTRUN_EXPLORE_WORDS_H

#include "order/file/order.h"

/* FREE: a poll that is unsuccessful. The caller owns the text. NULL: out of memory. */
char *ork_choice_words(const struct ork_choice *choice);

#endif
