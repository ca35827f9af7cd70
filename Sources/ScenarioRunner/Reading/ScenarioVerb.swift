// ★ Table: the verbs of scenario files, with the keys and defaults of
// Documentation/Spec/scenario.md §5.

import KeychainSimulator

/// One verb: its name, its keys, and the action that it describes.
struct ScenarioVerb: Sendable {
    typealias Read = @Sendable (JSONObject, ScenarioNames) throws(ScenarioError) -> ScenarioAction

    let name: String
    let keys: [String]
    /// The domain of the verb's statuses.
    let domain: ScenarioStatus.Domain
    let read: Read

    private init(
        _ name: String,
        _ keys: [String] = [],
        domain: ScenarioStatus.Domain = .keychain,
        read: @escaping Read
    ) {
        self.name = name
        self.keys = keys
        self.domain = domain
        self.read = read
    }

    /// Returns the verb of an event.
    static func of(_ event: JSONField) throws(ScenarioError) -> ScenarioVerb {
        guard case .object(let members) = event.node else {
            throw event.error("an object is expected")
        }
        guard let node = members["do"] else { throw event.error("the key do is missing") }
        let field = JSONField(node: node, path: event.path + ".do", file: event.file)
        return try field.choice(table.map { ($0.name, $0) })
    }

    static let table: [ScenarioVerb] = deviceVerbs + calls + files + policies + accounts

    /// The verbs that act on a device or in front of it, without a calling app.
    static let deviceVerbs: [ScenarioVerb] = locking + passcodes + people + wholeDevice

    private static let locking = [
        ScenarioVerb("lock", ["grace"]) { object, _ throws(ScenarioError) in
            .device(.lock(grace: try object["grace"]?.seconds() ?? 0))
        },
        ScenarioVerb("unlock", ["passcode"]) { object, _ throws(ScenarioError) in
            .device(.unlock(passcode: try object["passcode"]?.text()))
        },
        ScenarioVerb("unlockWithBiometry") { _, _ throws(ScenarioError) in
            .device(.unlockWithBiometry)
        },
        ScenarioVerb("reboot") { _, _ throws(ScenarioError) in .device(.reboot) },
    ]

    private static let passcodes = [
        ScenarioVerb("setPasscode", ["passcode", "current"]) { object, _ throws(ScenarioError) in
            let new = try object.required("passcode").text()
            return .device(.setPasscode(new, current: try object.claim("current")))
        },
        ScenarioVerb("removePasscode", ["current"]) { object, _ throws(ScenarioError) in
            .device(.removePasscode(current: try object.claim("current")))
        },
    ]

    private static let people = [
        ScenarioVerb("enroll", ["finger"]) { object, _ throws(ScenarioError) in
            .device(.enroll(try object.required("finger").text()))
        },
        ScenarioVerb("removeEnrollment", ["finger"]) { object, _ throws(ScenarioError) in
            .device(.removeEnrollment(try object.required("finger").text()))
        },
        ScenarioVerb(
            "user",
            ["biometric", "passcode", "applicationPassword", "cancels", "companion"]
        ) { object, _ throws(ScenarioError) in
            var change = UserChange()
            if let field = object["biometric"] { change.biometric = .some(try field.textOrNull()) }
            if let field = object["passcode"] { change.passcode = .some(try field.textOrNull()) }
            if let field = object["applicationPassword"] {
                change.applicationPassword = .some(try field.textOrNull())
            }
            change.cancels = try object["cancels"]?.flag()
            change.hasCompanion = try object["companion"]?.flag()
            return .device(.user(change))
        },
        ScenarioVerb("location", ["familiar"]) { object, _ throws(ScenarioError) in
            .device(.location(isFamiliar: try object.required("familiar").flag()))
        },
    ]

    private static let wholeDevice = [
        ScenarioVerb("backup", ["name", "password"]) { object, _ throws(ScenarioError) in
            let name = try object.text("name", default: "backup")
            return .device(.backup(name: name, password: try object.backupPassword))
        },
        ScenarioVerb("restore", ["name", "password"]) { object, _ throws(ScenarioError) in
            let name = try object.text("name", default: "backup")
            return .device(.restore(name: name, password: try object.backupPassword))
        },
        ScenarioVerb("erase") { _, _ throws(ScenarioError) in .device(.erase) },
        ScenarioVerb("install", ["app"]) { object, names throws(ScenarioError) in
            .device(.install(app: try object.app("app", names)))
        },
        ScenarioVerb("uninstall", ["app"]) { object, names throws(ScenarioError) in
            .device(.uninstall(app: try object.app("app", names)))
        },
    ]

    private static let calls = [
        call("add", .add), call("read", .read), call("delete", .delete),
        ScenarioVerb("update", callKeys + ["value"]) { object, names throws(ScenarioError) in
            let value = try object.required("value").text(limit: ScenarioLimits.longText)
            return .call(try object.call(.update(value: value), names))
        },
    ]

