import Cryptography
import DataProtection
import FileProtection
import Foundation
import KeychainMessages
import KeychainModel
import Secrets
import TestSupport
import Testing

@testable import KeychainEngine
@testable import KeychainSimulator
@testable import ProtectedFiles

/// Whoever has read the database of a keychain: the public half, and the name of the key set.
private struct Forger {
    let row: FileKeyRow
    /// What goes into the wrapping in place of the keychain's own key.
    let maker: SharedSecret

    init(_ phone: Phone, maker: [UInt8]?) throws {
        let (row, own) = try phone.device.engine.enter { state throws(KeychainError) in
            let row = try state.vault.newestFileKey(of: .completeUnlessOpen, &state.session)
            let own = try state.session.device.withLookupKey { key throws(KeychainError) in
                SharedSecret(try FileMakerKey.derive(lookupKey: key))
            }
            return (row, own)
        }
        self.row = row
        self.maker = maker.map { SharedSecret(Secret(copying: $0)) } ?? own
    }

    /// Makes keys without the keychain.
    var source: FileKeySource {
        FileKeySource { request throws(KeychainError) in
            guard case .make(let fileClass, let file, let group) = request else {
                throw .unexpectedReply
            }
            let key = Secret(copying: [UInt8](repeating: 0x41, count: 32))
            let cipher = FileKeyCipher(fileClass: fileClass, file: file, group: group ?? "")
            let ephemeral = Secret(copying: [UInt8](0x10..<0x30))
            let made = try fromCryptography(
                try cipher.wrap(key, for: row.publicKey, maker: maker.secret, ephemeral: ephemeral)
            )
            let wrapped = WrappedFileKey(
                fileClass,
                file: file,
                group: group ?? "",
                keySet: row.name,
                ephemeralPublicKey: made.ephemeralPublicKey,
                wrapped: made.wrapped
            )
            return .made(wrapped, key: SharedSecret(key))
        }
    }
}

@Suite struct `A file of CompleteUnlessOpen` {
    private let phone: Phone
    private let url: URL

    init() throws {
        phone = try Phone()
        url = phone.folder.url("a")
    }

    /// Puts a forged file in the place of a genuine one of the same group.
    private func forge(maker: [UInt8]?) throws {
        let data = Data("genuine".utf8)
        try data.write(toProtectedFile: url, options: .completeFileProtectionUnlessOpen)
        let group = try FileContainer.examine(url.path).group
        let forger = try Forger(phone, maker: maker)
        try FileManager.default.removeItem(at: url)
        let file = try FileContainer.create(
            url.path,
            .completeUnlessOpen,
            group: group,
            forger.source
        )
        try file.put(Array("forged!".utf8))
        try file.close()
    }

    /// Nothing in its place, zeros, and what everybody can derive.
    @Test(arguments: [[], [UInt8](repeating: 0, count: 32), Array("file keys unless open".utf8)])
    func `does not open if only the public half went into it`(maker: [UInt8]) throws {
        try phone.app.run {
            try forge(maker: maker)
            let damaged = Int(SecurityStatus.decode.rawValue)
            #expect(refusal { _ = try Data(contentsOfProtectedFile: url) } == [257, damaged])
            let appended = refusal { _ = try ProtectedFile(opening: url, forUpdating: true) }
            #expect(appended == [257, damaged])
            let moved = refusal {
                let complete = [FileAttributeKey.protectionKey: FileProtectionType.complete]
                try FileManager.protected.setAttributes(complete, ofItemAtPath: url.path)
            }
            #expect(moved == [257, damaged])
        }
    }

    /// So it was nothing else that kept the others from opening.
    @Test func `opens with the keychain's own key in it`() throws {
        try phone.app.run {
            try forge(maker: nil)
            #expect(try Data(contentsOfProtectedFile: url) == Data("forged!".utf8))
        }
    }
}
