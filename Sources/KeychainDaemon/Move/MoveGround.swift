import DataProtection
import KeychainEngine
import KeychainHost
import KeychainMessages
import KeychainModel

// Definitions  "touched": a program asked for something whose row in `RequestFacts` changes items,
//              keys, settings or grants, whatever came of it. The daemon makes the file `untouched`
//              with each new keychain, and removes it durably before the first such request. So a
//              keychain without the file, such as one that was adopted, counts as touched.

/// What an adopted keychain would take the place of.
enum MoveGround: Sendable, Hashable {
    /// There is no keychain of the account.
    case nothing
    /// One that nobody has touched since the daemon made it.
    case untouched
    /// One without items that somebody has touched.
    case used(Used)
    /// None, because it was released; its copy is in this directory.
    case released(String)
    /// One with so many items.
    case occupied(Int)

    /// What tells whether a keychain is still as it was.
    struct Used: Sendable, Hashable {
        let keybag: [UInt8]
        let rowCount: Int
        let mark: UInt64
    }

    /// Whether a keychain takes its place without a proof.
    var isFree: Bool {
        switch self {
        case .nothing, .untouched: true
        case .used, .released, .occupied: false
        }
    }

    /// Looks at what is there.
    ///
    /// - Parameters:
    ///   - place: The account's names.
    ///   - engine: Opens what is there.
    /// - Throws: What keeps it from being opened.
    init(
        _ place: AccountPlace,
        _ engine: () throws(KeychainError) -> Engine
    ) throws(KeychainError) {
        guard try !place.isEmpty() else {
            self = try place.newestReleased().map(Self.released) ?? .nothing
            return
        }
        let engine = try engine()
        let report = try engine.wholeCheck()
        guard report.itemCount == 0 else {
            self = .occupied(report.itemCount)
            return
        }
        let hasContent = try engine.hasContent() || report.rowCount > 0
        if MoveFolder.isPresent(place.untouched), !hasContent {
            self = .untouched
            return
        }
        let file = try MovingFileReader(place.directory + "/keybag")
        self = .used(
            Used(
                keybag: try file.described(as: "keybag").digest,
                rowCount: report.rowCount,
                mark: try engine.rowMark()
            )
        )
    }
}

extension Engine {
    private static var nobody: Caller { Caller(entitlements: Entitlements(), system: .host) }

    /// A number that changes with every write of an item.
    fileprivate func rowMark() throws(KeychainError) -> UInt64 {
        let reply = try perform(.synchronization(.mark), from: Self.nobody)
        guard case .synchronization(.mark(let mark)) = reply else { throw .unexpectedReply }
        return mark
    }

    /// Whether there is a passcode, a setting or a circle: a second look beside the mark.
    fileprivate func hasContent() throws(KeychainError) -> Bool {
        let facts = try lockFacts()
        if facts.isPasscodeSet || facts.settings != LockSettings() { return true }
        let request = Request.synchronization(.records(prefix: [], after: nil))
        let reply = try perform(request, from: Self.nobody)
        guard case .synchronization(.records(let records, _)) = reply else {
            throw .unexpectedReply
        }
        return !records.isEmpty
    }
}