    private static let callKeys = ["item", "as", "in"]

    private static func call(_ name: String, _ function: ItemCall.Function) -> ScenarioVerb {
        ScenarioVerb(name, callKeys) { object, names throws(ScenarioError) in
            .call(try object.call(function, names))
        }
    }

    private static let policies = [
        policy("evaluatePolicy", evaluates: true), policy("canEvaluatePolicy", evaluates: false),
    ]

    private static func policy(_ name: String, evaluates: Bool) -> ScenarioVerb {
        ScenarioVerb(name, ["policy", "as", "in"], domain: .authentication) {
            object,
            names throws(ScenarioError) in
            let policies = PolicyCall.policies.map { ($0.name, $0.policy) }
            return .policy(
                PolicyCall(
                    policy: try object.required("policy").choice(policies),
                    evaluates: evaluates,
                    app: try object.app("as", names),
                    execution: try object.execution
                )
            )
        }
    }
}

// Actions of devices that concern the scenario's account.
extension ScenarioVerb {
    private static let accounts = [
        ScenarioVerb("signIn") { _, _ throws(ScenarioError) in .account(.signIn) },
        ScenarioVerb("signOut") { _, _ throws(ScenarioError) in .account(.signOut) },
        ScenarioVerb("network", ["offline", "delay"]) { object, _ throws(ScenarioError) in
            .account(
                .network(
                    isOffline: try object["offline"]?.flag(),
                    delay: try object["delay"]?.seconds()
                )
            )
        },
        ScenarioVerb("synchronization", ["enabled"]) { object, _ throws(ScenarioError) in
            .account(.switchSynchronization(isOn: try object.required("enabled").flag()))
        },
        ScenarioVerb("synchronize") { _, _ throws(ScenarioError) in .account(.synchronize) },
    ]
}

// Actions of apps on files.
extension ScenarioVerb {
    private static let fileKeys = ["file", "as", "in"]

    private static let files = [
        file("readFile", .read), file("deleteFile", .delete), file("openFile", .open),
        file("closeFile", .close),
        ScenarioVerb("writeFile", fileKeys + ["content"], domain: .file) {
            object,
            names throws(ScenarioError) in
            let content = try object["content"]?.text(limit: ScenarioLimits.longText)
            return .file(try object.fileCall(.write(content), names))
        },
        ScenarioVerb("protectFile", fileKeys + ["class"], domain: .file) {
            object,
            names throws(ScenarioError) in
            let fileClass = try object.required("class").fileClass()
            return .file(try object.fileCall(.protect(fileClass), names))
        },
    ]

    private static func file(_ name: String, _ action: FileCall.Action) -> ScenarioVerb {
        ScenarioVerb(name, fileKeys, domain: .file) { object, names throws(ScenarioError) in
            .file(try object.fileCall(action, names))
        }
    }
}

extension JSONObject {
    /// Returns the subject of a step and the acting app: the named one, or else the owner.
    private func target(
        _ key: String,
        _ owned: [(name: String, app: String)],
        _ names: ScenarioNames
    ) throws(ScenarioError) -> (name: String, app: String) {
        let name = try required(key).name(of: key, among: owned.map(\.name))
        let owner = owned.first { $0.name == name }?.app ?? names.apps[0]
        return (name, try self["as"]?.name(of: "app", among: names.apps) ?? owner)
    }

    fileprivate func fileCall(
        _ action: FileCall.Action,
        _ names: ScenarioNames
    ) throws(ScenarioError) -> FileCall {
        let file = try target("file", names.files, names)
        return FileCall(
            action: action,
            file: file.name,
            app: file.app,
            execution: try execution
        )
    }

    fileprivate func claim(_ key: String) throws(ScenarioError) -> PasscodeClaim {
        guard let field = self[key] else { return .real }
        return .given(try field.textOrNull())
    }

    fileprivate var backupPassword: String {
        get throws(ScenarioError) { try text("password", default: "password") }
    }

    fileprivate func app(
        _ key: String,
        _ names: ScenarioNames
    ) throws(ScenarioError) -> String {
        try self[key]?.name(of: "app", among: names.apps) ?? names.apps[0]
    }

    fileprivate var execution: SimulatedApp.Execution {
        get throws(ScenarioError) {
            try self["in"]?.choice([("foreground", .foreground), ("background", .background)])
                ?? .foreground
        }
    }

    fileprivate func call(
        _ function: ItemCall.Function,
        _ names: ScenarioNames
    ) throws(ScenarioError) -> ItemCall {
        let item = try target("item", names.items, names)
        return ItemCall(
            function: function,
            item: item.name,
            app: item.app,
            execution: try execution
        )
    }
}
