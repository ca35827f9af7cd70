import Secrets

/// A secret in a plain text file: its purpose, its position, and the facts that go with it.
package struct PlaintextEntry: Sendable {
    /// The purpose of the secret.
    package let place: PlaintextPlace
    /// The line on which the entry begins, counted from 1.
    package let line: Int
    /// The ranges to remove from the file after the secret has moved; in order, without overlap.
    package let removal: [Range<Int>]
    /// The replacement for each of them; may be empty.
    package let replacement: [UInt8]
    /// The positions and encodings of the secret within them; several if the file repeats it.
    package internal(set) var written: [WrittenSecret]
    /// The position and encoding of the remark, if the file has one.
    package internal(set) var writtenRemark: WrittenSecret?
    /// The secret as tools understand it, without quotes, escapes and Base64.
    package let secret: SharedSecret
    /// Whether the name or value looks like a secret; always true in a format that holds only
    /// passwords.
    package let seemsSecret: Bool
    /// The user's name for the secret; nil if the file has none.
    package let title: String?
    /// The user's remark, which may be secret, too.
    package let remark: SharedSecret?
    /// Lines to append to the remark, for content that is not secret and has no other place in an
    /// item.
    package let appendix: String?
    /// The record that moves as a whole or not at all; nil for a single entry.
    package let record: String?
    /// The reason why the entry cannot move; nil if it can.
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

    /// Returns the same entry with a reason to stay.
    func staying(because reason: String) -> PlaintextEntry {
        var entry = self
        entry.hindrance = hindrance ?? reason
        return entry
    }

    /// The variable that replaces the secret in the file; nil if there is none.
    package var variable: String? {
        let text = String(decoding: replacement, as: UTF8.self)
        return text.hasPrefix("${") ? String(text.dropFirst(2).dropLast()) : nil
    }
}

/// The purpose of a secret in a plain text file.
package enum PlaintextPlace: Sendable, Hashable {
    /// An account on a server: an internet password.
    case server(ServerPlace)
    /// A generic password: a name within a service. If the service is nil, the file gives its name.
    case service(String?, account: String)
}

/// A fault in a file or in one of its lines.
///
/// The text repeats nothing from the file.
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
