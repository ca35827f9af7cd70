// Generated from Tools/Statuses/statuses.tsv by generate.py: change the table instead.

extension SecurityStatus {
    /// Codes of Apple's own use, seen in logs and never in the public headers.
    static let internalRows: [Entry] = [
        .init(-25330, "AuthNeeded", "The item must be authenticated for first."),
        .init(-26276, "Internal", "The keychain found itself in an unexpected state."),
        .init(-34017, "WaitForCallback", "The answer will come through a callback."),
        .init(-34019, "UpgradePending", "The keychain is being upgraded; try again later."),
    ]
}
