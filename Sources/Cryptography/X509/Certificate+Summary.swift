extension Certificate {
    /// The subject's common name; the last one, which is the most specific.
    package var commonName: String? { subject.texts(of: ObjectIdentifier.commonName).last }

    /// A description of the certificate for people.
    ///
    /// It is the common name, with the subject's description in parentheses if it has one; else the
    /// first that exists of e-mail address, host name, organization, organizational unit,
    /// description, and any other text in the subject.
    package var subjectSummary: String? {
        let description = subject.texts(of: ObjectIdentifier.description).last
        if let commonName {
            return description.map { "\(commonName) (\($0))" } ?? commonName
        }
        return emailAddresses.first
            ?? hostNames.first
            ?? subject.texts(of: ObjectIdentifier.organization).last
            ?? subject.texts(of: ObjectIdentifier.organizationalUnit).last
            ?? description
            ?? subject.levels.joined().compactMap(\.text).last
    }
}
