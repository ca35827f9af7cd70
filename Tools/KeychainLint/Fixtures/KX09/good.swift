import CryptoKit

func message(_ box: AES.GCM.SealedBox) -> Data? { box.combined }
