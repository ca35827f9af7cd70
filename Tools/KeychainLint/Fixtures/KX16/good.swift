import CryptoKit

@available(iOS 18, macOS 15, *)
func digest(_ data: Data) -> Data {
    Data(SHA3_256.hash(data: data))
}
