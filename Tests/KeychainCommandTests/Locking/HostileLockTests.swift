import TestSupport
import Testing

/// What somebody or something does to the files of an unlocked keychain, and what is left to read.
private struct Attack: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let script: String
    let outcome: [String]

    init(_ name: String, _ script: String, _ outcome: String...) {
        testDescription = name
        self.script = "unlock unset; look unset\n" + script
        self.outcome = ["unlock 0", "read 0 hunter2"] + outcome
    }
}

extension Attack {
    /// Another account, with a world-writable directory at its hands.
    static let byOthers = [
        Attack(
            "names that were taken beforehand",
            """
            $stranger mkdir -m 777 /dev/shm/keychain-$user
            $stranger ln -s "$home/keybag" /dev/shm/keychain
            for image in $(images); do
                $stranger mkdir -m 755 "$image.new" 2>/dev/null
                $stranger mv "$image" /dev/shm/kept 2>/dev/null
                $stranger rm -f "$image" 2>/dev/null
            done
            look unset; lock unset; look unset; images | wc -l
            """,
            "read 0 hunter2",
            "lock 0",
            "read 36",
            "1"
        ),
        Attack(
            "a /dev/shm without room",
            "$stranger dd if=/dev/zero of=/dev/shm/fill bs=512 2>/dev/null; lock unset; look unset",
            "lock 0",
            "read 36"
        ),
        Attack(
            "a /dev/shm in which everybody may rename",
            """
            chmod 777 /dev/shm; image=$(images)
            $stranger mv "$image" /dev/shm/kept; $stranger mkdir "$image"
            look unset; lock unset; look unset
            rmdir "$image"; mv /dev/shm/kept "$image"; chmod 1777 /dev/shm; look unset
            """,
            "read 36",
            "lock 0",
            "read 36",
            "read 36"
        ),
        Attack(
            "a link in the name of an image to another file of the account",
            """
            echo letter >/dev/shm/letter; chown $user /dev/shm/letter
            ln /dev/shm/letter "$(images)0"; lock unset; look unset; cat /dev/shm/letter
            """,
            "lock 0",
            "read 36",
            "letter"
        ),
        Attack(
            "a hard link to the image while the directory is read-only",
            """
            image=$(images); ln "$image" /dev/shm/kept; remount ro "$home"; lock unset
            remount rw "$home"; mv /dev/shm/kept "$image"; look unset
            """,
            "lock 0",
            "read 36"
        ),
    ]

    /// Files that take nothing.
    static let byDisks = [
        Attack("a full disk", "fill \"$home\"; lock unset; look unset", "lock 0", "read 36"),
        Attack("a full /dev/shm", "fill /dev/shm; lock unset; look unset", "lock 0", "read 36"),
        Attack(
            "both full",
            "fill /dev/shm; fill \"$home\"; lock unset; look unset",
            "lock 0",
            "read 36"
        ),
        Attack(
            "a directory that is read-only",
            "remount ro \"$home\"; lock unset; look unset; remount rw \"$home\"; look unset",
            "lock 0",
            "read 52",
            "read 36"
        ),
        Attack(
            "a /dev/shm that is read-only",
            "remount ro /dev/shm; lock unset; look unset; remount rw /dev/shm; look unset",
            "lock 0",
            "read 36",
            "read 36"
        ),
        Attack(
            "a session whose file system is read-only, so that no lock could end it",
            "look unset; remount ro /dev/shm; look unset",
            "read 0 hunter2",
            "read 36"
        ),
        Attack(
            "both read-only, which the lock does not hide",
            "remount ro /dev/shm; remount ro \"$home\"; lock unset; look unset",
            "lock 52",
            "read 52"
        ),
        Attack(
            "a directory that is read-only, and a /dev/shm that is not trusted for a while",
            """
            remount ro "$home"; chmod 777 /dev/shm; lock unset
            chmod 1777 /dev/shm; remount rw "$home"; look unset
            """,
            "lock 0",
            "read 36"
        ),
        Attack(
            "a directory that is read-only, and a session that this program cannot find",
            """
            lock unset; chmod 777 /dev/shm; rm -f /dev/shm/keychain-*; unlock good
            remount ro "$home"; lock unset; words 'Read-only file system'
            """,
            "lock 0",
            "unlock 0",
            "lock 52",
            "Read-only file system"
        ),
        Attack(
            "a record that cannot be written and gives way to another file",
            "chmod 400 \"$home/lock-epoch\"; lock unset; look unset",
            "lock 0",
            "read 36"
        ),
    ]

    /// Keeps a copy of the image, and puts it back under its name and under the present one.
    private static func restoring(after change: String) -> String {
        """
        image=$(images); cp -p "$image" "$scratch/copy"
        \(change); look unset
        for name in "$image" $(images); do cp -p "$scratch/copy" "$name"; look unset; done
        """
    }

