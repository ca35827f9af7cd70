import Foundation

/// Objects whose addresses a caller has, for as long as the collection that they are from lives.
///
/// Foundation on Linux makes a new object when a collection gives a string or a dictionary back.
/// Its address would be that of nothing a moment later. `@unchecked Sendable` is sound because
/// `lock` guards the table.
final class LentObjects: @unchecked Sendable {
    private struct Loan {
        weak var collection: AnyObject?
        var objects: [AnyHashable: [AnyObject]] = [:]
    }

    static let shared = LentObjects()

    private let lock = NSLock()
    private var loans: [ObjectIdentifier: Loan] = [:]

    /// Returns the address of the object that `read` gets; valid while the collection has it.
    ///
    /// - Parameters:
    ///   - key: What names the object in the collection.
    ///   - collection: What the object is from.
    ///   - read: Gets the object out of the collection.
    /// - Returns: The address, or nil without an object.
    func address(
        _ key: AnyHashable,
        in collection: AnyObject,
        _ read: () -> AnyObject?
    ) -> UnsafeRawPointer? {
        guard let object = read() else { return nil }
        // The same object twice is one that the collection keeps.
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

/// The object at an address that a C interface takes.
func object(at address: UnsafeRawPointer?) -> AnyObject? {
    address.map { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
}
