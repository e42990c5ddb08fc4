/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/explore/store.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "OKXP", so that another database is not taken for ours. */
#define APPLICATION_ID "1330337872"
#define VERSION        "9"

static const char schema[] =
    "PRAGMA application_id = " APPLICATION_ID ";"
    "PRAGMA user_version = " VERSION ";"
    "CREATE TABLE exploration (program TEXT, bounds TEXT, finished INTEGER);"
    "CREATE TABLE run (number INTEGER PRIMARY KEY, node INTEGER,"
    " alternative INTEGER, outcome INTEGER, diverged INTEGER,"
    " seconds REAL, orders BLOB, alternatives BLOB);"
    "CREATE TABLE outcome (number INTEGER PRIMARY KEY, kind INTEGER,"
    " key TEXT, message TEXT, first INTEGER);";

struct ork_store {
    sqlite3 *db;
};

static enum ork_status status_of(int result)
{
    switch (result) {
    case SQLITE_OK:
    case SQLITE_DONE:
    case SQLITE_ROW:
        return ORK_OK;
    case SQLITE_NOMEM:
        return ORK_NOMEM;
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
        return ORK_INVALID;
    default:
        return ORK_IO;
    }
}

const char *ork_store_failure(const struct ork_store *store)
{
    return sqlite3_errmsg(store->db);
}

void ork_store_close(struct ork_store *store)
{
    if (store == NULL)
        return;
    sqlite3_close(store->db);
    free(store);
}

static enum ork_status execute(struct ork_store *s, const char *sql)
{
    return status_of(sqlite3_exec(s->db, sql, NULL, NULL, NULL));
}

enum ork_status ork_store_begin(struct ork_store *s)
{
    return execute(s, "BEGIN IMMEDIATE");
}

enum ork_status ork_store_commit(struct ork_store *s)
{
    return execute(s, "COMMIT");
}

/* ---- statements ---- */

static enum ork_status prepare(struct ork_store *s, const char *sql, sqlite3_stmt **statement)
{
    return status_of(sqlite3_prepare_v2(s->db, sql, -1, statement, NULL));
}

/* Execute a statement without results, and free it. */
static enum ork_status finish(sqlite3_stmt *statement)
{
    enum ork_status status = status_of(sqlite3_step(statement));

    sqlite3_finalize(statement);
    return status;
}

static void bind_text(sqlite3_stmt *statement, int i, const char *text)
{
    sqlite3_bind_text(statement, i, text, -1, SQLITE_STATIC);
}

static void bind_blob(sqlite3_stmt *statement, int i, struct ork_stored_blob blob)
{
    if (blob.size > 0)
        sqlite3_bind_blob64(statement, i, blob.bytes, blob.size, SQLITE_STATIC);
}

static struct ork_stored_blob blob_of(sqlite3_stmt *statement, int i)
{
    const void *bytes = sqlite3_column_blob(statement, i);

    return (struct ork_stored_blob){bytes, (size_t)sqlite3_column_bytes(statement, i)};
}

static const char *text_of(sqlite3_stmt *statement, int i)
{
    return (const char *)sqlite3_column_text(statement, i);
}

/* ---- opening ---- */

static enum ork_status fail(char *error, enum ork_status status, const char *why)
{
    snprintf(error, ORK_STORE_ERROR, "%s", why);
    return status;
}

static int64_t number_of(struct ork_store *s, const char *sql)
{
    sqlite3_stmt *statement;
    int64_t value = 0;

    if (prepare(s, sql, &statement) != ORK_OK)
        return -1;
    if (sqlite3_step(statement) == SQLITE_ROW)
        value = sqlite3_column_int64(statement, 0);
    else
        value = -1;
    sqlite3_finalize(statement);
    return value;
}

bool ork_store_is_empty(struct ork_store *s)
{
    return number_of(s, "SELECT count(*) FROM sqlite_schema") == 0;
}

static bool is_ours(struct ork_store *s)
{
    return number_of(s, "PRAGMA application_id") == strtol(APPLICATION_ID, NULL, 10);
}

static bool has_version(struct ork_store *s)
{
    return number_of(s, "PRAGMA user_version") == strtol(VERSION, NULL, 10);
}

