import CommonCrypto

let algorithm = CCAlgorithm(kCCAlgorithm3DES)  // expect
