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
            newKey: Link.NewKey(try SealName(of: key), sealedEarlier: [])
        )
        let digest = try LinkFormat.digest(of: content)
        let code = SyncCode(digest)
        #expect(
            ada.name.hexadecimal
                == "c48f4491df56f5bde8d05996ea591c0ace582add421a712785a4b76d336353b9"
        )
        #expect(try SealName(of: key).hexadecimal == "714e260fe9663c918477b458352997e7")
        #expect(try LinkFormat.encode(content).count == 365)
        #expect(
            digest.hexadecimal
                == "cbaccf1bdbb8f59bc454f355671847977ec2fe0e2a2b42a859e29cf98792be98"
        )
        #expect(code.text == "SEPC-Y6YV-Q3TS-QH2M-YDAP")
        #expect(try code.accountName().hexadecimal == "2bde0844b6e98941b748e71da32556e9")
        let linkKey = try code.linkKey().copyBytesUnprotected()
        #expect(
            SyncDigest(linkKey)?.hexadecimal
                == "df3b92c718490dfee5094aec23a886879c5777cbcebfbca66a097883e35b054e"
        )
    }
}
