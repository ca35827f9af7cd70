// Messages as bytes, and the connections that they take.
#define _GNU_SOURCE
#include "wire.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static unsigned char token[16], out[17 << 20], in[1 << 20];
static size_t fill;
static char group[4096];
int status;

void die(const char *what) {
    fprintf(stderr, "crowd: cannot %s: %s\n", what, strerror(errno));
    exit(1);
}
double micros(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}
void pause_for(int milliseconds) { poll(0, 0, milliseconds); }

// The group of this very program, which every program has.
void find_group(void) {
    ssize_t length = readlink("/proc/self/exe", group + 5, sizeof group - 6);
    if (length <= 0) die("find this program");
    memcpy(group, "path:", 5);
}
void become(unsigned account) {
    if (setresgid(account, account, account) || setresuid(account, account, account))
        die("become an account");
    // The witness looks at the program as at any other.
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
}

static void u8(unsigned v) { out[fill++] = v; }
void put_number(uint64_t v, int n) { while (n--) u8(v >> (8 * n) & 255); }
static void blob(const void *b, size_t n) {
    put_number(n, 4);
    memcpy(out + fill, b, n);
    fill += n;
}
void put_text(const char *t) { blob(t, strlen(t)); }
static void word(const char *key, const char *value) { put_text(key); u8(1); put_text(value); }
static void flag(const char *key) { put_text(key); u8(5); u8(1); }
static void end(void) { put_number(0, 8); u8(0); }
static void start(int kind) {
    fill = 5;
    u8(kind);
    memset(out + fill, 0, 16);
    if (kind != 1) memcpy(out + fill, token, 16);
    fill += 16;
}
void begin_request(unsigned group, unsigned kind) { start(2); u8(group); u8(kind); }

static void context(const char *password) {
    put_text("u_AuthCtx");
    u8(10);
    for (int i = 0; i < 16; i++) u8('p');
    u8(0); put_number(0, 8); u8(0); u8(0); u8(1);
    put_text(password);
    u8(0);
}
static void name(const char *service) {
    word("acct", "ada"); word("agrp", group); word("class", "genp"); word("svce", service);
}
void add(const char *service, const char *password, const void *value, size_t n) {
    begin_request(1, 1);
    put_number(password ? 7 : 5, 4);
    if (password) { put_text("accc"); u8(8); u8(6); put_number(1u << 31, 8); }
    name(service);
    if (password) context(password);
    put_text("v_Data"); u8(7); blob(value, n);
    end();
}
void find(const char *service, const char *password) {
    begin_request(1, 2);
    put_number(password ? 6 : 5, 4);
    word("acct", "ada"); word("agrp", group); word("class", "genp");
    flag("r_Data");
    word("svce", service);
    if (password) context(password);
    end();
}
void find_all(void) {
    begin_request(1, 2);
    put_number(4, 4);
    word("agrp", group); word("class", "genp"); word("m_Limit", "m_LimitAll");
    flag("r_Data");
    end();
}
void update(const char *service, const void *value, size_t n) {
    begin_request(1, 4);
    put_number(4, 4);
    name(service);
    end();
    put_number(1, 4);
    put_text("v_Data"); u8(7); blob(value, n);
    end();
}
void lock(void) { begin_request(4, 2); }
void unlock(const char *passcode) { begin_request(4, 3); put_text(passcode); }
void set_passcode(const char *passcode) { begin_request(4, 4); put_text(passcode); u8(0); }
void lock_after(unsigned idle) { begin_request(4, 6); put_number(idle, 4); put_number(65535, 2); u8(1); u8(1); }

int transmit(int s) {
    size_t all = fill;
    fill = 0;
    put_number(all - 5, 4);
    u8(0);
    for (size_t k = 0; k < all;) {
        ssize_t r = send(s, out + k, all - k, MSG_NOSIGNAL);
        if (r < 0 && errno == EINTR) continue;
        if (r <= 0) return 0;
        k += r;
    }
    return 1;
}
static int exactly(int s, void *b, size_t n) {
    for (size_t k = 0; k < n;) {
        ssize_t r = read(s, (char *)b + k, n - k);
        if (r < 0 && errno == EINTR) continue;
        if (r <= 0) return 0;
        k += r;
    }
    return 1;
}
int receive(int s) {
    unsigned char h[5], kind[5];
    status = 0;
    for (int first = 1;; first = 0) {
        if (!exactly(s, h, 5)) return 0;
        size_t n = (size_t)h[0] << 24 | h[1] << 16 | h[2] << 8 | h[3];
        // Only the beginning of a message is looked at.
        if (n > sizeof in || !exactly(s, in, n)) return 0;
        if (first) memcpy(kind, in, sizeof kind);
        if (first && kind[0] == 1) memcpy(token, in + 3, sizeof token);
        if (!(h[4] & 1)) break;
    }
    if (kind[0] == 3)
        status = (int)((uint32_t)kind[1] << 24 | kind[2] << 16 | kind[3] << 8 | kind[4]);
    return kind[0];
}
int call(int s) { return transmit(s) ? receive(s) : 0; }

int dial(const char *path) {
    struct sockaddr_un a = {AF_UNIX, ""};
    strncpy(a.sun_path, path, sizeof a.sun_path - 1);
    int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (s < 0) die("make a socket");
    while (connect(s, (void *)&a, sizeof a)) {
        if (errno != EAGAIN && errno != EINTR) die("connect");
        pause_for(5);
    }
    return s;
}
int greet(const char *path) {
    int s = dial(path);
    start(1);
    put_number(1, 2); u8(0); u8(0);
    if (call(s) == 1) return s;
    close(s);
    return -1;
}
