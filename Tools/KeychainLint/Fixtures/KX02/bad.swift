import CryptoKit

func digest(_ data: Data) -> Data {
    Data(Insecure.MD5.hash(data: data))  // expect
}
