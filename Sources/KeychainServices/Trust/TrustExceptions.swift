import Cryptography
import Foundation

/// What may speak against a certificate, because somebody accepted it.
struct TrustExceptions: Sendable {
    private let certificate: [UInt8]
    private let failures: Set<String>

    /// Accepts failures of a certificate.
    init(_ leaf: SecCertificate, _ failures: [TrustFailure]) throws(CryptographyError) {
        certificate = try Digest.sha256(leaf.certificate.der)
        self.failures = Set(failures.map(Self.name))
    }

    /// Whether this is about a certificate.
    func isFor(_ leaf: SecCertificate?) -> Bool {
        guard let leaf, let hash = try? Digest.sha256(leaf.certificate.der) else { return false }
        return hash == certificate
    }

    /// Whether all of the failures are accepted.
    func cover(_ found: [TrustFailure]) -> Bool {
        found.allSatisfy { failures.contains(Self.name($0)) }
    }

    private static func name(_ failure: TrustFailure) -> String {
        "\(failure.depth) \(failure.reason)"
    }
}

// A property list, as Apple's is. Its keys are ours.
extension TrustExceptions {
    private static let certificateKey = "SHA256Digest"
    private static let failuresKey = "Failures"

    /// Reads data that `encoded` made; nil for any other.
    init?(encoded: Data) {
        guard
            let list = try? PropertyListSerialization.propertyList(from: encoded, format: nil),
            let members = list as? [String: Any],
            let hash = members[Self.certificateKey] as? Data,
            let names = members[Self.failuresKey] as? [String]
        else { return nil }
        certificate = Array(hash)
        failures = Set(names)
    }

    /// The data that a program keeps.
    func encoded() -> Data? {
        let members: [String: Any] = [
            Self.certificateKey: Data(certificate), Self.failuresKey: failures.sorted(),
        ]
        return try? PropertyListSerialization.data(
            fromPropertyList: members,
            format: .binary,
            options: 0
        )
    }
}

extension TrustEvaluation {
    /// Everything that speaks against the certificate, the gravest first.
    ///
    /// Each failure hides the next one. So the question is changed until the failure is gone, and
    /// asked again. A failure that nothing takes away is the last one.
    func failures() throws(CryptographyError) -> [TrustFailure] {
        var question = self
        var found: [TrustFailure] = []
        while found.count < 16 {
            let result = try question.evaluate()
            guard let failure = result.failure, !found.contains(failure) else { return found }
            found.append(failure)
            guard question.accept(failure, of: result.chain) else { return found }
        }
        return found
    }

    /// Changes the question so that a failure no longer counts.
    ///
    /// - Returns: Whether it was changed.
    private mutating func accept(_ failure: TrustFailure, of chain: [Certificate]) -> Bool {
        switch failure.reason {
        case .untrustedRoot, .incompleteChain:
            guard let last = chain.last else { return false }
            anchors.append(last)
        case .hostNameMismatch:
            hostName = nil
        case .expired, .notYetValid:
            guard chain.indices.contains(failure.depth) else { return false }
            let certificate = chain[failure.depth]
            date = certificate.notBefore / 2 + certificate.notAfter / 2
        case .wrongPurpose, .validTooLong:
            guard purpose != .any else { return false }
            purpose = .any
        default: return false
        }
        return true
    }
}
