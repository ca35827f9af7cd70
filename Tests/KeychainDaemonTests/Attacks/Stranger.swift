/// A program in C that speaks the wire by its page alone, without any of our code.
///
/// It does what its arguments say, one after the other, over descriptor 9, and writes a line for
/// each message that it reads. A word behind `-` sends and does not read. After five minutes it
/// dies: nobody waits for ever.
enum Stranger {
    static let source = bytes + messages + tellings + deeds + steps

    private static let bytes = #"""
        #define _GNU_SOURCE
        #include <errno.h>
        #include <fcntl.h>
        #include <iconv.h>
        #include <poll.h>
        #include <signal.h>
        #include <stdint.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <sys/socket.h>
        #include <sys/stat.h>
        #include <sys/un.h>
        #include <sys/wait.h>
        #include <unistd.h>
        static unsigned char token[16], none[16], out[1 << 17], in[1 << 20];
        static size_t fill, at, size;
        static int prompts, joins, shown;
        static pid_t claimed;
        static void die(const char *what) {
            printf("cannot %s: %s\n", what, strerror(errno)); exit(9);
        }

        static void u8(unsigned v) { out[fill++] = v; }
        static void un(uint64_t v, int n) { while (n--) u8(v >> (8 * n) & 255); }
        static void blob(const void *b, size_t n) { un(n, 4); memcpy(out + fill, b, n); fill += n; }
        static void text(const char *t) { blob(t, strlen(t)); }
        static void hex(const char *t) {
            unsigned v; un(strlen(t) / 2, 4);
            for (; sscanf(t, "%2x", &v) == 1; t += 2) u8(v);
        }
        static uint64_t num(int n) { uint64_t v = 0; while (n--) v = v << 8 | in[at++]; return v; }
        static char *words(void) {
            size_t n = num(4); char *t = calloc(n + 1, 1);
            memcpy(t, in + at, n); at += n; return t;
        }
        static void put_hex(void) { size_t n = num(4); while (n--) printf("%02x", in[at++]); }

        static void begin(int kind) {
            fill = 5; u8(kind);
            memcpy(out + fill, kind == 1 ? none : token, 16); fill += 16;
        }
        static void transmit(int s) {
            size_t all = fill; fill = 0; un(all - 5, 4); u8(0);
            struct iovec v = {out, all};
            union { struct cmsghdr h; char c[CMSG_SPACE(sizeof(struct ucred))]; } u = {0};
            struct msghdr m = {.msg_iov = &v, .msg_iovlen = 1};
            if (claimed) {
                struct ucred who = {claimed, getuid(), getgid()};
                m.msg_control = &u; m.msg_controllen = sizeof u;
                u.h.cmsg_level = SOL_SOCKET; u.h.cmsg_type = SCM_CREDENTIALS;
                u.h.cmsg_len = CMSG_LEN(sizeof who); memcpy(CMSG_DATA(&u.h), &who, sizeof who);
            }
            if (sendmsg(s, &m, MSG_NOSIGNAL) < 0) printf("cannot send: %s\n", strerror(errno));
        }
        static int exactly(int s, void *b, size_t n) {
            for (size_t k = 0; k < n;) {
                ssize_t r = read(s, (char *)b + k, n - k);
                if (r <= 0) return 0;
                k += r;
            }
            return 1;
        }
        // A message of the daemon, whose frames are joined.
        static int receive(int s) {
            unsigned char h[5];
            for (size = at = 0;;) {
                if (!exactly(s, h, 5)) return 0;
                size_t n = (size_t)h[0] << 24 | h[1] << 16 | h[2] << 8 | h[3];
                if (size + n > sizeof in || !exactly(s, in + size, n)) return 0;
                size += n;
                if (!(h[4] & 1)) return 1;
            }
        }
        static int dial(const char *path) {
            struct sockaddr_un a = {AF_UNIX, ""};
            strncpy(a.sun_path, path, sizeof a.sun_path - 1);
            int s = socket(AF_UNIX, SOCK_STREAM, 0);
            if (s < 0) die("make a socket");
            if (connect(s, (void *)&a, sizeof a)) die("connect");
            return s;
        }

