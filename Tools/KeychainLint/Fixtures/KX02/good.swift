import CryptoKit

func digest(_ data: Data) -> Data {
    Data(SHA256.hash(data: data))
}
