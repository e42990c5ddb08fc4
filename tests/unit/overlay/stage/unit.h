/* SPDX-License-Identifier: BSD-3-Clause */
/* cmocka with the headers it wants before it. */
#ifndef ORK_TEST_OVERLAY_UNIT_H
#define ORK_TEST_OVERLAY_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
