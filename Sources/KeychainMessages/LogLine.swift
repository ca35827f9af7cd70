import CallerEvidence
import KeychainModel

/// One decision of a daemon, as its log keeps it: no name and no value of an item.
///
/// - Source: Documentation/Spec/log.md §2.
package struct LogLine: Sendable, Hashable {
    /// Seconds since 1970-01-01T00:00:00Z.
    package var time: Int64
    /// The program, as evidence names it.
    package var program: String
    package var level: EvidenceLevel
    /// What was asked, such as `find`, `add` or `grant`.
    package var verb: String
    /// The item class, such as `genp`; empty where none is meant.
    package var itemClass: String
    /// The access group that was asked for; empty where none was named.
    package var group: String
    /// 8 bytes of a keyed digest of the item's primary key; empty where the call names no item.
    package var itemDigest: [UInt8]
    /// The status of the call.
    package var status: Int32
    /// The rule that decided, such as `policy`, `grant`, `path`; empty for what the keychain
    /// decides.
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
    /// What became of a call, as a word.
    package enum Outcome: String, CaseIterable, Sendable, Hashable {
        case allowed
        /// The program has no right to it, or the person did not prove who they are.
        case denied
        /// The keychain did not do it for another reason, such as an item that is not there.
        case failed
    }

    /// What became of the call.
    package var outcome: Outcome {
        switch SecurityStatus(rawValue: status) {
        case .success: .allowed
        case .missingEntitlement, .authFailed: .denied
        default: .failed
        }
    }
}

/// A place in a log: the number of a line, counted from the first of all.
package struct LogPosition: Sendable, Hashable {
    package let lineNumber: UInt64

    package init(lineNumber: UInt64) { self.lineNumber = lineNumber }
}

/// What a check of a log came to.
package struct LogVerdict: Sendable, Hashable {
    /// How many lines are as they were written.
    package let soundCount: UInt64
    /// What is wrong, as sentences; empty for a log that is whole.
    package let faults: [String]

    package init(soundCount: UInt64, faults: [String]) {
        self.soundCount = soundCount
        self.faults = faults
    }
}
