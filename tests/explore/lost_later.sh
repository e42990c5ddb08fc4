#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# lost_later.sh PREFIX COMMAND...: each rank runs the command once, in the first run. In all others it ends at once, without a call of
# MPI, so that these runs have no result, as if their allocation had ended.
mkdir "$1-$OMPI_COMM_WORLD_RANK" 2>/dev/null || exit 0
shift
exec "$@"
