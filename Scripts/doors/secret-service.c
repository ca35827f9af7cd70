// Measures a Secret Service through libsecret: how long finding, adding and listing take among COUNT
// items. Prints one line. usage: secret-service COUNT
#include <libsecret/secret.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const SecretSchema schema = {
    "org.example.Measured", SECRET_SCHEMA_NONE, {{"number", SECRET_SCHEMA_ATTRIBUTE_STRING}, {NULL, 0}}
};

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

static void require(GError *error) {
    if (error == NULL) return;
    fprintf(stderr, "secret-service: %s\n", error->message);
    exit(1);
}

static void store(int number) {
    GError *error = NULL;
    char name[32], secret[32];
    snprintf(name, sizeof name, "%d", number);
    snprintf(secret, sizeof secret, "secret %d", number);
    secret_password_store_sync(&schema, NULL, name, secret, NULL, &error, "number", name, NULL);
    require(error);
}

static int compare(const void *left, const void *right) {
    double difference = *(const double *)left - *(const double *)right;
    return (difference > 0) - (difference < 0);
}

int main(int count, char **words) {
    int items = count > 1 ? atoi(words[1]) : 10;
    GError *error = NULL;
    double start = now();
    for (int number = 0; number < items; number++) store(number);
    double filled = now() - start;

    enum { samples = 200 };
    double finds[samples], adds[20];
    for (int index = 0; index < samples; index++) {
        char name[32];
        snprintf(name, sizeof name, "%d", index * 7919 % items);
        double begin = now();
        char *secret = secret_password_lookup_sync(&schema, NULL, &error, "number", name, NULL);
        finds[index] = now() - begin;
        require(error);
        if (secret == NULL) return fprintf(stderr, "secret-service: %s is missing\n", name), 1;
        secret_password_free(secret);
    }
    for (int index = 0; index < 20; index++) {
        double begin = now();
        store(items + index);
        adds[index] = now() - begin;
    }
    qsort(finds, samples, sizeof *finds, compare);
    qsort(adds, 20, sizeof *adds, compare);

    start = now();
    GHashTable *attributes = g_hash_table_new(g_str_hash, g_str_equal);
    SecretService *service = secret_service_get_sync(SECRET_SERVICE_OPEN_SESSION, NULL, &error);
    require(error);
    GList *found = secret_service_search_sync(
        service, &schema, attributes, SECRET_SEARCH_ALL, NULL, &error);
    require(error);
    int listed = g_list_length(found);
    printf("%d items: find %.2f ms, add %.2f ms, list %d in %.0f ms (filled at %.2f ms each)\n",
        items, finds[samples / 2], adds[10], listed, now() - start, filled / items);
    return listed == items + 20 ? 0 : 1;
}
