import Glibc

@_implementationOnly import CWitness

/// Capabilities that an executable gives to whoever runs it.
package enum FileCapabilities {
    /// Whether the open file has some; true as well where that cannot be told.
    package static func areSet(on descriptor: Int32) -> Bool {
        witness_has_capabilities(descriptor) != 0
    }
}
