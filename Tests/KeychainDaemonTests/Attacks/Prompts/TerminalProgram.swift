/// A program in C that has a terminal, with a person who types at it, and is after what is typed.
enum TerminalProgram {
    /// `terminal MODE PROGRAM ARGUMENTS…` runs a program at a terminal of its own, and writes
    /// `read TEXT` if it got what the person typed. The modes are ways to get it:
    /// - `device`: open the terminal's device;
    /// - `is`: be the terminal; the text comes from standard input;
    /// - `shell`: trace the shell that starts the program;
    /// - `looked`: open its memory when a daemon may look at it; the daemon, whose number is
    ///   `DAEMON`, is stopped, so that this takes long;
    /// - `memory`: look into the program while it asks. It writes `open WAY` or `closed`.
    ///
    /// `terminal screen TEXT` has a terminal for others. It writes the terminal's name, then
    /// `shown` once there is a question. At a line `type` the person types, at a line `keys` but
    /// no Return; at a line `steal PROCESS` that process stops, the person types, and the device is
    /// read. At a line `tell` it writes what is shown.
    ///
    /// `terminal login PROGRAM ARGUMENTS…` hands half of a password to a program, as a login does,
    /// and looks into it. `terminal search PROCESS TEXT` searches a process until it has the text.
    static let source = #"""
        #define _GNU_SOURCE
        #include <errno.h>
        #include <fcntl.h>
        #include <sched.h>
        #include <signal.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <sys/ioctl.h>
        #include <sys/prctl.h>
        #include <sys/ptrace.h>
        #include <sys/syscall.h>
        #include <sys/uio.h>
        #include <sys/wait.h>
        #include <termios.h>
        #include <unistd.h>
        #define TYPED "what-is-typed"
        static int screen; static char name[64], said[1 << 16]; static size_t count;
        static void late(int signal) { if (write(1, "late\n", 5)) _exit(3); _exit(3); }
        static void fail(const char *words) { printf("failed %s\n", words); exit(8); }
        static void have_screen(void) {
            struct winsize size = {24, 80};
            screen = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
            if (screen < 0 || grantpt(screen) || unlockpt(screen)
                || ptsname_r(screen, name, sizeof name)) fail("terminal");
            ioctl(screen, TIOCSWINSZ, &size);
        }
        static void await(const char *words) {
            while (!memmem(said, count, words, strlen(words))) {
                if (count >= sizeof said || read(screen, said + count, 1) != 1) {
                    said[count < sizeof said ? count : sizeof said - 1] = 0;
                    fail(said);
                }
                count++;
            }
        }
        static void person(const char *text) {
            if (write(screen, text, strlen(text)) < 0 || write(screen, "\r", 1) != 1) fail("type");
        }
        /// A shell that becomes the program when it is let go.
        static pid_t start(char **a, int *go) {
            int pipe[2]; char c;
            if (pipe2(pipe, O_CLOEXEC)) fail("pipe");
            pid_t p = fork();
            if (p) { close(pipe[0]); *go = pipe[1]; return p; }
            setsid();
            int t = open(name, O_RDWR);
            ioctl(t, TIOCSCTTY, 0);
            dup2(t, 0); dup2(t, 1); dup2(t, 2);
            if (read(pipe[0], &c, 1) != 1) _exit(9);
            execv(a[0], a);
            _exit(9);
        }
        static void let(int go) { if (write(go, "x", 1) != 1) fail("let"); }
        static int memory(pid_t p) {
            char path[64];
            snprintf(path, sizeof path, "/proc/%d/mem", p);
            return open(path, O_RDONLY | O_CLOEXEC);
        }
        static int look(pid_t p) {
            char path[64], c; int f, ways = 0;
            struct iovec own = {&c, 1}, other = {(void *)0x400000, 1};
            const char *names[] = {"mem", "environ", "maps", "fd/0"};
            for (int k = 0; k < 4; k++) {
                snprintf(path, sizeof path, "/proc/%d/%s", p, names[k]);
                if ((f = open(path, O_RDONLY | O_NONBLOCK)) >= 0) {
                    printf("open %s\n", names[k]); close(f); ways++;
                }
            }
            if (process_vm_readv(p, &own, 1, &other, 1, 0) == 1 || errno == EFAULT) {
                puts("open vm"); ways++;
            }
            f = syscall(SYS_pidfd_open, p, 0);
            if (f < 0) fail("process");
            if (syscall(SYS_pidfd_getfd, f, 0, 0) >= 0) { puts("open getfd"); ways++; }
            if (!ptrace(PTRACE_SEIZE, p, 0, 0)) { puts("open ptrace"); ways++; }
            if (!ways) puts("closed");
            return ways;
        }
        /// The registers of a traced thread, and the one with a call's second argument.
        struct arguments { unsigned long all[64], *second; struct iovec place; };
        static void get(pid_t t, struct arguments *a) {
            a->place = (struct iovec){a->all, sizeof a->all};
            ptrace(PTRACE_GETREGSET, t, 1, &a->place);
        #ifdef __x86_64__
            a->second = a->all + 13;
        #else
            a->second = a->all + 1;
        #endif
        }
        /// Whether a thread has just read what the person typed.
        static int has_read(pid_t t, long size) {
            char text[4096]; struct arguments a;
            get(t, &a);
            int f = memory(t);
            ssize_t k = f < 0 ? -1 : pread(f, text, size < 4096 ? size : 4096, *a.second);
            if (f >= 0) close(f);
            return k > 0 && memmem(text, k, TYPED, strlen(TYPED));
        }
        /// Lets a traced process go on until it has read what the person typed. It may not close
        /// its memory.
        static void follow(pid_t p) {
            int status; struct arguments a; struct __ptrace_syscall_info i;
            for (;;) {
                pid_t t = waitpid(-1, &status, __WALL);
                if (t < 0) return;
                if (!WIFSTOPPED(status)) { if (t == p) return; continue; }
                int signal = WSTOPSIG(status);
                if (signal == (SIGTRAP | 0x80)) {
                    signal = 0;
                    if (ptrace(PTRACE_GET_SYSCALL_INFO, t, sizeof i, &i) <= 0) i.op = 0;
                    if (i.op == PTRACE_SYSCALL_INFO_ENTRY && i.entry.nr == SYS_prctl
                        && i.entry.args[0] == PR_SET_DUMPABLE) {
                        get(t, &a);
                        *a.second = 1;
                        ptrace(PTRACE_SETREGSET, t, 1, &a.place);
                    }
                    if (i.op == PTRACE_SYSCALL_INFO_EXIT && i.exit.rval > 0
                        && has_read(t, i.exit.rval)) {
                        puts("read " TYPED);
                        fflush(stdout);
                        kill(p, SIGKILL);
                        return;
                    }
                } else if (status >> 16) signal = 0;
                ptrace(PTRACE_SYSCALL, t, 0, signal);
            }
        }
        static void seize(pid_t p) {
            long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXEC | PTRACE_O_TRACECLONE
                | PTRACE_O_EXITKILL;
            if (ptrace(PTRACE_SEIZE, p, 0, options)) fail("seize");
        }
        /// Another process is the person, because this one waits for the traced one.
        static void be_person(void) {
            if (fork()) return;
            await("asscode");
            person(TYPED);
            for (char c; read(screen, &c, 1) == 1; );
            _exit(0);
        }
        static void steal(pid_t p, const char *text) {
            char line[256]; size_t k = 0;
            kill(p, SIGSTOP);
            int t = open(name, O_RDONLY | O_NOCTTY | O_CLOEXEC);
            if (t < 0) { puts("closed"); return; }
            person(text);
            while (k < sizeof line - 1 && read(t, line + k, 1) == 1 && line[k] != '\n'
                && line[k] != '\r') k++;
            line[k] = 0;
            printf("read %s\n", line);
        }
        static void search(pid_t p, const char *text) {
            char path[64], line[4096], rights[5]; unsigned long from, to;
            int f = memory(p);
            if (f < 0) { puts("closed"); return; }
            for (;;) {
                snprintf(path, sizeof path, "/proc/%d/maps", p);
                FILE *maps = fopen(path, "r");
                if (!maps) fail("maps");
                while (fgets(line, sizeof line, maps)) {
                    if (sscanf(line, "%lx-%lx %4s", &from, &to, rights) != 3) continue;
                    if (rights[1] != 'w' || to - from > 64 << 20) continue;
                    char *b = malloc(to - from);
                    ssize_t k = pread(f, b, to - from, from);
                    int found = k > 0 && memmem(b, k, text, strlen(text));
                    free(b);
                    if (found) { printf("read %s\n", text); return; }
                }
                fclose(maps);
                sched_yield();
            }
        }
        static void login(char **a) {
            int ends[2], waiting, status;
            if (pipe2(ends, O_CLOEXEC)) fail("pipe");
            pid_t p = fork();
            if (!p) { dup2(ends[0], 0); execv(a[0], a); _exit(9); }
            if (write(ends[1], "\0\0\0\x20" TYPED, 4 + strlen(TYPED)) < 0) fail("write");
            // It has half of the password once it has taken all bytes, and waits for the rest.
            do {
                if (waitpid(p, &status, WNOHANG) == p) fail("it ended");
                sched_yield();
                ioctl(ends[1], FIONREAD, &waiting);
            } while (waiting);
            look(p);
            kill(p, SIGKILL);
        }
        static void be_screen(const char *text) {
            char line[64];
            have_screen();
            int t = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
            puts(name);
            await("asscode");
            await("Cancel");
            puts("shown");
            while (fgets(line, sizeof line, stdin)) {
                if (!strncmp(line, "steal ", 6)) steal(atoi(line + 6), text);
                else if (!strncmp(line, "type", 4)) person(text);
                else if (!strncmp(line, "keys", 4)) {
                    if (write(screen, text, strlen(text)) < 0) fail("type");
                }
                else if (!strncmp(line, "tell", 4)) {
                    fwrite(said, 1, count, stdout);
                    puts("\ntold");
                }
            }
            close(t);
        }
        int main(int n, char **a) {
            int go, status; char line[256];
            setvbuf(stdout, 0, _IOLBF, 0);
            signal(SIGALRM, late);
            alarm(100);
            if (n < 3) return 2;
            if (!strcmp(a[1], "screen")) { be_screen(a[2]); return 0; }
            if (!strcmp(a[1], "login")) { login(a + 2); return 0; }
            if (!strcmp(a[1], "search")) { search(atoi(a[2]), a[3]); return 0; }
            have_screen();
            pid_t p = start(a + 2, &go);
            if (!strcmp(a[1], "shell")) {
                seize(p);
                let(go);
                be_person();
                ptrace(PTRACE_INTERRUPT, p, 0, 0);
                follow(p);
                return 0;
            }
            if (!strcmp(a[1], "looked")) {
                pid_t daemon = atoi(getenv("DAEMON"));
                int f = memory(p);
                kill(daemon, SIGSTOP);
                let(go);
                be_person();
                // First it closes itself, then it is open again for the daemon.
                for (; f >= 0; f = memory(p)) { close(f); sched_yield(); }
                puts("closed");
                for (; f < 0; f = memory(p)) {
                    if (waitpid(p, &status, WNOHANG) == p) fail("it ended");
                    sched_yield();
                }
                search(p, TYPED);
                kill(daemon, SIGCONT);
                kill(p, SIGKILL);
                return 0;
            }
            let(go);
            await("asscode");
            if (!strcmp(a[1], "memory")) look(p);
            if (!strcmp(a[1], "device")) steal(p, TYPED);
            if (!strcmp(a[1], "is") && fgets(line, sizeof line, stdin)) {
                line[strcspn(line, "\n")] = 0;
                printf("read %s\n", line);
                person(line);
            }
            fflush(stdout);
            kill(p, SIGKILL);
            waitpid(p, 0, 0);
            return 0;
        }
        """#
}