        """#

    /// Wire.md §4, §7 and §10: what a client sends.
    private static let messages = #"""
        static void word(const char *key, const char *value) { text(key); u8(1); text(value); }
        static void yes(const char *key) { text(key); u8(5); u8(1); }
        static void context(const char *id) {
            for (int i = 0; i < 16; i++) u8(*id);
            u8(0); un(0, 8); u8(0); u8(0); u8(0); u8(0);
        }
        static void password(const char *typed) {
            for (int i = 0; i < 16; i++) u8('p');
            u8(0); un(0, 8); u8(0); u8(0); u8(1); text(typed); u8(0);
        }
        static void entry(const char *group, const char *service) {
            word("acct", "ada"); word("agrp", group); word("class", "genp"); word("svce", service);
        }
        static void end_of_dictionary(void) { un(0, 8); u8(0); }
        static void hello(void) {
            begin(1); un(1, 2); u8(joins);
            if (joins) { memcpy(out + fill, token, 16); fill += 16; }
            u8(prompts);
        }
        static void add(const char *group, const char *service, const char *value, int gated) {
            begin(2); u8(1); u8(1); un(gated ? 6 : 5, 4);
            if (gated) { text("accc"); u8(8); u8(6); un(1, 8); }
            entry(group, service); text("v_Data"); u8(7); text(value);
            end_of_dictionary();
        }
        static void find(const char *group, const char *service, const char *what, const char *id) {
            begin(2); u8(1); u8(2); un(id ? 6 : 5, 4);
            word("acct", "ada"); word("agrp", group); word("class", "genp"); yes(what);
            word("svce", service);
            if (id) { text("u_AuthCtx"); u8(10); context(id); }
            end_of_dictionary();
        }
        static void add_with(const char *group, const char *service, const char *value,
                             const char *typed) {
            begin(2); u8(1); u8(1); un(7, 4);
            text("accc"); u8(8); u8(6); un(1u << 31, 8);
            entry(group, service); text("u_AuthCtx"); u8(10); password(typed);
            text("v_Data"); u8(7); text(value);
            end_of_dictionary();
        }
        static void find_with(const char *group, const char *service, const char *typed) {
            begin(2); u8(1); u8(2); un(6, 4);
            word("acct", "ada"); word("agrp", group); word("class", "genp"); yes("r_Data");
            word("svce", service); text("u_AuthCtx"); u8(10); password(typed);
            end_of_dictionary();
        }
        static void settings(int idle) {
            begin(2); u8(4); u8(6); un(idle, 4); un(0xffff, 2); u8(0); u8(0);
        }
        static void find_reference(const char *reference) {
            begin(2); u8(1); u8(2); un(3, 4);
            word("class", "genp"); yes("r_Data");
            text("v_PersistentRef"); u8(2); hex(reference);
            end_of_dictionary();
        }
        static void delete(const char *group, const char *service) {
            begin(2); u8(1); u8(5); un(4, 4); entry(group, service); end_of_dictionary();
        }
        static void make(const char *group) {
            begin(2); u8(2); u8(1); un(5, 4);
            word("agrp", group); text("bsiz"); u8(3); un(256, 8); word("class", "keys");
            word("tkid", "com.apple.setoken");
            word("type", "73"); end_of_dictionary(); u8(0); u8(0);
        }
        static void use(const char *handle) {
            begin(2); u8(2); u8(3); hex(handle);
            text("algid:sign:ECDSA:message-X962:SHA256"); u8(1); text("a message");
            u8(1); u8(0); u8(0);
        }
        static void evaluate(const char *id) { begin(2); u8(3); u8(1); u8(1); u8(1); context(id); }
        static void device(int kind, const char *passcode) {
            begin(2); u8(4); u8(kind);
            if (passcode) text(passcode);
            if (kind == 4) u8(0);
        }
        static void answer(const char *kind, const char *typed) {
            u8(atoi(kind)); if (atoi(kind) <= 2) text(typed);
        }

