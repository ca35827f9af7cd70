import CryptoKit
import Security

func isPinned(_ trust: SecTrust, _ pins: Set<Data>) -> Bool {
    guard SecTrustEvaluateWithError(trust, nil), let key = SecTrustCopyKey(trust),
        let bytes = SecKeyCopyExternalRepresentation(key, nil) as Data?
    else { return false }
    return pins.contains(Data(SHA256.hash(data: spkiHeader + bytes)))
}
