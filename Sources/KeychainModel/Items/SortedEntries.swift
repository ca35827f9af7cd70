/// A small dictionary with sorted keys.
///
/// It works without hashing: items and queries have few attributes, which mostly arrive in order.
/// Lookup is a binary search; an entry that is added out of order moves the later ones.
///
/// Public, in a module that no product exports, so that other modules compile it for their types.
@frozen
public struct SortedEntries<Key: Comparable, Value> {
    /// A key and its value.
    public typealias Element = (key: Key, value: Value)

    @usableFromInline
    var keyList: [Key] = []
    @usableFromInline
    var valueList: [Value] = []

    /// The keys, ascending.
    @inlinable
    public var keys: [Key] { keyList }
    /// The values in the order of their keys.
    @inlinable
    public var values: [Value] { valueList }

    /// Creates an empty collection with room for `minimumCapacity` entries.
    @inlinable
    public init(minimumCapacity: Int = 0) {
        guard minimumCapacity > 0 else { return }
        keyList.reserveCapacity(minimumCapacity)
        valueList.reserveCapacity(minimumCapacity)
    }

    /// Creates the entries of a sequence; if a key occurs several times, the last value wins.
    @inlinable
    public init(_ elements: some Sequence<(Key, Value)>) {
        self.init(minimumCapacity: elements.underestimatedCount)
        for (key, value) in elements { self[key] = value }
    }

    /// Returns the index of the key, or the index at which it belongs.
    @inlinable
    func place(of key: Key) -> (index: Int, isPresent: Bool) {
        var low = 0
        var high = keyList.count
        while low < high {
            let middle = (low + high) / 2
            if keyList[middle] < key { low = middle + 1 } else { high = middle }
        }
        return (low, low < keyList.count && keyList[low] == key)
    }

    /// The value of a key; assigning nil removes the entry.
    @inlinable
    public subscript(key: Key) -> Value? {
        get { value(of: key) }
        set { put(newValue, under: key) }
    }

    @inlinable
    func value(of key: Key) -> Value? {
        let place = place(of: key)
        return place.isPresent ? valueList[place.index] : nil
    }

    @inlinable
    mutating func put(_ value: Value?, under key: Key) {
        guard let value else {
            removeValue(forKey: key)
            return
        }
        if keyList.last.map({ $0 < key }) ?? true {
            keyList.append(key)
            valueList.append(value)
            return
        }
        let place = place(of: key)
        if place.isPresent {
            valueList[place.index] = value
        } else {
            keyList.insert(key, at: place.index)
            valueList.insert(value, at: place.index)
        }
    }

    /// Removes an entry.
    ///
    /// - Parameter key: The key of the entry.
    /// - Returns: The value, or nil if there was none.
    @inlinable
    @discardableResult
    public mutating func removeValue(forKey key: Key) -> Value? {
        let place = place(of: key)
        guard place.isPresent else { return nil }
        keyList.remove(at: place.index)
        return valueList.remove(at: place.index)
    }

    /// Returns the entries for which a closure returns true.
    @inlinable
    public func filter(_ isIncluded: (Element) throws -> Bool) rethrows -> Self {
        var found = Self()
        for entry in self where try isIncluded(entry) { found[entry.key] = entry.value }
        return found
    }

    /// Adds the entries of another collection.
    ///
    /// For a key of both, the closure combines this collection's value and the other's.
    @inlinable
    public mutating func merge(_ other: Self, uniquingKeysWith combine: (Value, Value) -> Value) {
        for (key, value) in other {
            self[key] = self[key].map { combine($0, value) } ?? value
        }
    }

    /// Returns the entries of both collections.
    ///
    /// For a key of both, the closure combines this collection's value and the other's.
    @inlinable
    public func merging(_ other: Self, uniquingKeysWith combine: (Value, Value) -> Value) -> Self {
        var merged = self
        merged.merge(other, uniquingKeysWith: combine)
        return merged
    }
}

extension SortedEntries: RandomAccessCollection {
    /// 0.
    @inlinable
    public var startIndex: Int { 0 }
    /// The number of entries.
    @inlinable
    public var endIndex: Int { keyList.count }
    /// Returns the entry at an index in the order of the keys.
    @inlinable
    public subscript(position: Int) -> Element { (keyList[position], valueList[position]) }
}

extension SortedEntries: ExpressibleByDictionaryLiteral {
    /// Creates the entries of a literal; if a key occurs several times, the last value wins.
    @inlinable
    public init(dictionaryLiteral elements: (Key, Value)...) { self.init(elements) }
}

extension SortedEntries: Equatable where Value: Equatable {
    /// Whether two collections have the same keys with the same values.
    @inlinable
    public static func == (left: Self, right: Self) -> Bool {
        left.keyList == right.keyList && left.valueList == right.valueList
    }
}

extension SortedEntries: Hashable where Key: Hashable, Value: Hashable {
    /// Hashes keys and values.
    @inlinable
    public func hash(into hasher: inout Hasher) {
        hasher.combine(keyList)
        hasher.combine(valueList)
    }
}

extension SortedEntries: Sendable where Key: Sendable, Value: Sendable {}

/// The attributes of an item or a query.
package typealias AttributeValues = SortedEntries<Attribute, AttributeValue>