static enum ork_status compare(struct ork_store *s, const char *program, const char *bounds,
                               char *error)
{
    sqlite3_stmt *statement;
    enum ork_status status = prepare(s, "SELECT program, bounds FROM exploration", &statement);

    if (status != ORK_OK)
        return fail(error, status, ork_store_failure(s));
    if (sqlite3_step(statement) != SQLITE_ROW || text_of(statement, 0) == NULL ||
        text_of(statement, 1) == NULL)
        status = fail(error, ORK_INVALID, "it is damaged");
    else if (strcmp(text_of(statement, 0), program) != 0)
        status = fail(error, ORK_INVALID, "it is of another program, or of other options");
    else if (strcmp(text_of(statement, 1), bounds) != 0)
        status = fail(error, ORK_INVALID, "it has other bounds");
    sqlite3_finalize(statement);
    return status;
}

static bool is_unfinished(struct ork_store *s)
{
    return !has_version(s) || number_of(s, "SELECT finished FROM exploration") != 1;
}

static enum ork_status resume(struct ork_store *s, const char *program, const char *bounds,
                              char *error)
{
    enum ork_status status = compare(s, program, bounds, error);

    if (status == ORK_OK && execute(s, "UPDATE exploration SET finished = 0") != ORK_OK)
        return fail(error, ORK_IO, ork_store_failure(s));
    return status;
}

static enum ork_status check(struct ork_store *s, enum ork_store_use use, const char *program,
                             const char *bounds, char *error)
{
    bool empty = ork_store_is_empty(s);

    if (!empty && (!is_ours(s) || (use == ORK_STORE_RESUME && !has_version(s))))
        return fail(error, ORK_INVALID, "it is not an exploration of this version of orknot");
    if (empty && use == ORK_STORE_RESUME)
        return fail(error, ORK_NOTFOUND, "there is no exploration to continue");
    if (!empty && use == ORK_STORE_NEW && is_unfinished(s))
        return fail(error, ORK_EXISTS,
                    has_version(s)
                        ? "it is unfinished (--must:explore-resume continues it, "
                          "--must:explore-replace replaces it)"
                        : "it is of another version (--must:explore-replace replaces it)");
    return use == ORK_STORE_RESUME ? resume(s, program, bounds, error) : ORK_OK;
}

/* RATIONALE: a write-ahead log that is not synchronised after each transaction survives the death
 * of this process, and costs no wait for the disk. */
enum ork_status ork_store_open(const char *path, enum ork_store_use use, const char *program,
                               const char *bounds, struct ork_store **out,
                               char error[ORK_STORE_ERROR])
{
    struct ork_store *s = calloc(1, sizeof(*s));
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOFOLLOW;

    if (s == NULL)
        return ORK_NOMEM;
    enum ork_status status = status_of(sqlite3_open_v2(path, &s->db, flags, NULL));
    if (status == ORK_OK)
        status = execute(s, "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL;"
                            "PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE; COMMIT");
    if (status == ORK_OK)
        status = check(s, use, program, bounds, error);
    else if (s->db != NULL && sqlite3_errcode(s->db) == SQLITE_BUSY)
        fail(error, status, "another mustrun is using it");
    else if (s->db != NULL)
        fail(error, status, ork_store_failure(s));
    if (status == ORK_OK)
        *out = s;
    else
        ork_store_close(s);
    return status;
}

/* ---- the exploration ---- */

enum ork_status ork_store_begin_exploration(struct ork_store *s, const char *program,
                                            const char *bounds)
{
    static const char clear[] = "DROP TABLE IF EXISTS exploration; DROP TABLE IF EXISTS run;"
                                "DROP TABLE IF EXISTS outcome;";
    sqlite3_stmt *statement;
    enum ork_status status = ork_store_begin(s);

    if (status == ORK_OK)
        status = execute(s, clear);
    if (status == ORK_OK)
        status = execute(s, schema);
    if (status == ORK_OK)
        status = prepare(s, "INSERT INTO exploration VALUES (?, ?, 0)", &statement);
    if (status != ORK_OK)
        return status;
    bind_text(statement, 1, program);
    bind_text(statement, 2, bounds);
    status = finish(statement);
    return status == ORK_OK ? ork_store_commit(s) : status;
}

enum ork_status ork_store_finish_exploration(struct ork_store *s)
{
    return execute(s, "UPDATE exploration SET finished = 1");
}

/* ---- runs ---- */

enum ork_status ork_store_add_run(struct ork_store *s, const struct ork_stored_run *run)
{
    sqlite3_stmt *statement;
    enum ork_status status =
        prepare(s, "INSERT INTO run VALUES (?, ?, ?, ?, ?, ?, ?, ?)", &statement);

    if (status != ORK_OK)
        return status;
    sqlite3_bind_int64(statement, 1, (int64_t)run->number);
    sqlite3_bind_int64(statement, 2, run->node);
    sqlite3_bind_int64(statement, 3, run->index);
    sqlite3_bind_int64(statement, 4, run->outcome);
    sqlite3_bind_int(statement, 5, run->diverged);
    sqlite3_bind_double(statement, 6, run->seconds);
    bind_blob(statement, 7, run->order);
    bind_blob(statement, 8, run->alternatives);
    return finish(statement);
}

