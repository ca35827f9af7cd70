extension Stranger {
    /// What it does beside a call.
    static let deeds = #"""
        static void file(const char *path, int saves) {
            int f = open(path, saves ? O_WRONLY | O_CREAT | O_TRUNC : O_RDONLY, 0644);
            if (f < 0 || (saves ? write(f, token, 16) : read(f, token, 16)) != 16) die(path);
            close(f);
        }
        // Hands the socket and the token to another process, and takes them.
        static void hand(const char *path, int gives) {
            struct sockaddr_un a = {AF_UNIX, ""};
            union { struct cmsghdr h; char c[CMSG_SPACE(sizeof(int))]; } u = {0};
            struct iovec v = {token, 16};
            struct msghdr m = {.msg_iov = &v, .msg_iovlen = 1, .msg_control = &u,
                               .msg_controllen = sizeof u};
            if (gives) {
                int s = dial(path), held = 9;
                u.h.cmsg_level = SOL_SOCKET; u.h.cmsg_type = SCM_RIGHTS;
                u.h.cmsg_len = CMSG_LEN(sizeof held); memcpy(CMSG_DATA(&u.h), &held, sizeof held);
                if (sendmsg(s, &m, 0) != 16) die("give");
                return;
            }
            strncpy(a.sun_path, path, sizeof a.sun_path - 1);
            int s = socket(AF_UNIX, SOCK_STREAM, 0), held;
            umask(0);
            if (bind(s, (void *)&a, sizeof a) || listen(s, 1)) die("listen");
            printf("ready\n");
            if (recvmsg(accept(s, 0, 0), &m, 0) != 16) die("take");
            memcpy(&held, CMSG_DATA(&u.h), sizeof held);
            dup2(held, 9);
        }
        static void flood(const char *path, int count) {
            int welcomed = 0, refused = 0, ended = 0;
            for (int i = 0; i < count; i++) {
                int s = dial(path); hello();
                size_t n = fill; fill = 0; un(n - 5, 4); u8(0);
                // A connection that is refused may be closed before the greeting is sent.
                (void)!send(s, out, n, MSG_NOSIGNAL);
                if (!receive(s)) ended++; else if (in[0] == 1) welcomed++; else refused++;
            }
            printf("%d welcomed, %d refused, %d ended\n", welcomed, refused, ended);
        }
        // Asks for the same item over many connections, until so many have an answer.
        static void storm(const char *path, int count, int expected, char *group, char *service) {
            struct pollfd p[64]; int answered = 0, refused = 0;
            for (int i = 0; i < count; i++) {
                p[i] = (struct pollfd){dial(path), POLLIN, 0};
                joins = i > 0; hello(); transmit(p[i].fd);
                if (!receive(p[i].fd) || in[0] != 1) die("greet");
                memcpy(token, in + 3, 16);
            }
            for (int i = 0; i < count; i++) {
                find(group, service, "r_Data", 0); transmit(p[i].fd);
            }
            while (answered < expected) {
                if (poll(p, count, -1) < 0) die("poll");
                for (int i = 0; i < count; i++) {
                    if (!p[i].revents) continue;
                    if (receive(p[i].fd) && num(1) == 3 && (int)num(4) == -25308) refused++;
                    answered++; p[i].fd = -1;
                }
            }
            printf("%d answered, %d refused\n", answered, refused);
        }
        // Tries a wrong application password over many connections, and tells of each answer.
        static void guess(const char *path, int count, char *group, char *service) {
            struct pollfd p[64];
            for (int i = 0; i < count; i++) {
                p[i] = (struct pollfd){dial(path), POLLIN, 0};
                joins = i > 0; hello(); transmit(p[i].fd);
                if (!receive(p[i].fd) || in[0] != 1) die("greet");
                memcpy(token, in + 3, 16);
            }
            for (int i = 0; i < count; i++) {
                find_with(group, service, "wrong"); transmit(p[i].fd);
            }
            printf("guessing\n");
            for (int left = count; left && poll(p, count, -1) >= 0;) {
                for (int i = 0; i < count; i++) {
                    if (!p[i].revents) continue;
                    if (receive(p[i].fd) && num(1) == 3) printf("refused %d\n", (int)num(4));
                    else printf("ended\n");
                    left--; p[i].fd = -1;
                }
            }
        }
        // Runs a program in a child, and claims to be that process from now on.
        static void claim(const char *path) {
            int to[2], from[2]; char c;
            if (pipe2(to, O_CLOEXEC) || pipe2(from, O_CLOEXEC)) die("pipe");
            if (!(claimed = fork())) {
                dup2(to[0], 0); dup2(from[1], 1); execl(path, path, (char *)0); _exit(9);
            }
            if (read(from[0], &c, 1) != 1) die("run");
        }
        // Adds items until one is refused.
        static void adds(const char *group, int count, int size) {
            char service[32], *value = calloc(size + 1, 1);
            memset(value, 'x', size);
            for (int i = 0; i < count; i++) {
                snprintf(service, sizeof service, "%d", i);
                add(group, service, value, 0); transmit(9);
                if (!receive(9)) { printf("%d added, ended\n", i); return; }
                if (in[0] != 2) {
                    at = 1; printf("%d added, failed %d\n", i, (int)num(4)); return;
                }
                printf("added %d\n", i);
            }
        }
        // Tells when something arrives, in a process of its own.
        static void watch(void) {
            struct pollfd p = {9, POLLIN, 0};
            if (fork()) return;
            poll(&p, 1, -1); printf("arrived\n"); _exit(0);
        }
        static void unread(void) {
            for (;;) {
                begin(4); u8(1);
                size_t n = fill; fill = 0; un(n - 5, 4); u8(0);
                if (send(9, out, n, MSG_NOSIGNAL) < 0) return;
            }
        }

        """#
}
