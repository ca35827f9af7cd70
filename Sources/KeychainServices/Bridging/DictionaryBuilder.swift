import CoreFoundation
import Foundation
import KeychainModel

/// A builder of a dictionary that a search returns, which hashes the entries once.
///
/// The result must be an `NSDictionary` and not a subclass: Foundation copies the entries of no
/// other class when it creates a Swift dictionary.
struct DictionaryBuilder {
    private var keys: [NSObject] = []
    private var values: [AnyObject] = []

    init(capacity: Int) {
        keys.reserveCapacity(capacity)
        values.reserveCapacity(capacity)
    }

    /// The names of attributes as objects, created once and never changed.
    nonisolated(unsafe) private static let names: SortedEntries<Attribute, NSString> = {
        SortedEntries(
            Schema.rows.map { ($0.attribute, NSString(string: $0.attribute.rawValue)) }
        )
    }()

    /// Adds an entry; names must be unique.
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