static struct ork_stored_run run_of(sqlite3_stmt *statement)
{
    return (struct ork_stored_run){.number = (uint64_t)sqlite3_column_int64(statement, 0),
                                   .node = sqlite3_column_int64(statement, 1),
                                   .index = sqlite3_column_int64(statement, 2),
                                   .outcome = (uint32_t)sqlite3_column_int64(statement, 3),
                                   .diverged = sqlite3_column_int(statement, 4) != 0,
                                   .seconds = sqlite3_column_double(statement, 5),
                                   .order = blob_of(statement, 6),
                                   .alternatives = blob_of(statement, 7)};
}

enum ork_status ork_store_read_runs(struct ork_store *s, ork_store_take_run *take, void *context)
{
    sqlite3_stmt *statement;
    enum ork_status status = prepare(s, "SELECT * FROM run ORDER BY number", &statement);
    int result = SQLITE_DONE;

    if (status != ORK_OK)
        return status;
    while (status == ORK_OK && (result = sqlite3_step(statement)) == SQLITE_ROW) {
        struct ork_stored_run run = run_of(statement);
        status = take(context, &run);
    }
    sqlite3_finalize(statement);
    return status == ORK_OK ? status_of(result) : status;
}

static enum ork_status read_blob(struct ork_store *s, const char *sql, uint64_t run, void **bytes,
                                 size_t *size)
{
    sqlite3_stmt *statement;
    enum ork_status status = prepare(s, sql, &statement);

    if (status != ORK_OK)
        return status;
    sqlite3_bind_int64(statement, 1, (int64_t)run);
    status = sqlite3_step(statement) == SQLITE_ROW ? ORK_OK : ORK_NOTFOUND;
    struct ork_stored_blob blob = {0};
    if (status == ORK_OK)
        blob = blob_of(statement, 0);
    *size = blob.size;
    *bytes = malloc(blob.size + 1);
    if (blob.size == 0 || *bytes == NULL) {
        status = blob.size == 0 ? ORK_NOTFOUND : ORK_NOMEM;
        free(*bytes);
    } else {
        memcpy(*bytes, blob.bytes, blob.size);
    }
    sqlite3_finalize(statement);
    return status;
}

enum ork_status ork_store_read_order(struct ork_store *s, uint64_t run, void **bytes, size_t *size)
{
    return read_blob(s, "SELECT orders FROM run WHERE number = ?", run, bytes, size);
}

enum ork_status ork_store_read_alternatives(struct ork_store *s, uint64_t run, void **bytes,
                                            size_t *size)
{
    return read_blob(s, "SELECT alternatives FROM run WHERE number = ?", run, bytes, size);
}

/* ---- outcomes ---- */

enum ork_status ork_store_put_outcome(struct ork_store *s, const struct ork_stored_outcome *outcome)
{
    sqlite3_stmt *statement;
    enum ork_status status =
        prepare(s, "INSERT OR REPLACE INTO outcome VALUES (?, ?, ?, ?, ?)", &statement);

    if (status != ORK_OK)
        return status;
    sqlite3_bind_int64(statement, 1, outcome->number);
    sqlite3_bind_int(statement, 2, outcome->kind);
    bind_text(statement, 3, outcome->key);
    bind_text(statement, 4, outcome->message);
    sqlite3_bind_int64(statement, 5, (int64_t)outcome->first);
    return finish(statement);
}

enum ork_status ork_store_read_outcomes(struct ork_store *s, ork_store_take_outcome *take,
                                        void *context)
{
    sqlite3_stmt *statement;
    enum ork_status status = prepare(s, "SELECT * FROM outcome ORDER BY number", &statement);
    int result = SQLITE_DONE;

    if (status != ORK_OK)
        return status;
    while (status == ORK_OK && (result = sqlite3_step(statement)) == SQLITE_ROW) {
        struct ork_stored_outcome outcome = {
            .number = (uint32_t)sqlite3_column_int64(statement, 0),
            .kind = sqlite3_column_int(statement, 1),
            .key = text_of(statement, 2),
            .message = text_of(statement, 3),
            .first = (uint64_t)sqlite3_column_int64(statement, 4),
        };
        status = outcome.key == NULL ? ORK_INVALID : take(context, &outcome);
    }
    sqlite3_finalize(statement);
    return status == ORK_OK ? status_of(result) : status;
}
