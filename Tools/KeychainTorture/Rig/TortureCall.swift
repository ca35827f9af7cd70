import KeychainModel

/// One call that changes a keychain, and the keychain to which it applies.
struct TortureCall: Sendable {
    /// The state of a keychain before the call.
    enum StartingState: String, CaseIterable, Sendable {
        /// There is no directory.
        case none
        /// The keychain has items, and no passcode.
        case open
        /// The keychain has items, and the first passcode.
        case guarded
        /// The keychain is as in `guarded`, with an item that requires the passcode.
        case gated
        /// The keychain is as in `open`, but older than the sum of the rows.
        case unsummed
    }

    /// The arguments are the directory, and its rig unless the call opens the keychain itself.
    typealias Run = @Sendable (_ directory: String, _ rig: Rig?) throws(KeychainError) -> Void

    let name: String
    let base: StartingState
    /// Whether the call itself opens the keychain.
    let opensItself: Bool
    /// Whether a process has to open the keychain again after the call failed.
    let failureEndsProcess: Bool
    /// Whether an item afterwards opens only with the passcode of that moment.
    let bindsToPasscode: Bool
    let run: Run

    init(
        _ name: String,
        on base: StartingState = .guarded,
        opensItself: Bool = false,
        failureEndsProcess: Bool = false,
        bindsToPasscode: Bool = false,
        run: @escaping Run
    ) {
        self.name = name
        self.base = base
        self.opensItself = opensItself
        self.failureEndsProcess = failureEndsProcess
        self.bindsToPasscode = bindsToPasscode
        self.run = run
    }

    /// Makes a call on a rig that is open and unlocked.
    static func on(
        _ name: String,
        _ base: StartingState = .guarded,
        bindsToPasscode: Bool = false,
        _ body: @escaping @Sendable (Rig) throws(KeychainError) -> Void
    ) -> TortureCall {
        TortureCall(name, on: base, bindsToPasscode: bindsToPasscode) {
            _,
            rig throws(KeychainError) in
            guard let rig else { throw KeychainError(.internal, "there is no rig") }
            try body(rig)
        }
    }
}

extension TortureCall {
    /// ★ Table: all verbs that write.
    static let all: [TortureCall] = items + passcodes + whole

    private static let items: [TortureCall] = [
        .on("add") { rig throws(KeychainError) in try rig.add(Rig.item("new"), "value of new") },
        .on("add to a new group and class") { rig throws(KeychainError) in
            let more: [String: AttributeValue] = [
                "agrp": .string("TEAM.other"), "pdmn": .string("cku"), "srvr": .string("host"),
            ]
            try rig.add(Rig.item("new", class: "inet", more), "value of new")
        },
        .on("add several") { rig throws(KeychainError) in
            let all = (0..<5).map { Rig.filled(Rig.item("several \($0)"), "value \($0)") }
            _ = try rig.endpoint().send(.addAll(all, duplicates: .refused))
        },
        .on("add over a tombstone") { rig throws(KeychainError) in
            try rig.add(Rig.item("buried", ["sync": .bool(true)]), "risen")
        },
        .on("add a large value") { rig throws(KeychainError) in
            try rig.add(Rig.item("large"), String(repeating: "0123456789abcdef", count: 1024))
        },
        .on("update a value") { rig throws(KeychainError) in
            try rig.update(Rig.item("ada"), "another value")
        },
        .on("update attributes of all") { rig throws(KeychainError) in
            try rig.update(Rig.item(nil), with: ["labl": .string("changed")])
        },
        .on("update accessibility") { rig throws(KeychainError) in
            try rig.update(Rig.item("ada"), with: ["pdmn": .string("aku")])
        },
        .on("demand the passcode for an item", bindsToPasscode: true) {
            rig throws(KeychainError) in
            try rig.replaceAccessControl(of: Rig.item("ada"), with: .devicePasscode)
        },
        .on("demand nothing for an item", .gated) { rig throws(KeychainError) in
            try rig.replaceAccessControl(of: Rig.item("asked"), with: [])
        },
        .on("delete") { rig throws(KeychainError) in try rig.delete(Rig.item("ada")) },
        .on("delete synchronizable") { rig throws(KeychainError) in
            try rig.delete(Rig.item("synced", ["sync": .bool(true)]))
        },
        .on("delete all") { rig throws(KeychainError) in
            try rig.delete(["class": .string("genp"), "sync": .string("syna")])
        },
        .on("make a key that is not stored") { rig throws(KeychainError) in
            _ = try TortureHandle.make(TortureHandle.laterClass, rig)
        },
        .on("find") { rig throws(KeychainError) in _ = try rig.read(Rig.item("ada")) },
    ]

