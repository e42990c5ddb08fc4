# SPDX-License-Identifier: BSD-3-Clause
"""mpi4py.futures: rank 0 hands out work to a pool of the other ranks. Run with: python -m mpi4py.futures pool.py"""

from mpi4py.futures import MPIPoolExecutor


def primes_below(limit):
    return sum(all(n % d for d in range(2, int(n**0.5) + 1)) for n in range(2, limit))


if __name__ == "__main__":
    with MPIPoolExecutor() as pool:
        print(list(pool.map(primes_below, range(100, 1100, 100))))
