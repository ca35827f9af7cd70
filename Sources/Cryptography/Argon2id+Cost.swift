extension Argon2id {
    /// The cost of one passcode guess.
    package struct Cost: Sendable, Equatable {
        /// The memory one derivation fills, in KiB.
        package var memoryKiB: UInt32

        /// The number of passes over the memory.
        package var passes: UInt32

        /// The number of threads that fill the memory in parallel.
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
        /// With one lane the calling thread does all the work, so its processor time measures it.
        /// RFC 9106 §4 advises this memory and these passes with four lanes.
        package static let minimum = Cost(memoryKiB: 64 * 1024, passes: 3, lanes: 1)

        /// A cost for a person who waits: 64 MiB, 3 passes, 4 lanes (RFC 9106 §4, second choice).
        package static let interactive = Cost(memoryKiB: 64 * 1024, passes: 3, lanes: 4)
    }
}

extension Argon2id.Cost {
    /// The largest memory of a stored cost, in KiB: as much as any device chooses.
    static let memoryKiBLimit = Argon2id.calibratedMemoryKiBLimit

    /// The largest number of passes of a stored cost.
    static let passLimit: UInt32 = 64

    /// The largest number of lanes of a stored cost.
    static let laneLimit: UInt32 = 4

    /// Throws for a cost that the algorithm forbids, or with which a hostile file would exhaust
    /// memory.
    ///
    /// - Throws: `invalidInput`.
    package func validate() throws(CryptographyError) {
        guard let fault else { return }
        throw .invalidInput(fault)
    }

    /// The first number that is outside the limits, with the limits; nil if none is.
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
