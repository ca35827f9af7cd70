import CoreFoundation
import Foundation

extension NSData {
    /// The bytes, copied once.
    var byteArray: [UInt8] {
        guard length > 0 else { return [] }
        return [UInt8](UnsafeRawBufferPointer(start: bytes, count: length))
    }
}
