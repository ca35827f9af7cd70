import DataProtection
import KeychainMessages
import KeychainModel

// The keychain's side of synchronization, which needs no user and does not count as use.
//
// Source: Documentation/Spec/sync.md.
extension Engine {
    func perform(
        _ request: SynchronizationRequest
    ) throws(KeychainError) -> SynchronizationReply {
        switch request {
        case .mark:
            .mark(try enterUnused { state throws(KeychainError) in try state.vault.rowMark() })
        case .read(let cursor, let withContent):
            .portion(
                try enterUnused { state throws(KeychainError) in
                    try state.vault.readSynchronized(
                        after: cursor,
                        withContent: withContent,
                        state.session
                    )
                }
            )
        case .contents(let names): try contents(names)
        case .verify(let items): try verify(items)
        case .apply(let items, let records):
            try enterUnused { state throws(KeychainError) in
                try state.vault.apply(items, keeping: records, &state.session)
            }
        case .records(let prefix, let key): try records(prefix, after: key)
        case .forget: try forgetSynchronization()
        }
    }

    private func contents(_ names: [[UInt8]]) throws(KeychainError) -> SynchronizationReply {
        let (items, rest) = try enterUnused { state throws(KeychainError) in
            try state.vault.synchronized(named: names, state.session)
        }
        return .contents(items, rest: rest)
    }

    private func verify(_ items: [SyncedItem]) throws(KeychainError) -> SynchronizationReply {
        for item in items { _ = try PlainItem(receiving: item) }
        return .done
    }

    private func records(
        _ prefix: [UInt8],
        after key: [UInt8]?
    ) throws(KeychainError) -> SynchronizationReply {
        let (records, isLast) = try enterUnused { state throws(KeychainError) in
            try state.vault.store.syncRecords(prefix: prefix, after: key)
        }
        return .records(records, isLast: isLast)
    }

    private func forgetSynchronization() throws(KeychainError) -> SynchronizationReply {
        try enterUnused { state throws(KeychainError) in
            try state.vault.forgetSynchronization(&state.session)
        }
        return .done
    }
}