        """#

    /// Wire.md §5: what a daemon sends, as a line.
    private static let tellings = #"""
        static void tell_result(void) {
            switch (num(1)) {
            case 1: printf("nothing\n"); break;
            case 2: printf("value %s\n", words()); break;
            case 3: printf("reference "); put_hex(); printf("\n"); break;
            default: printf("another result\n");
            }
        }
        static void tell_caller(void) {
            static const char *levels[] = {"nobody", "observed", "confined", "verified"};
            at += 8;
            if (num(1)) { words(); at += 16; if (num(1)) words(); at += 4; }
            if (num(1)) words();
            if (num(1)) { num(1); words(); }
            at += 2;
            for (size_t n = num(4); n; n--) words();
            printf("%s", levels[num(1) & 3]);
            for (size_t n = num(4); n; n--) words();
            words(); if (num(1)) words();
            for (int lists = 2; lists; lists--) for (size_t n = num(4); n; n--) words();
            for (size_t n = num(4); n; n--) printf(" %s", words());
            printf("\n");
        }
        static void tell_log(void) {
            static char last[8192] = "";
            for (size_t n = num(4); n; n--) {
                long time = num(8); char *program = words(); int level = num(1);
                char *verb = words(), *class = words(), *group = words(); words();
                int status = num(4); char *rule = words();
                snprintf(last, sizeof last, "%ld %s %d %s %s %s %d %s", time, program, level, verb,
                         class, group, status, rule);
            }
            printf("%s\n", last);
        }
        static void tell_reply(void) {
            int group = num(1), kind = num(1);
            if (group == 1 && kind == 3) tell_result();
            else if (group == 2 && kind == 1) { printf("handle "); put_hex(); printf("\n"); }
            else if (group == 2 && kind == 3) { printf("bytes "); put_hex(); printf("\n"); }
            else printf("done\n");
        }
        static void tell_own(void) {
            switch (num(1)) {
            case 2: tell_caller(); break;
            case 4: tell_log(); break;
            case 5: { int n = num(8); printf("%d intact, %d faults\n", n > 0, (int)num(4)); break; }
            default: printf("done\n");
            }
        }
        static void tell_prompt(void) {
            int kind; shown = num(8); kind = num(1); if (kind == 1) num(1);
            if (num(1)) words();
            num(1); if (num(1)) words();
            char *program = words();
            printf("prompt %d %d %s %d\n", shown, kind, program, (int)num(1));
        }
        static void tell(void) {
            if (!receive(9)) { printf("ended\n"); return; }
            int kind = num(1), status;
            switch (kind) {
            case 1: num(2); memcpy(token, in + at, 16); printf("welcome\n"); break;
            case 2: tell_reply(); break;
            case 3: status = num(4); printf("failed %d %s\n", status, words()); break;
            case 4: printf("challenge\n"); break;
            case 5: tell_own(); break;
            case 6: tell_prompt(); break;
            case 7: printf("withdraw %d\n", (int)num(8)); break;
            case 8: num(4); printf("refused %s\n", words()); break;
            default: printf("message %d\n", kind);
            }
        }

