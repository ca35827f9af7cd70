import CallerEvidence
import KeychainMessages
import KeychainModel

extension CallerDescription: WireValue {
    func write(to buffer: inout WireBuffer) {
        buffer.put(judged)
        buffer.put(list: groups, WireLimit.entries)
        buffer.put(optional: defaultGroup)
    }

    init(from reader: inout WireReader) throws(WireError) {
        self.init(
            judged: try reader.take(),
            groups: try reader.takeList(WireLimit.entries),
            defaultGroup: try reader.takeOptional()
        )
    }
}

extension JudgedCaller: WireValue {
    func write(to buffer: inout WireBuffer) {
        buffer.put(evidence)
        buffer.put(level)
        buffer.put(list: reasons, WireLimit.entries)
        buffer.put(name)
        buffer.put(entitlements)
    }

    init(from reader: inout WireReader) throws(WireError) {
        self.init(
            evidence: try reader.take(),
            level: try reader.take(),
            reasons: try reader.takeList(WireLimit.entries),
            name: try reader.take(),
            entitlements: try reader.take()
        )
    }
}

extension Entitlements: WireValue {
    func write(to buffer: inout WireBuffer) {
        buffer.put(optional: applicationIdentifier)
        buffer.put(list: keychainAccessGroups, WireLimit.entries)
        buffer.put(list: applicationGroups, WireLimit.entries)
    }

    init(from reader: inout WireReader) throws(WireError) {
        self.init(
            applicationIdentifier: try reader.takeOptional(),
            keychainAccessGroups: try reader.takeList(WireLimit.entries),
            applicationGroups: try reader.takeList(WireLimit.entries)
        )
    }
}

extension Evidence: WireValue {
    func write(to buffer: inout WireBuffer) {
        buffer.put(userID)
        buffer.put(processID)
        buffer.put(optional: executable)
        buffer.put(optional: systemUnit)
        buffer.put(optional: confinement)
        buffer.put(isExecutedSecurely)
        buffer.put(isTraced)
        buffer.put(list: foreignMappings, WireLimit.entries)
    }

    init(from reader: inout WireReader) throws(WireError) {
        self.init(userID: try reader.integer(), processID: try reader.integer())
        executable = try reader.takeOptional()
        systemUnit = try reader.takeOptional()
        confinement = try reader.takeOptional()
        isExecutedSecurely = try reader.take()
        isTraced = try reader.take()
        foreignMappings = try reader.takeList(WireLimit.entries)
    }
}

extension ExecutableEvidence: WireValue {
    func write(to buffer: inout WireBuffer) {
        buffer.put(path)
        buffer.put(device)
        buffer.put(inode)
        buffer.put(optional: digest)
        buffer.put(isRootOwned)
        buffer.put(hasClientGroup)
        buffer.put(isReplaceable)
        buffer.put(isPresent)
    }

    init(from reader: inout WireReader) throws(WireError) {
        self.init(
            path: try reader.take(),
            device: try reader.integer(),
            inode: try reader.integer(),
            digest: try reader.takeOptional(),
            isRootOwned: try reader.take(),
            hasClientGroup: try reader.take(),
            isReplaceable: try reader.take(),
            isPresent: try reader.take()
        )
    }
}

extension Confinement: WireValue {
    private enum Kind: UInt8, WireKind {
        case flatpak = 1
        case snap = 2
        case label = 3

        static var meaning: String { "kind of sandbox" }
    }

    func write(to buffer: inout WireBuffer) {
        switch self {
        case .flatpak(let name):
            buffer.put(kind: Kind.flatpak)
            buffer.put(name)
        case .snap(let name):
            buffer.put(kind: Kind.snap)
            buffer.put(name)
        case .label(let name):
            buffer.put(kind: Kind.label)
            buffer.put(name)
        }
    }

    init(from reader: inout WireReader) throws(WireError) {
        switch try reader.kind(Kind.self) {
        case .flatpak: self = .flatpak(try reader.take())
        case .snap: self = .snap(try reader.take())
        case .label: self = .label(try reader.take())
        }
    }
}

extension AccessGrant: WireValue {
    static var leastByteCount: Int { 10 }

    func write(to buffer: inout WireBuffer) {
        buffer.put(group)
        buffer.put(program)
        buffer.put(optional: digest)
    }

    init(from reader: inout WireReader) throws(WireError) {
        self.init(
            group: try reader.take(),
            program: try reader.take(),
            digest: try reader.takeOptional()
        )
    }
}

extension ProgramSelector: WireValue {
    private enum Kind: UInt8, WireKind {
        case program = 1
        case unit = 2
        case flatpak = 3
        case snap = 4
        case label = 5
        case account = 6

        static var meaning: String { "kind of program selector" }
    }

    private var kind: Kind {
        switch self {
        case .program: .program
        case .unit: .unit
        case .flatpak: .flatpak
        case .snap: .snap
        case .label: .label
        case .account: .account
        }
    }

    func write(to buffer: inout WireBuffer) {
        buffer.put(kind: kind)
        buffer.put(value)
    }

    init(from reader: inout WireReader) throws(WireError) {
        switch try reader.kind(Kind.self) {
        case .program: self = .program(try reader.take())
        case .unit: self = .unit(try reader.take())
        case .flatpak: self = .flatpak(try reader.take())
        case .snap: self = .snap(try reader.take())
        case .label: self = .label(try reader.take())
        case .account: self = .account(try reader.take())
        }
    }
}
