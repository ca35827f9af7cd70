/// Programs in C that attack, or are attacked: what an attacker has, without any of our code.
enum AttackPrograms {
    static let sources = [
        "stranger": Stranger.source, "waiter": waiter, "probe": probe, "reuse": reuse,
        "tracer": tracer, "seizer": seizer, "libmark": mark, "libclock": clock,
        "libhidden": "#define HIDDEN\n" + Stranger.source + hidden,
    ]

    /// Starts the program of its arguments and tries to trace it as soon as it runs.
    ///
    /// The end of a pipe that closes then says when. Writes `traced`, or the number of the error.
    private static let seizer = #"""
        #define _GNU_SOURCE
        #include <errno.h>
        #include <fcntl.h>
        #include <signal.h>
        #include <stdio.h>
        #include <sys/ptrace.h>
        #include <sys/wait.h>
        #include <unistd.h>
        int main(int n, char **a) {
            int started[2], input[2]; char c; pid_t p;
            if (n < 2 || pipe2(started, O_CLOEXEC) || pipe2(input, O_CLOEXEC)) return 8;
            if (!(p = fork())) { dup2(input[0], 0); dup2(2, 1); execv(a[1], a + 1); _exit(9); }
            close(started[1]);
            if (read(started[0], &c, 1) != 0) return 8;
            if (ptrace(PTRACE_SEIZE, p, 0, 0)) printf("refused %d\n", errno); else puts("traced");
            fflush(stdout);
            kill(p, SIGKILL);
            return waitpid(p, 0, __WALL) == p ? 0 : 8;
        }
        """#

    /// Says that it runs, and becomes the program of its arguments at a byte: a permitted program
    /// that runs others in its place.
    private static let waiter = #"""
        #include <unistd.h>
        int main(int n, char **a) {
            char c;
            if (write(1, "ready\n", 6) != 6 || read(0, &c, 1) != 1) return 8;
            if (n > 1) execv(a[1], a + 1);
            return 9;
        }
        """#

    /// Tries to look into a process, and writes a word for each way that works.
    ///
    /// The process is a number, or a program with its arguments that it starts itself: some kernels
    /// let nobody but a parent try. It writes `found` if it finds a secret in the memory.
    private static let probe = #"""
        #define _GNU_SOURCE
        #include <ctype.h>
        #include <errno.h>
        #include <fcntl.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <sys/ptrace.h>
        #include <sys/syscall.h>
        #include <sys/uio.h>
        #include <sys/wait.h>
        #include <unistd.h>
        static void look(pid_t p, const char *name, int flags) {
            char path[64]; int f;
            snprintf(path, sizeof path, "/proc/%d/%s", p, name);
            if ((f = open(path, flags)) >= 0) { puts(name); close(f); }
        }
        static void search(pid_t p) {
            char path[64], line[4096], rights[5]; unsigned long from, to;
            snprintf(path, sizeof path, "/proc/%d/maps", p);
            FILE *maps = fopen(path, "r");
            snprintf(path, sizeof path, "/proc/%d/mem", p);
            int memory = open(path, O_RDONLY);
            while (maps && memory >= 0 && fgets(line, sizeof line, maps)) {
                if (sscanf(line, "%lx-%lx %4s", &from, &to, rights) != 3) continue;
                if (rights[1] != 'w') continue;
                char *b = malloc(to - from); ssize_t k = pread(memory, b, to - from, from);
                if (k > 0 && memmem(b, k, "secret-of-notes", 15)) { puts("found"); return; }
                free(b);
            }
        }
        int main(int n, char **a) {
            int to[2], from[2], f; char c, said[4096] = ""; size_t k = 0; pid_t p = atoi(a[1]);
            struct iovec own = {&c, 1}, other = {(void *)0x400000, 1};
            if (!isdigit(a[1][0])) {
                if (pipe2(to, O_CLOEXEC) || pipe2(from, O_CLOEXEC)) return 8;
                if (!(p = fork())) {
                    dup2(to[0], 0); dup2(from[1], 1); execv(a[1], a + 1); _exit(9);
                }
                close(from[1]);
                while (!strstr(said, "ready\n"))
                    if (k >= sizeof said - 1 || read(from[0], said + k++, 1) != 1) return 8;
            }
            look(p, "mem", O_RDWR);
            look(p, "environ", O_RDONLY);
            look(p, "maps", O_RDONLY);
            look(p, "root/etc/passwd", O_RDONLY);
            look(p, "fd/0", O_RDONLY | O_NONBLOCK);
            look(p, "exe", O_RDONLY);
            if (process_vm_readv(p, &own, 1, &other, 1, 0) == 1 || errno == EFAULT) puts("vm");
            if ((f = syscall(SYS_pidfd_open, p, 0)) < 0) return 7;
            if (syscall(SYS_pidfd_getfd, f, 0, 0) >= 0) puts("getfd");
            search(p);
            if (!ptrace(PTRACE_SEIZE, p, 0, 0)) puts("ptrace");
            if (!isdigit(a[1][0])) syscall(SYS_pidfd_send_signal, f, 9, 0, 0);
            puts("end");
            return 0;
        }
        """#

    /// Runs a program under a debugger, which lets it do as it likes.
    private static let tracer = #"""
        #include <sys/ptrace.h>
        #include <sys/wait.h>
        #include <unistd.h>
        int main(int n, char **a) {
            int status;
            pid_t p = fork();
            if (!p) { ptrace(PTRACE_TRACEME, 0, 0, 0); execv(a[1], a + 1); _exit(9); }
            alarm(60);
            while (waitpid(p, &status, 0) == p && WIFSTOPPED(status))
                ptrace(PTRACE_CONT, p, 0, 0);
            return WEXITSTATUS(status);
        }
        """#

    /// As root: lets a child be judged, and after its end uses its socket in a child of its number.
    ///
    /// `reuse ACCOUNT DAEMON STRANGER TOKEN`; the socket is descriptor 9. The server sleeps from
    /// the end of the first child until the second one has sent. A stopped process goes on for a
    /// moment in its other threads, so the program waits until each of them sleeps.
    private static let reuse = #"""
        #define _GNU_SOURCE
        #include <dirent.h>
        #include <fcntl.h>
        #include <linux/sched.h>
        #include <signal.h>
        #include <stdint.h>
        #include <stdio.h>
        #include <sched.h>
        #include <stdlib.h>
        #include <string.h>
        #include <sys/syscall.h>
        #include <sys/wait.h>
        #include <unistd.h>
        static pid_t server;
        static void wake(int signal) { kill(server, SIGCONT); _exit(10); }
        static int sleeps(pid_t p) {
            char path[300]; struct dirent *d; int all = 1;
            snprintf(path, sizeof path, "/proc/%d/task", p);
            DIR *tasks = opendir(path);
            while (tasks && (d = readdir(tasks))) {
                char line[512] = "", *end;
                if (d->d_name[0] == '.') continue;
                snprintf(path, sizeof path, "/proc/%d/task/%s/stat", p, d->d_name);
                FILE *f = fopen(path, "r");
                if (!f) continue;
                if (!fgets(line, sizeof line, f) || !(end = strrchr(line, ')')) || end[2] != 'T')
                    all = 0;
                fclose(f);
            }
            return tasks && !closedir(tasks) && all;
        }
        static void drop(const char *account) {
            unsigned u = strtoul(account, 0, 10);
            if (setgid(u) || setuid(u)) _exit(5);
        }
        int main(int n, char **a) {
            int to[2], from[2], status; char c[64];
            server = atoi(a[2]);
            if (pipe2(to, O_CLOEXEC) || pipe2(from, O_CLOEXEC)) return 8;
            pid_t one = fork();
            if (!one) {
                drop(a[1]); dup2(to[0], 0); dup2(from[1], 1);
                execl(a[3], a[3], "hello", "save", a[4], "hear", (char *)0);
                _exit(9);
            }
            if (read(from[0], c, sizeof c) != 8) return 7;
            signal(SIGALRM, wake);
            alarm(60);
            kill(server, SIGSTOP);
            while (!sleeps(server)) sched_yield();
            if (write(to[1], "x", 1) != 1) { kill(server, SIGCONT); return 6; }
            waitpid(one, &status, 0);
            struct clone_args c3 = {.exit_signal = SIGCHLD, .set_tid = (uintptr_t)&one,
                                    .set_tid_size = 1};
            pid_t two = syscall(SYS_clone3, &c3, sizeof c3);
            if (two < 0) { kill(server, SIGCONT); perror("clone3"); return 3; }
            if (!two) {
                if (getpid() != one) _exit(4);
                drop(a[1]); dup2(to[0], 0); dup2(from[1], 1);
                execl(a[3], a[3], "load", a[4], "-whoami", "say", "hear", "read", (char *)0);
                _exit(9);
            }
            ssize_t said = read(from[0], c, sizeof c);
            kill(server, SIGCONT);
            if (said != 6) return 2;
            if (write(to[1], "x", 1) != 1) return 6;
            ssize_t k = read(from[0], c, sizeof c);
            if (k > 0 && write(1, c, k) != k) return 6;
            waitpid(two, &status, 0);
            return WEXITSTATUS(status);
        }
        """#

    /// Leaves a file where it is loaded; also a module of iconv.
    private static let mark = #"""
        #include <fcntl.h>
        #include <stdlib.h>
        #include <unistd.h>
        unsigned la_version(unsigned version) { return version; }
        int gconv_init(void *step) { return 0; }
        int gconv(void) { return 0; }
        __attribute__((constructor)) static void load(void) {
            const char *path = getenv("MARK");
            if (path) close(open(path, O_WRONLY | O_CREAT, 0666));
        }
        """#

    /// A library that puts memory without a file in the place of its own code, and then acts as the
    /// stranger that `ATTACK` describes, in whatever program it was loaded into.
    private static let hidden = #"""
        #include <dlfcn.h>
        #include <sys/mman.h>
        static void hide(void) {
            Dl_info own; char line[4096], rights[5], path[4096]; unsigned long from, to;
            if (!dladdr((void *)hide, &own)) die("find itself");
            FILE *maps = fopen("/proc/self/maps", "r");
            while (fgets(line, sizeof line, maps)) {
                if (sscanf(line, "%lx-%lx %4s %*s %*s %*s %4095s", &from, &to, rights, path) != 4
                    || strcmp(path, own.dli_fname)) continue;
                size_t n = to - from;
                int kind = (rights[0] == 'r' ? PROT_READ : 0) | (rights[1] == 'w' ? PROT_WRITE : 0)
                    | (rights[2] == 'x' ? PROT_EXEC : 0);
                void *copy = mmap(0, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
                memcpy(copy, (void *)from, n);
                mprotect(copy, n, kind);
                if (mremap(copy, n, n, MREMAP_MAYMOVE | MREMAP_FIXED, from) == MAP_FAILED)
                    die("hide");
            }
            fclose(maps);
        }
        __attribute__((constructor)) static void load(void) {
            char *words = getenv("ATTACK"), *a[64] = {"stranger"}; int n = 1;
            if (!words) return;
            hide();
            for (char *w = strtok(words, " "); w && n < 63; w = strtok(0, " ")) a[n++] = w;
            int status = run(n, a);
            fflush(stdout);
            _exit(status);
        }
        """#

    /// A clock of the day that is wrong by as many seconds as the file `CLOCK` says.
    private static let clock = #"""
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <fcntl.h>
        #include <stdlib.h>
        #include <sys/mman.h>
        #include <sys/syscall.h>
        #include <time.h>
        #include <unistd.h>
        static volatile long *offset;
        __attribute__((constructor)) static void load(void) {
            const char *path = getenv("CLOCK");
            int f = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
            if (f >= 0) offset = mmap(0, 4096, PROT_READ, MAP_SHARED, f, 0);
        }
        int clock_gettime(clockid_t id, struct timespec *t) {
            int code = syscall(SYS_clock_gettime, id, t);
            if (!code && offset && id == CLOCK_REALTIME) t->tv_sec += *offset;
            return code;
        }
        time_t time(time_t *t) {
            struct timespec now; clock_gettime(CLOCK_REALTIME, &now);
            if (t) *t = now.tv_sec;
            return now.tv_sec;
        }
        """#
}
