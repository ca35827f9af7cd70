import Security

func pinned() -> SecCertificate? {
    guard let url = Bundle.main.url(forResource: "root", withExtension: "der"),
        let data = try? Data(contentsOf: url)
    else { return nil }
    return SecCertificateCreateWithData(nil, data as CFData)
}
