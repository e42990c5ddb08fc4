/* SPDX-License-Identifier: BSD-3-Clause */
/* cmocka, with the headers that it wants before it. */
#ifndef ORK_TEST_DETECTOR_UNIT_H
#define ORK_TEST_DETECTOR_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#endif
