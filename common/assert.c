/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/assert.h"

#include "common/exitcode.h"
#include "common/log.h"

#include <unistd.h>

void ork_assert_failed(const char *condition, const char *file, int line, const char *function)
{
    ork_error("internal error, please report it: \"%s\" does not hold in %s (%s:%d)", condition,
              function, file, line);
    _exit(ORK_EXIT_INTERNAL); /* run no handlers on invalid data */
}
