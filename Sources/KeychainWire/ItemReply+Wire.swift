import KeychainMessages
import KeychainModel
import Secrets

extension ItemReply: WireValue {
    private enum Kind: UInt8, WireKind {
        case done = 1
        case earlierValueStays = 2
        case result = 3
        case listing = 4
        case results = 5

        static var meaning: String { "reply about items" }
    }

    func write(to buffer: inout WireBuffer) {
        switch self {
        case .done: buffer.put(kind: Kind.done)
        case .earlierValueStays: buffer.put(kind: Kind.earlierValueStays)
        case .result(let result):
            buffer.put(kind: Kind.result)
            buffer.put(result)
        case .listing(let listing):
            buffer.put(kind: Kind.listing)
            buffer.put(listing)
        case .results(let results):
            buffer.put(kind: Kind.results)
            buffer.put(list: results, WireLimit.results)
        }
    }

    init(from reader: inout WireReader) throws(WireError) {
        switch try reader.kind(Kind.self) {
        case .done: self = .done
        case .earlierValueStays: self = .earlierValueStays
        case .result: self = .result(try reader.take())
        case .listing: self = .listing(try reader.take())
        case .results: self = .results(try reader.takeList(WireLimit.results))
        }
    }
}

extension ItemResult: WireValue {
    private enum Kind: UInt8, WireKind {
        case nothing = 1
        case data = 2
        case persistentReference = 3
        case dictionary = 4
        case reference = 5
        case array = 6

        static var meaning: String { "kind of result" }
    }

    func write(to buffer: inout WireBuffer) {
        switch self {
        case .nothing: buffer.put(kind: Kind.nothing)
        case .data(let secret):
            buffer.put(kind: Kind.data)
            buffer.put(secret: secret)
        case .persistentReference(let bytes):
            buffer.put(kind: Kind.persistentReference)
            buffer.put(bytes)
        case .dictionary(let dictionary):
            buffer.put(kind: Kind.dictionary)
            buffer.put(dictionary)
        case .reference(let item):
            buffer.put(kind: Kind.reference)
            buffer.put(item)
        case .array(let results):
            buffer.put(kind: Kind.array)
            guard buffer.descend() else { return }
            buffer.put(list: results, WireLimit.results)
            buffer.ascend()
        }
    }

    init(from reader: inout WireReader) throws(WireError) {
        switch try reader.kind(Kind.self) {
        case .nothing: self = .nothing
        case .data: self = .data(try reader.secret())
        case .persistentReference: self = .persistentReference(try reader.take())
        case .dictionary: self = .dictionary(try reader.take())
        case .reference: self = .reference(try reader.take())
        case .array:
            try reader.descend()
            self = .array(try reader.takeList(WireLimit.results))
            reader.ascend()
        }
    }
}

extension ItemDictionary: WireValue {
    static var leastByteCount: Int { 8 }

    func write(to buffer: inout WireBuffer) {
        buffer.put(attributes)
        buffer.put(optionalSecret: data)
        buffer.put(optional: persistentReference)
        buffer.put(optional: itemClass)
        buffer.put(optional: reference)
    }

    init(from reader: inout WireReader) throws(WireError) {
        self.init()
        attributes = try reader.take()
        data = try reader.optionalSecret()
        persistentReference = try reader.takeOptional()
        itemClass = try reader.takeOptional()
        reference = try reader.takeOptional()
    }
}

extension ReferencedItem: WireValue {
    func write(to buffer: inout WireBuffer) {
        buffer.put(itemClass)
        buffer.put(attributes)
        buffer.put(secret: data)
        buffer.put(optionalSecret: certificate)
    }

    init(from reader: inout WireReader) throws(WireError) {
        self.init(
            itemClass: try reader.take(),
            attributes: try reader.take(),
            data: try reader.secret(),
            certificate: try reader.optionalSecret()
        )
    }
}

extension Listing: WireValue {
    func write(to buffer: inout WireBuffer) {
        buffer.put(list: items, WireLimit.results)
        buffer.put(list: outOfReach, WireLimit.results)
    }

    init(from reader: inout WireReader) throws(WireError) {
        self.init()
        items = try reader.takeList(WireLimit.results)
        outOfReach = try reader.takeList(WireLimit.results)
    }
}

extension OutOfReachItem: WireValue {
    static var leastByteCount: Int { 19 }

    func write(to buffer: inout WireBuffer) {
        buffer.put(itemClass)
        buffer.put(obstacle)
        buffer.put(attributes)
        buffer.put(persistentReference)
        buffer.put(error)
    }

    init(from reader: inout WireReader) throws(WireError) {
        self.init(
            try reader.take(),
            try reader.take(),
            attributes: try reader.take(),
            persistentReference: try reader.take(),
            error: try reader.take()
        )
    }
}
