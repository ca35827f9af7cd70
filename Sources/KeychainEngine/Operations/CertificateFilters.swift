import Cryptography
import DataProtection
import KeychainModel
import Secrets

// Filters that read certificates: their issuers, their names, their dates.
//
// Source: requirement CRT-15.
extension ItemVault {
    /// The most issuers that a search follows.
    private static let issuerDepth = 10

    /// Whether a certificate passes the filters that need more than its attributes.
    mutating func admitsCertificate(
        _ row: OpenRow,
        _ selection: Selection,
        in scope: GroupScope,
        for prover: Prover,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> Bool {
        guard row.item.itemClass == .certificate, !selection.filters.isEmpty else { return true }
        let needsCertificate = selection.filters.contains(where: \.needsCertificate)
        let certificate =
            needsCertificate ? try self.certificate(of: row, for: prover, session) : nil
        if needsCertificate, certificate == nil { return false }
        for filter in selection.filters {
            let moment = selection.moment ?? environment.now()
            guard try admits(row, certificate, filter, at: moment, in: scope, session) else {
                return false
            }
        }
        return true
    }

    private mutating func admits(
        _ row: OpenRow,
        _ certificate: Certificate?,
        _ filter: MatchFilter,
        at moment: Double,
        in scope: GroupScope,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> Bool {
        switch filter {
        case .hostOrSubdomain: return true
        case .issuers(let names):
            return try isIssued(row, by: Self.normalized(names), in: scope, session)
        case .emailAddress(let address):
            let wanted = address.lowercased()
            return certificate?.emailAddresses.contains { $0.lowercased() == wanted } ?? false
        case .validOn:
            guard let certificate else { return false }
            return Double(certificate.notBefore) <= moment && moment <= Double(certificate.notAfter)
        case .trustedOnly:
            guard let certificate else { return false }
            return try isTrusted(certificate, at: environment.now())
        case .policy(let policy):
            guard let certificate else { return false }
            return try isGood(certificate, for: policy, at: moment)
        }
    }

    /// Opens a certificate; returns nil if it does not parse, or if its gate must not prompt.
    private mutating func certificate(
        of row: OpenRow,
        for prover: Prover,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> Certificate? {
        guard let (row, gate) = try passGateOrSkip(row, for: prover, session),
            let der = try openSecret(of: row, session, gate: gate?.key)
        else { return nil }
        return try? Certificate(der: der.copyBytesUnprotected())
    }

    /// Normalizes names, and ignores those that do not parse.
    private static func normalized(_ names: [[UInt8]]) -> Set<[UInt8]> {
        Set(names.compactMap { try? DistinguishedName.normalizedContent(ofNameOrContent: $0) })
    }

    /// Whether one of the names is in the chain of issuers, followed through visible certificates.
    private mutating func isIssued(
        _ row: OpenRow,
        by names: Set<[UInt8]>,
        in scope: GroupScope,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> Bool {
        var issuer = row.item[.issuer]
        for _ in 0..<Self.issuerDepth {
            guard case .data(let name)? = issuer else { return false }
            if names.contains(name) { return true }
            guard let next = try self.issuer(named: name, in: scope, session),
                next != .data(name)
            else { return false }
            issuer = next
        }
        return false
    }

    /// Returns the issuer of the certificate with that subject.
    private mutating func issuer(
        named subject: [UInt8],
        in scope: GroupScope,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> AttributeValue? {
        var selection = Selection(itemClass: .certificate)
        selection.terms[.subject] = .data(subject)
        selection.synchronizable = .any
        let filter = try filter(for: selection, in: scope)
        let rows = try store.rows(filter, withSecrets: false)
        for row in rows {
            guard case .open(let open) = try opening(of: row, selection, in: scope, session)
            else { continue }
            return open.item[.issuer]
        }
        return nil
    }

    private func isTrusted(
        _ certificate: Certificate,
        at moment: Double
    ) throws(KeychainError) -> Bool {
        let question = TrustEvaluation(
            leaf: certificate,
            includesSystemAnchors: true,
            date: Int64(clamping: moment)
        )
        return try fromCryptography(try question.evaluate()).isTrusted
    }

    /// Whether a certificate is valid for a policy.
    ///
    /// A policy without a purpose requires a trusted chain. Otherwise only the certificate itself
    /// is evaluated: its use, its names, its dates and its key.
    /// - Source: Apple's published Security source, SecItemServer.c and its test of the key.
    private func isGood(
        _ certificate: Certificate,
        for policy: CertificatePolicy,
        at moment: Double
    ) throws(KeychainError) -> Bool {
        let purpose: TrustEvaluation.Purpose? =
            switch policy.use {
            case .any: nil
            case .tlsServer: .tlsServer
            case .tlsClient: .tlsClient
            }
        guard let purpose else { return try isTrusted(certificate, at: moment) }
        let question = TrustEvaluation(
            leaf: certificate,
            includesSystemAnchors: false,
            purpose: purpose,
            hostName: policy.hostName,
            date: Int64(clamping: moment)
        )
        return try fromCryptography(try question.evaluateLeaf()).isTrusted
    }
}

extension Selection {
    /// The moment at which certificates have to be valid; nil for now.
    fileprivate var moment: Double? {
        for case .validOn(let moment?) in filters { return moment }
        return nil
    }
}

extension Int64 {
    /// Rounds down to whole seconds; clamps a moment that does not fit.
    fileprivate init(clamping moment: Double) {
        self = Int64(exactly: moment.rounded(.down)) ?? (moment > 0 ? .max : .min)
    }
}
