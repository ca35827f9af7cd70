import KeychainMessages

extension Request: WireValue {
    private enum Kind: UInt8, WireKind {
        case items = 1
        case elementKey = 2
        case authenticate = 3
        case device = 4
        case maintenance = 5
        case fileKeys = 6
        case synchronization = 7

        static var meaning: String { "group of requests" }
    }

    func write(to buffer: inout WireBuffer) {
        switch self {
        case .items(let request):
            buffer.put(kind: Kind.items)
            buffer.put(request)
        case .elementKey(let request):
            buffer.put(kind: Kind.elementKey)
            buffer.put(request)
        case .authenticate(let request):
            buffer.put(kind: Kind.authenticate)
            buffer.put(request)
        case .device(let request):
            buffer.put(kind: Kind.device)
            buffer.put(request)
        case .maintenance(let request):
            buffer.put(kind: Kind.maintenance)
            buffer.put(request)
        case .fileKeys(let request):
            buffer.put(kind: Kind.fileKeys)
            buffer.put(request)
        case .synchronization(let request):
            buffer.put(kind: Kind.synchronization)
            buffer.put(request)
        }
    }

    init(from reader: inout WireReader) throws(WireError) {
        switch try reader.kind(Kind.self) {
        case .items: self = .items(try reader.take())
        case .elementKey: self = .elementKey(try reader.take())
        case .authenticate: self = .authenticate(try reader.take())
        case .device: self = .device(try reader.take())
        case .maintenance: self = .maintenance(try reader.take())
        case .fileKeys: self = .fileKeys(try reader.take())
        case .synchronization: self = .synchronization(try reader.take())
        }
    }
}

extension Reply: WireValue {
    private enum Kind: UInt8, WireKind {
        case items = 1
        case elementKey = 2
        case authentication = 3
        case device = 4
        case maintenance = 5
        case fileKeys = 6
        case synchronization = 7

        static var meaning: String { "group of replies" }
    }

    func write(to buffer: inout WireBuffer) {
        switch self {
        case .items(let reply):
            buffer.put(kind: Kind.items)
            buffer.put(reply)
        case .elementKey(let reply):
            buffer.put(kind: Kind.elementKey)
            buffer.put(reply)
        case .authentication(let reply):
            buffer.put(kind: Kind.authentication)
            buffer.put(reply)
        case .device(let reply):
            buffer.put(kind: Kind.device)
            buffer.put(reply)
        case .maintenance(let reply):
            buffer.put(kind: Kind.maintenance)
            buffer.put(reply)
        case .fileKeys(let reply):
            buffer.put(kind: Kind.fileKeys)
            buffer.put(reply)
        case .synchronization(let reply):
            buffer.put(kind: Kind.synchronization)
            buffer.put(reply)
        }
    }

    init(from reader: inout WireReader) throws(WireError) {
        switch try reader.kind(Kind.self) {
        case .items: self = .items(try reader.take())
        case .elementKey: self = .elementKey(try reader.take())
        case .authentication: self = .authentication(try reader.take())
        case .device: self = .device(try reader.take())
        case .maintenance: self = .maintenance(try reader.take())
        case .fileKeys: self = .fileKeys(try reader.take())
        case .synchronization: self = .synchronization(try reader.take())
        }
    }
}
