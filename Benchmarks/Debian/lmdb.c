// LMDB, a transaction for each read and each write. Without a wait for the disk it is opened with MDB_NOSYNC, of which its
// manual says that a power cut may damage the database.
#include <lmdb.h>
#include <string.h>

#include "work.h"

static MDB_env *environment;
static MDB_dbi database;

static void check(int result) {
    if (result) work_failed("LMDB", mdb_strerror(result));
}

static MDB_txn *begin(unsigned int flags) {
    MDB_txn *transaction = NULL;
    check(mdb_txn_begin(environment, NULL, flags, &transaction));
    return transaction;
}

static void put(MDB_txn *transaction, const char *key, const void *bytes, size_t size) {
    MDB_val name = {strlen(key), (void *)key}, value = {size, (void *)bytes};
    check(mdb_put(transaction, database, &name, &value, 0));
}

static double number_of(MDB_txn *transaction, const char *key) {
    MDB_val name = {strlen(key), (void *)key}, value;
    double number;
    check(mdb_get(transaction, database, &name, &value));
    memcpy(&number, value.mv_data, sizeof number);
    return number;
}

static void open_settings(const char *folder) {
    check(mdb_env_create(&environment));
    check(mdb_env_set_mapsize(environment, 64 << 20));
    check(mdb_env_open(environment, folder, MDB_NOSYNC, 0600));
    MDB_txn *transaction = begin(0);
    check(mdb_dbi_open(transaction, NULL, 0, &database));
    check(mdb_txn_commit(transaction));
}

static void store_bytes(const char *key, const void *bytes, size_t size) {
    MDB_txn *transaction = begin(0);
    put(transaction, key, bytes, size);
    check(mdb_txn_commit(transaction));
}

static void store(const char *key, double number) { store_bytes(key, &number, sizeof number); }

static void store_text(const char *key, const char *text) { store_bytes(key, text, strlen(text)); }

static double read_number(const char *key) {
    MDB_txn *transaction = begin(MDB_RDONLY);
    double number = number_of(transaction, key);
    mdb_txn_abort(transaction);
    return number;
}

static double get(void) { return read_number("wanted"); }

static void set(double number) { store("wanted", number); }

static void set_durably(double number) {
    check(mdb_env_set_flags(environment, MDB_NOSYNC, 0));
    set(number);
}

static void increment(void) {
    MDB_txn *transaction = begin(0);
    double number = number_of(transaction, "counter") + 1;
    put(transaction, "counter", &number, sizeof number);
    check(mdb_txn_commit(transaction));
}

static double count(void) { return read_number("counter"); }

int main(int argc, char **argv) {
    const struct work library = {open_settings, store, store_text, get, set, set_durably, increment, count};
    return work(argc, argv, &library);
}
