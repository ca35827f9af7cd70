// Many accounts at one daemon, and a hostile one: what another account's calls take meanwhile.
// It speaks the wire by Documentation/Spec/wire.md alone, without any of our code.
//
// crowd SOCKET FIRST COUNT PERIOD   COUNT accounts from FIRST on: each stores an item, says so, and
//                                   then finds it every PERIOD milliseconds until standard input
//                                   ends
// probe SOCKET ACCOUNT COUNT        COUNT finds of one account, in microseconds
// lock SOCKET ACCOUNT COUNT         COUNT locks of a keychain that has a passcode, the same
// guess SOCKET ACCOUNT COUNT        COUNT connections of one account that try wrong application
//                                   passwords and store large items until standard input ends
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static unsigned char token[16], none[16], out[1 << 21], in[1 << 22];
static size_t fill, at;
static char group[4096];

static void die(const char *what) {
    fprintf(stderr, "crowd: cannot %s: %s\n", what, strerror(errno));
    exit(1);
}

// What is sent.
static void u8(unsigned v) { out[fill++] = v; }
static void un(uint64_t v, int n) { while (n--) u8(v >> (8 * n) & 255); }
static void blob(const void *b, size_t n) { un(n, 4); memcpy(out + fill, b, n); fill += n; }
static void text(const char *t) { blob(t, strlen(t)); }
static void word(const char *key, const char *value) { text(key); u8(1); text(value); }
static void begin(int kind) {
    fill = 5;
    u8(kind);
    memcpy(out + fill, kind == 1 ? none : token, 16);
    fill += 16;
}
static int transmit(int s) {
    size_t all = fill;
    fill = 0;
    un(all - 5, 4);
    u8(0);
    for (size_t k = 0; k < all;) {
        ssize_t r = send(s, out + k, all - k, MSG_NOSIGNAL);
        if (r <= 0) return 0;
        k += r;
    }
    return 1;
}
static void hello(void) { begin(1); un(1, 2); u8(0); u8(0); }
static void entry(const char *service) {
    word("acct", "ada"); word("agrp", group); word("class", "genp"); word("svce", service);
}
static void context(const char *password) {
    for (int i = 0; i < 16; i++) u8('p');
    u8(0); un(0, 8); u8(0); u8(0); u8(1); text(password); u8(0);
}
static void add(const char *service, const char *password, const void *value, size_t n) {
    begin(2); u8(1); u8(1); un(password ? 7 : 5, 4);
    if (password) { text("accc"); u8(8); u8(6); un(1u << 31, 8); }
    entry(service);
    if (password) { text("u_AuthCtx"); u8(10); context(password); }
    text("v_Data"); u8(7); blob(value, n); un(0, 8); u8(0);
}
static void find(const char *service, const char *password) {
    begin(2); u8(1); u8(2); un(password ? 6 : 5, 4);
    word("acct", "ada"); word("agrp", group); word("class", "genp");
    text("r_Data"); u8(5); u8(1);
    word("svce", service);
    if (password) { text("u_AuthCtx"); u8(10); context(password); }
    un(0, 8); u8(0);
}
static void device(int kind, const char *passcode) {
    begin(2); u8(4); u8(kind);
    if (passcode) text(passcode);
    if (kind == 4) u8(0);
}

// What is received: the kind of the message, 0 at the end; and of a failure the status.
static int exactly(int s, void *b, size_t n) {
    for (size_t k = 0; k < n;) {
        ssize_t r = read(s, (char *)b + k, n - k);
        if (r <= 0) return 0;
        k += r;
    }
    return 1;
}
static int status;
static int receive(int s) {
    unsigned char h[5];
    size_t size = 0;
    for (;;) {
        if (!exactly(s, h, 5)) return 0;
        size_t n = (size_t)h[0] << 24 | h[1] << 16 | h[2] << 8 | h[3];
        if (size + n > sizeof in || !exactly(s, in + size, n)) return 0;
        size += n;
        if (!(h[4] & 1)) break;
    }
    at = 1;
    status = in[0] == 3 ? (int)((uint32_t)in[1] << 24 | in[2] << 16 | in[3] << 8 | in[4]) : 0;
    return in[0];
}
static int dial(const char *path) {
    struct sockaddr_un a = {AF_UNIX, ""};
    strncpy(a.sun_path, path, sizeof a.sun_path - 1);
    int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (s < 0) die("make a socket");
    while (connect(s, (void *)&a, sizeof a)) {
        if (errno != EAGAIN && errno != EINTR) die("connect");
        poll(0, 0, 5);
    }
    return s;
}
static int greet(const char *path) {
    int s = dial(path);
    hello();
    if (!transmit(s) || receive(s) != 1) return close(s), -1;
    memcpy(token, in + 3, 16);
    return s;
}

static void become(unsigned account) {
    if (setresgid(account, account, account) || setresuid(account, account, account))
        die("become an account");
    // The witness looks at the program as at any other.
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
}
static double micros(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}
static int ended(int wait) {
    struct pollfd p = {0, POLLIN, 0};
    return poll(&p, 1, wait) > 0;
}
static int by_size(const void *a, const void *b) {
    double d = *(double *)a - *(double *)b;
    return d < 0 ? -1 : d > 0;
}
static void tell(const char *what, double *times, int n, int failed) {
    qsort(times, n, sizeof *times, by_size);
    printf("%s: median %.0f us, 99 of 100 under %.0f us, most %.0f us, %d failed\n", what,
           times[n / 2], times[n * 99 / 100], times[n - 1], failed);
}

