# SPDX-License-Identifier: BSD-3-Clause
"""mustbatch: run suites of MPI programs under mustrun and sum their reports up."""
