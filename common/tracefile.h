/* SPDX-License-Identifier: BSD-3-Clause */
/* The file of a trace (--must:trace): mustrun checks before the start whether it can be written,
 * the root of the tool writes it. */
#ifndef ORK_COMMON_TRACEFILE_H
#define ORK_COMMON_TRACEFILE_H

#define ORK_TRACEFILE_MAGIC "ORKTRACE" /* its first bytes */

#endif
