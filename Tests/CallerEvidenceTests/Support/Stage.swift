import Foundation
import Glibc
import TestSupport
import Testing

/// Whether real accounts, groups and namespaces can be made here.
enum Root {
    static let isHere = geteuid() == 0
    static let reason: Comment = "it makes accounts and set-group-ID files, which needs root"
}

/// Two accounts and a group for as long as the tests run, and programs compiled from C.
///
/// The files lie in a directory that root owns all the way up, because the temporary directory is
/// everybody's.
final class Stage: Sendable {
    static let shared = Result { try Stage() }

    let directory: String
    let group: UInt32
    let first: UInt32
    let second: UInt32
    /// Removes the directory also after tests that were killed.
    private let keeper: TestProcess

    private init() throws {
        directory = "/opt/keychain-evidence-\(getpid())"
        keeper = try Litter.removeAtEnd(directory)
        let number = getpid() % 10000
        try prepare("rm -rf \(directory) && install -d -m 755 \(directory)")
        let base = UInt32(60_000_000) + UInt32(number) * 4
        (first, second, group) = (base, base + 1, base + 2)
        for (name, source) in Self.sources {
            let path = "\(directory)/\(name).c"
            try source.write(toFile: path, atomically: true, encoding: .utf8)
            let library =
                name.hasPrefix("lib") ? "-shared -fPIC -pthread -o \(directory)/\(name).so" : ""
            let output = library.isEmpty ? "-o \(directory)/\(name)" : library
            try prepare("clang -O1 -pthread \(output) \(path)")
        }
        try prepare(
            "cp \(directory)/waiter \(directory)/protected"
                + " && chgrp \(group) \(directory)/protected"
                + " && chmod 2755 \(directory)/protected"
        )
        atexit {
            if case .success(let stage) = Stage.shared {
                _ = try? shell("rm -rf \(stage.directory)")
            }
        }
    }

    /// A directory that an account owns, below one that root owns.
    func folder(of account: UInt32) throws -> String {
        let path = "\(directory)/\(UUID().uuidString)"
        try prepare("install -d -m 755 -o \(account) -g \(account) \(path)")
        return path
    }

    /// A directory of root's.
    func folder() throws -> String {
        let path = "\(directory)/\(UUID().uuidString)"
        try prepare("install -d -m 755 \(path)")
        return path
    }

    private static let sources = [
        // Says that it runs, and waits for its standard input to end.
        "waiter": """
        #include <unistd.h>
        int main(void) { char c; write(1, "r", 1); while (read(0, &c, 1) > 0) {} return 0; }
        """,
        // Says that it runs, and becomes the program of its arguments at a line.
        "becomes": """
        #include <unistd.h>
        int main(int n, char **a) {
            char c;
            write(1, "r", 1);
            read(0, &c, 1);
            execv(a[1], a + 1);
            return 9;
        }
        """,
        "libforeign": "unsigned la_version(unsigned version) { return version; }",
        // Executes a copy of its argument that is only in memory.
        "frommemory": """
        #define _GNU_SOURCE
        #include <fcntl.h>
        #include <sys/mman.h>
        #include <unistd.h>
        int main(int n, char **a) {
            int in = open(a[1], O_RDONLY), out = memfd_create("x", 0);
            char b[65536]; ssize_t k;
            while ((k = read(in, b, sizeof b)) > 0) write(out, b, k);
            char *none[] = {0};
            return fexecve(out, a + 1, none);
        }
        """,
        // Has a thread that its child traces, and says so.
        "threadtraced": """
        #define _GNU_SOURCE
        #include <pthread.h>
        #include <signal.h>
        #include <sys/prctl.h>
        #include <sys/ptrace.h>
        #include <sys/syscall.h>
        #include <unistd.h>
        static int number[2], told[2];
        static void *run(void *unused) {
            pid_t own = syscall(SYS_gettid);
            write(number[1], &own, sizeof own);
            while (1) pause();
        }
        int main(void) {
            char c; pid_t parent = getpid(), target; pthread_t thread;
            pipe(number); pipe(told);
            if (fork() == 0) {
                prctl(PR_SET_PDEATHSIG, SIGKILL);
                read(number[0], &target, sizeof target);
                if (ptrace(PTRACE_SEIZE, target, 0, 0)) return 1;
                write(told[1], "t", 1);
                while (getppid() == parent) pause();
                return 0;
            }
            pthread_create(&thread, 0, run, 0);
            read(told[0], &c, 1);
            write(1, "r", 1);
            while (read(0, &c, 1) > 0) {}
            return 0;
        }
        """,
        // Is traced by its child, and says so.
        "traced": """
        #include <signal.h>
        #include <sys/prctl.h>
        #include <sys/ptrace.h>
        #include <sys/wait.h>
        #include <unistd.h>
        int main(void) {
            int p[2]; char c; pipe(p);
            pid_t parent = getpid();
            if (fork() == 0) {
                prctl(PR_SET_PDEATHSIG, SIGKILL);
                if (ptrace(PTRACE_SEIZE, parent, 0, 0)) return 1;
                write(p[1], "t", 1);
                while (getppid() == parent) pause();
                return 0;
            }
            read(p[0], &c, 1);
            write(1, "r", 1);
            while (read(0, &c, 1) > 0) {}
            return 0;
        }
        """,
    ]
}
