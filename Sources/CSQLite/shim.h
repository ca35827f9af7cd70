#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#if !__has_include(<sqlite3.h>)
#include "../missing-libraries.h"
#endif
#include <sqlite3.h>

/* The macros that Swift cannot import. */
static const int csqlite_constraint_unique = SQLITE_CONSTRAINT_UNIQUE;
static const int csqlite_constraint_primarykey = SQLITE_CONSTRAINT_PRIMARYKEY;

/* Has SQLite copy the bytes before the call returns. */
static inline int csqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
    return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}

static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, int count) {
    return sqlite3_bind_text(statement, index, text, count, SQLITE_TRANSIENT);
}

/* Spares SQLite the lock that each of its allocations takes to keep count of the memory in use
 * (sqlite.org, "SQLITE_CONFIG_MEMSTATUS"). Once the process has used SQLite, this changes nothing
 * and returns SQLITE_MISUSE. */
static inline int csqlite_leave_memory_uncounted(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

/* Has each connection take memory as it needs it, instead of some 130 KiB when it is opened
 * (sqlite.org, "SQLITE_CONFIG_LOOKASIDE", "SQLITE_CONFIG_PAGECACHE"): for a process with thousands
 * of connections. Works only before the process uses SQLite. */
static inline int csqlite_keep_connections_small(void) {
    int code = sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0);
    return code != SQLITE_OK ? code : sqlite3_config(SQLITE_CONFIG_PAGECACHE, (void *)0, 0, 0);
}

/* Switches a setting of a connection to 0 or 1, and sees that it took: Swift cannot call
 * `sqlite3_db_config`, which takes any number of arguments. */
static inline int csqlite_set(sqlite3 *connection, int setting, int value) {
    int now = -1;
    int code = sqlite3_db_config(connection, setting, value, &now);
    if (code != SQLITE_OK) {
        return code;
    }
    return now == value ? SQLITE_OK : SQLITE_ERROR;
}

#endif
