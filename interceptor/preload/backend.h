/* SPDX-License-Identifier: BSD-3-Clause */
/* The backend for the library of this process: a file beside the preload file. */
#ifndef ORK_BACKEND_H
#define ORK_BACKEND_H

#include "interceptor/preload/preload.h"

/* Open the one that fits the library that was chosen. False: there is none. To be called once. */
bool ork_backend_open(void);

/* The path of its file; NULL: none is open. */
const char *ork_backend_file(void);

/* The function by which the backend replaces this one. NULL: it does not. */
ork_function ork_backend_symbol(const char *symbol);

#endif
