/* SPDX-License-Identifier: BSD-3-Clause */
/* One status type for all modules. Zero is success, every failure is negative. */
#ifndef ORK_STATUS_H
#define ORK_STATUS_H

enum ork_status {
    ORK_OK = 0,
#define ORK_STATUS(name, value, sentence) ORK_##name = (value),
#include "status.def"
#undef ORK_STATUS
};

/* A sentence without a full stop; static storage, never NULL. */
const char *ork_status_text(enum ork_status status);

#endif
