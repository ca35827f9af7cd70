import Foundation

/// ★ A self-signed certificate, and another one with its key; they protect nothing.
enum ExampleFiles {
    /// A certificate for the name "example".
    static let certificate = decoded(
        """
        MIIBejCCASGgAwIBAgIUEeqNKb7jCdEaOVV96jIxqVRh2LIwCgYIKoZIzj0EAwIwEjEQMA4GA1UE
        AwwHZXhhbXBsZTAgFw0yNjExMjExOTU3NDRaGA8yMTI2MTAyODE5NTc0NFowEjEQMA4GA1UEAwwH
        ZXhhbXBsZTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABMmrYH6FsynwmCW3jRH0c5KP7guYM7vA
        UfLJR8mJcNA76kgRgmSMHIM6f2d80QcknBe2ckPIT2daIRtBHJntja+jUzBRMB0GA1UdDgQWBBSX
        th5B2f8KkVQkDd+77erMqfMAxzAfBgNVHSMEGDAWgBSXth5B2f8KkVQkDd+77erMqfMAxzAPBgNV
        HRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0cAMEQCIAkNOTvbg7i/1Jtkc3q2dnqNDBxB79G+yqS6
        CFrQpJWAAiAQVhu5ouNHw0PbkSHX10AHfy/1CN5AMZne/CuTBjmf1Q==
        """
    )

    /// A PKCS #12 file whose passphrase is "open".
    static let identity = decoded(
        """
        MIID/AIBAzCCA7IGCSqGSIb3DQEHAaCCA6MEggOfMIIDmzCCAlIGCSqGSIb3DQEHBqCCAkMwggI/AgEA
        MIICOAYJKoZIhvcNAQcBMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAhOZKSJSmvxPwICCAAw
        DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEJYzq9A1Nu2kSvK93CXheT6AggHQmtgaouS+RpwKREoo
        dLQsHEi/mIvtveHdy+OsvGIzn6RIvS/II8Zt79ODZjC0MwLnQWPB7l/c47ArBIYazeq4DOZcRciLpYET
        x4YYRjuyQVSAIuzabXDr8OZ5RLSGL1FMBoNExregCkD49Sxx7AvFg3WZvUoU0WdEcRsGWgrFqObv3bUw
        Fd3/6xX4hykClZ14EEkoDsMYm12Av3VuOC3lrRc/IOZBN7yB0kOyUXtIhpl1upIUmwwSBCi7yYvaGgkR
        KFcKbGZfVj72ewURCQhVTZY/wnbkR2gXhwAzJMFSNFw2T0WkrBJH7IBaopjxw1dFhGmoj/C7xjyLlww2
        lLCOgU12D6dWYaeNazFMWA28qGQtKrbc90zqMERdwqOg5g4MIM2CajHdRZXMLLnwfauTvrUQ+sQyJFiG
        ARRW8ntgj+YAawlJ6Suo9klWSkqpPjtl6F2sDvDHbubgaofrJTqUffMmcfMVmL0yfMqq+eRvsfo9OdzZ
        pJuHMw4GeWktshobaY+YbxpmUWE8mAk6OLgjTHnqMj80k83UFAATX9DF8pfhOnrN6yz6j7f5j88Y2zl4
        +Ib83EGWeudmdbOXP+AqLcNlKsH1k0FOBW8nPPleBUEwggFBBgkqhkiG9w0BBwGgggEyBIIBLjCCASow
        ggEmBgsqhkiG9w0BDAoBAqCB7zCB7DBXBgkqhkiG9w0BBQ0wSjApBgkqhkiG9w0BBQwwHAQIYkEUpoBZ
        jgsCAggAMAwGCCqGSIb3DQIJBQAwHQYJYIZIAWUDBAEqBBDfYp+j+ARD3K2KEsobRSrEBIGQCe8TwZn+
        1fJ1ToFC45pWOtKsIV6MTjL1vHKCys87uaGV6BOxy5QetkwvgDdx0Ktedfwjp+Kg6YIpmTjVr+JVYEtN
        4BeByBfL6kQ82GKGn2CQYnz8xRaj+t7q8S1G1Qc/07eZh6z70Ox/AUuaCZv8riYDvdcpJOh+us85fb8k
        ZVw7DQSMkY5J2fG94dhH6TnQMSUwIwYJKoZIhvcNAQkVMRYEFB7FZ/qEy/BQen8r1U5pL+oq4779MEEw
        MTANBglghkgBZQMEAgEFAAQgzZjL1eg78IQ5A+M/i8DG+f7niIL8SZi7AOL416vZcTYECNWmFeTT1/6d
        AgIIAA==
        """
    )

    private static func decoded(_ text: String) -> Data {
        Data(base64Encoded: text, options: .ignoreUnknownCharacters) ?? Data()
    }
}
