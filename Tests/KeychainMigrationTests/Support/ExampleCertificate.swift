import Foundation

/// A self-signed certificate for the name `example`.
enum ExampleCertificate {
    static let der =
        Data(
            base64Encoded: """
                MIIBejCCASGgAwIBAgIUEeqNKb7jCdEaOVV96jIxqVRh2LIwCgYIKoZIzj0EAwIwEjEQMA4GA1UE
                AwwHZXhhbXBsZTAgFw0yNjExMjExOTU3NDRaGA8yMTI2MTAyODE5NTc0NFowEjEQMA4GA1UEAwwH
                ZXhhbXBsZTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABMmrYH6FsynwmCW3jRH0c5KP7guYM7vA
                UfLJR8mJcNA76kgRgmSMHIM6f2d80QcknBe2ckPIT2daIRtBHJntja+jUzBRMB0GA1UdDgQWBBSX
                th5B2f8KkVQkDd+77erMqfMAxzAfBgNVHSMEGDAWgBSXth5B2f8KkVQkDd+77erMqfMAxzAPBgNV
                HRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0cAMEQCIAkNOTvbg7i/1Jtkc3q2dnqNDBxB79G+yqS6
                CFrQpJWAAiAQVhu5ouNHw0PbkSHX10AHfy/1CN5AMZne/CuTBjmf1Q==
                """,
            options: .ignoreUnknownCharacters
        ) ?? Data()
}
