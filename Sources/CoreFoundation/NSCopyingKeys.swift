// Code from before Swift's dictionaries writes `forKey: kSecClass as! NSCopying`, because
// Objective-C's dictionaries take keys that can be copied. Foundation on Linux takes `AnyHashable`.
import Foundation

extension NSMutableDictionary {
    /// Sets the value of a key.
    ///
    /// A key that is no object of Foundation is ignored.
    @_disfavoredOverload
    public func setObject(_ anObject: Any, forKey aKey: any NSCopying) {
        guard let key = aKey as? NSObject else { return }
        setObject(anObject, forKey: AnyHashable(key))
    }
}

extension NSDictionary {
    /// Creates a dictionary of values and as many keys.
    @_disfavoredOverload
    public convenience init(objects: [Any], forKeys keys: [any NSCopying]) {
        let pairs = zip(objects, keys).compactMap { object, key in
            (key as? NSObject).map { (object, $0) }
        }
        self.init(objects: pairs.map(\.0), forKeys: pairs.map(\.1))
    }

    /// Creates a dictionary of one value.
    @_disfavoredOverload
    public convenience init(object: Any, forKey key: any NSCopying) {
        self.init(objects: [object], forKeys: [key])
    }
}
