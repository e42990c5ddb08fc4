/* SPDX-License-Identifier: BSD-3-Clause */
/* What a sentence says of the elements of a buffer. */
#ifndef ORK_INTERCEPTOR_SIGNATURE_TEXT_H
#define ORK_INTERCEPTOR_SIGNATURE_TEXT_H

#include "bytes/datatype/sequence.h"

enum { ORK_ITEMS_TEXT = 96 };

/* "3 x MPI_INT"; "20 bytes of several datatypes"; "20 bytes" of
 * elements that are not known. */
void ork_items_write(char text[ORK_ITEMS_TEXT], const struct ork_items *items);

#endif
