// Many accounts at one daemon, and a hostile one: what another account's calls take meanwhile.
// It speaks the wire by Documentation/Spec/wire.md alone, without any of our code.
//
// crowd SOCKET FIRST COUNT PERIOD    COUNT accounts from FIRST on, each with a connection: each
//                                    stores items, and then finds one every PERIOD milliseconds.
//                                    Each line on standard input prints what the finds since the
//                                    line before took
// find SOCKET ACCOUNT COUNT          COUNT finds of one account over one connection
// call SOCKET ACCOUNT COUNT          the same, with a connection and a greeting for each
// lock SOCKET ACCOUNT COUNT          COUNT locks of a keychain that has a passcode, until nothing
//                                    of it is given out any more
// idle SOCKET ACCOUNT COUNT LOG      the same for locks by idle time: from their time on to the
//                                    daemon's line about it in LOG
// storm SOCKET ACCOUNT ACCOUNTS COUNT NAME
//                                    COUNT processes of ACCOUNTS accounts that attack until
//                                    standard input ends
#define _GNU_SOURCE
#include "wire.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static int by_size(const void *a, const void *b) {
    float d = *(const float *)a - *(const float *)b;
    return d < 0 ? -1 : d > 0;
}
static void tell(const char *what, float *times, long n, long failed) {
    qsort(times, n, sizeof *times, by_size);
    if (n == 0) { times[0] = 0; n = 1; }
    printf("%s: median %.0f us, 99 of 100 under %.0f us, most %.0f us, %ld failed\n", what,
           times[n / 2], times[n * 99 / 100], times[n - 1], failed);
    fflush(stdout);
}

// What the processes of a crowd write down.
enum { most = 1 << 20 };
static struct { long count, failed; float times[most]; } *noted;

