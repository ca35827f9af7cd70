import CoreFoundation
import Foundation

extension [UInt8] {
    /// A copy of the bytes as an object.
    var object: NSData { NSData(bytes: self, length: count) }
}

extension NSData {
    /// The bytes, copied once.
    var byteArray: [UInt8] {
        guard length > 0 else { return [] }
        return [UInt8](UnsafeRawBufferPointer(start: bytes, count: length))
    }
}
