/* SPDX-License-Identifier: BSD-3-Clause */
/* Records of three ranks, and the alternatives of their choices as text. */
#ifndef ORK_TESTS_CAUSALITY_SCRIPT_H
#define ORK_TESTS_CAUSALITY_SCRIPT_H

#include "order/causality/causality.h"

#include <stdint.h>

enum { RANKS = 3, ANY = ORK_ANY_SOURCE };

struct script {
    struct ork_causality *causality;
    uint64_t named[RANKS]; /* choices of each rank that records have named */
};

struct script script_begin(void);
void script_put(struct script *s, uint32_t rank, struct ork_record record);
void script_put_list(struct script *s, uint32_t rank, struct ork_record record,
                     const uint32_t *word, uint32_t count);
#define PUT_LIST(script, rank, record, ...)                                                        \
    script_put_list(script, rank, record, (const uint32_t[]){__VA_ARGS__},                         \
                    sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
void script_send(struct script *s, uint32_t rank, int32_t to);
void script_irecv(struct script *s, uint32_t rank, int32_t from, uint32_t request);
/* All ranks call MPI_Finalize. Their alternatives are these lines; ends the script. */
void script_check(struct script *s, const char *expected);

#endif
