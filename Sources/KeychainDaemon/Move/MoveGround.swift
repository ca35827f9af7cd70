import DataProtection
import KeychainEngine
import KeychainHost
import KeychainMessages
import KeychainModel

// Definitions  "touched": a program made a request whose row in `RequestFacts` changes items, keys,
//              settings or grants, with any outcome. The daemon creates the file `untouched`
//              with each new keychain, and removes it durably before the first such request. So a
//              keychain without the file, such as one that was adopted, counts as touched.

/// The present state that an adopted keychain would replace.
enum MoveGround: Sendable, Hashable {
    /// The account has no keychain.
    case nothing
    /// A keychain that was never touched since the daemon created it.
    case untouched
    /// A keychain without items that was touched.
    case used(Used)
    /// No keychain, because it was released; its copy is in this directory.
    case released(String)
    /// A keychain with this number of items.
    case occupied(Int)

    /// The facts that show whether a keychain is unchanged.
    struct Used: Sendable, Hashable {
        let keybag: [UInt8]
        let rowCount: Int
        let mark: UInt64
    }

    /// Whether it can be replaced without a proof.
    var isFree: Bool {
        switch self {
        case .nothing, .untouched: true
        case .used, .released, .occupied: false
        }
    }

    /// Determines the present state.
    ///
    /// - Parameters:
    ///   - place: The account's names.
    ///   - engine: Opens the present keychain.
    /// - Throws: The error that prevents opening it.
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

    /// Returns a number that changes with every write of an item.
    fileprivate func rowMark() throws(KeychainError) -> UInt64 {
        let reply = try perform(.synchronization(.mark), from: Self.nobody)
        guard case .synchronization(.mark(let mark)) = reply else { throw .unexpectedReply }
        return mark
    }

    /// Whether there is a passcode, a setting or a circle, which the mark does not cover.
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