    private static let passcodes: [TortureCall] = [
        .on("set a passcode", .open) { rig throws(KeychainError) in
            try rig.engine().setPasscode(Rig.secret(Rig.passcodes[0]), current: nil)
        },
        .on("change the passcode") { rig throws(KeychainError) in
            try rig.engine().setPasscode(
                Rig.secret(Rig.passcodes[1]),
                current: Rig.secret(Rig.passcodes[0])
            )
        },
        .on("remove the passcode") { rig throws(KeychainError) in
            try rig.engine().removePasscode(current: Rig.secret(Rig.passcodes[0]))
        },
        .on("lock and unlock") { rig throws(KeychainError) in
            try rig.engine().lock()
            try rig.engine().unlock(passcode: Rig.secret(Rig.passcodes[0]))
        },
        .on("try a wrong passcode") { rig throws(KeychainError) in
            do throws(KeychainError) {
                try rig.engine().unlock(passcode: Rig.secret("wrong"))
            } catch {
                guard error.status == .authFailed else { throw error }
            }
        },
    ]

    private static let whole: [TortureCall] = [
        TortureCall("create", on: .none, opensItself: true) { directory, _ throws(KeychainError) in
            try Rig(directory).close()
        },
        TortureCall("open and close", opensItself: true) { directory, _ throws(KeychainError) in
            let rig = try Rig(directory)
            _ = try rig.read(Rig.item("ada"))
            rig.close()
        },
        TortureCall("write and close", opensItself: true) { directory, _ throws(KeychainError) in
            let rig = try Rig(directory)
            try rig.update(Rig.item("ada"), "written before closing")
            rig.close()
        },
        TortureCall("take over rows", on: .unsummed, opensItself: true, failureEndsProcess: true) {
            directory,
            _ throws(KeychainError) in
            try Rig(directory).close()
        },
        .on("accept rows") { rig throws(KeychainError) in _ = try rig.engine().acceptRows() },
        .on("restore a backup") { rig throws(KeychainError) in
            var rest = try foreignBackup.get()[...]
            _ = try rig.engine().restore(
                password: Rig.secret("tape"),
                from: { count throws(KeychainError) in
                    defer { rest = rest.dropFirst(count) }
                    return Array(rest.prefix(count))
                }
            )
        },
        // Source: `Device.erase`, whose documentation requires it.
        TortureCall("erase", failureEndsProcess: true) { _, rig throws(KeychainError) in
            try rig?.engine().erase()
        },
    ]
}

extension TortureCall {
    /// The backup of another device, with one item that exists here and two that do not.
    private static let foreignBackup = Result<[UInt8], KeychainError> { () throws(KeychainError) in
        let scratch = try ScratchDirectory()
        let rig = try Rig(scratch.directory("foreign"))
        defer { rig.close() }
        for account in ["ada", "from a backup", "also from a backup"] {
            try rig.add(Rig.item(account, ["pdmn": .string("ak")]), "foreign value")
        }
        var bytes: [UInt8] = []
        _ = try rig.engine().backup(
            password: Rig.secret("tape"),
            to: { part throws(KeychainError) in bytes += part }
        )
        return bytes
    }
}
