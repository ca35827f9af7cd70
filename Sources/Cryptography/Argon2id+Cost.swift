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
        ///   - memoryKiB: 8 per lane to 262,144 (256 MiB).
        ///   - passes: 1 to 64.
        ///   - lanes: 1 to 4.
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
    /// The most memory a stored cost may ask for, in KiB: as much as any device chooses.
    static let memoryKiBLimit = Argon2id.calibratedMemoryKiBLimit

    /// The most passes a stored cost may ask for.
    static let passLimit: UInt32 = 64

    /// The most lanes a stored cost may ask for.
    static let laneLimit: UInt32 = 4

    /// Refuses a cost that the algorithm forbids or that a hostile file uses to exhaust us.
    ///
    /// - Throws: `invalidInput`.
    package func validate() throws(CryptographyError) {
        guard let fault else { return }
        throw .invalidInput(fault)
    }

    /// What is outside of the limits, with both numbers; nil if nothing is.
    package var fault: String? {
        if !(1...Self.laneLimit).contains(lanes) {
            return "Argon2id with \(lanes) lanes instead of 1 to \(Self.laneLimit)"
        }
        if !(1...Self.passLimit).contains(passes) {
            return "Argon2id with \(passes) passes instead of 1 to \(Self.passLimit)"
        }
        if !(8 * lanes...Self.memoryKiBLimit).contains(memoryKiB) {
            let most = "\(8 * lanes) to \(Self.memoryKiBLimit)"
            return "Argon2id with \(memoryKiB) KiB of memory instead of \(most)"
        }
        return nil
    }
}
