#include "KeychainBenchmarkFloor.h"

#include <openssl/evp.h>
#include <openssl/rand.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

enum { nonce_count = 12, tag_count = 16 };
enum { plain_count = FLOOR_VALUE_COUNT - nonce_count - tag_count };

struct benchmark_floor {
    sqlite3 *database;
    sqlite3_stmt *insert;
    sqlite3_stmt *replace;
    sqlite3_stmt *find;
    EVP_CIPHER_CTX *seal;
    EVP_CIPHER_CTX *open;
    unsigned char cipher_key[32];
};

static const char *const settings[] = {
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA secure_delete = ON",
    "PRAGMA trusted_schema = OFF",
    "PRAGMA cell_size_check = ON",
    "PRAGMA temp_store = MEMORY",
    "CREATE TABLE IF NOT EXISTS item (key BLOB PRIMARY KEY NOT NULL, value BLOB NOT NULL)",
};

/* Spreads the numbers over all keys, as a digest would. */
static void make_key(uint64_t number, unsigned char key[FLOOR_KEY_COUNT]) {
    uint64_t state = number + 1;
    for (int part = 0; part < FLOOR_KEY_COUNT; part += 8) {
        state += 0x9E3779B97F4A7C15u;
        uint64_t mixed = state;
        mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
        mixed ^= mixed >> 31;
        memcpy(key + part, &mixed, 8);
    }
}

static int prepare(benchmark_floor *floor, const char *text, sqlite3_stmt **statement) {
    unsigned flags = SQLITE_PREPARE_PERSISTENT;
    return sqlite3_prepare_v3(floor->database, text, -1, flags, statement, NULL) == SQLITE_OK;
}

static int run(benchmark_floor *floor, const char *text) {
    return sqlite3_exec(floor->database, text, NULL, NULL, NULL) == SQLITE_OK;
}

static int set_up(benchmark_floor *floor, const char *path) {
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(path, &floor->database, flags, NULL) != SQLITE_OK) {
        return 0;
    }
    for (size_t index = 0; index < sizeof settings / sizeof *settings; index++) {
        if (!run(floor, settings[index])) {
            return 0;
        }
    }
    memset(floor->cipher_key, 7, sizeof floor->cipher_key);
    floor->seal = EVP_CIPHER_CTX_new();
    floor->open = EVP_CIPHER_CTX_new();
    return floor->seal != NULL && floor->open != NULL &&
           EVP_EncryptInit_ex(floor->seal, EVP_aes_256_gcm(), NULL, floor->cipher_key, NULL) == 1 &&
           EVP_DecryptInit_ex(floor->open, EVP_aes_256_gcm(), NULL, floor->cipher_key, NULL) == 1 &&
           prepare(floor, "INSERT INTO item (key, value) VALUES (?, ?)", &floor->insert) &&
           prepare(floor, "UPDATE item SET value = ? WHERE key = ?", &floor->replace) &&
           prepare(floor, "SELECT value FROM item WHERE key = ?", &floor->find);
}

benchmark_floor *floor_open(const char *path) {
    /* As the keychain does; refused, and already so, when SQLite is in use. */
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    benchmark_floor *floor = calloc(1, sizeof *floor);
    if (floor != NULL && !set_up(floor, path)) {
        floor_close(floor);
        return NULL;
    }
    return floor;
}

void floor_close(benchmark_floor *floor) {
    if (floor == NULL) {
        return;
    }
    sqlite3_finalize(floor->insert);
    sqlite3_finalize(floor->replace);
    sqlite3_finalize(floor->find);
    sqlite3_close_v2(floor->database);
    EVP_CIPHER_CTX_free(floor->seal);
    EVP_CIPHER_CTX_free(floor->open);
    free(floor);
}

