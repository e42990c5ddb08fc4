# SPDX-License-Identifier: BSD-3-Clause
# mpi4py.futures starts the workers of a pool itself, polls for their answers and ends them. Nothing to report.
#
# RANKS: 1
# REPORT_RANKS: 3
# EXPECT: clean
# OUTPUT: 1 3628800 [0, 1, 4, 9, 16, 25, 36, 49, 64, 81]
import math

from mpi4py.futures import MPIPoolExecutor


def square(number):
    return number * number


if __name__ == "__main__":
    with MPIPoolExecutor(max_workers=2) as pool:
        late = pool.submit(math.factorial, 10)
        squares = list(pool.map(square, range(10), chunksize=3))
        print(pool.submit(pow, 1, 2).result(), late.result(), squares)
