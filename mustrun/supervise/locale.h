/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ORK_MUSTRUN_SUPERVISE_LOCALE_H
#define ORK_MUSTRUN_SUPERVISE_LOCALE_H

#include <stdbool.h>

/* Does the user's locale (LC_ALL, else LC_CTYPE, else LANG) say that texts are UTF-8? RATIONALE:
 * setlocale() would change how all other texts and numbers are written, and needs the locale to be
 * installed on this host. */
bool ork_locale_is_utf8(void);

#endif
