// The Secret Service's side of the comparison: the same work through libsecret, its own C library.
//
//     secret-service COUNT CALLS     prints lines of "verb microseconds", the median of CALLS calls
//     secret-service add CALLS       stores so many items
//     secret-service hold            stores one item, says so, and waits to be killed
//     secret-service has             exit status 0 if that item is there
//
// The default collection has COUNT items of one kilobyte, which Scripts/compare.sh put there.

#include <libsecret/secret.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const SecretSchema schema = {
    "org.example.Login",
    SECRET_SCHEMA_NONE,
    {
        {"service", SECRET_SCHEMA_ATTRIBUTE_STRING},
        {"account", SECRET_SCHEMA_ATTRIBUTE_STRING},
        {"set", SECRET_SCHEMA_ATTRIBUTE_STRING},
        {NULL, 0},
    },
};

static char service[64], account[64], label[64], value[1025];

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e6 + time.tv_nsec / 1e3;
}

static int ascending(const void *left, const void *right) {
    double difference = *(const double *)left - *(const double *)right;
    return (difference > 0) - (difference < 0);
}

static void fail(const char *what, GError *error) {
    fprintf(stderr, "secret-service: %s: %s\n", what, error != NULL ? error->message : "nothing");
    exit(3);
}

static void name_item(long number) {
    snprintf(service, sizeof service, "com.example.service.%ld", number / 100);
    snprintf(account, sizeof account, "user-%ld@mail.example.org", number);
    snprintf(label, sizeof label, "Example login %ld", number);
}

static void store(long number) {
    GError *error = NULL;
    name_item(number);
    if (!secret_password_store_sync(
            &schema, SECRET_COLLECTION_DEFAULT, label, value, NULL, &error,
            "service", service, "account", account, "set", "benchmark", NULL)) {
        fail("store", error);
    }
}

static void find(long number) {
    GError *error = NULL;
    name_item(number);
    char *found = secret_password_lookup_sync(
        &schema, NULL, &error, "service", service, "account", account, NULL);
    if (found == NULL || strlen(found) != sizeof value - 1) {
        fail("find", error);
    }
    secret_password_free(found);
}

static void list_all(long unused) {
    (void)unused;
    GError *error = NULL;
    GList *found = secret_password_search_sync(
        &schema, SECRET_SEARCH_ALL, NULL, &error, "set", "benchmark", NULL);
    if (error != NULL || found == NULL) {
        fail("list", error);
    }
    for (GList *item = found; item != NULL; item = item->next) {
        g_hash_table_unref(secret_retrievable_get_attributes(item->data));
    }
    g_list_free_full(found, g_object_unref);
}

static void measure(const char *verb, long calls, void (*call)(long), long first, long modulus) {
    double *times = calloc(calls, sizeof *times);
    for (long index = 0; index < calls; index++) {
        double start = now();
        call(modulus > 0 ? (first + index * 7) % modulus : first + index);
        times[index] = now() - start;
    }
    qsort(times, calls, sizeof *times, ascending);
    printf("%s %.1f\n", verb, times[calls / 2]);
    fflush(stdout);
    free(times);
}

int main(int argc, char **argv) {
    memset(value, 'v', sizeof value - 1);
    if (argc == 2 && strcmp(argv[1], "hold") == 0) {
        store(200000000);
        puts("stored");
        fflush(stdout);
        pause();
    }
    if (argc == 2 && strcmp(argv[1], "has") == 0) {
        find(200000000);
        return 0;
    }
    if (argc != 3) {
        return 2;
    }
    if (strcmp(argv[1], "add") == 0) {
        for (long number = 0; number < atol(argv[2]); number++) {
            store(100000000 + number);
        }
        return 0;
    }
    long count = atol(argv[1]), calls = atol(argv[2]);
    measure("find", calls, find, 0, count);
    measure("list", count < 5000 ? 3 : 1, list_all, count, 0);
    measure("replace", calls, store, 0, count);
    measure("add", calls, store, count * 2, 0);
    return 0;
}
