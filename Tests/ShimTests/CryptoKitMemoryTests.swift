import CryptoKit
import Foundation
import Secrets
import TestSupport
import Testing

/// 32 bytes that are nowhere in memory until they are made; they are also a scalar on P-256.
private func marker() -> Secret {
    Secret(byteCount: 32) { bytes in
        for index in bytes.indices {
            bytes[index] = UInt8(truncatingIfNeeded: index &* 47) ^ 0x39
        }
    }
}

/// How often the marker is in memory, this look at it excepted.
private func occurrences() -> Int {
    let pattern = marker()
    return pattern.withUnsafeBytes { MemoryScan.occurrences(of: $0) }
}

/// How often a message repeats the marker: freed memory of this size keeps what it had.
private let repetitions = 29

/// A message, in the one copy that the caller gets.
private func message() -> Data {
    var message = Data(capacity: 32 * repetitions)
    (0..<repetitions).forEach { _ in
        marker().withUnsafeBytes { message.append(contentsOf: $0) }
    }
    return message
}

/// How often a line of PEM is in memory, the text itself excepted.
private func copiesOfLine(in text: inout String) -> Int {
    text.withUTF8 { bytes in
        // The second line, which is behind the 28 bytes of the first one and has 64 characters.
        MemoryScan.occurrences(
            of: UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[28..<92]))
        )
    }
}

/// In processes of their own, whose memory no other test writes to.
@Suite struct `The memory of a program that uses CryptoKit` {
    @Test func `has a private key only in the forms that the program holds`() async {
        await #expect(processExitsWith: .success) {
            let key = try marker().withUnsafeBytes {
                try P256.Signing.PrivateKey(rawRepresentation: $0)
            }
            guard occurrences() == 0 else { exit(10) }
            let raw = key.rawRepresentation
            guard occurrences() == 1 else { exit(11) }
            let der = key.derRepresentation
            guard occurrences() == 2 else { exit(12) }
            let x963 = key.x963Representation
            guard occurrences() == 3 else { exit(13) }
            let copies = try (
                P256.Signing.PrivateKey(rawRepresentation: raw),
                P256.Signing.PrivateKey(derRepresentation: der),
                P256.Signing.PrivateKey(x963Representation: x963)
            )
            guard occurrences() == 3 else { exit(14) }
            withExtendedLifetime((key, copies, raw, der, x963)) {}
            exit(0)
        }
    }

    @Test func `has a private key in PEM only in the text`() async {
        await #expect(processExitsWith: .success) {
            let key = try marker().withUnsafeBytes {
                try P256.Signing.PrivateKey(rawRepresentation: $0)
            }
            var form = key.pemRepresentation
            guard occurrences() == 0, copiesOfLine(in: &form) == 0 else { exit(10) }
            let copy = try P256.Signing.PrivateKey(pemRepresentation: form)
            guard occurrences() == 0, copiesOfLine(in: &form) == 0 else { exit(11) }
            guard copy.publicKey.rawRepresentation == key.publicKey.rawRepresentation else {
                exit(12)
            }
            withExtendedLifetime((key, copy)) {}
            exit(0)
        }
    }

    @Test func `has a message of AES only where the program holds it`() async {
        await #expect(processExitsWith: .success) {
            let message = message()
            let key = SymmetricKey(size: .bits256)
            let box = try AES.GCM.seal(message, using: key)
            guard occurrences() == repetitions else { exit(10) }
            let opened = try AES.GCM.open(box, using: key)
            guard occurrences() == 2 * repetitions, opened == message else { exit(11) }
            withExtendedLifetime((key, opened, message)) {}
            exit(0)
        }
    }

    @Test func `has a message of ChaCha20 only where the program holds it`() async {
        await #expect(processExitsWith: .success) {
            let message = message()
            let key = SymmetricKey(size: .bits256)
            let box = try ChaChaPoly.seal(message, using: key)
            guard occurrences() == repetitions else { exit(10) }
            let opened = try ChaChaPoly.open(box, using: key)
            guard occurrences() == 2 * repetitions, opened == message else { exit(11) }
            withExtendedLifetime((key, opened, message)) {}
            exit(0)
        }
    }
}
