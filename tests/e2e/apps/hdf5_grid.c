/* SPDX-License-Identifier: BSD-3-Clause */
/* Parallel HDF5: a table is written in rows, blocks, chunks and steps, collectively and by each
 * rank for itself; the file is opened again, read by columns and compared. Run with 4 ranks. */
#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 64, COLUMNS = 48, STEPS = 3 };

static int rank;
static int ranks;

static void check(int64_t id, const char *what)
{
    if (id >= 0)
        return;
    fprintf(stderr, "rank %d: %s failed\n", rank, what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* The value of every dataset at a place of the table. */
static int value(hsize_t row, hsize_t column)
{
    return (int)(1000 * row + column);
}

struct part {
    hsize_t start[2];
    hsize_t count[2];
};

static struct part rows_of(int owner)
{
    hsize_t n = ROWS / (hsize_t)ranks;

    return (struct part){.start = {(hsize_t)owner * n, 0}, .count = {n, COLUMNS}};
}

static struct part columns_of(int owner)
{
    hsize_t n = COLUMNS / (hsize_t)ranks;

    return (struct part){.start = {0, (hsize_t)owner * n}, .count = {ROWS, n}};
}

static struct part block_of(int owner)
{
    hsize_t height = ROWS / (hsize_t)(ranks / 2);

    return (struct part){.start = {(hsize_t)(owner / 2) * height, owner % 2 ? COLUMNS / 2 : 0},
                         .count = {height, COLUMNS / 2}};
}

static int *new_values(const struct part *part)
{
    int *values = malloc(part->count[0] * part->count[1] * sizeof(*values));

    if (values == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (hsize_t i = 0; i < part->count[0]; i++)
        for (hsize_t j = 0; j < part->count[1]; j++)
            values[i * part->count[1] + j] = value(part->start[0] + i, part->start[1] + j);
    return values;
}

static hid_t transfer(H5FD_mpio_xfer_t mode)
{
    hid_t list = H5Pcreate(H5P_DATASET_XFER);

    check(H5Pset_dxpl_mpio(list, mode), "H5Pset_dxpl_mpio");
    return list;
}

static void write_part(hid_t dataset, const struct part *part, H5FD_mpio_xfer_t mode)
{
    hid_t list = transfer(mode);
    hid_t file_space = H5Dget_space(dataset);
    hid_t memory_space = H5Screate_simple(2, part->count, NULL);
    int *values = new_values(part);

    check(H5Sselect_hyperslab(file_space, H5S_SELECT_SET, part->start, NULL, part->count, NULL),
          "H5Sselect_hyperslab");
    check(H5Dwrite(dataset, H5T_NATIVE_INT, memory_space, file_space, list, values), "H5Dwrite");
    free(values);
    H5Sclose(memory_space);
    H5Sclose(file_space);
    H5Pclose(list);
}

static int wrong_values(hid_t dataset, const struct part *part)
{
    hid_t list = transfer(H5FD_MPIO_COLLECTIVE);
    hid_t file_space = H5Dget_space(dataset);
    hid_t memory_space = H5Screate_simple(2, part->count, NULL);
    hsize_t size = part->count[0] * part->count[1];
    int *right = new_values(part);
    int *got = calloc(size, sizeof(*got));
    int wrong = 0;

    check(H5Sselect_hyperslab(file_space, H5S_SELECT_SET, part->start, NULL, part->count, NULL),
          "H5Sselect_hyperslab");
    check(H5Dread(dataset, H5T_NATIVE_INT, memory_space, file_space, list, got), "H5Dread");
    for (hsize_t i = 0; i < size; i++)
        wrong += got[i] != right[i];
    free(got);
    free(right);
    H5Sclose(memory_space);
    H5Sclose(file_space);
    H5Pclose(list);
    return wrong;
}

static hid_t create_dataset(hid_t file, const char *name, const hsize_t *chunk, hsize_t rows)
{
    hsize_t now[2] = {rows, COLUMNS};
    hsize_t most[2] = {ROWS, COLUMNS};
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    hid_t space = H5Screate_simple(2, now, most);
    hid_t dataset;

    if (chunk != NULL)
        check(H5Pset_chunk(list, 2, chunk), "H5Pset_chunk");
    dataset = H5Dcreate2(file, name, H5T_STD_I32LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
    check(dataset, "H5Dcreate2");
    H5Sclose(space);
    H5Pclose(list);
    return dataset;
}

static void write_rows(hid_t file)
{
    hid_t dataset = create_dataset(file, "rows", NULL, ROWS);
    struct part mine = rows_of(rank);

    write_part(dataset, &mine, H5FD_MPIO_COLLECTIVE);
    H5Dclose(dataset);
}

/* Each rank writes line by line when it likes to. */
static void write_independently(hid_t file)
{
    hid_t dataset = create_dataset(file, "independent", NULL, ROWS);
    struct part line = rows_of(rank);
    hsize_t count = line.count[0];

    line.count[0] = 1;
    for (hsize_t i = 0; i < count; i++, line.start[0]++)
        write_part(dataset, &line, H5FD_MPIO_INDEPENDENT);
    H5Dclose(dataset);
}

/* The chunks do not fit to the blocks: ranks share some of them. */
static void write_chunks(hid_t file)
{
    const hsize_t chunk[2] = {10, 7};
    hid_t dataset = create_dataset(file, "chunks", chunk, ROWS);
    struct part mine = block_of(rank);

    write_part(dataset, &mine, H5FD_MPIO_COLLECTIVE);
    H5Dclose(dataset);
}

/* The dataset grows, and every step each rank adds its columns. */
static void write_steps(hid_t file)
{
    const hsize_t chunk[2] = {8, COLUMNS};
    hid_t dataset = create_dataset(file, "steps", chunk, 0);

    for (hsize_t step = 0; step < STEPS; step++) {
        hsize_t size[2] = {ROWS * (step + 1) / STEPS, COLUMNS};
        struct part mine = columns_of(rank);

        mine.start[0] = ROWS * step / STEPS;
        mine.count[0] = size[0] - mine.start[0];
        check(H5Dset_extent(dataset, size), "H5Dset_extent");
        write_part(dataset, &mine, H5FD_MPIO_COLLECTIVE);
    }
    H5Dclose(dataset);
}

static void write_attribute(hid_t file)
{
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(file, "ranks", H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT);

    check(H5Awrite(attribute, H5T_NATIVE_INT, &ranks), "H5Awrite");
    H5Aclose(attribute);
    H5Sclose(space);
}

static hid_t file_access(void)
{
    hid_t list = H5Pcreate(H5P_FILE_ACCESS);

    check(H5Pset_fapl_mpio(list, MPI_COMM_WORLD, MPI_INFO_NULL), "H5Pset_fapl_mpio");
    return list;
}

static void write_file(const char *name)
{
    hid_t list = file_access();
    hid_t file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, list);

    check(file, "H5Fcreate");
    write_attribute(file);
    write_rows(file);
    write_independently(file);
    write_chunks(file);
    check(H5Fflush(file, H5F_SCOPE_GLOBAL), "H5Fflush");
    write_steps(file);
    H5Fclose(file);
    H5Pclose(list);
}

static void compare(hid_t file, const char *name)
{
    hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
    struct part mine = columns_of((rank + 1) % ranks); /* other data than this rank has written */
    int wrong;
    int all = 0;

    check(dataset, "H5Dopen2");
    wrong = wrong_values(dataset, &mine);
    H5Dclose(dataset);
    MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s: %d of %d values are wrong\n", name, all, ROWS * COLUMNS);
}

static void read_file(const char *name)
{
    hid_t list = file_access();
    hid_t file = H5Fopen(name, H5F_ACC_RDONLY, list);

    check(file, "H5Fopen");
    compare(file, "rows");
    compare(file, "independent");
    compare(file, "chunks");
    compare(file, "steps");
    H5Fclose(file);
    H5Pclose(list);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    write_file("grid.h5");
    read_file("grid.h5");
    MPI_Finalize();
    return 0;
}
