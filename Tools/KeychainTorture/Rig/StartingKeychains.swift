import KeychainModel

/// The keychains to which the verbs apply, each after a proper close and after a crash.
struct StartingKeychains {
    private let scratch: ScratchDirectory

    init(in scratch: ScratchDirectory) throws(KeychainError) {
        self.scratch = scratch
        for base in [TortureCall.StartingState.open, .guarded, .gated, .unsummed] {
            let directory = scratch.directory("making-" + base.rawValue)
            let rig = try Rig(directory)
            try Self.fill(rig, base)
            try TortureFile.makeAll(rig, in: directory)
            try TortureHandle.makeAll(rig, in: directory)
            // No process reads the keybag before it is opened again.
            if base == .unsummed { try AgedKeybag.age(directory) }
            // Copies it while the log is full of pages, as after a crash.
            try scratch.copy(directory, to: path(of: base, crashed: true))
            rig.close()
            try scratch.copy(directory, to: path(of: base, crashed: false))
        }
    }

    /// Returns a directory to copy; for `.none`, one that does not exist.
    func path(of base: TortureCall.StartingState, crashed: Bool) -> String {
        scratch.directory(base.rawValue + (crashed ? "-crashed" : "-closed"))
    }

    private static func fill(_ rig: Rig, _ base: TortureCall.StartingState) throws(KeychainError) {
        if base == .guarded || base == .gated {
            try rig.engine().setPasscode(Rig.secret(Rig.passcodes[0]), current: nil)
            try rig.add(Rig.item("gated", ["pdmn": .string("akpu")]), "value of gated")
        }
        if base == .gated {
            let control = AccessControl(protection: .whenUnlocked, flags: .devicePasscode)
            try rig.add(Rig.item("asked", ["accc": .accessControl(control)]), "value of asked")
        }
        for (account, accessible) in [("ada", "ak"), ("bob", "ck"), ("cyd", "dk")] {
            let item = Rig.item(account, ["pdmn": .string(accessible), "svce": .string("mail")])
            try rig.add(item, "value of \(account)")
        }
        for account in ["synced", "buried"] {
            try rig.add(Rig.item(account, ["sync": .bool(true)]), "value of \(account)")
        }
        try rig.delete(Rig.item("buried", ["sync": .bool(true)]))
        try rig.add(Rig.item("web", class: "inet", ["srvr": .string("host")]), "value of web")
    }
}
