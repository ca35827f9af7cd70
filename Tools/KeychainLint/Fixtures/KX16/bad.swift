import CryptoKit

func digest(_ data: Data) -> Data {
    Data(SHA3_256.hash(data: data))  // expect
}
