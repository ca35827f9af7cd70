import Cryptography
import Foundation

/// The failures of a certificate that the user accepted.
struct TrustExceptions: Sendable {
    private let certificate: [UInt8]
    private let failures: Set<String>

    /// Accepts failures of a certificate.
    init(_ leaf: SecCertificate, _ failures: [TrustFailure]) throws(CryptographyError) {
        certificate = try Digest.sha256(leaf.certificate.der)
        self.failures = Set(failures.map(Self.name))
    }

    /// Whether the exceptions are for a certificate.
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

// The form is a property list, as on Apple's platforms, but with other keys.
extension TrustExceptions {
    private static let certificateKey = "SHA256Digest"
    private static let failuresKey = "Failures"

    /// Reads data that `encoded` returned; nil for any other data.
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

    /// Returns the data for the program to store.
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
    /// Returns all failures of the certificate, the most serious first.
    ///
    /// Each failure hides the next one. So the evaluation is changed until the failure is gone, and
    /// repeated. A failure that no change removes is the last one.
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

    /// Changes the evaluation so that a failure no longer counts.
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
