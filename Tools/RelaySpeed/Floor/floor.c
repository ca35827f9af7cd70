// What relays are compared with: the same rows by libpq alone, and the same files by write and
// fsync. Compiled by Scripts/relays.sh.
//
//     floor postgresql CONNECTION COUNT BYTES
//     floor files DIRECTORY COUNT BYTES

#include <fcntl.h>
#include <libpq-fe.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void require(int holds, const char *words) {
    if (holds) return;
    fprintf(stderr, "floor: %s\n", words);
    exit(1);
}

static void report(const char *name, int count, double start) {
    printf("%s %.0f\n", name, count / (seconds() - start));
}

static void run(PGconn *connection, const char *statement) {
    PGresult *result = PQexec(connection, statement);
    require(PQresultStatus(result) == PGRES_COMMAND_OK, PQerrorMessage(connection));
    PQclear(result);
}

static void rows(const char *place, int count, char *bytes, int size) {
    PGconn *connection = PQconnectdb(place);
    require(PQstatus(connection) == CONNECTION_OK, PQerrorMessage(connection));
    run(connection, "CREATE TABLE floor (number bigint PRIMARY KEY, entry bytea)");
    run(connection, "ALTER TABLE floor ALTER COLUMN entry SET STORAGE EXTERNAL");
    double start = seconds();
    for (int64_t number = 0; number < count; number++) {
        int64_t key = (int64_t)__builtin_bswap64((uint64_t)number);
        const char *values[] = {(char *)&key, bytes};
        const int lengths[] = {8, size}, formats[] = {1, 1};
        PGresult *result = PQexecParams(
            connection, "INSERT INTO floor VALUES ($1, $2)", 2, (Oid[]){20, 17}, values, lengths,
            formats, 1);
        require(PQresultStatus(result) == PGRES_COMMAND_OK, PQerrorMessage(connection));
        PQclear(result);
    }
    report("append", count, start);
    start = seconds();
    PGresult *result = PQexecParams(
        connection, "SELECT entry FROM floor ORDER BY number", 0, NULL, NULL, NULL, NULL, 1);
    require(PQntuples(result) == count, PQerrorMessage(connection));
    PQclear(result);
    report("read", count, start);
    run(connection, "DROP TABLE floor");
    PQfinish(connection);
}

static void files(const char *place, int count, char *bytes, int size) {
    int directory = open(place, O_RDONLY | O_DIRECTORY);
    require(directory >= 0, "no such directory");
    char name[32], other[32];
    double start = seconds();
    for (int number = 0; number < count; number++) {
        snprintf(name, sizeof name, "%020d.new", number);
        snprintf(other, sizeof other, "%020d", number);
        int file = openat(directory, name, O_WRONLY | O_CREAT | O_EXCL, 0600);
        require(file >= 0 && write(file, bytes, (size_t)size) == size, "write");
        require(fsync(file) == 0 && close(file) == 0, "fsync");
        require(renameat(directory, name, directory, other) == 0, "rename");
        require(fsync(directory) == 0, "fsync");
    }
    report("append", count, start);
    start = seconds();
    for (int number = 0; number < count; number++) {
        snprintf(other, sizeof other, "%020d", number);
        int file = openat(directory, other, O_RDONLY);
        require(file >= 0 && read(file, bytes, (size_t)size) == size, "read");
        close(file);
    }
    report("read", count, start);
}

int main(int count, char **words) {
    require(count == 5, "four words are needed");
    int size = atoi(words[4]);
    char *bytes = malloc((size_t)size);
    require(bytes != NULL, "no memory");
    memset(bytes, 0xA5, (size_t)size);
    int isRows = strcmp(words[1], "postgresql") == 0;
    (isRows ? rows : files)(words[2], atoi(words[3]), bytes, size);
    return 0;
}
