// Generated from Tools/Statuses/statuses.tsv by generate.py: change the table instead.

extension SecurityStatus {
    /// Codes of Apple's own use, seen in logs and never in the public headers.
    static let internalRows: [Entry] = [
        .init(-25330, "AuthNeeded", "The user has to authenticate for this item first."),
        .init(-26276, "Internal", "The keychain is in an unexpected state."),
        .init(-34017, "WaitForCallback", "A callback will deliver the answer."),
        .init(-34019, "UpgradePending", "The keychain is being upgraded; try again later."),
    ]
}
