/* SPDX-License-Identifier: BSD-3-Clause */
/* MUMPS solves Poisson's equation on a square, with the matrix given by rank 0 and with one that is
 * distributed; the solution is compared with the exact one. Its ranks poll with wildcard probes.
 * [bits]: also print a hash of the solution, whose last bits depend on the order of messages. */
#include <dmumps_c.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 100, UNKNOWNS = SIDE * SIDE, ENTRIES = 5 * UNKNOWNS };
enum { INITIALISE = -1, END = -2, ANALYSE_FACTORISE_SOLVE = 6, USE_COMM_WORLD = -987654 };
enum { CENTRAL = 0, DISTRIBUTED = 3 };

struct matrix {
    MUMPS_INT rows[ENTRIES];
    MUMPS_INT columns[ENTRIES];
    double values[ENTRIES];
    int count;
};

static void add(struct matrix *m, int row, int column, double value)
{
    m->rows[m->count] = row + 1;
    m->columns[m->count] = column + 1;
    m->values[m->count++] = value;
}

static void add_row(struct matrix *m, int x, int y)
{
    int row = y * SIDE + x;

    add(m, row, row, 4);
    if (x > 0)
        add(m, row, row - 1, -1);
    if (x < SIDE - 1)
        add(m, row, row + 1, -1);
    if (y > 0)
        add(m, row, row - SIDE, -1);
    if (y < SIDE - 1)
        add(m, row, row + SIDE, -1);
}

/* Every ranks-th line of the grid, from the first on. */
static void fill(struct matrix *m, int first, int ranks)
{
    m->count = 0;
    for (int y = first; y < SIDE; y += ranks)
        for (int x = 0; x < SIDE; x++)
            add_row(m, x, y);
}

static double exact(int i)
{
    return 1 + i % 7;
}

static void fill_right_side(double *b)
{
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            int i = y * SIDE + x;

            b[i] = 4 * exact(i);
            b[i] -= x > 0 ? exact(i - 1) : 0;
            b[i] -= x < SIDE - 1 ? exact(i + 1) : 0;
            b[i] -= y > 0 ? exact(i - SIDE) : 0;
            b[i] -= y < SIDE - 1 ? exact(i + SIDE) : 0;
        }
}

static double largest_error(const double *x)
{
    double largest = 0;

    for (int i = 0; i < UNKNOWNS; i++)
        largest = fmax(largest, fabs(x[i] - exact(i)));
    return largest;
}

static unsigned long hash(const double *x)
{
    unsigned long h = 0, bits;

    for (int i = 0; i < UNKNOWNS; i++) {
        memcpy(&bits, &x[i], sizeof(bits));
        h = (h ^ bits) * 1099511628211;
    }
    return h;
}

static void call_mumps(DMUMPS_STRUC_C *mumps, int job)
{
    mumps->job = job;
    dmumps_c(mumps);
    if (mumps->infog[0] >= 0)
        return;
    fprintf(stderr, "MUMPS, job %d: error %d\n", job, (int)mumps->infog[0]);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void give_matrix(DMUMPS_STRUC_C *mumps, struct matrix *m, int distribution)
{
    mumps->icntl[17] = distribution;
    mumps->n = UNKNOWNS;
    if (distribution == DISTRIBUTED) {
        mumps->nnz_loc = m->count;
        mumps->irn_loc = m->rows;
        mumps->jcn_loc = m->columns;
        mumps->a_loc = m->values;
    } else {
        mumps->nnz = m->count;
        mumps->irn = m->rows;
        mumps->jcn = m->columns;
        mumps->a = m->values;
    }
}

static void solve(int rank, int ranks, int distribution, int with_bits)
{
    static struct matrix matrix;
    static double solution[UNKNOWNS];
    DMUMPS_STRUC_C mumps = {.par = 1, .sym = 0, .comm_fortran = USE_COMM_WORLD};

    call_mumps(&mumps, INITIALISE);
    for (int i = 0; i < 4; i++)
        mumps.icntl[i] = i < 3 ? -1 : 0; /* no output */
    if (distribution == DISTRIBUTED)
        fill(&matrix, rank, ranks);
    else
        fill(&matrix, 0, 1);
    give_matrix(&mumps, &matrix, distribution);
    if (rank == 0) {
        fill_right_side(solution);
        mumps.rhs = solution;
    }
    call_mumps(&mumps, ANALYSE_FACTORISE_SOLVE);
    if (rank == 0)
        printf("%s matrix: the solution is %s\n",
               distribution == DISTRIBUTED ? "distributed" : "central",
               largest_error(solution) < 1e-9 ? "right" : "wrong");
    if (rank == 0 && with_bits)
        printf("hash of the solution: %016lx\n", hash(solution));
    call_mumps(&mumps, END);
}

int main(int argc, char **argv)
{
    int rank;
    int ranks;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int with_bits = argc > 1 && strcmp(argv[1], "bits") == 0;
    solve(rank, ranks, CENTRAL, with_bits);
    solve(rank, ranks, DISTRIBUTED, with_bits);
    MPI_Finalize();
    return 0;
}
