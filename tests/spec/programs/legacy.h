/* SPDX-License-Identifier: BSD-3-Clause */
/* A variable in a header without extern: one for all files with -fcommon only. */
#ifndef LEGACY_H
#define LEGACY_H

int steps;

#endif
