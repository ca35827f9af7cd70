import Cryptography
import KeychainModel

/// The structure of a gate: the proofs that open it, and the share that each of them unwraps.
///
/// It has the shape of its constraint. Every node seals a share of 32 bytes.
/// - Source: Documentation/Spec/item.md §9.
indirect enum GateNode: Sendable, Equatable {
    /// The share under a key agreed between an ephemeral key and the factor's own.
    case agreed(Factor, enrolment: [UInt8]?, ephemeralKey: [UInt8], wrapped: [UInt8])
    /// The share under a stretched password.
    case stretched(salt: [UInt8], cost: Argon2id.Cost, wrapped: [UInt8])
    /// Each part seals the same share.
    case any([GateNode])
    /// Each part seals a share of its own; together they unwrap the node's.
    case all([GateNode], wrapped: [UInt8])

    static let shareByteCount = 32
    static let wrappedByteCount = shareByteCount + AESKeyWrap.checkByteCount
    static let saltByteCount = PasswordStretching.saltByteCount
    private static let anyMark: UInt8 = 0x10
    private static let allMark: UInt8 = 0x11
    /// The limits of depth and parts, which no real constraint exceeds.
    private static let depthLimit = 4
    private static let partLimit: UInt8 = 8

    /// Encodes the node.
    var encoded: [UInt8] {
        switch self {
        case .agreed(let factor, let enrolment, let ephemeralKey, let wrapped):
            return [factor.rawValue] + (enrolment ?? []) + ephemeralKey + wrapped
        case .stretched(let salt, let cost, let wrapped):
            var bytes = [Factor.applicationPassword.rawValue] + salt
            bytes.append(integer: cost.memoryKiB)
            bytes.append(integer: cost.passes)
            bytes.append(integer: cost.lanes)
            return bytes + wrapped
        case .any(let parts):
            return [Self.anyMark, UInt8(clamping: parts.count)] + parts.flatMap(\.encoded)
        case .all(let parts, let wrapped):
            return [Self.allMark, UInt8(clamping: parts.count)]
                + parts.flatMap(\.encoded) + wrapped
        }
    }

    /// Decodes a whole gate; returns nil for anything else.
    init?(decoding bytes: [UInt8]) {
        var fields = ByteReader(bytes[...]) { .damaged(path: "gate", reason: $0) }
        do throws(DeviceError) {
            self = try Self.read(from: &fields, depth: 0)
            try fields.finish()
        } catch {
            return nil
        }
    }

    private static func read(
        from fields: inout ByteReader,
        depth: Int
    ) throws(DeviceError) -> GateNode {
        let fault = DeviceError.damaged(path: "gate", reason: "it is not a gate")
        guard depth < depthLimit else { throw fault }
        let mark = try fields.integer(UInt8.self)
        switch (mark, Factor(rawValue: mark)) {
        case (anyMark, _): return .any(try parts(from: &fields, depth: depth))
        case (allMark, _):
            let parts = try parts(from: &fields, depth: depth)
            return .all(parts, wrapped: try fields.bytes(wrappedByteCount))
        case (_, .applicationPassword?):
            return .stretched(
                salt: try fields.bytes(saltByteCount),
                cost: try cost(from: &fields),
                wrapped: try fields.bytes(wrappedByteCount)
            )
        case (_, let factor?):
            let isBound = factor == .currentBiometry
            return .agreed(
                factor,
                enrolment: isBound ? try fields.bytes(EnrolmentSet.idByteCount) : nil,
                ephemeralKey: try fields.bytes(ProofKey.byteCount),
                wrapped: try fields.bytes(wrappedByteCount)
            )
        default: throw fault
        }
    }

    /// Reads a cost within the limits, so that a gate from a file cannot exhaust memory.
    private static func cost(
        from fields: inout ByteReader
    ) throws(DeviceError) -> Argon2id.Cost {
        let cost = Argon2id.Cost(
            memoryKiB: try fields.integer(UInt32.self),
            passes: try fields.integer(UInt32.self),
            lanes: try fields.integer(UInt32.self)
        )
        if let words = cost.fault { throw .damaged(path: "gate", reason: "it asks for \(words)") }
        return cost
    }

    private static func parts(
        from fields: inout ByteReader,
        depth: Int
    ) throws(DeviceError) -> [GateNode] {
        let count = try fields.integer(UInt8.self)
        guard (2...partLimit).contains(count) else {
            throw .damaged(path: "gate", reason: "it has no parts, or too many")
        }
        var parts: [GateNode] = []
        for _ in 0..<count { parts.append(try read(from: &fields, depth: depth + 1)) }
        return parts
    }

    /// Whether proofs exist that open the node; `hasProof` says so for the leaf of a factor.
    func isOpenable(_ hasProof: (Factor, [UInt8]?) -> Bool) -> Bool {
        switch self {
        case .agreed(let factor, let enrolment, _, _): hasProof(factor, enrolment)
        case .stretched: true
        case .any(let parts): parts.contains { $0.isOpenable(hasProof) }
        case .all(let parts, _): parts.allSatisfy { $0.isOpenable(hasProof) }
        }
    }

    /// The enrolment sets that the gate is bound to.
    var enrolments: [[UInt8]] {
        switch self {
        case .agreed(_, let enrolment, _, _): enrolment.map { [$0] } ?? []
        case .stretched: []
        case .any(let parts), .all(let parts, _): parts.flatMap(\.enrolments)
        }
    }
}
