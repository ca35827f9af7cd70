/// The keys and certificates found in a file so far.
struct PKCS12Contents {
    var keys: [PKCS12Archive.KeyEntry] = []
    var certificates: [PKCS12Archive.CertificateEntry] = []
}
