import CallerEvidence
import KeychainModel

/// One decision of a daemon in its log, without names or values of items.
///
/// - Source: Documentation/Spec/log.md §2.
package struct LogLine: Sendable, Hashable {
    /// Seconds since 1970-01-01T00:00:00Z.
    package var time: Int64
    /// The program, as the evidence names it.
    package var program: String
    package var level: EvidenceLevel
    /// The verb of the request, such as `find`, `add` or `grant`.
    package var verb: String
    /// The item class, such as `genp`; empty for a request without one.
    package var itemClass: String
    /// The access group in the request; empty if it names none.
    package var group: String
    /// 8 bytes of a keyed digest of the item's primary key; empty if the call names no item.
    package var itemDigest: [UInt8]
    /// The status of the call.
    package var status: Int32
    /// The rule that decided, such as `policy`, `grant`, `path`; empty if the keychain decided.
    package var rule: String

    package init(
        time: Int64,
        program: String,
        level: EvidenceLevel,
        verb: String,
        itemClass: String = "",
        group: String = "",
        itemDigest: [UInt8] = [],
        status: Int32,
        rule: String = ""
    ) {
        self.time = time
        self.program = program
        self.level = level
        self.verb = verb
        self.itemClass = itemClass
        self.group = group
        self.itemDigest = itemDigest
        self.status = status
        self.rule = rule
    }
}

extension LogLine {
    /// The outcome of a call, as a word.
    package enum Outcome: String, CaseIterable, Sendable, Hashable {
        case allowed
        /// The program lacks the right, or the user's proof failed.
        case denied
        /// The keychain failed for another reason, such as a missing item.
        case failed
    }

    /// The outcome of the call.
    package var outcome: Outcome {
        switch SecurityStatus(rawValue: status) {
        case .success: .allowed
        case .missingEntitlement, .authFailed: .denied
        default: .failed
        }
    }
}

/// A position in a log: the number of a line, counted from the first of all.
package struct LogPosition: Sendable, Hashable {
    package let lineNumber: UInt64

    package init(lineNumber: UInt64) { self.lineNumber = lineNumber }
}

/// The result of verifying a log.
package struct LogVerdict: Sendable, Hashable {
    /// The number of lines that are as they were written.
    package let soundCount: UInt64
    /// The faults, one sentence each; empty for an intact log.
    package let faults: [String]

    package init(soundCount: UInt64, faults: [String]) {
        self.soundCount = soundCount
        self.faults = faults
    }
}