static int seal(benchmark_floor *floor, uint64_t number, unsigned char value[FLOOR_VALUE_COUNT]) {
    unsigned char plain[plain_count];
    memset(plain, (int)(number & 0xFF), sizeof plain);
    unsigned char *sealed = value + nonce_count;
    int count = 0;
    return RAND_bytes(value, nonce_count) == 1 &&
           EVP_EncryptInit_ex(floor->seal, NULL, NULL, NULL, value) == 1 &&
           EVP_EncryptUpdate(floor->seal, sealed, &count, plain, plain_count) == 1 &&
           EVP_EncryptFinal_ex(floor->seal, sealed + count, &count) == 1 &&
           EVP_CIPHER_CTX_ctrl(
               floor->seal, EVP_CTRL_AEAD_GET_TAG, tag_count, sealed + plain_count) == 1;
}

static int open_value(benchmark_floor *floor, const unsigned char *value, uint64_t number) {
    unsigned char plain[plain_count];
    const unsigned char *sealed = value + nonce_count;
    int count = 0;
    return EVP_DecryptInit_ex(floor->open, NULL, NULL, NULL, value) == 1 &&
           EVP_DecryptUpdate(floor->open, plain, &count, sealed, plain_count) == 1 &&
           EVP_CIPHER_CTX_ctrl(
               floor->open, EVP_CTRL_AEAD_SET_TAG, tag_count, (void *)(sealed + plain_count)) == 1 &&
           EVP_DecryptFinal_ex(floor->open, plain + count, &count) == 1 &&
           plain[0] == (number & 0xFF);
}

int floor_insert(benchmark_floor *floor, uint64_t number) {
    unsigned char key[FLOOR_KEY_COUNT];
    unsigned char value[FLOOR_VALUE_COUNT];
    make_key(number, key);
    if (!seal(floor, number, value)) {
        return 0;
    }
    sqlite3_bind_blob(floor->insert, 1, key, FLOOR_KEY_COUNT, SQLITE_STATIC);
    sqlite3_bind_blob(floor->insert, 2, value, FLOOR_VALUE_COUNT, SQLITE_STATIC);
    int code = sqlite3_step(floor->insert);
    sqlite3_reset(floor->insert);
    return code == SQLITE_DONE;
}

int floor_replace(benchmark_floor *floor, uint64_t number) {
    unsigned char key[FLOOR_KEY_COUNT];
    unsigned char value[FLOOR_VALUE_COUNT];
    make_key(number, key);
    if (!seal(floor, number, value)) {
        return 0;
    }
    sqlite3_bind_blob(floor->replace, 1, value, FLOOR_VALUE_COUNT, SQLITE_STATIC);
    sqlite3_bind_blob(floor->replace, 2, key, FLOOR_KEY_COUNT, SQLITE_STATIC);
    int code = sqlite3_step(floor->replace);
    sqlite3_reset(floor->replace);
    int mode = SQLITE_CHECKPOINT_TRUNCATE;
    return code == SQLITE_DONE && sqlite3_changes(floor->database) == 1 &&
           sqlite3_wal_checkpoint_v2(floor->database, NULL, mode, NULL, NULL) == SQLITE_OK;
}

int floor_fill(benchmark_floor *floor, uint64_t first, uint64_t last) {
    for (uint64_t start = first; start < last; start += 1000) {
        if (!run(floor, "BEGIN IMMEDIATE")) {
            return 0;
        }
        for (uint64_t number = start; number < last && number < start + 1000; number++) {
            if (!floor_insert(floor, number)) {
                return 0;
            }
        }
        if (!run(floor, "COMMIT")) {
            return 0;
        }
    }
    return 1;
}

int floor_find(benchmark_floor *floor, uint64_t number) {
    unsigned char key[FLOOR_KEY_COUNT];
    make_key(number, key);
    sqlite3_bind_blob(floor->find, 1, key, FLOOR_KEY_COUNT, SQLITE_STATIC);
    int found = sqlite3_step(floor->find) == SQLITE_ROW &&
                sqlite3_column_bytes(floor->find, 0) == FLOOR_VALUE_COUNT &&
                open_value(floor, sqlite3_column_blob(floor->find, 0), number);
    sqlite3_reset(floor->find);
    return found;
}

int floor_find_all(benchmark_floor *floor, const uint64_t *numbers, int count) {
    int found = 0;
    for (int index = 0; index < count; index++) {
        found += floor_find(floor, numbers[index]);
    }
    return found;
}
