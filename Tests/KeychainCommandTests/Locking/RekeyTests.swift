import TestSupport
import Testing

extension Programs {
    @Suite struct `The command passcode change --rekey` {
        /// Copies of the keychain's files go to a folder, and come back from there.
        private static let copies = """
            keep() { mkdir "$scratch/$1" && cp -a "$home"/keybag "$scratch/$1/"; }
            bring() { $account cp "$scratch/$1/keybag" "$home/keybag"; }
            rekey() {
                echo "$1" | keychain_in unset passcode change --rekey >"$scratch/words" 2>&1
                echo "rekey $?"
            }
            """

        @Test(.requirement("LCK-07"))
        func `keeps the passcode and the items, and no earlier keybag opens them`() throws {
            let lines = try LockScene().run(
                """
                \(Self.copies)
                unlock unset; keep before; rekey 1234; keep after
                cmp -s "$scratch/before/keybag" "$scratch/after/keybag" || echo "another keybag"
                look unset; lock unset; look unset; unlock unset; look unset; lock unset
                bring before; unlock unset; look unset; words 'do not belong together'
                bring after; unlock unset; look unset
                """
            )
            #expect(
                lines == [
                    "unlock 0", "rekey 0", "another keybag", "read 0 hunter2", "lock 0", "read 36",
                    "unlock 0", "read 0 hunter2", "lock 0", "unlock 53", "read 53",
                    "do not belong together", "unlock 0", "read 0 hunter2",
                ]
            )
        }

        @Test(.requirement("LCK-07"))
        func `changes nothing for a wrong passcode`() throws {
            let lines = try LockScene().run(
                """
                \(Self.copies)
                keep before; rekey 4321; keep after
                cmp -s "$scratch/before/keybag" "$home/keybag" && echo "the same keybag"
                unlock unset; look unset
                """
            )
            #expect(lines == ["rekey 51", "the same keybag", "unlock 0", "read 0 hunter2"])
        }
    }
}
