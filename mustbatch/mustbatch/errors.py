# SPDX-License-Identifier: BSD-3-Clause
"""What ends mustbatch itself: one sentence and an exit code."""

ALL_AS_EXPECTED = 0
NOT_AS_EXPECTED = 1
USAGE = 64
UNAVAILABLE = 69
FAILED = 70


class Refused(Exception):
    """The command line, a suite file or a folder is wrong."""

    exit_code = USAGE


class Unavailable(Exception):
    """mustrun is missing."""

    exit_code = UNAVAILABLE
