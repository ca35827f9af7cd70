import Glibc
import SyncRelay

/// A system library that is loaded on first use and stays loaded.
package struct LoadedLibrary {
    private let name: String
    private let handle: UnsafeMutableRawPointer

    /// Loads the first of these libraries that is installed.
    ///
    /// - Throws: `refused` with the name of the Debian package.
    package init(_ names: [String], package: String) throws(RelayError) {
        for name in names {
            guard let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) else { continue }
            self.name = name
            self.handle = handle
            return
        }
        let list = names.joined(separator: " or ")
        throw .refused("\(list) cannot be loaded; install it: sudo apt-get install \(package)")
    }

    /// Returns the function with a name; `Function` is its type in the header.
    package func symbol<Function>(_ symbol: String) throws(RelayError) -> Function {
        guard let address = dlsym(handle, symbol) else {
            throw .refused("\(name) has no \(symbol); it is too old or too new")
        }
        return unsafeBitCast(address, to: Function.self)
    }

    /// Returns the function with a name, without a type.
    package func address(_ symbol: String) throws(RelayError) -> UnsafeMutableRawPointer {
        guard let address = dlsym(handle, symbol) else {
            throw .refused("\(name) has no \(symbol); it is too old or too new")
        }
        return address
    }
}
