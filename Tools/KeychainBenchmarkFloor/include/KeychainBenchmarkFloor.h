#ifndef KEYCHAIN_BENCHMARK_FLOOR_H
#define KEYCHAIN_BENCHMARK_FLOOR_H

#include <stdint.h>

#include "EchoFloor.h"

/* The least that any store could do with the same promises: SQLite with the keychain's settings, a
 * table with a 32-byte key and a 300-byte value, and one AES-256-GCM through OpenSSL per value.
 * Nothing is searched, authorized or bridged. A floor is for one thread at a time. */

#define FLOOR_KEY_COUNT 32
#define FLOOR_VALUE_COUNT 300

typedef struct benchmark_floor benchmark_floor;

/* Opens or makes the database; NULL when SQLite or OpenSSL refuses. */
benchmark_floor *floor_open(const char *path);
void floor_close(benchmark_floor *floor);

/* Adds the values first to last - 1 in transactions of a thousand. 1 for success. */
int floor_fill(benchmark_floor *floor, uint64_t first, uint64_t last);

/* Seals one value and inserts it, durable when the call returns. 1 for success. */
int floor_insert(benchmark_floor *floor, uint64_t number);

/* Seals another value in the place of one that is there, durable when the call returns, and the
 * earlier one in no file. 1 for success. */
int floor_replace(benchmark_floor *floor, uint64_t number);

/* Finds a value by its key and opens it. 1 if it is there and whole. */
int floor_find(benchmark_floor *floor, uint64_t number);

/* Finds and opens many values: `count` numbers from `numbers`. How many were there and whole. */
int floor_find_all(benchmark_floor *floor, const uint64_t *numbers, int count);

#endif
