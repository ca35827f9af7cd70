#define _GNU_SOURCE
#include "helper.h"
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { password_limit = 4095, message_limit = 2 * (password_limit + 4), group_limit = 1024 };

struct account {
    uid_t user;
    gid_t group;
    gid_t groups[group_limit];
    int group_count;
};

static const char *look_up(const char *name, struct account *account) {
    struct passwd entry;
    struct passwd *found = NULL;
    char texts[16384];
    if (getpwnam_r(name, &entry, texts, sizeof texts, &found) != 0 || found == NULL)
        return "the account is unknown";
    account->user = entry.pw_uid;
    account->group = entry.pw_gid;
    account->group_count = group_limit;
    if (getgrouplist(name, entry.pw_gid, account->groups, &account->group_count) < 0)
        return "the account is in too many groups";
    return NULL;
}

// Appends a password: its size in four bytes, big-endian, and its bytes.
static int append(unsigned char *message, size_t *size, const char *password) {
    size_t length = strnlen(password, password_limit + 1);
    if (length > password_limit || *size + 4 + length > message_limit) return -1;
    message[*size] = 0;
    message[*size + 1] = 0;
    message[*size + 2] = (unsigned char)(length >> 8);
    message[*size + 3] = (unsigned char)length;
    memcpy(message + *size + 4, password, length);
    *size += 4 + length;
    return 0;
}

// Gives up every right but the account's, for good. Returns 0, or -1.
static int become(const struct account *account) {
    if (geteuid() == 0) {
        if (setgroups((size_t)account->group_count, account->groups) != 0) return -1;
        if (setresgid(account->group, account->group, account->group) != 0) return -1;
        if (setresuid(account->user, account->user, account->user) != 0) return -1;
    }
    uid_t real, effective, saved;
    if (getresuid(&real, &effective, &saved) != 0) return -1;
    return real == account->user && effective == account->user && saved == account->user ? 0 : -1;
}

// What is left of the host program must not reach the helper.
static void clean(int input) {
    struct sigaction normal;
    memset(&normal, 0, sizeof normal);
    normal.sa_handler = SIG_DFL;
    for (int number = 1; number < NSIG; number++) sigaction(number, &normal, NULL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    struct rlimit nothing = {0, 0};
    setrlimit(RLIMIT_CORE, &nothing);
    int null = open("/dev/null", O_RDWR);
    if (null < 0) _exit(126);
    if (dup2(input, STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0
        || dup2(null, STDERR_FILENO) < 0)
        _exit(126);
    if (syscall(SYS_close_range, 3U, ~0U, 0U) != 0) {
        // Before Linux 5.9.
        struct rlimit limit;
        rlim_t end = getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : 65536;
        for (rlim_t number = 3; number < end && number < 1048576; number++) close((int)number);
    }
    if (chdir("/") != 0) _exit(126);
}

static void execute(
    const struct keychain_errand *errand,
    const struct account *account,
    int input
) {
    static char path[] = "PATH=/usr/bin:/bin";
    char *environment[] = {path, NULL};
    const char *arguments[] = {errand->helper, errand->verb, errand->socket, NULL};
    setsid();
    clean(input);
    if (become(account) != 0) _exit(126);
    umask(077);
    execve(errand->helper, (char *const *)arguments, environment);
    _exit(127);
}

static int64_t milliseconds(void) {
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) return 0;
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// Kills the helper by a descriptor, which means no other process, where the kernel has them.
static void end(pid_t child, int process) {
    if (process < 0 || syscall(SYS_pidfd_send_signal, process, SIGKILL, NULL, 0U) != 0)
        kill(child, SIGKILL);
}

// Waits for the helper's end; kills it when its time is up.
static const char *wait_for(pid_t child, int process, int64_t deadline) {
    int status = 0;
    while (1) {
        pid_t ended = waitpid(child, &status, WNOHANG);
        if (ended == child) break;
        // The host program took the status, or wants none.
        if (ended < 0 && errno != EINTR) return NULL;
        if (milliseconds() >= deadline) {
            end(child, process);
            while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
            }
            return "the daemon did not answer in time";
        }
        struct timespec pause = {0, 10000000};
        nanosleep(&pause, NULL);
    }
    if (!WIFEXITED(status)) return "the helper program failed";
    switch (WEXITSTATUS(status)) {
    case 0: return NULL;
    case 3: return "no daemon answers";
    case 4: return "its passcode is another one";
    case 5: return "too many wrong passcodes were tried; unlock it with the right one";
    case 126: return "the rights of the account could not be taken on";
    case 127: return "the helper program is missing";
    default: return "the helper program failed";
    }
}

static const char *hand_over(
    const struct keychain_errand *errand,
    const struct account *account,
    const unsigned char *message,
    size_t size
) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return "no descriptor is left";
    int64_t deadline = milliseconds() + (int64_t)errand->seconds * 1000;
    pid_t child = fork();
    if (child == 0) execute(errand, account, ends[1]);
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        return "no process is left";
    }
    // It is far smaller than the socket's buffer, so this does not wait.
    ssize_t sent = send(ends[0], message, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    shutdown(ends[0], SHUT_WR);
    int process = (int)syscall(SYS_pidfd_open, child, 0U);
    const char *trouble = wait_for(child, process, deadline);
    if (process >= 0) close(process);
    close(ends[0]);
    if (trouble == NULL && sent != (ssize_t)size) return "the helper program took no password";
    return trouble;
}

const char *keychain_run_errand(const struct keychain_errand *errand) {
    struct account account;
    const char *trouble = look_up(errand->user, &account);
    if (trouble != NULL) return trouble;
    if (geteuid() != 0 && geteuid() != account.user) return "another account logs in";
    unsigned char message[message_limit];
    size_t size = 0;
    if (append(message, &size, errand->first) != 0
        || (errand->second != NULL && append(message, &size, errand->second) != 0))
        trouble = "the password is too long";
    else
        trouble = hand_over(errand, &account, message, size);
    explicit_bzero(message, sizeof message);
    return trouble;
}
