import KeychainModel

// `--require` and `--accessible` together: the conditions under which an item opens.
extension Arguments {
    /// The class that `--accessible` names; nil without the option.
    ///
    /// - Throws: `CommandFailure.usage` for a class that does not exist.
    func protection() throws(CommandFailure) -> ProtectionClass? {
        guard let text = self[.accessible] else { return nil }
        guard let protection = ProtectionName.protection(text) else {
            throw .usage(
                "invalid value for --accessible: give \(AttributeTarget.accessible.expectation)"
            )
        }
        return protection
    }

    /// Returns the access control that `--require` describes; nil without the option.
    ///
    /// - Throws: `CommandFailure.usage` for unknown words, and for words that exclude each other.
    func demands(with protection: ProtectionClass) throws(CommandFailure) -> AccessControl? {
        guard let list = self[.require] else { return nil }
        guard let flags = AccessControlText.flags(of: list) else {
            let words = AccessControlText.demands.joined(separator: ", ")
            throw .usage("invalid value for --require: give \(words), or several with commas")
        }
        do throws(AccessControlError) {
            return try AccessControl.validate(
                flags: flags,
                protection: protection.code,
                missingOperatorIsAnd: false
            )
        } catch {
            throw .usage("--require: \(error.message)")
        }
    }
}
