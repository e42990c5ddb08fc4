/* SPDX-License-Identifier: BSD-3-Clause */
/* A library that can be preloaded and does nothing. */
extern const int ork_test_nothing;
const int ork_test_nothing = 0;