static void note(float time, int failed) {
    if (failed) { __atomic_add_fetch(&noted->failed, 1, __ATOMIC_RELAXED); return; }
    long i = __atomic_fetch_add(&noted->count, 1, __ATOMIC_RELAXED);
    if (i < most) noted->times[i] = time;
}
static void live(const char *path, unsigned account, int period, int ready, int stop) {
    become(account);
    srand(account);
    int s = greet(path), failed = s < 0;
    const char *names[] = {"own", "mail", "wifi", "git"};
    for (int i = 0; i < 4 && !failed; i++) {
        add(names[i], 0, "value", 5);
        failed = call(s) != 2 && status != duplicate_item;
    }
    if (failed) fprintf(stderr, "crowd: account %u cannot begin: status %d\n", account, status);
    if (write(ready, failed ? "f" : "r", 1) != 1 || failed) _exit(1);
    struct pollfd p = {stop, 0, 0};
    int wait = rand() % period;
    while (poll(&p, 1, wait) == 0) {
        wait = period;
        double start = micros();
        find(names[rand() % 4], 0);
        int kind = call(s);
        note(micros() - start, kind != 2);
        if (kind != 2) fprintf(stderr, "crowd: a find fails: status %d\n", status);
        if (!kind) _exit(1);
    }
    _exit(0);
}
static void crowd(const char *path, unsigned first, int count, int period) {
    int ready[2], stop[2], good = 0, bad = 0;
    char c;
    noted = mmap(0, sizeof *noted, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (noted == MAP_FAILED) die("map");
    if (pipe2(ready, O_CLOEXEC) || pipe2(stop, O_CLOEXEC)) die("make a pipe");
    for (int i = 0; i < count; i++) {
        pid_t p = fork();
        if (p < 0) die("fork");
        if (!p) {
            close(ready[0]);
            close(stop[1]);
            live(path, first + i, period, ready[1], stop[0]);
        }
        // Few make their keychains at a time: that is not what is measured.
        while (i - good - bad >= 16 && read(ready[0], &c, 1) == 1) c == 'r' ? good++ : bad++;
    }
    close(ready[1]);
    while (good + bad < count && read(ready[0], &c, 1) == 1) c == 'r' ? good++ : bad++;
    printf("%d accounts are ready, %d are not\n", good, bad);
    fflush(stdout);
    while (read(0, &c, 1) == 1) {
        if (c != '\n') continue;
        long n = noted->count < most ? noted->count : most;
        tell("crowd", noted->times, n, noted->failed);
        noted->count = noted->failed = 0;
    }
}

// A call that the account makes while others do what they do.
static float one_find(int s, int *failed) {
    double start = micros();
    find("own", 0);
    if (call(s) != 2) ++*failed;
    return micros() - start;
}
static float one_call(const char *path, int *failed) {
    double start = micros();
    int s = greet(path);
    find("own", 0);
    if (s < 0 || call(s) != 2) ++*failed;
    if (s >= 0) close(s);
    return micros() - start;
}
static void probe(const char *path, unsigned account, int count, int kept) {
    become(account);
    int s = greet(path), failed = 0;
    float *times = calloc(count + 1, sizeof *times);
    if (s < 0) die("greet");
    add("own", 0, "value", 5);
    if (!call(s)) die("add");
    for (int i = 0; i < count; i++) {
        times[i] = kept ? one_find(s, &failed) : one_call(path, &failed);
        pause_for(kept ? 5 : 20);
    }
    tell(kept ? "find" : "call", times, count, failed);
}

static void prepare_locks(int s) {
    set_passcode("right-horse");
    call(s);
    unlock("right-horse");
    if (call(s) != 2) die("unlock");
    add("own", 0, "value", 5);
    call(s);
}
static void locks(const char *path, unsigned account, int count) {
    become(account);
    int s = greet(path), failed = 0;
    float *times = calloc(count + 1, sizeof *times);
    if (s < 0) die("greet");
    prepare_locks(s);
    for (int i = 0; i < count; i++) {
        unlock("right-horse");
        if (call(s) != 2) failed++;
        double start = micros();
        lock();
        if (call(s) != 2) failed++;
        find("own", 0);
        if (call(s) != 3 || status != interaction_not_allowed) failed++;
        times[i] = micros() - start;
    }
    tell("lock", times, count, failed);
}

// Waits for a line about the account behind what was read already.
static int await_line(FILE *log, const char *words) {
    static char line[4096];
    for (double end = micros() + 60e6; micros() < end;) {
        if (fgets(line, sizeof line, log)) {
            if (strstr(line, words)) return 1;
        } else {
            clearerr(log);
            pause_for(2);
        }
    }
    return 0;
}
static void idle(const char *path, unsigned account, int count, const char *place) {
    FILE *log = fopen(place, "re");
    if (!log || fseek(log, 0, SEEK_END)) die("read the daemon's output");
    become(account);
    int s = greet(path), failed = 0;
    float *times = calloc(count + 1, sizeof *times);
    char words[64];
    snprintf(words, sizeof words, "account %u, because its time", account);
    if (s < 0) die("greet");
    prepare_locks(s);
    for (int i = 0; i < count; i++) {
        unlock("right-horse");
        if (call(s) != 2) failed++;
        lock_after(1);
        if (i == 0 && call(s) != 2) failed++;
        find("own", 0);
        if (call(s) != 2) failed++;
        double due = micros() + 1e6;
        if (!await_line(log, words)) failed++;
        // The use that counts may be a tenth of the limit older.
        times[i] = micros() > due ? micros() - due : 0;
    }
    tell("idle lock", times, count, failed);
}

int main(int n, char **a) {
    if (n < 5) return fprintf(stderr, "usage: see the source\n"), 2;
    find_group();
    struct rlimit files = {65536, 65536};
    setrlimit(RLIMIT_NOFILE, &files);
    const char *verb = a[1], *path = a[2];
    unsigned account = strtoul(a[3], 0, 10);
    int count = atoi(a[4]);
    if (!strcmp(verb, "crowd") && n > 5) crowd(path, account, count, atoi(a[5]));
    else if (!strcmp(verb, "find")) probe(path, account, count, 1);
    else if (!strcmp(verb, "call")) probe(path, account, count, 0);
    else if (!strcmp(verb, "lock")) locks(path, account, count);
    else if (!strcmp(verb, "idle") && n > 5) idle(path, account, count, a[5]);
    else if (!strcmp(verb, "storm") && n > 6) return storm(a[6], path, account, count, atoi(a[5]));
    else return 2;
    return 0;
}