static void crowd(const char *path, unsigned first, int count, int period) {
    int ready[2], c;
    if (pipe2(ready, O_CLOEXEC)) die("make a pipe");
    for (int i = 0; i < count; i++) {
        pid_t p = fork();
        if (p < 0) die("fork");
        if (p) { if (i % 16 == 15) poll(0, 0, 20); continue; }
        become(first + i);
        close(ready[0]);
        srand(i);
        int s = greet(path), failed = s < 0;
        if (!failed) {
            add("own", 0, "value", 5);
            failed = !transmit(s) || (receive(s) != 2 && status != -25299);
        }
        if (write(ready[1], failed ? "f" : "r", 1) != 1 || failed) _exit(1);
        poll(0, 0, rand() % period);
        while (!ended(period)) {
            find("own", 0);
            if (!transmit(s) || receive(s) != 2) { if (write(ready[1], "x", 1) != 1) {} break; }
        }
        _exit(0);
    }
    close(ready[1]);
    int good = 0, bad = 0;
    while (good + bad < count && read(ready[0], &c, 1) == 1) (char)c == 'r' ? good++ : bad++;
    printf("%d accounts are ready, %d are not\n", good, bad);
    fflush(stdout);
    while (!ended(1000)) {}
    int lost = 0;
    while (read(ready[0], &c, 1) == 1) lost++;
    while (wait(0) > 0 || errno == EINTR) {}
    printf("%d accounts lost their connection\n", lost);
}

static void probe(const char *path, unsigned account, int count) {
    become(account);
    int s = greet(path), failed = 0;
    double *times = calloc(count, sizeof *times);
    if (s < 0) die("greet");
    add("own", 0, "value", 5);
    if (!transmit(s) || !receive(s)) die("add");
    for (int i = 0; i < count; i++) {
        double start = micros();
        find("own", 0);
        if (!transmit(s) || receive(s) != 2) failed++;
        times[i] = micros() - start;
        poll(0, 0, 5);
    }
    tell("find", times, count, failed);
}

static void locks(const char *path, unsigned account, int count) {
    become(account);
    int s = greet(path), failed = 0;
    double *times = calloc(count, sizeof *times);
    if (s < 0) die("greet");
    device(4, "right-horse");
    transmit(s); receive(s);
    add("own", 0, "value", 5);
    transmit(s); receive(s);
    for (int i = 0; i < count; i++) {
        device(3, "right-horse");
        if (!transmit(s) || receive(s) != 2) failed++;
        double start = micros();
        device(2, 0);
        if (!transmit(s) || receive(s) != 2) failed++;
        find("own", 0);
        if (!transmit(s) || receive(s) != 3 || status != -25308) failed++;
        times[i] = micros() - start;
    }
    tell("lock", times, count, failed);
}

static void guess(const char *path, unsigned account, int count) {
    static char large[1 << 20];
    become(account);
    struct pollfd p[65] = {{0, POLLIN, 0}};
    unsigned char tokens[65][16];
    int s = greet(path), answers = 0;
    if (s < 0) die("greet");
    add("gated", "right", "value", 5);
    if (!transmit(s) || !receive(s)) die("add");
    for (int i = 1; i <= count && i <= 64; i++) {
        p[i] = (struct pollfd){i == 1 ? s : greet(path), POLLIN, 0};
        memcpy(tokens[i], token, 16);
        find("gated", "wrong");
        transmit(p[i].fd);
    }
    printf("guessing\n");
    fflush(stdout);
    while (poll(p, count + 1, -1) > 0 && !p[0].revents) {
        for (int i = 1; i <= count; i++) {
            if (!p[i].revents) continue;
            if (!receive(p[i].fd)) { p[i].fd = -1; continue; }
            answers++;
            memcpy(token, tokens[i], 16);
            char name[32];
            snprintf(name, sizeof name, "%d-%d", i, answers);
            if (i % 2) find("gated", "wrong"); else add(name, 0, large, sizeof large);
            transmit(p[i].fd);
        }
    }
    printf("%d answers\n", answers);
}

int main(int n, char **a) {
    ssize_t length = readlink("/proc/self/exe", group + 5, sizeof group - 6);
    if (n < 5 || length <= 0) return fprintf(stderr, "usage: see the source\n"), 2;
    memcpy(group, "path:", 5);
    struct rlimit most = {65536, 65536};
    setrlimit(RLIMIT_NOFILE, &most);
    const char *verb = a[1], *path = a[2];
    unsigned account = strtoul(a[3], 0, 10);
    int count = atoi(a[4]);
    if (!strcmp(verb, "crowd") && n > 5) crowd(path, account, count, atoi(a[5]));
    else if (!strcmp(verb, "probe")) probe(path, account, count);
    else if (!strcmp(verb, "lock")) locks(path, account, count);
    else if (!strcmp(verb, "guess")) guess(path, account, count);
    else return 2;
    return 0;
}
