import KeychainMessages
import KeychainModel

/// The item in a call, with the attributes that the call named.
package struct NamedItem: Sendable {
    package let itemClass: ItemClass
    package let dictionary: AttributeDictionary

    package init(_ itemClass: ItemClass, _ dictionary: AttributeDictionary) {
        self.itemClass = itemClass
        self.dictionary = dictionary
    }
}

/// A line that is not written yet, and whose digest may not be computed yet.
struct WaitingLine: Sendable {
    let line: LogLine
    private let item: NamedItem?

    init(_ line: LogLine, _ item: NamedItem? = nil) {
        self.line = line
        self.item = item
    }

    /// Returns the whole line.
    func line(in log: AuditLog) -> LogLine {
        guard let item else { return line }
        var whole = line
        whole.itemDigest = log.itemDigest(item.itemClass, item.dictionary)
        return whole
    }
}
