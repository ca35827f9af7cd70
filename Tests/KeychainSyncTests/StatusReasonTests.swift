import JSON
import KeychainCommand
import KeychainSync
import TestSupport
import Testing

@testable import KeychainSyncDriver
@testable import keychain_sync

@Suite struct `The status of a circle for programs` {
    private static let name = KeyName(unchecked: [UInt8](repeating: 3, count: 32))

    /// The next of these, so that a fault without a sample does not compile.
    private static func next(after fault: LinkFault?) -> LinkFault? {
        switch fault {
        case nil: .predecessorUnknown
        case .predecessorUnknown: .predecessorIgnored
        case .predecessorIgnored: .wrongNumber
        case .wrongNumber: .otherFounding
        case .otherFounding: .noSuchSigner
        case .noSuchSigner: .wrongSignature
        case .wrongSignature: .wrongKey
        case .wrongKey: .empty
        case .empty: .addedAgain(name)
        case .addedAgain: .removesStranger(name)
        case .removesStranger: .removesSigner(name)
        case .removesSigner: .removesSenior(name)
        case .removesSenior: .cannotPromote(name)
        case .cannotPromote: .sameRecovery
        case .sameRecovery: .recoveryByJunior
        case .recoveryByJunior: .recoveryKeyOfDevice
        case .recoveryKeyOfDevice: .tooManyKeepers
        case .tooManyKeepers: .tooManyMembers
        case .tooManyMembers: .leavesNobody
        case .leavesNobody: .keyMissing
        case .keyMissing: .keyNeedless
        case .keyNeedless: .overruled(by: name)
        case .overruled(.some): .overruled(by: nil)
        case .overruled(nil): nil
        }
    }

    private static func next(after fault: EntryFault?) -> EntryFault? {
        switch fault {
        case nil: .unknownLink(.zeros)
        case .unknownLink: .linkNotChosen(.zeros)
        case .linkNotChosen: .keyMissing(.zeros)
        case .keyMissing: .aheadOfClock
        case .aheadOfClock: .incomplete
        case .incomplete: .wrongSignature
        case .wrongSignature: .damaged("a byte is missing")
        case .damaged: nil
        }
    }

    private static func status(
        head: SyncCode? = nil,
        links: [LinkFault] = [],
        entries: [EntryFault] = []
    ) throws -> SyncStatus {
        let stream = StreamName(of: name, [UInt8](repeating: 4, count: 8))
        let places = links.indices.map {
            SyncDigest(unchecked: [UInt8](repeating: UInt8($0), count: 32))
        }
        return SyncStatus(
            membership: try Membership(
                try #require(SyncCode(bytes: [UInt8](repeating: 16, count: SyncCode.byteCount))),
                .member,
                stream: stream,
                deviceName: "ada",
                relayName: "directory",
                classes: []
            ),
            devices: [],
            head: head,
            linkCount: 7,
            hasRecoveryKey: true,
            linkFaults: Array(zip(places, links)).map { ($0.0, $0.1) },
            entryFaults: entries.enumerated().map {
                (EntryPlace(stream, UInt64($0.offset)), $0.element)
            },
            copied: [],
            itemCount: 0,
            unpublishedCount: 0,
            outboxCount: 0,
            fingerprint: name.fingerprint
        )
    }

    private static func field(_ name: String, of status: SyncStatus) throws -> JSONValue {
        guard case .object(let fields) = SyncStatusReport.json(status, []) else { return .null }
        return try #require(fields[name])
    }

    /// The `reason` and `words` of each object of a list.
    private static func reasons(
        _ list: String,
        of status: SyncStatus
    ) throws -> [(code: String, words: String)] {
        guard case .list(let objects) = try field(list, of: status) else { return [] }
        return objects.compactMap { object in
            guard case .object(let fields) = object, case .text(let code)? = fields["reason"],
                case .text(let words)? = fields["words"]
            else { return nil }
            return (code, words)
        }
    }

    @Test func `shows the code of the chain's end, which people compare`() throws {
        let head = try #require(SyncCode("BS08-6JAM-H140-9436-YN6V"))
        guard case .text(let text) = try Self.field("head", of: Self.status(head: head)) else {
            Issue.record("the head is no text")
            return
        }
        #expect(text == "BS08-6JAM-H140-9436-YN6V")
        guard case .null = try Self.field("head", of: Self.status()) else {
            Issue.record("there is a head without a chain")
            return
        }
    }

    @Test(.requirement("CIR-10"))
    func `gives each link that does not count a reason of its own`() throws {
        let faults = Array(
            sequence(state: LinkFault?.none) { fault in
                fault = Self.next(after: fault)
                return fault
            }
        )
        let reasons = try Self.reasons("ignoredLinks", of: Self.status(links: faults))
        #expect(
            reasons.map(\.code) == [
                "predecessorUnknown", "predecessorIgnored", "wrongNumber", "otherFounding",
                "noSuchSigner", "wrongSignature", "wrongKey", "empty", "addedAgain",
                "removesStranger", "removesSigner", "removesSenior", "cannotPromote",
                "sameRecovery", "recoveryByJunior", "recoveryKeyOfDevice", "tooManyKeepers",
                "tooManyMembers", "leavesNobody", "keyMissing", "keyNeedless", "overruled",
                "overruled",
            ]
        )
        #expect(Set(reasons.map(\.words)).count == faults.count)
    }

    @Test(.requirement("CIR-10"))
    func `gives each entry that does not count a reason of its own`() throws {
        let faults = Array(
            sequence(state: EntryFault?.none) { fault in
                fault = Self.next(after: fault)
                return fault
            }
        )
        let reasons = try Self.reasons("ignoredEntries", of: Self.status(entries: faults))
        #expect(
            reasons.map(\.code) == [
                "unknownLink", "linkNotChosen", "keyMissing", "aheadOfClock", "incomplete",
                "wrongSignature", "damaged",
            ]
        )
        #expect(Set(reasons.map(\.words)).count == faults.count)
    }
}
