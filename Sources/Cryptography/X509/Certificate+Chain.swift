extension Certificate {
    /// Orders certificates into the chain above this one, as far as they reach.
    ///
    /// - Parameter candidates: Certificates in any order; others than issuers do not matter.
    /// - Returns: This certificate, then the issuer of each, found by name and signature, up to a
    ///   root. No certificate occurs twice.
    package func chain(among candidates: [Certificate]) -> [Certificate] {
        var chain = [self]
        var last = self
        while !last.isSelfIssued {
            let issuerName = last.issuer.normalizedContent
            let issuer = candidates.first { candidate in
                candidate.subject.normalizedContent == issuerName
                    && !chain.contains(candidate)
                    && last.isSigned(by: candidate)
            }
            guard let issuer else { break }
            chain.append(issuer)
            last = issuer
        }
        return chain
    }
}
