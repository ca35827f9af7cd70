/// A way to obtain and free memory; here it only decides whether data frees borrowed bytes.
public final class CFAllocator: Sendable {
    /// Whether bytes passed with this allocator are freed with `free`.
    let frees: Bool

    init(frees: Bool) {
        self.frees = frees
    }
}

/// The usual allocator, which frees with `free`.
public let kCFAllocatorDefault: CFAllocator! = CFAllocator(frees: true)
/// The system's allocator, which frees with `free`.
public let kCFAllocatorSystemDefault: CFAllocator! = CFAllocator(frees: true)
/// The allocator of `malloc` and `free`.
public let kCFAllocatorMalloc: CFAllocator! = CFAllocator(frees: true)
/// The allocator that frees nothing: the caller keeps the bytes.
public let kCFAllocatorNull: CFAllocator! = CFAllocator(frees: false)
