/// A method, or the object that has it.
package struct BusMethod {
    package let service: String
    package let path: String
    package let interface: String
    package var member = ""

    package init(service: String, path: String, interface: String) {
        self.service = service
        self.path = path
        self.interface = interface
    }

    /// Returns another method of the same object.
    package func method(_ name: String) -> BusMethod {
        var method = self
        method.member = name
        return method
    }
}
