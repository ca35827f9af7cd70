// What a hostile account does with its connections. Each is a process: whoever attacks has many.
#define _GNU_SOURCE
#include "wire.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static unsigned char value[16 << 20];
// How many calls were answered, and how many connections ended; all processes count together.
static struct { long answers, ends; } *counts;
static const char *socket_path;

static int connection(void) {
    for (;;) {
        int s = greet(socket_path);
        if (s >= 0) return s;
        __atomic_add_fetch(&counts->ends, 1, __ATOMIC_RELAXED);
        pause_for(50);
    }
}
// Repeats one call on one connection.
static void repeat(void (*prepare)(int)) {
    for (int s = connection(), i = 0;; i++) {
        prepare(i);
        if (call(s)) {
            __atomic_add_fetch(&counts->answers, 1, __ATOMIC_RELAXED);
        } else {
            __atomic_add_fetch(&counts->ends, 1, __ATOMIC_RELAXED);
            close(s);
            s = connection();
        }
    }
}

static void guess(int i) { (void)i; find("gated", "wrong"); }
static void small(int i) { (void)i; find("own", 0); }
static void change(int i) { (void)i; update("own", value, 64); }
static void everything(int i) { (void)i; find_all(); }
// Names repeat, so that the disk is not filled; what is refused in the end takes as much before.
static void add_of(int i, size_t size) {
    char name[32];
    snprintf(name, sizeof name, "%d-%d", getpid(), i % 2);
    add(name, 0, value, size);
}
static void large(int i) { add_of(i, 1 << 20); }
static void huge(int i) { add_of(i, sizeof value); }

static void unread(void) {
    for (;;) {
        int s = connection();
        find_all();
        transmit(s);
        // The daemon ends it when nothing was read for a while.
        struct pollfd p = {s, POLLRDHUP, 0};
        poll(&p, 1, 20000);
        __atomic_add_fetch(&counts->ends, 1, __ATOMIC_RELAXED);
        close(s);
    }
}
// Sends almost all of a large message, and then a byte now and then.
static void dribble(void) {
    static const unsigned char header[5] = {1, 0, 0, 0, 0};
    for (;;) {
        int s = connection();
        size_t left = (16 << 20) - 200;
        if (send(s, header, 5, MSG_NOSIGNAL) == 5)
            while (left > 0) {
                ssize_t r = send(s, value, left, MSG_NOSIGNAL);
                if (r <= 0) break;
                left -= r;
            }
        while (send(s, value, 1, MSG_NOSIGNAL) == 1) pause_for(100);
        __atomic_add_fetch(&counts->ends, 1, __ATOMIC_RELAXED);
        close(s);
    }
}
static void connects(void) {
    for (;;) {
        close(connection());
        __atomic_add_fetch(&counts->answers, 1, __ATOMIC_RELAXED);
    }
}
// Half of a frame, never the rest.
static void silent(void) {
    for (;;) {
        int s = dial(socket_path);
        if (send(s, "\0\0", 2, MSG_NOSIGNAL) == 2) {
            struct pollfd p = {s, POLLRDHUP, 0};
            poll(&p, 1, 20000);
        }
        close(s);
        __atomic_add_fetch(&counts->ends, 1, __ATOMIC_RELAXED);
    }
}

static const struct {
    const char *name;
    void (*call)(int);
    void (*run)(void);
} storms[] = {
    {"guess", guess, 0},   {"small", small, 0}, {"change", change, 0},   {"large", large, 0},
    {"huge", huge, 0},     {"all", everything, 0}, {"unread", 0, unread}, {"dribble", 0, dribble},
    {"connect", 0, connects}, {"silent", 0, silent},
};
static const int storm_count = sizeof storms / sizeof *storms;

static void serve(int kind) {
    if (storms[kind].call) repeat(storms[kind].call);
    storms[kind].run();
}

// What the storms use: an item, one behind a password, and much.
static void stock(void) {
    int s = connection();
    add("own", 0, "value", 5);
    call(s);
    add("gated", "right", "value", 5);
    call(s);
    for (int i = 0; i < 56; i++) {
        char name[32];
        snprintf(name, sizeof name, "stock-%d", i);
        add(name, 0, value, 1 << 20);
        if (!call(s)) die("store");
    }
    close(s);
}

int storm(const char *name, const char *path, unsigned account, int accounts, int count) {
    socket_path = path;
    counts = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (counts == MAP_FAILED) die("map");
    int kind = 0;
    while (kind < storm_count && strcmp(storms[kind].name, name)) kind++;
    if (kind == storm_count && strcmp(name, "mixed")) return 2;
    for (int i = 0; i < accounts; i++) {
        if (fork()) continue;
        become(account + i);
        stock();
        _exit(0);
    }
    while (wait(0) > 0 || errno == EINTR) {}
    pid_t own[1024];
    for (int i = 0; i < count && i < 1024; i++) {
        own[i] = fork();
        if (own[i] < 0) die("fork");
        if (own[i]) continue;
        become(account + i % accounts);
        serve(kind < storm_count ? kind : i % storm_count);
        _exit(0);
    }
    printf("hostile\n");
    fflush(stdout);
    char c;
    while (read(0, &c, 1) > 0 || errno == EINTR) {}
    for (int i = 0; i < count && i < 1024; i++) kill(own[i], 9);
    printf("%ld answers, %ld ends\n", counts->answers, counts->ends);
    return 0;
}
