import Cryptography
import KeychainModel
import TestSupport
import Testing

@testable import DataProtection

/// Gates that were made of nothing, to look at their bytes.
enum GateShapes {
    static let wrapped = [UInt8](repeating: 0xAA, count: GateNode.wrappedByteCount)
    static let passingKey = [UInt8](repeating: 0xBB, count: ProofKey.byteCount)
    static let setName = [UInt8](repeating: 0xCC, count: EnrolmentSet.idByteCount)
    static let salt = [UInt8](repeating: 0xDD, count: GateNode.saltByteCount)

    static func leaf(_ factor: Factor) -> GateNode {
        .agreed(
            factor,
            enrolment: factor == .currentBiometry ? setName : nil,
            ephemeralKey: passingKey,
            wrapped: wrapped
        )
    }

    static let password = GateNode.stretched(salt: salt, cost: testCost, wrapped: wrapped)

    static let all: [GateNode] = [
        leaf(.passcode), leaf(.biometry), leaf(.currentBiometry), leaf(.companion), password,
        .any([leaf(.biometry), leaf(.passcode)]),
        .all([leaf(.currentBiometry), leaf(.passcode)], wrapped: wrapped),
        .all([.any([leaf(.biometry), leaf(.companion)]), password], wrapped: wrapped),
        .any(Array(repeating: leaf(.companion), count: 8)),
    ]

    /// A gate that is so many nodes deep.
    static func nested(_ depth: Int) -> GateNode {
        var node = leaf(.passcode)
        for _ in 1..<depth { node = .any([node, leaf(.biometry)]) }
        return node
    }
}

@Suite struct `The bytes of a gate` {
    @Test(arguments: GateShapes.all)
    func `are written as they are read`(node: GateNode) {
        let bytes = node.encoded
        #expect(GateNode(decoding: bytes) == node)
        #expect(GateNode(decoding: bytes)?.encoded == bytes)
    }

    @Test func `have the sizes and marks that the format says`() {
        #expect(GateShapes.leaf(.passcode).encoded.count == 73)
        #expect(GateShapes.leaf(.currentBiometry).encoded.count == 89)
        #expect(GateShapes.password.encoded.count == 69)
        let marks = GateShapes.all.map { $0.encoded[0] }
        #expect(marks == [1, 2, 3, 4, 5, 16, 17, 17, 16])
        let parts = GateShapes.all[6]
        #expect(parts.encoded.count == 2 + 89 + 73 + 40)
    }

    @Test(arguments: GateShapes.all)
    func `are refused when they end too early or too late`(node: GateNode) {
        let bytes = node.encoded
        let shorter = bytes.indices.filter { GateNode(decoding: Array(bytes[..<$0])) != nil }
        #expect(shorter.isEmpty)
        #expect(GateNode(decoding: bytes + [0]) == nil)
        #expect(GateNode(decoding: [0] + bytes) == nil)
    }

    @Test func `are refused with a mark that nothing has`() {
        let bytes = GateShapes.leaf(.passcode).encoded
        let known: Set<UInt8> = [1, 2, 4]
        let accepted = (UInt8.min...UInt8.max).filter {
            GateNode(decoding: [$0] + bytes.dropFirst()) != nil
        }
        #expect(Set(accepted) == known)
    }

    @Test(arguments: [0x10, 0x11] as [UInt8], 0...255 as ClosedRange<UInt8>)
    func `are refused with fewer than 2 parts or more than 8`(mark: UInt8, count: UInt8) {
        let leaf = GateShapes.leaf(.companion).encoded
        var bytes = [mark, count] + [[UInt8]](repeating: leaf, count: Int(count)).joined()
        if mark == 0x11 { bytes += GateShapes.wrapped }
        #expect((GateNode(decoding: bytes) != nil) == (2...8).contains(count))
    }

    @Test func `are refused when they are more than 4 deep`() {
        #expect(GateNode(decoding: GateShapes.nested(4).encoded) != nil)
        #expect(GateNode(decoding: GateShapes.nested(5).encoded) == nil)
        let endless = [UInt8](repeating: 0x10, count: 100_000)
        #expect(GateNode(decoding: endless) == nil)
        #expect(GateNode(decoding: Array(repeating: 2, count: 100_000)) == nil)
    }

    private static let costs = [
        Argon2id.Cost(memoryKiB: .max, passes: 1, lanes: 1),
        Argon2id.Cost(memoryKiB: 8, passes: .max, lanes: 1),
        Argon2id.Cost(memoryKiB: 8, passes: 1, lanes: .max),
        Argon2id.Cost(memoryKiB: 8, passes: 0, lanes: 1),
        Argon2id.Cost(memoryKiB: 8, passes: 1, lanes: 0),
        Argon2id.Cost(memoryKiB: 7, passes: 1, lanes: 1),
    ]

    @Test(arguments: costs)
    func `are refused when they want to exhaust us`(cost: Argon2id.Cost) {
        let node = GateNode.stretched(
            salt: GateShapes.salt,
            cost: cost,
            wrapped: GateShapes.wrapped
        )
        #expect(GateNode(decoding: node.encoded) == nil)
    }

    @Test(arguments: GateShapes.all, 0..<8 as Range<UInt64>)
    func `are never misread, whatever they are`(node: GateNode, seed: UInt64) throws {
        print("seed \(seed)")
        let random = SeededRandomSource(seed: seed)
        let bytes = node.encoded
        for _ in 0..<200 {
            var changed = bytes
            let noise = try random.bytes(3)
            changed[(Int(noise[0]) << 8 | Int(noise[1])) % bytes.count] = noise[2]
            if let read = GateNode(decoding: changed) { #expect(read.encoded == changed) }
        }
    }

    @Test func `name the enrolment sets that they are bound to`() {
        let names = GateShapes.all.map(\.enrolments.count)
        #expect(names == [0, 0, 1, 0, 0, 0, 1, 0, 0])
    }
}
