import KeychainMessages
import KeychainModel

// Removes earlier values from the database's files after a write, even where only their sealed
// bytes are left. If another process keeps reading the log, they stay, and the reply to the call
// says so.
//
// Source: requirement LCK-12; Documentation/Spec/store.md §2, "Removing".
extension ItemVault {
    /// Empties the log after a write that is already durable, so a failure here is not an error.
    ///
    /// - Returns: The reply to the call: `.done`, or the fact that an earlier value stays for now.
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
