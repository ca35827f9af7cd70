import DataProtection
import KeychainMessages
import KeychainModel
import Secrets

// The keys of protected files, authorized by access group before the engine takes its lock.
//
// Source: Documentation/Spec/file-keys.md.
extension Engine {
    func perform(
        _ request: FileKeyRequest,
        for caller: Caller
    ) throws(KeychainError) -> FileKeyReply {
        let authorizer = try Authorizer(caller, on: profiles.system)
        switch request {
        case .make(let fileClass, let file, let named):
            let group = try authorizer.fileGroup(named)
            return try enter { state throws(KeychainError) in
                try state.vault.makeFileKey(fileClass, file, in: group, &state.session)
            }
        case .open(let key):
            _ = try authorizer.fileGroup(key.group)
            return try enter { state throws(KeychainError) in
                .key(SharedSecret(try state.vault.openFileKey(key, state.session)))
            }
        case .move(let key, let fileClass):
            _ = try authorizer.fileGroup(key.group)
            return try enter { state throws(KeychainError) in
                try state.vault.moveFileKey(key, to: fileClass, &state.session)
            }
        case .check(let key):
            _ = try authorizer.fileGroup(key.group)
            try requireUsable(key.fileClass)
            return .usable
        }
    }

    /// Throws for an open file whose class has been closed; runs in parallel with other calls if
    /// possible.
    ///
    /// An open file of `completeUnlessOpen` stays usable as long as its program has it open.
    private func requireUsable(_ fileClass: FileClass) throws(KeychainError) {
        guard fileClass != .completeUnlessOpen else { return }
        let isKnown = try readBeside { state throws(KeychainError) in
            state.session.isCurrent() && state.session.device.isAvailable(fileClass.guardian)
        }
        guard isKnown != true else { return }
        try enter { state throws(KeychainError) in try state.session.requireOpen(fileClass) }
    }
}
