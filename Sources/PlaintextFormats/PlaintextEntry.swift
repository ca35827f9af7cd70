import Secrets

/// A secret in a plain text file: what it is for, where it stands, and what goes with it.
package struct PlaintextEntry: Sendable {
    /// What the secret is for.
    package let place: PlaintextPlace
    /// The line it begins on, counted from 1.
    package let line: Int
    /// The bytes to take out of the file when the secret has moved; in order, without overlap.
    package let removal: [Range<Int>]
    /// What stands in place of each of them afterwards; empty for nothing.
    package let replacement: [UInt8]
    /// Where the secret itself stands among them, and how; more than once if the file repeats it.
    package internal(set) var written: [WrittenSecret]
    /// The same of the remark, where the file has one.
    package internal(set) var writtenRemark: WrittenSecret?
    /// As the tools that read the file understand it: without quotes, escapes and Base64.
    package let secret: SharedSecret
    /// Whether name or value tell that it is a secret; formats of passwords alone always do.
    package let seemsSecret: Bool
    /// What a person calls it; nil where the file does not say.
    package let title: String?
    /// A person's remark on it, which may be secret, too.
    package let remark: SharedSecret?
    /// Lines to keep behind the remark, for what an item has no other place for; no secret.
    package let appendix: String?
    /// The record that moves whole or not at all; nil for an entry that is one by itself.
    package let record: String?
    /// Why it cannot move; nil when it can.
    package private(set) var hindrance: String?

    init(
        _ place: PlaintextPlace,
        line: Int,
        removal: [Range<Int>],
        replacement: String = "",
        secret: SharedSecret,
        written: [WrittenSecret],
        seemsSecret: Bool = true,
        title: String? = nil,
        remark: SharedSecret? = nil,
        writtenRemark: WrittenSecret? = nil,
        appendix: String? = nil,
        record: String? = nil,
        hindrance: String? = nil
    ) {
        self.place = place
        self.line = line
        self.removal = removal
        self.replacement = Array(replacement.utf8)
        self.written = written
        self.writtenRemark = writtenRemark
        self.secret = secret
        self.seemsSecret = seemsSecret
        self.title = title
        self.remark = remark
        self.appendix = appendix
        self.record = record
        self.hindrance = hindrance
    }

    /// The same entry that stays for a reason.
    func staying(because reason: String) -> PlaintextEntry {
        var entry = self
        entry.hindrance = hindrance ?? reason
        return entry
    }

    /// The variable that stands in place of the secret afterwards; nil for none.
    package var variable: String? {
        let text = String(decoding: replacement, as: UTF8.self)
        return text.hasPrefix("${") ? String(text.dropFirst(2).dropLast()) : nil
    }
}

/// What a secret of a plain text file is for.
package enum PlaintextPlace: Sendable, Hashable {
    /// An account on a server: an internet password.
    case server(ServerPlace)
    /// A name within a service, which is named after the file where it is nil: a generic password.
    case service(String?, account: String)
}

/// Why a file or a line of it is not understood.
///
/// The text repeats nothing of the file.
package struct PlaintextError: Error, Equatable, CustomStringConvertible {
    /// The line, counted from 1.
    package let line: Int
    package let reason: String

    init(_ line: Int, _ reason: String) {
        self.line = line
        self.reason = reason
    }

    package var description: String { "line \(line): \(reason)" }
}
