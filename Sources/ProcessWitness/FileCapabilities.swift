import Glibc

@_implementationOnly import CWitness

/// The capabilities that an executable gives to its process.
package enum FileCapabilities {
    /// Whether the open file has some, or the kernel does not say.
    package static func areSet(on descriptor: Int32) -> Bool {
        witness_has_capabilities(descriptor) != 0
    }
}
