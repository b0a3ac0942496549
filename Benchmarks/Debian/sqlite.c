// SQLite through its C functions, with statements prepared once, in WAL mode. What it advises against lost updates is one
// UPDATE that adds.
#include <sqlite3.h>
#include <stdio.h>

#include "work.h"

static sqlite3 *database;
static sqlite3_stmt *insertion, *selection, *update, *addition, *counting;

static void check(int result) {
    if (result != SQLITE_OK && result != SQLITE_DONE && result != SQLITE_ROW) work_failed("SQLite", sqlite3_errmsg(database));
}

static void run(const char *statement) { check(sqlite3_exec(database, statement, NULL, NULL, NULL)); }

static sqlite3_stmt *prepare(const char *statement) {
    sqlite3_stmt *prepared = NULL;
    check(sqlite3_prepare_v2(database, statement, -1, &prepared, NULL));
    return prepared;
}

static void step(sqlite3_stmt *statement) {
    check(sqlite3_step(statement));
    check(sqlite3_reset(statement));
}

static double read_number(sqlite3_stmt *statement) {
    check(sqlite3_step(statement));
    double number = sqlite3_column_double(statement, 0);
    check(sqlite3_reset(statement));
    return number;
}

static void open_settings(const char *folder) {
    char path[4096];
    snprintf(path, sizeof path, "%s/settings.sqlite", folder);
    check(sqlite3_open(path, &database));
    check(sqlite3_busy_timeout(database, 60000));
    run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    run("CREATE TABLE IF NOT EXISTS settings (key TEXT PRIMARY KEY, value) WITHOUT ROWID");
    insertion = prepare("INSERT OR REPLACE INTO settings VALUES (?, ?)");
    selection = prepare("SELECT value FROM settings WHERE key = 'wanted'");
    update = prepare("UPDATE settings SET value = ? WHERE key = 'wanted'");
    addition = prepare("UPDATE settings SET value = value + 1 WHERE key = 'counter'");
    counting = prepare("SELECT value FROM settings WHERE key = 'counter'");
}

static void store(const char *key, double number) {
    check(sqlite3_bind_text(insertion, 1, key, -1, SQLITE_TRANSIENT));
    check(sqlite3_bind_double(insertion, 2, number));
    step(insertion);
}

static void store_text(const char *key, const char *text) {
    check(sqlite3_bind_text(insertion, 1, key, -1, SQLITE_TRANSIENT));
    check(sqlite3_bind_text(insertion, 2, text, -1, SQLITE_TRANSIENT));
    step(insertion);
}

static double get(void) { return read_number(selection); }

static void set(double number) {
    check(sqlite3_bind_double(update, 1, number));
    step(update);
}

static void set_durably(double number) {
    static int asked;
    if (!asked) run("PRAGMA synchronous = FULL");
    asked = 1;
    set(number);
}

static void increment(void) { step(addition); }

static double count(void) { return read_number(counting); }

int main(int argc, char **argv) {
    const struct work library = {open_settings, store, store_text, get, set, set_durably, increment, count};
    return work(argc, argv, &library);
}
