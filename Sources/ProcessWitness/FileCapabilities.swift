import Glibc

@_implementationOnly import CWitness

/// Capabilities that an executable gives to any process that runs it.
package enum FileCapabilities {
    /// Whether the open file has any; true if that is unknown.
    package static func areSet(on descriptor: Int32) -> Bool {
        witness_has_capabilities(descriptor) != 0
    }
}
