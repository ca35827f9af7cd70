import Secrets
import Testing

@testable import KeychainSync

/// What sync.md §11 lists, computed there by another program.
@Suite struct `The vectors of the specification` {
    private static func keys(_ signing: UInt8, _ agreement: UInt8) throws -> PeerKeys {
        try #require(
            PeerKeys(
                signing: [4] + [UInt8](repeating: signing, count: 64),
                agreement: [4] + [UInt8](repeating: agreement, count: 64)
            )
        )
    }

    @Test func `are those of the founding link of ada`() throws {
        let ada = try Link.Newcomer(Self.keys(1, 2), deviceName: "ada", isKeeper: true)
        let key = Secret(copying: [UInt8](repeating: 5, count: 32))
        var changes = Link.Changes()
        changes.added = [ada]
        changes.recovery = .keys(try Self.keys(3, 4))
        let content = LinkContent(
            number: 0,
            previous: .zeros,
            signers: [0],
            time: 1_800_000_000_000,
            changes: changes,
            boxesDigest: SyncDigest(unchecked: [UInt8](repeating: 6, count: 32)),
            newKey: try SealName(of: key)
        )
        let digest = try LinkFormat.digest(of: content)
        let code = SyncCode(digest)
        #expect(
            ada.name.hexadecimal
                == "c48f4491df56f5bde8d05996ea591c0ace582add421a712785a4b76d336353b9"
        )
        #expect(try SealName(of: key).hexadecimal == "714e260fe9663c918477b458352997e7")
        #expect(try LinkFormat.encode(content).count == 367)
        #expect(
            digest.hexadecimal
                == "5e408349548848049066f54db0ffcb7d6b2e43f2b729d4544abc9e6b94b299b8"
        )
        #expect(code.text == "BS08-6JAM-H140-9436-YN6V")
        #expect(try code.accountName().hexadecimal == "0834008ac0ebc268f5d8ad459e4ef83f")
        let linkKey = try code.linkKey().copyBytesUnprotected()
        #expect(
            SyncDigest(linkKey)?.hexadecimal
                == "c60c55f16c17a16e695ac25631c5007beb34dbc7e9cc60deae69f7456fd094bf"
        )
    }
}
