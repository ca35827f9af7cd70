import SyncRelay

/// The addresses and credentials of an etcd cluster.
package struct EtcdPlace: Sendable {
    /// Addresses such as `https://etcd.example:2379`; the client uses the first that answers.
    package var endpoints: [String]
    /// A file with `user:password` that only its owner may read; nil if there is none.
    package var credentialsFile: String?
    /// A file with certificates of authorities in PEM; nil for those of the system.
    package var authoritiesFile: String?
    /// A file with the client's certificate in PEM; nil if it has none.
    package var certificateFile: String?
    /// A file with the certificate's private key in PEM.
    package var keyFile: String?

    /// Describes a cluster without credentials.
    package init(_ endpoints: [String]) { self.endpoints = endpoints }

    /// Checks the addresses.
    ///
    /// - Throws: `refused` for an invalid address, and for a password that would travel
    ///   unencrypted.
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

    /// Returns the user and the password; nil if there is no file for them.
    ///
    /// - Throws: `refused` if the file does not exist, is readable by others, or has another form.
    func credentials() throws(RelayError) -> (user: String, password: String)? {
        guard let credentialsFile else { return nil }
        let text = try PrivateFile.text(credentialsFile)
        guard let colon = text.firstIndex(of: ":") else {
            throw .refused("\(credentialsFile) has no user and password with a colon between them")
        }
        return (String(text[..<colon]), String(text[text.index(after: colon)...]))
    }
}
