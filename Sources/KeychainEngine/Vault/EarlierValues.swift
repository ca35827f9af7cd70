import KeychainMessages
import KeychainModel

// After a write that replaced or removed values: they leave the database's files with it, also when
// nothing but the sealed bytes were left of them. A reader that stays keeps them there; then the
// call says so.
//
// Source: requirement LCK-12; Documentation/Spec/store.md §2, "Removing".
extension ItemVault {
    /// Empties the log after a write that is durable already, so that nothing here is an error.
    ///
    /// - Returns: The reply to the call: `.done`, or that an earlier value stays for now.
    func removeEarlierValues(
        after verb: Finding.Verb,
        _ itemClass: ItemClass,
        _ wait: ReaderWait = .brief,
        findings: inout [Finding]
    ) -> ItemReply {
        guard case .stay(let reason) = store.removeEarlierValues(wait) else { return .done }
        findings.append(
            Finding(
                .earlierValueStays,
                verb: verb,
                item: itemClass.rawValue,
                status: .success,
                detail: "The reason: \(reason)."
            )
        )
        return .earlierValueStays
    }
}
