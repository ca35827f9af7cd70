import SyncRelay

/// Where an etcd cluster is, and who is asking.
package struct EtcdPlace: Sendable {
    /// Addresses such as `https://etcd.example:2379`; the first that answers is taken.
    package var endpoints: [String]
    /// A file that nobody else may read, with `user:password`; nil for none.
    package var credentialsFile: String?
    /// Certificates of authorities, in PEM; nil for those of the system.
    package var authoritiesFile: String?
    /// The client's certificate, in PEM; nil for none.
    package var certificateFile: String?
    /// Its private key, in PEM.
    package var keyFile: String?

    /// A cluster that asks for no credentials.
    package init(_ endpoints: [String]) { self.endpoints = endpoints }

    /// - Throws: `refused` for what is no address, and for a password that others could read on
    ///   its way.
    func check() throws(RelayError) {
        guard !endpoints.isEmpty else { throw .refused("no address of etcd is given") }
        for endpoint in endpoints {
            let isSecure = endpoint.hasPrefix("https://")
            guard isSecure || endpoint.hasPrefix("http://"),
                !endpoint.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7F }),
                !endpoint.contains("@")
            else { throw .refused("\(endpoint) is no address such as https://etcd.example:2379") }
            guard isSecure || credentialsFile == nil || Self.isHere(endpoint) else {
                throw .refused("a password goes to \(endpoint) in clear text: use https")
            }
        }
    }

    private static func isHere(_ endpoint: String) -> Bool {
        let rest = endpoint.dropFirst("http://".count)
        return ["127.0.0.1", "localhost", "[::1]"].contains { host in
            rest.hasPrefix(host) && [":", "/", nil].contains(rest.dropFirst(host.count).first)
        }
    }

    /// User and password.
    ///
    /// - Throws: `refused` if the file is not there, can be read by others or has another form.
    func credentials() throws(RelayError) -> (user: String, password: String)? {
        guard let credentialsFile else { return nil }
        let text = try PrivateFile.text(credentialsFile)
        guard let colon = text.firstIndex(of: ":") else {
            throw .refused("\(credentialsFile) has no user and password with a colon between them")
        }
        return (String(text[..<colon]), String(text[text.index(after: colon)...]))
    }
}
