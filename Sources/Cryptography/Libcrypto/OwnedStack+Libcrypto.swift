@_implementationOnly import CCrypto

/// A libcrypto list that owns its elements.
final class OwnedStack {
    /// The libcrypto object, owned by this one.
    let pointer: OpaquePointer

    private let freeElement: OPENSSL_sk_freefunc

    /// Takes over a list.
    ///
    /// - Parameters:
    ///   - pointer: The list.
    ///   - freeElement: The function that frees an element.
    init(owning pointer: OpaquePointer, freeElement: @escaping OPENSSL_sk_freefunc) {
        self.pointer = pointer
        self.freeElement = freeElement
    }

    deinit {
        OPENSSL_sk_pop_free(pointer, freeElement)
    }

    /// Creates an empty list.
    ///
    /// - Throws: `backend` when memory is short.
    static func empty(
        freeElement: @escaping OPENSSL_sk_freefunc
    ) throws(CryptographyError) -> OwnedStack {
        OwnedStack(owning: try require(OPENSSL_sk_new_null()), freeElement: freeElement)
    }

    /// The elements, which live as long as the list.
    var elements: [UnsafeMutableRawPointer] {
        (0..<max(0, OPENSSL_sk_num(pointer))).compactMap { OPENSSL_sk_value(pointer, $0) }
    }

    /// Passes an element to the list, which then owns it.
    ///
    /// - Throws: `backend` when memory is short; the element is then freed.
    func append(_ element: UnsafeMutableRawPointer) throws(CryptographyError) {
        guard OPENSSL_sk_push(pointer, element) > 0 else {
            freeElement(element)
            throw .backend("out of memory")
        }
    }
}
