extension Argon2id {
    /// What one passcode guess costs whoever makes it.
    package struct Cost: Sendable, Equatable {
        /// The memory one derivation fills, in KiB.
        package var memoryKiB: UInt32

        /// How often the memory is filled.
        package var passes: UInt32

        /// How many threads fill it side by side.
        package var lanes: UInt32

        /// States a cost; limits are checked when it is used.
        ///
        /// - Parameters:
        ///   - memoryKiB: 8 per lane to 1,048,576 (1 GiB).
        ///   - passes: 1 to 64.
        ///   - lanes: 1 to 16.
        package init(memoryKiB: UInt32, passes: UInt32, lanes: UInt32) {
            self.memoryKiB = memoryKiB
            self.passes = passes
            self.lanes = lanes
        }

        /// The least that protects a real passcode: 64 MiB, 3 passes, 1 lane.
        ///
        /// One lane, so that the thread that asks does all the work and its processor time tells
        /// how much that was. RFC 9106 §4 advises this memory and these passes with four lanes.
        package static let minimum = Cost(memoryKiB: 64 * 1024, passes: 3, lanes: 1)

        /// For a person who waits: 64 MiB, 3 passes, 4 lanes (RFC 9106 §4, second choice).
        package static let interactive = Cost(memoryKiB: 64 * 1024, passes: 3, lanes: 4)
    }
}

extension Argon2id.Cost {
    /// The most memory a stored cost may ask for, in KiB: 1 GiB.
    static let memoryKiBLimit: UInt32 = 1024 * 1024

    /// The most passes a stored cost may ask for.
    static let passLimit: UInt32 = 64

    /// The most lanes a stored cost may ask for.
    static let laneLimit: UInt32 = 16

    /// Refuses a cost that the algorithm forbids or that a hostile file uses to exhaust us.
    ///
    /// - Throws: `invalidInput`.
    package func validate() throws(CryptographyError) {
        guard (1...Self.laneLimit).contains(lanes) else { throw .invalidInput("lanes not 1 to 16") }
        guard (1...Self.passLimit).contains(passes) else {
            throw .invalidInput("passes not 1 to 64")
        }
        guard (8 * lanes...Self.memoryKiBLimit).contains(memoryKiB) else {
            throw .invalidInput("memory not 8 KiB per lane to 1 GiB")
        }
    }
}
