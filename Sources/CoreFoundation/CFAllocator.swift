/// A way to obtain and give back memory; here only the way to give back borrowed bytes matters.
public final class CFAllocator: Sendable {
    /// Whether bytes handed over with this allocator are freed with `free`.
    let frees: Bool

    init(frees: Bool) {
        self.frees = frees
    }
}

/// The usual allocator.
public let kCFAllocatorDefault: CFAllocator! = CFAllocator(frees: true)
/// The allocator the usual one falls back to.
public let kCFAllocatorSystemDefault: CFAllocator! = CFAllocator(frees: true)
/// The allocator of `malloc` and `free`.
public let kCFAllocatorMalloc: CFAllocator! = CFAllocator(frees: true)
/// The allocator that does nothing: bytes handed over with it stay the caller's.
public let kCFAllocatorNull: CFAllocator! = CFAllocator(frees: false)
