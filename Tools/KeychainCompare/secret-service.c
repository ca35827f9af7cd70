// Measures a Secret Service through libsecret, its own C library.
//
//     secret-service fill COUNT      stores so many items of one kilobyte
//     secret-service COUNT CALLS WRITES [PROCESS]
//                                    prints lines of "verb microseconds" for the COUNT items that are
//                                    there: medians of CALLS finds, and of WRITES additions; with the
//                                    service's process also the processor time of a call, here
//                                    ("verb-client") and there ("verb-service")
//     secret-service add CALLS       stores so many more items
//     secret-service hold            stores one item, says so, and waits to be killed
//     secret-service has             exit status 0 if that item is there
//
// libsecret keeps one session for the calls of a process.

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

static clockid_t service_clock = CLOCK_MONOTONIC; // until there is a process
static long listed;

static double time_of(clockid_t clock) {
    struct timespec time = {0, 0};
    clock_gettime(clock, &time);
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

// One item after another: where libsecret asks for 10,000 at once (secret_password_search_sync), it
// fails with gnome-keyring. `listed` is -1 if an item could not be had.
static void list_all(long unused) {
    (void)unused;
    GError *error = NULL;
    GHashTable *wanted = secret_attributes_build(&schema, "set", "benchmark", NULL);
    GList *found = secret_service_search_sync(
        NULL, &schema, wanted, SECRET_SEARCH_ALL, NULL, &error);
    g_hash_table_unref(wanted);
    if (error != NULL) {
        fprintf(stderr, "secret-service: list: %s\n", error->message);
        listed = -1;
        return;
    }
    for (GList *item = found; item != NULL; item = item->next) {
        g_hash_table_unref(secret_item_get_attributes(item->data));
    }
    listed = g_list_length(found);
    g_list_free_full(found, g_object_unref);
}

static void measure(const char *verb, long calls, void (*call)(long), long first, long modulus) {
    double *times = calloc(calls, sizeof *times);
    double client = time_of(CLOCK_PROCESS_CPUTIME_ID), there = time_of(service_clock);
    for (long index = 0; index < calls; index++) {
        double start = time_of(CLOCK_MONOTONIC);
        call(modulus > 0 ? (first + index * 7) % modulus : first + index);
        times[index] = time_of(CLOCK_MONOTONIC) - start;
    }
    if (service_clock != CLOCK_MONOTONIC) {
        printf("%s-client %.1f\n", verb, (time_of(CLOCK_PROCESS_CPUTIME_ID) - client) / calls);
        printf("%s-service %.1f\n", verb, (time_of(service_clock) - there) / calls);
    }
    qsort(times, calls, sizeof *times, ascending);
    printf("%s %.1f\n", verb, times[calls / 2]);
    fflush(stdout);
    free(times);
}

static void measure_all(long count, long calls, long writes) {
    find(0);
    measure("find", calls, find, 0, count);
    measure("list", count < 5000 ? 3 : 1, list_all, count, 0);
    printf("listed %ld\n", listed);
    measure("replace", writes, store, 0, count);
    measure("add", writes, store, count * 2, 0);
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
    if (argc == 3 && (strcmp(argv[1], "fill") == 0 || strcmp(argv[1], "add") == 0)) {
        long first = strcmp(argv[1], "add") == 0 ? 100000000 : 0;
        for (long number = 0; number < atol(argv[2]); number++) {
            store(first + number);
        }
        return 0;
    }
    if (argc < 4 || (argc > 4 && clock_getcpuclockid(atoi(argv[4]), &service_clock) != 0)) {
        return 2;
    }
    measure_all(atol(argv[1]), atol(argv[2]), atol(argv[3]));
    return 0;
}
