import Foundation
import JSON
import KeychainModel
import KeychainSimulator

extension Scenario {
    /// Reads a scenario file.
    ///
    /// - Parameters:
    ///   - file: The location of the file.
    ///   - name: The file's name in errors.
    /// - Throws: `ScenarioError` for the first fault.
    package init(contentsOf file: URL, named name: String) throws(ScenarioError) {
        let handle: FileHandle
        let bytes: Data
        do {
            handle = try FileHandle(forReadingFrom: file)
            bytes = try handle.read(upToCount: ScenarioLimits.byteCount + 1) ?? Data()
        } catch {
            throw ScenarioError(file: name, path: "", reason: "the file cannot be read")
        }
        try self.init(bytes, named: name)
    }

    /// Reads the bytes of a scenario file.
    ///
    /// - Parameters:
    ///   - bytes: The content of the file.
    ///   - name: The file's name in errors.
    /// - Throws: `ScenarioError` for the first fault.
    package init(_ bytes: Data, named name: String) throws(ScenarioError) {
        guard bytes.count <= ScenarioLimits.byteCount else {
            throw ScenarioError(file: name, path: "", reason: "more than 1 MiB")
        }
        let node: JSONTree<Never>
        let repeated: RepeatedJSONKey?
        do throws(JSONError) {
            let limits = JSONLimits(depth: ScenarioLimits.depth)
            (node, repeated) = try JSONText.read([UInt8](bytes), limits) { text throws(JSONError) in
                (try JSONTree<Never>(text), text.repeatedKey)
            }
        } catch {
            let reason = "the file is not JSON, or nested too deeply"
            throw ScenarioError(file: name, path: "", reason: reason)
        }
        if let repeated {
            let key = JSONField.quoted(repeated.key)
            let reason = "the key \(key) occurs twice, the second time in line \(repeated.line)"
            throw ScenarioError(file: name, path: repeated.path, reason: reason)
        }
        try self.init(JSONField(node: node, path: "", file: name))
    }

    private init(_ field: JSONField) throws(ScenarioError) {
        let object = try JSONObject(
            field,
            keys: ["title", "device", "devices", "apps", "items", "files", "events"]
        )
        title = try object.required("title").text()
        devices = try DeviceSetup.all(object)
        let apps = try AppSetup.all(object["apps"])
        let items = try ItemSetup.all(object["items"], apps: apps.map(\.name))
        self.apps = apps
        self.items = items
        var names = ScenarioNames(
            devices: devices.map(\.name),
            apps: apps.map(\.name),
            items: items.map { ($0.name, $0.app) }
        )
        files = try FileSetup.all(object["files"], names)
        names.files = files.map { ($0.name, $0.app) }
        events = try ScenarioEvent.all(object.required("events"), names)
    }
}

/// The names that events may refer to.
struct ScenarioNames {
    let devices: [String]
    let apps: [String]
    var items: [(name: String, app: String)] = []
    var files: [(name: String, app: String)] = []
}

extension Scenario.DeviceSetup {
    static func all(_ scenario: JSONObject) throws(ScenarioError) -> [Scenario.DeviceSetup] {
        if let list = scenario["devices"] {
            if let one = scenario["device"] {
                throw one.error("device and devices exclude each other")
            }
            let all = try list.named(limit: ScenarioLimits.devices) { field throws(ScenarioError) in
                try Self(field)
            }
            guard !all.isEmpty else { throw list.error("at least one device is expected") }
            return all
        }
        if let one = scenario["device"] { return [try Self(one)] }
        return [Self(name: "device", passcode: "0000", biometry: .faceID, system: .iOS(26))]
    }

    init(_ field: JSONField) throws(ScenarioError) {
        let object = try JSONObject(
            field,
            keys: ["name", "passcode", "biometry", "system", "behavior"]
        )
        name = try object.text("name", default: "device")
        passcode = if let given = object["passcode"] { try given.textOrNull() } else { "0000" }
        biometry = try object["biometry"]?.choice(Self.biometries) ?? .faceID
        system = try object["system"]?.system() ?? .iOS(26)
        behavior = try object["behavior"]?.choice() ?? .documented
    }

    private init(
        name: String,
        passcode: String?,
        biometry: SimulatedDevice.Biometry,
        system: SystemProfile
    ) {
        self.name = name
        self.passcode = passcode
        self.biometry = biometry
        self.system = system
        behavior = .documented
    }

    private static let biometries: [(name: String, value: SimulatedDevice.Biometry)] = [
        ("none", .none), ("touchID", .touchID), ("faceID", .faceID),
    ]
}

extension Scenario.AppSetup {
    static func all(_ list: JSONField?) throws(ScenarioError) -> [Scenario.AppSetup] {
        let usual = Self(
            name: "com.example.app",
            manifest: SimulatedApp.Manifest(bundleIdentifier: "com.example.app")
        )
        let apps = try list?.named(limit: ScenarioLimits.apps) { field throws(ScenarioError) in
            try Self(field)
        }
        return apps.flatMap { $0.isEmpty ? nil : $0 } ?? [usual]
    }

