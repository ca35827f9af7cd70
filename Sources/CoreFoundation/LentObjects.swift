import Foundation

/// Objects whose addresses a caller has, kept for as long as the collection that contains them.
///
/// Foundation on Linux creates a new object when a collection returns a string or a dictionary, and
/// its address would soon be invalid. `@unchecked Sendable` is sound because `lock` guards the
/// table.
final class LentObjects: @unchecked Sendable {
    private struct Loan {
        weak var collection: AnyObject?
        var objects: [AnyHashable: [AnyObject]] = [:]
    }

    static let shared = LentObjects()

    private let lock = NSLock()
    private var loans: [ObjectIdentifier: Loan] = [:]

    /// Returns the address of the object from `read`; valid while the collection has it.
    ///
    /// - Parameters:
    ///   - key: The name of the object in the collection.
    ///   - collection: The collection of the object.
    ///   - read: Reads the object from the collection.
    /// - Returns: The address, or nil without an object.
    func address(
        _ key: AnyHashable,
        in collection: AnyObject,
        _ read: () -> AnyObject?
    ) -> UnsafeRawPointer? {
        guard let object = read() else { return nil }
        // If both reads return the same object, the collection keeps it.
        let kept = read() === object ? object : keep(object, key, collection)
        return UnsafeRawPointer(Unmanaged.passUnretained(kept).toOpaque())
    }

    private func keep(
        _ object: AnyObject,
        _ key: AnyHashable,
        _ collection: AnyObject
    ) -> AnyObject {
        lock.withLock {
            loans = loans.filter { $0.value.collection != nil }
            let place = ObjectIdentifier(collection)
            var loan = loans[place] ?? Loan(collection: collection)
            let lent = loan.objects[key] ?? []
            if let same = lent.first(where: { CFEqual($0, object) }) { return same }
            loan.objects[key] = lent + [object]
            loans[place] = loan
            return object
        }
    }
}

/// Returns the object at an address from a C interface.
func object(at address: UnsafeRawPointer?) -> AnyObject? {
    address.map { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
}
