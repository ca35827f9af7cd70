/// The reason why a PKCS#12 file was not read or written.
package enum PKCS12Error: Error, Equatable {
    /// The integrity check fails under this password.
    case wrongPassword

    /// The structure is not PKCS#12, or its content does not hold together.
    case damaged

    /// It uses an unknown feature; the text names it.
    case unsupported(String)

    /// The library failed; the text is its own message.
    case backend(String)
}
