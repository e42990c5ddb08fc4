/* SPDX-License-Identifier: BSD-3-Clause */
/* Formatted text on the heap. */
#ifndef ORK_COMMON_TEXT_H
#define ORK_COMMON_TEXT_H

/* The text, as sprintf() would write it; the caller frees it. NULL: out of memory. */
__attribute__((format(printf, 1, 2))) char *ork_text(const char *format, ...);

#endif
