import CoreFoundation
import Foundation
import KeychainModel

/// Collects the entries of a dictionary that a search hands back, to be hashed once.
///
/// It has to be an `NSDictionary` and no subclass: Foundation takes the entries of no other class
/// when it makes a Swift dictionary of one.
struct DictionaryBuilder {
    private var keys: [NSObject] = []
    private var values: [AnyObject] = []

    init(capacity: Int) {
        keys.reserveCapacity(capacity)
        values.reserveCapacity(capacity)
    }

    /// The names of attributes as objects, made once; nobody changes one.
    nonisolated(unsafe) private static let names: SortedEntries<Attribute, NSString> = {
        SortedEntries(
            Schema.rows.map { ($0.attribute, NSString(string: $0.attribute.rawValue)) }
        )
    }()

    /// Adds an entry; no two may have the same name.
    mutating func add(_ attribute: Attribute, _ value: AnyObject) {
        keys.append(Self.names[attribute] ?? NSString(string: attribute.rawValue))
        values.append(value)
    }

    /// Adds an entry under a key that is not an attribute.
    mutating func add(_ key: QueryKey, _ value: AnyObject) {
        keys.append(NSString(string: key.rawValue))
        values.append(value)
    }

    var dictionary: NSDictionary {
        values.withUnsafeBufferPointer { values in
            keys.withUnsafeBufferPointer { keys in
                NSDictionary(
                    objects: values.baseAddress,
                    forKeys: keys.baseAddress,
                    count: keys.count
                )
            }
        }
    }
}
