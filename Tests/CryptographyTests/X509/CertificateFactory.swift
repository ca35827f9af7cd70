import Cryptography
import Secrets

/// Certificates on keys of P-256, made with the openssl command.
struct CertificateFactory {
    let workshop: OpenSSLWorkshop

    init() throws {
        workshop = try OpenSSLWorkshop()
    }

    /// Makes a root named like its file.
    func root(_ name: String, subject: String? = nil, days: Int = 30) throws -> Certificate {
        try makeKey(name)
        try workshop.run(
            "req -x509 -new -key \(name).pem -days \(days) -out \(name).crt -config",
            try configuration(),
            "-subj",
            subject ?? "/CN=\(name)",
            "-extensions",
            "authority"
        )
        return try read(name)
    }

    /// Makes a certificate named like its file.
    ///
    /// - Parameters:
    ///   - name: The file, and the common name unless `subject` says otherwise.
    ///   - issuer: The file of the issuer.
    ///   - subject: In the command's form, `/CN=…`.
    ///   - extensions: Lines of a configuration section.
    ///   - options: More for `openssl x509`.
    /// - Returns: The certificate.
    /// - Throws: If the command fails or its result cannot be read.
    func certificate(
        _ name: String,
        issuer: String,
        subject: String? = nil,
        extensions: String = "",
        options: String = "-days 20"
    ) throws -> Certificate {
        try makeKey(name)
        try workshop.write("[ extensions ]\n\(extensions)\n", to: "\(name).ext")
        try workshop.run(
            "req -new -utf8 -key \(name).pem -out \(name).csr -config",
            try configuration(),
            "-subj",
            subject ?? "/CN=\(name)"
        )
        try workshop.run(
            """
            x509 -req -in \(name).csr -CA \(issuer).crt -CAkey \(issuer).pem -CAcreateserial \
            -out \(name).crt -extfile \(name).ext -extensions extensions \(options)
            """
        )
        return try read(name)
    }

    /// Makes a certificate whose period of validity is exact, and whose issuer may be itself.
    ///
    /// - Parameters:
    ///   - name: The file and the common name.
    ///   - issuer: The file of the issuer.
    ///   - start: The first second, such as `20190702000000Z`.
    ///   - end: The last second.
    ///   - extensions: Lines of a configuration section.
    ///   - key: What `openssl genpkey` makes.
    ///   - hash: The hash under the signature.
    /// - Returns: The certificate.
    /// - Throws: If the command fails or its result cannot be read.
    func certificate(
        _ name: String,
        issuer: String,
        from start: String,
        to end: String,
        extensions: String,
        key: String = "EC -pkeyopt ec_paramgen_curve:P-256",
        hash: String = "sha256"
    ) throws -> Certificate {
        try workshop.run("genpkey -algorithm \(key) -out \(name).pem")
        try workshop.write("[ extensions ]\n\(extensions)\n", to: "\(name).ext")
        try workshop.write(Self.office, to: "office.cnf")
        try workshop.write("", to: "index")
        let configuration = try configuration()
        try workshop.run(
            "req -new -key \(name).pem -out \(name).csr -subj /CN=\(name) -config \(configuration)"
        )
        let signer =
            issuer == name ? "-selfsign" : "-cert \(issuer).crt"
        try workshop.run(
            """
            ca -config office.cnf -batch -notext -in \(name).csr -out \(name).crt \(signer) \
            -keyfile \(issuer).pem -startdate \(start) -enddate \(end) -rand_serial -md \(hash) \
            -extfile \(name).ext -extensions extensions
            """
        )
        return try read(name)
    }

    private static let office = """
        [ ca ]
        default_ca = office
        [ office ]
        database = index
        new_certs_dir = .
        policy = any
        unique_subject = no
        rand_serial = yes
        [ any ]
        commonName = supplied
        """

    func privateKey(_ name: String) throws -> PrivateKey {
        let der = try workshop.run("pkcs8 -topk8 -nocrypt -in \(name).pem -outform DER")
        return try PrivateKey(pkcs8: Secret(copying: der))
    }

    static let authority = "basicConstraints=critical,CA:TRUE\nkeyUsage=keyCertSign"

    private func read(_ name: String) throws -> Certificate {
        try Certificate(der: workshop.run("x509 -in \(name).crt -outform DER"))
    }

    private func makeKey(_ name: String) throws {
        let curve = "ec_paramgen_curve:P-256"
        try workshop.run("genpkey -algorithm EC -pkeyopt \(curve) -out \(name).pem")
    }

    private func configuration() throws -> String {
        try workshop.write(
            """
            string_mask = utf8only
            [ req ]
            distinguished_name = subject
            [ subject ]
            [ authority ]
            basicConstraints = critical, CA:TRUE
            keyUsage = keyCertSign
            subjectKeyIdentifier = hash
            """,
            to: "request.cnf"
        )
        return "request.cnf"
    }
}
