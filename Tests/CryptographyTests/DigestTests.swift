import Cryptography
import Testing

@Suite struct `Hashing` {
    struct Vector: Sendable, CustomTestStringConvertible {
        let message: String
        let sha1: Hex
        let sha256: Hex

        var testDescription: String { "\"\(message)\"" }
    }

    // FIPS 180-4 examples.
    static let vectors: [Vector] = [
        Vector(
            message: "",
            sha1: "da39a3ee5e6b4b0d3255bfef95601890afd80709",
            sha256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        ),
        Vector(
            message: "abc",
            sha1: "a9993e364706816aba3e25717850c26c9cd0d89d",
            sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        ),
        Vector(
            message: "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            sha1: "84983e441c3bd26ebaae4aa1f95129e5e54670f1",
            sha256: "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ]

    @Test(arguments: vectors)
    func `gives the published results`(vector: Vector) throws {
        let message = [UInt8](vector.message.utf8)
        #expect(try Digest.sha1(message) == vector.sha1.bytes)
        #expect(try Digest.sha256(message) == vector.sha256.bytes)
        let ofRawBytes = try message.withUnsafeBytes { bytes in try Digest.sha256(bytes) }
        #expect(ofRawBytes == vector.sha256.bytes)
    }
}
