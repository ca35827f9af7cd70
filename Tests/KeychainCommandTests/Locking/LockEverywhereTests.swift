import TestSupport
import Testing

/// From where a program uses the keychain.
private enum Place: String, CaseIterable, CustomTestStringConvertible {
    case unset, good, another, empty, container

    var testDescription: String { rawValue }

    static let outside: [Place] = [.unset, .good, .another, .empty]

    /// Whether an unlock in one is seen in the other: they have the same memory.
    func shares(with other: Place) -> Bool { (self == .container) == (other == .container) }

    /// Unlocks here, locks in each of the others, and reads in both after either.
    func script(with others: [Place]) -> String {
        others.map { "unlock \(self); look \($0); lock \($0); look \(self); look \($0)" }
            .joined(separator: "\n")
    }

    func outcome(with others: [Place]) -> [String] {
        others.flatMap { other in
            let seen = shares(with: other) ? "read 0 hunter2" : "read 36"
            return ["unlock 0", seen, "lock 0", "read 36", "read 36"]
        }
    }
}

/// A second namespace of mounts with a `/dev/shm` of its own, as a container has.
private let container = """
    mkfifo "$scratch/ready"
    unshare --mount --propagation private sh -c '
        mount -t tmpfs -o mode=1777 tmpfs /dev/shm
        echo >"$0/ready"; exec sleep 600' "$scratch" >/dev/null 2>&1 &
    keeper=$!; read line <"$scratch/ready"
    inside="nsenter --mount=/proc/$keeper/ns/mnt --"
    """

extension Programs {
    @Suite struct `A lock in one environment` {
        @Test(.requirement("LCK-01"), arguments: Place.outside)
        fileprivate func `holds in every other, as an unlock does`(place: Place) throws {
            let scene = try LockScene()
            let lines = try scene.run(place.script(with: Place.outside))
            #expect(lines == place.outcome(with: Place.outside))
        }

        @Test(
            .requirement("LCK-01"),
            .enabled(if: LockScene.isRoot, "only root can make a namespace of mounts"),
            arguments: Place.allCases
        )
        fileprivate func `holds in a container, and one of there outside`(place: Place) throws {
            let others = place == .container ? Place.outside : [.container]
            let scene = try LockScene()
            let lines = try scene.run(
                "\(container)\n\(place.script(with: others))\nkill $keeper"
            )
            #expect(lines == place.outcome(with: others))
        }

        @Test(
            .requirement("LCK-01"),
            .enabled(if: LockScene.isRoot, "only root can make /dev/shm useless")
        )
        func `holds where only XDG_RUNTIME_DIR can take a session, and only one program knows it`()
            throws
        {
            let scene = try LockScene()
            let lines = try scene.run(
                "chmod 777 /dev/shm; unlock good; look good; look empty; lock empty; look good"
            )
            #expect(lines == ["unlock 0", "read 0 hunter2", "read 36", "lock 0", "read 36"])
        }

        @Test(
            .requirement("LCK-01"),
            .enabled(if: LockScene.isRoot, "only root can make a directory below /run/user")
        )
        func `holds for a session from before the account logged in`() throws {
            let scene = try LockScene()
            let lines = try scene.run(
                """
                unlock empty
                mount -t tmpfs tmpfs /run; mkdir -p /run/user
                mkdir -m 700 /run/user/$user; chown $user /run/user/$user
                look unset; lock unset; look empty; unlock good; look empty
                lock empty; look good
                """
            )
            #expect(
                lines == [
                    "unlock 0", "read 0 hunter2", "lock 0", "read 36", "unlock 0",
                    "read 0 hunter2", "lock 0", "read 36",
                ]
            )
        }
    }
}
