/* SPDX-License-Identifier: BSD-3-Clause */
/* topology FILE: write the topology of this machine to a file, so that the MPI jobs of the tests
 * need not discover it. */
#include <hwloc.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    hwloc_topology_t topology;
    if (argc != 2 || hwloc_topology_init(&topology) != 0)
        return 2;
    int code =
        hwloc_topology_load(topology) != 0 || hwloc_topology_export_xml(topology, argv[1], 0) != 0;
    if (code != 0)
        perror(argv[1]);
    hwloc_topology_destroy(topology);
    return code;
}