    private init(_ field: JSONField) throws(ScenarioError) {
        let object = try JSONObject(
            field,
            keys: ["name", "bundleIdentifier", "team", "groups", "applicationGroups"]
        )
        let bundleIdentifier = try object.required("bundleIdentifier").text()
        name = try object.text("name", default: bundleIdentifier)
        manifest = SimulatedApp.Manifest(
            bundleIdentifier: bundleIdentifier,
            teamIdentifier: try object.text("team", default: "TEAMID1234"),
            keychainAccessGroups: try object["groups"]?.texts() ?? [],
            applicationGroups: try object["applicationGroups"]?.texts() ?? []
        )
    }
}

extension Scenario.ItemSetup {
    static func all(
        _ list: JSONField?,
        apps: [String]
    ) throws(ScenarioError) -> [Scenario.ItemSetup] {
        try list?.named(limit: ScenarioLimits.items) { field throws(ScenarioError) in
            try Self(field, apps: apps)
        } ?? []
    }

    private init(_ field: JSONField, apps: [String]) throws(ScenarioError) {
        let object = try JSONObject(
            field,
            keys: [
                "name", "app", "class", "account", "service", "group", "accessible",
                "synchronizable", "require", "value",
            ]
        )
        name = try object.required("name").text()
        app = try object["app"]?.name(of: "app", among: apps) ?? apps[0]
        itemClass = try object["class"]?.choice() ?? .genericPassword
        account = try object.text("account", default: name)
        service = try object.text("service", default: "example.com")
        group = try object["group"]?.text()
        accessible = try object["accessible"]?.choice(
            ProtectionClass.table.map {
                ($0.protectionClass.suffix, $0.protectionClass)
            }
        )
        isSynchronizable = try object["synchronizable"]?.flag() ?? false
        requirement = try object["require"]?.requirement()
        value = try object["value"]?.text(limit: ScenarioLimits.longText) ?? "value of \(name)"
    }
}

extension Scenario.FileSetup {
    static func all(
        _ list: JSONField?,
        _ names: ScenarioNames
    ) throws(ScenarioError) -> [Scenario.FileSetup] {
        try list?.named(limit: ScenarioLimits.files) { field throws(ScenarioError) in
            try Self(field, names)
        } ?? []
    }

    private init(_ field: JSONField, _ names: ScenarioNames) throws(ScenarioError) {
        let object = try JSONObject(
            field,
            keys: ["name", "app", "group", "class", "excludedFromBackup", "key", "content"]
        )
        name = try object.required("name").fileName()
        app = try object["app"]?.name(of: "app", among: names.apps) ?? names.apps[0]
        group = try object["group"]?.text()
        fileClass = try object["class"]?.fileClass() ?? .default
        isExcludedFromBackup = try object["excludedFromBackup"]?.flag() ?? false
        key = try object["key"]?.name(of: "item", among: names.items.map(\.name))
        content =
            try object["content"]?.text(limit: ScenarioLimits.longText) ?? "content of \(name)"
    }
}

extension JSONField {
    func fileClass() throws(ScenarioError) -> FileClass {
        try choice(FileClass.allCases.map { ($0.name, $0) })
    }

    /// Returns a text that is valid as the name of a file in a container.
    fileprivate func fileName() throws(ScenarioError) -> String {
        let name = try text()
        guard !name.hasPrefix("."), !name.contains("/"), name.utf8.count <= 255 else {
            throw error("a file's name has no slash, no dot in front, and at most 255 bytes")
        }
        return name
    }

    /// Returns a list of elements with different names.
    fileprivate func named<Thing: ScenarioNamed>(
        limit: Int,
        _ read: (JSONField) throws(ScenarioError) -> Thing
    ) throws(ScenarioError) -> [Thing] {
        var things: [Thing] = []
        for element in try elements(limit: limit) {
            let thing = try read(element)
            guard !things.contains(where: { $0.name == thing.name }) else {
                throw element.error("the name \(Self.quoted(thing.name)) occurs twice")
            }
            things.append(thing)
        }
        return things
    }

    /// Returns a name, which must be one of those in the scenario.
    func name(of kind: String, among names: [String]) throws(ScenarioError) -> String {
        let name = try text()
        guard names.contains(name) else {
            throw error("there is no \(kind) \(Self.quoted(name))")
        }
        return name
    }

    fileprivate func system() throws(ScenarioError) -> SystemProfile {
        let text = try text()
        if text == SystemProfile.iOSSimulator.description { return .iOSSimulator }
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        if words.count == 2, let version = Int(words[1]), (8...99).contains(version) {
            if words[0] == "iOS" { return .iOS(version) }
            if words[0] == "macOS" { return .macOS(version) }
            if words[0] == "tvOS" { return .tvOS(version) }
            if words[0] == "watchOS" { return .watchOS(version) }
            if words[0] == "Catalyst" { return .catalyst(version) }
        }
        throw error("a system such as iOS 26, macOS 26, watchOS 26 or iOS Simulator is expected")
    }

    fileprivate func requirement() throws(ScenarioError) -> AccessControlRequirement {
        for element in try elements(limit: ScenarioLimits.list) {
            _ = try element.choice(AccessControlRequirement.table.map { ($0.name, $0.flag) })
        }
        guard let requirement = AccessControlRequirement(try texts()) else {
            throw error("a flag is unknown")
        }
        return requirement
    }
}

/// An element of a list in which each element has its own name.
private protocol ScenarioNamed { var name: String { get } }

extension Scenario.DeviceSetup: ScenarioNamed {}
extension Scenario.AppSetup: ScenarioNamed {}
extension Scenario.ItemSetup: ScenarioNamed {}
extension Scenario.FileSetup: ScenarioNamed {}