    static let byCopies = [
        Attack(
            "a lock",
            restoring(after: "lock unset"),
            "lock 0",
            "read 36",
            "read 36",
            "read 36"
        ),
        Attack(
            "a change of passcode and a lock",
            restoring(
                after: """
                    printf '1234\\ntundra velvet orbit cactus\\n' |
                        keychain_in unset passcode change >"$scratch/words" 2>&1
                    echo "change $?"; lock unset
                    """
            ),
            "change 0",
            "lock 0",
            "read 36",
            "read 36",
            "read 36"
        ),
    ]
}

extension Programs {
    @Suite(.enabled(if: LockScene.isRoot, "only root can mount the file systems of these tests"))
    struct `After a lock, nothing opens` {
        @Test(.requirement("LCK-02"), arguments: Attack.byOthers)
        fileprivate func `whatever another account does`(attack: Attack) throws {
            #expect(try LockScene().run(attack.script) == attack.outcome)
        }

        @Test(.requirement("LCK-05"), arguments: Attack.byDisks)
        fileprivate func `whatever cannot be written, or the lock fails`(attack: Attack) throws {
            #expect(try LockScene().run(attack.script) == attack.outcome)
        }

        @Test(.requirement("LCK-03"), arguments: Attack.byCopies)
        fileprivate func `for a copy of the session that is put back`(attack: Attack) throws {
            #expect(try LockScene().run(attack.script) == attack.outcome)
        }
    }
}

extension Programs {
    @Suite(.enabled(if: LockScene.isRoot, "only root can mount the file systems of these tests"))
    struct `A session that cannot be shared` {
        @Test(.requirement("LCK-06"))
        func `is a failure of unlock-keychain, which says why`() throws {
            let lines = try LockScene().run(
                "fill /dev/shm; unlock unset; words 'No space left on device'; look unset"
            )
            #expect(lines == ["unlock 222", "No space left on device", "read 36"])
        }

        @Test(.requirement("LCK-06"), arguments: ["fill /dev/shm", "chmod 777 /dev/shm"])
        func `is one warning of passcode change, which changes it all the same`(
            fault: String
        ) throws {
            let lines = try LockScene().run(
                """
                \(fault)
                printf '1234\\ntundra velvet orbit cactus\\n' |
                    keychain_in unset passcode change >"$scratch/words" 2>&1
                echo "change $?"; wc -l <"$scratch/words"
                words 'warning: other programs have to unlock the keychain themselves'
                unlock unset; words 'passphrase\\|passcode'
                """
            )
            #expect(
                lines.dropLast() == [
                    "change 0", "1",
                    "warning: other programs have to unlock the keychain themselves",
                    "unlock 51",
                ],
                "\(lines)"
            )
        }

        @Test(.requirement("LCK-06"), arguments: ["fill /dev/shm", "chmod 777 /dev/shm"])
        func `is one warning of passcode set, which sets it all the same`(fault: String) throws {
            let lines = try LockScene().run(
                """
                echo 1234 | keychain_in unset passcode remove --force >/dev/null 2>&1
                echo "remove $?"
                \(fault)
                echo 'tundra velvet orbit cactus' |
                    keychain_in unset passcode set >"$scratch/words" 2>&1
                echo "set $?"; wc -l <"$scratch/words"
                words 'warning: other programs have to unlock the keychain themselves'
                unlock unset; look unset
                """
            )
            #expect(
                lines == [
                    "remove 0", "set 0", "1",
                    "warning: other programs have to unlock the keychain themselves",
                    "unlock 51", "read 36",
                ]
            )
        }

        @Test(
            .requirement("LCK-02"),
            arguments: [
                ("chmod 777 /dev/shm", "/dev/shm is not used: other users can rename"),
                ("fill /dev/shm", "/dev/shm takes no files"),
                ("remount ro /dev/shm", "/dev/shm takes no files"),
            ]
        )
        func `is explained by the doctor`(fault: String, text: String) throws {
            let lines = try LockScene().run(
                "\(fault); keychain_in unset doctor </dev/null 2>/dev/null | grep -F -o '\(text)'"
            )
            #expect(lines == [text])
        }
    }
}

extension Programs {
    @Suite struct `Programs that lock and unlock at the same time` {
        /// Three programs at once, then one lock.
        private static let round = """
            for place in empty unset; do
                (unlock $place; look $place; lock $place; unlock $place) >>"$scratch/race" &
            done
            (lock good; look good; unlock good; lock good) >>"$scratch/race" &
            wait; lock unset; look empty; look good
            """

        @Test(.requirement("LCK-01"))
        func `are all locked once the last lock has returned, and lose nothing`() throws {
            let rounds = 6
            let lines = try LockScene().run(
                Array(repeating: Self.round, count: rounds).joined(separator: "\n")
                    + "\ngrep -v -E '^(unlock 0|lock 0|read (0 hunter2|36))$' \"$scratch/race\""
                    + "\nunlock unset; look unset"
            )
            let locked = Array(repeating: ["lock 0", "read 36", "read 36"], count: rounds)
            #expect(lines == locked.flatMap { $0 } + ["unlock 0", "read 0 hunter2"])
        }
    }
}
