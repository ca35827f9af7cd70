import Foundation
import Glibc
import TestSupport
import Testing

extension Programs {
    @Suite(.enabled(if: geteuid() == 0, "only root can make another root directory"))
    struct `The command in an empty root` {
        /// The command, the libraries that its loader names, and one directory that may be written.
        ///
        /// `/proc` is there, as in every container: the runtime of Swift reads the arguments of a
        /// program in it. No `/dev`, `/etc` and `/tmp` are there, and no network is up.
        private static let script = """
            set -e
            root=$1; program=$2; shift 2
            changer=$(PATH=$PATH:/usr/sbin:/sbin command -v chroot)
            mount -t tmpfs -o mode=755 tmpfs "$root"
            for file in "$program" $(ldd "$program" | grep -o '/[^ )]*'); do
                mkdir -p "$root${file%/*}"
                touch "$root$file"
                mount --bind "$file" "$root$file"
            done
            mkdir "$root/proc"
            mount -t proc -o ro proc "$root/proc"
            mkdir -m 700 "$root/data"
            chown 65534:65534 "$root/data"
            run() {
                env -i KEYCHAIN_HOME=/data/keychain KEYCHAIN_UNLOCK_TIME=0 \\
                    "$changer" --userspec=65534:65534 --groups= "$root" "$program" "$@"
            }
            """

        private func run(_ lines: String) throws -> [String] {
            let workshop = try Workshop()
            defer { workshop.scratch.remove() }
            let root = workshop.scratch.path + "/root"
            try #require(mkdir(root, 0o755) == 0)
            let spaces = ["unshare", "--mount", "--net", "--ipc", "--propagation", "private"]
            let words =
                spaces
                + ["sh", "-c", Self.script + "\n" + lines, "sh", root]
                + [workshop.products + "/keychainctl"]
            return try workshop.run(words, input: "").output.split(separator: "\n")
                .map(String.init)
        }

        @Test(.requirement("OPS-01"))
        func `adds, finds, updates and deletes for an account without rights`() throws {
            let item = "-s mail -a ada"
            let lines = try run(
                """
                echo "$(ls -A "$root/data" | wc -l) files"
                echo first | run add-generic-password \(item) 2>/dev/null
                run find-generic-password \(item) -w
                echo second | run add-generic-password -U \(item) 2>/dev/null
                run find-generic-password \(item) -w
                run delete-generic-password \(item) >/dev/null 2>&1
                run find-generic-password \(item) -w 2>/dev/null || echo "status $?"
                ls -A "$root/data"
                """
            )
            #expect(lines == ["0 files", "first", "second", "status 44", "keychain"])
        }

        @Test(.requirement("OPS-01"))
        func `takes a passcode of standard input, and is locked for the next process`() throws {
            let lines = try run(
                """
                echo first | run add-generic-password -s mail -a ada 2>/dev/null
                echo 'tundra velvet orbit cactus' | run passcode set 2>/dev/null
                echo "set $?"
                run find-generic-password -s mail -w 2>/dev/null || echo "status $?"
                """
            )
            #expect(lines == ["set 0", "status 36"])
        }
    }
}
