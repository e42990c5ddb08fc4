/* SPDX-License-Identifier: BSD-3-Clause */
/* Paths as URIs (RFC 3986, RFC 8089). The caller frees them; NULL: out of memory. */
#ifndef ORK_VIZ_URI_H
#define ORK_VIZ_URI_H

/* A reference: "src/my%20halo.c", "file:///usr/include/mpi.h". */
char *ork_uri_of_path(const char *path);
/* "file:///home/ada/" */
char *ork_uri_of_folder(const char *path);

#endif
