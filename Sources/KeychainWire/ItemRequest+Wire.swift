import KeychainMessages
import KeychainModel

extension ItemRequest: WireValue {
    private enum Kind: UInt8, WireKind {
        case add = 1
        case copyMatching = 2
        case list = 3
        case update = 4
        case delete = 5
        case addAll = 6
        case replaceAccessControl = 7

        static var meaning: String { "request about items" }
    }

    func write(to buffer: inout WireBuffer) {
        switch self {
        case .add(let item):
            buffer.put(kind: Kind.add)
            buffer.put(item)
        case .copyMatching(let query):
            buffer.put(kind: Kind.copyMatching)
            buffer.put(query)
        case .list(let query):
            buffer.put(kind: Kind.list)
            buffer.put(query)
        case .update(let query, let values):
            buffer.put(kind: Kind.update)
            buffer.put(query)
            buffer.put(values)
        case .delete(let query):
            buffer.put(kind: Kind.delete)
            buffer.put(query)
        case .addAll(let items, let rule):
            buffer.put(kind: Kind.addAll)
            buffer.put(list: items, WireLimit.entries)
            buffer.put(rule)
        case .replaceAccessControl(let query, let flags, let protection):
            buffer.put(kind: Kind.replaceAccessControl)
            buffer.put(query)
            buffer.put(flags.rawValue)
            buffer.put(optional: protection)
        }
    }

    init(from reader: inout WireReader) throws(WireError) {
        switch try reader.kind(Kind.self) {
        case .add: self = .add(try reader.take())
        case .copyMatching: self = .copyMatching(try reader.take())
        case .list: self = .list(try reader.take())
        case .update: self = .update(try reader.take(), with: try reader.take())
        case .delete: self = .delete(try reader.take())
        case .addAll:
            self = .addAll(
                try reader.takeList(WireLimit.entries),
                duplicates: try reader.take()
            )
        case .replaceAccessControl:
            self = .replaceAccessControl(
                try reader.take(),
                flags: AccessControl.Flags(rawValue: try reader.integer()),
                protection: try reader.takeOptional()
            )
        }
    }
}
