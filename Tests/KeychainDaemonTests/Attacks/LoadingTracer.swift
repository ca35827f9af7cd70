/// A program in C that watches what processes load and start while they have a raised group.
enum LoadingTracer {
    /// `loading ACCOUNT GROUP SECONDS PROGRAM ARGUMENTS…`, as root.
    ///
    /// It runs the program as the account, and follows all processes that come of it. It writes a
    /// line for each program that starts: `start raised PATH`, or `start plain PATH`. While a
    /// process has the group, effective or saved, it also writes:
    /// - `loads PATH`: code from a file that the account owns or can write is mapped;
    /// - `runs PATH`: such a file is executed, while the group is effective;
    /// - `connects PATH`: a connection to a local socket begins;
    /// - `shows memory`: a process connects or ends, and did not make itself undumpable again after
    ///   a change of its groups or accounts.
    ///
    /// With the number of a process in the place of PROGRAM it follows that one from then on, and
    /// writes `attached` first: the daemon believes no program that was traced when it connected.
    ///
    /// At the end it writes `end` with the exit status, or `late`.
    static let source = #"""
        #define _GNU_SOURCE
        #include <ctype.h>
        #include <dirent.h>
        #include <errno.h>
        #include <fcntl.h>
        #include <grp.h>
        #include <limits.h>
        #include <signal.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <stdint.h>
        #include <sys/mman.h>
        #include <sys/prctl.h>
        #include <sys/ptrace.h>
        #include <sys/socket.h>
        #include <sys/stat.h>
        #include <sys/syscall.h>
        #include <sys/uio.h>
        #include <sys/un.h>
        #include <sys/wait.h>
        #include <unistd.h>
        static unsigned account, group;
        static void late(int signal) { if (write(1, "late\n", 5)) _exit(0); _exit(1); }
        static void groups(pid_t t, unsigned *effective, unsigned *saved) {
            char path[64], line[256]; unsigned real;
            *effective = *saved = 0;
            snprintf(path, sizeof path, "/proc/%d/status", t);
            FILE *f = fopen(path, "r");
            while (f && fgets(line, sizeof line, f))
                if (sscanf(line, "Gid: %u %u %u", &real, effective, saved) == 3) break;
            if (f) fclose(f);
        }
        static int raised(pid_t t) {
            unsigned e, s; groups(t, &e, &s);
            return e == group || s == group;
        }
        static int is_accounts(const struct stat *s) {
            return s->st_uid == account || (s->st_mode & S_IWOTH)
                || (s->st_gid == account && (s->st_mode & S_IWGRP));
        }
        /// Whether the account can change a file, or a directory on the way to it.
        static int can_change(const char *path) {
            char part[PATH_MAX]; struct stat s;
            snprintf(part, sizeof part, "%s", path);
            if (stat(part, &s) == 0 && S_ISREG(s.st_mode) && is_accounts(&s)) return 1;
            for (char *end; (end = strrchr(part, '/')) && end != part; ) {
                *end = 0;
                if (stat(part, &s) == 0 && is_accounts(&s) && !(s.st_mode & S_ISVTX)) return 1;
            }
            return 0;
        }
        static void link_of(pid_t t, const char *name, char *target) {
            char path[96];
            snprintf(path, sizeof path, "/proc/%d/%s", t, name);
            ssize_t n = readlink(path, target, PATH_MAX - 1);
            target[n > 0 ? n : 0] = 0;
        }
        static void text_of(pid_t t, unsigned long from, char *to, size_t size) {
            char path[64];
            snprintf(path, sizeof path, "/proc/%d/mem", t);
            int f = open(path, O_RDONLY | O_CLOEXEC);
            ssize_t n = f < 0 ? -1 : pread(f, to, size - 1, from);
            to[n > 0 ? n : 0] = 0;
            if (f >= 0) close(f);
        }
        static void check_file(pid_t t, const char *name) {
            char path[96], target[PATH_MAX]; struct stat s;
            link_of(t, name, target);
            snprintf(path, sizeof path, "/proc/%d/%s", t, name);
            if ((stat(path, &s) == 0 && is_accounts(&s)) || can_change(target))
                printf("loads %s\n", target);
        }
        static void check_range(pid_t t, unsigned long address) {
            char path[64], line[PATH_MAX + 128], file[PATH_MAX]; unsigned long from, to;
            snprintf(path, sizeof path, "/proc/%d/maps", t);
            FILE *f = fopen(path, "r");
            while (f && fgets(line, sizeof line, f)) {
                if (sscanf(line, "%lx-%lx %*s %*s %*s %*s %[^\n]", &from, &to, file) != 3) continue;
                if (address < from || address >= to || file[0] != '/') continue;
                if (can_change(file)) printf("loads %s\n", file);
            }
            if (f) fclose(f);
        }
        /// The kernel sets the state of a process whose ids change to `fs.suid_dumpable`.
        static int shows;
        static void follow_ids(pid_t t, unsigned long long nr, const __uint64_t *a) {
            if (nr == SYS_setfsgid || nr == SYS_setfsuid || nr == SYS_setgid || nr == SYS_setuid
                || nr == SYS_setregid || nr == SYS_setreuid || nr == SYS_setresgid
                || nr == SYS_setresuid) shows |= raised(t);
            else if (nr == SYS_prctl && a[0] == PR_SET_DUMPABLE && a[1] == 0) shows = 0;
            else if (shows && (nr == SYS_connect || nr == SYS_exit_group)) puts("shows memory");
        }
        static void enter(pid_t t, const struct __ptrace_syscall_info *i) {
            unsigned long long nr = i->entry.nr; const __uint64_t *a = i->entry.args;
            char text[PATH_MAX]; unsigned e, s;
            follow_ids(t, nr, a);
            if (nr == SYS_mmap && (a[2] & PROT_EXEC) && !(a[3] & MAP_ANONYMOUS) && raised(t)) {
                snprintf(text, sizeof text, "fd/%d", (int)a[4]);
                check_file(t, text);
            } else if (nr == SYS_mprotect && (a[2] & PROT_EXEC) && raised(t)) {
                check_range(t, a[0]);
            } else if (nr == SYS_connect && raised(t)) {
                struct sockaddr_un u = {0};
                text_of(t, a[1], (char *)&u, sizeof u);
                if (u.sun_family == AF_UNIX) printf("connects %s\n", u.sun_path);
                else printf("connects elsewhere %d\n", u.sun_family);
            } else if (nr == SYS_execve || nr == SYS_execveat) {
                groups(t, &e, &s);
                text_of(t, a[nr == SYS_execveat], text, sizeof text);
                if (e == group && can_change(text)) printf("runs %s\n", text);
            }
        }
        static const long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK
            | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC;
        static pid_t attach(pid_t p) {
            char path[64]; struct dirent *d;
            snprintf(path, sizeof path, "/proc/%d/task", p);
            DIR *threads = opendir(path);
            while (threads && (d = readdir(threads))) {
                pid_t t = atoi(d->d_name);
                if (t && !ptrace(PTRACE_SEIZE, t, 0, options)) ptrace(PTRACE_INTERRUPT, t, 0, 0);
            }
            if (!threads || closedir(threads)) exit(6);
            puts("attached");
            return p;
        }
        static pid_t start(char **a) {
            int go[2]; char c;
            if (pipe2(go, O_CLOEXEC)) exit(8);
            pid_t first = fork();
            if (!first) {
                if (setsid() < 0 || setgroups(0, 0) || setresgid(account, account, account)
                    || setresuid(account, account, account) || read(go[0], &c, 1) != 1) _exit(7);
                execv(a[4], a + 4);
                _exit(9);
            }
            if (ptrace(PTRACE_SEIZE, first, 0, options | PTRACE_O_EXITKILL)
                || write(go[1], "x", 1) != 1) exit(6);
            ptrace(PTRACE_INTERRUPT, first, 0, 0);
            return first;
        }
        int main(int n, char **a) {
            int status, last = 0;
            account = strtoul(a[1], 0, 10); group = strtoul(a[2], 0, 10);
            setvbuf(stdout, 0, _IOLBF, 0);
            pid_t first = isdigit(a[4][0]) ? attach(atoi(a[4])) : start(a);
            signal(SIGALRM, late);
            alarm(atoi(a[3]));
            for (;;) {
                pid_t t = waitpid(-1, &status, __WALL);
                if (t < 0) break;
                if (WIFEXITED(status) || WIFSIGNALED(status)) {
                    if (t != first) continue;
                    last = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
                    printf("end %d\n", last);
                    return 0;
                }
                int signal = WSTOPSIG(status), event = status >> 16;
                long deliver = 0;
                if (signal == (SIGTRAP | 0x80)) {
                    struct __ptrace_syscall_info i;
                    if (ptrace(PTRACE_GET_SYSCALL_INFO, t, sizeof i, &i) > 0
                        && i.op == PTRACE_SYSCALL_INFO_ENTRY) enter(t, &i);
                } else if (event == PTRACE_EVENT_EXEC) {
                    char path[PATH_MAX]; int is = raised(t);
                    link_of(t, "exe", path);
                    printf("start %s %s\n", is ? "raised" : "plain", path);
                    if (is && can_change(path)) printf("runs %s\n", path);
                } else if (event == 0) {
                    deliver = signal;
                } else if (event == PTRACE_EVENT_STOP && (signal == SIGSTOP || signal == SIGTSTP
                    || signal == SIGTTIN || signal == SIGTTOU)) {
                    // Nothing of these tests is to stay stopped.
                }
                ptrace(PTRACE_SYSCALL, t, 0, deliver);
            }
            return 5;
        }
        """#
}