        """#

    private static let steps = #"""
        static const char *send_step(const char *s, char **a, int *i) {
            #define NEXT a[++*i]
            char *x, *y;
            if (!strcmp(s, "hello")) hello();
            else if (!strcmp(s, "whoami")) { begin(4); u8(1); }
            else if (!strcmp(s, "log")) { begin(4); u8(5); u8(0); }
            else if (!strcmp(s, "verifylog")) { begin(4); u8(6); }
            else if (!strcmp(s, "add")) { x = NEXT; y = NEXT; add(x, y, NEXT, 0); }
            else if (!strcmp(s, "addgated")) { x = NEXT; y = NEXT; add(x, y, NEXT, 1); }
            else if (!strcmp(s, "find")) { x = NEXT; find(x, NEXT, "r_Data", 0); }
            else if (!strcmp(s, "refer")) { x = NEXT; find(x, NEXT, "r_PersistentRef", 0); }
            else if (!strcmp(s, "findwith")) { y = NEXT; x = NEXT; find(x, NEXT, "r_Data", y); }
            else if (!strcmp(s, "addpass")) {
                const char *group = NEXT; x = NEXT; y = NEXT; add_with(group, x, y, NEXT);
            }
            else if (!strcmp(s, "findpass")) { x = NEXT; y = NEXT; find_with(x, y, NEXT); }
            else if (!strcmp(s, "settings")) settings(atoi(NEXT));
            else if (!strcmp(s, "findby")) find_reference(NEXT);
            else if (!strcmp(s, "delete")) { x = NEXT; delete(x, NEXT); }
            else if (!strcmp(s, "make")) make(NEXT);
            else if (!strcmp(s, "use")) use(NEXT);
            else if (!strcmp(s, "evaluate")) evaluate(NEXT);
            else if (!strcmp(s, "lock")) device(2, 0);
            else if (!strcmp(s, "unlock")) device(3, NEXT);
            else if (!strcmp(s, "passcode")) device(4, NEXT);
            else if (!strcmp(s, "agent")) begin(5);
            else if (!strcmp(s, "answer")) { x = NEXT; begin(3); answer(x, NEXT); }
            else if (!strcmp(s, "show")) {
                x = NEXT; y = NEXT; begin(6);
                un(strcmp(x, "last") ? atoi(x) : shown, 8); answer(y, NEXT);
            } else return 0;
            return s;
        }
        static int run(int n, char **a) {
            char c; int status;
            setvbuf(stdout, 0, _IOLBF, 0);
            alarm(300);
            for (int i = 1; i < n; i++) {
                const char *s = a[i];
                int reads = s[0] != '-';
                if (send_step(s + !reads, a, &i)) { transmit(9); if (reads) tell(); }
                else if (!strcmp(s, "connect")) { int k = dial(a[++i]); dup2(k, 9); close(k); }
                else if (!strcmp(s, "prompting")) prompts = 1;
                else if (!strcmp(s, "joining")) joins = 1;
                else if (!strcmp(s, "read")) tell();
                else if (!strcmp(s, "raw")) {
                    fill = 0; hex(a[++i]);
                    if (send(9, out + 4, fill - 4, MSG_NOSIGNAL) < 0) printf("cannot send\n");
                } else if (!strcmp(s, "unread")) unread();
                else if (!strcmp(s, "say")) printf("ready\n");
                else if (!strcmp(s, "hear")) { if (read(0, &c, 1) != 1) return 8; }
                else if (!strcmp(s, "save")) file(a[++i], 1);
                else if (!strcmp(s, "load")) file(a[++i], 0);
                else if (!strcmp(s, "give")) hand(a[++i], 1);
                else if (!strcmp(s, "take")) hand(a[++i], 0);
                else if (!strcmp(s, "claim")) claim(a[++i]);
                else if (!strcmp(s, "flood")) { char *p = a[++i]; flood(p, atoi(a[++i])); }
                else if (!strcmp(s, "storm")) {
                    storm(a[i + 1], atoi(a[i + 2]), atoi(a[i + 3]), a[i + 4], a[i + 5]); i += 5;
                } else if (!strcmp(s, "guess")) {
                    guess(a[i + 1], atoi(a[i + 2]), a[i + 3], a[i + 4]); i += 4;
                } else if (!strcmp(s, "convert"))
                    printf("%d\n", iconv_open("UTF-8", "KEYCHAIN-ATTACK") != (iconv_t)-1);
                else if (!strcmp(s, "watch")) watch();
                else if (!strcmp(s, "adds")) {
                    adds(a[i + 1], atoi(a[i + 2]), atoi(a[i + 3])); i += 3;
                } else if (!strcmp(s, "child")) {
                    if (fork()) { wait(&status); return WEXITSTATUS(status); }
                } else if (!strcmp(s, "fork")) {
                    i++;
                    if (fork()) { execl(a[i], a[i], (char *)0); die("exec"); }
                }
                else if (!strcmp(s, "exec")) { execv(a[i + 1], a + i + 1); die("exec"); }
                else { printf("unknown step %s\n", s); return 7; }
            }
            return 0;
        }
        #ifndef HIDDEN
        int main(int n, char **a) { return run(n, a); }
        #endif

        """#
}
