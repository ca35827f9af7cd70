import Cryptography
import Secrets
import Testing

// Made with another implementation of the same formats, from keys that were chosen for this.
@Suite struct `Messages from elsewhere` {
    struct Vector: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let pair: Hex
        let algorithm: EncryptionAlgorithm
        let message: Hex
    }

    static let p256: Hex = """
        048ac18823730cb76211e007006c989a54e5ad88ddf520c05afd9232c87c3e2c
        5e624b569e4b6d72fd9c300b99255b89bc0262b5878249da1f5d483594935b73
        1a000000001234567890abcdef1234567890abcdef1234567890abcdef123456
        78
        """

    static let p384: Hex = """
        045b8943751cb7934c5723512e2a2a212d1977c4e2cbf8f549ffeecea1804806
        1c9a514e12dc04d4ab8d8fd447a10dcaa46fbb8ce275c784ce2ee2cefb9e79f2
        e8dd9cbcc1949ca5ea5699e3942f9203dc01c7e3c13c20853b76ec9a8741535f
        8400000000000000000000000000000000000000001234567890abcdef123456
        7890abcdef1234567890abcdef12345678
        """

    static let p521: Hex = """
        0401288430a4239b121949f52db0b01516a727532245299b7647f15604875924
        3e9e59eb44b8a3a0f881a4aa8c09b964f858e999e453f0a25cc5ac99172dc65a
        16f0e6013a01ef5dec812ecddc955f20456e343492a5217454e0a3d3417612d0
        a79d72fc1b6eb5fab0e77be2ac7491e8f770617a1e200bf652bf5158661a16b9
        c63c0ea4d0000000000000000000000000000000000000000000000000000000
        00000000000000000000001234567890abcdef1234567890abcdef1234567890
        abcdef12345678
        """

    static let rsa: Hex = """
        3082025e02010002818100ca5af2fa9afda165a38a49f4a095ecf58a52253e98
        61a52d64376a3a15e686663745607aaad9783df208c862c6046250911340b890
        4be4e4222549a9fe50202a041d5f0f28121482e330b45bd78f224dcc8596d11e
        d88b647f2088769ef000207c5735158cf66b3eb15438c6b0cd7cf75792ed18b0
        c6024f10ba4f564b1c599b020301000102818100a32ab5146857ad85d45a150a
        4156c32cb6ad4844f200827d587aea980dc2c58ab474a7b821fd9b5c6fc6af36
        1e2fb8caf8404b06c7abbad44dc83d5eeaa6d75739c51bb43dc071d717fab1a6
        b0db0c47031f0b2cb6842f438698901c6a38139b170ba129002014aaa02dd463
        8c338868e658dca493cb4d8ae4ad1feb00d9e671024100f5593a5bc516b42ebb
        cce0f7c58fb4621eb1a0273ef6c9e7b8d994b0cc96ed61f886c07b9a366d6b34
        3df1a5a9742fb8522caf7d735d22b8df1a0cd474013e59024100d323e64297e2
        42a155c418367a44da6b5c1a79fec876f905084bad499766416c7189b2a3d58d
        79bf059f7c946ed5658b1a567ca25aa7d6b4bf036806aeed6113024100a385f4
        ff753ccc9ad95094208fec57ad8e0795569300a95168429c77b9e45e130e31c1
        d89fcfe6ddacd41c5aedb62298172cf14a0bb9e78a90282ca4ed2c6701024100
        c31cbfa1f65d3e197cfa332dd49b60042a1ec571aeaa52c055c4292482661a3b
        2e4882ee675fcf8bb89483395f9a8fb595e72a5195d8d7ce3b5dd879a498f445
        024030dd1d20508a798892fe06329a8727054af2e4ba2e3075185bbaa34675e3
        74bf030c44e48fe9661117a316b774f5dccfc7eff6285775b50410dfb817ffe3
        b8ee
        """

    static let vectors = [
        Vector(
            testDescription: "P-256, sha256, zero nonce",
            pair: p256,
            algorithm: .ecies(.sha256, .zero),
            message: """
                0403a1a77feda8ab81fd166fb7a2176b4d9cc210300d7a4b4c665abe7adb420a
                fa1485654794f7efe0206e220c7e07d936c6c763cedd16a5111a55793be9ffdd
                7b97344e7b18c756d3f0190f1226299a7f908eb98abf3c67dc9f8f7a0bb4e22e
                """
        ),
        Vector(
            testDescription: "P-256, sha256, derived nonce",
            pair: p256,
            algorithm: .ecies(.sha256, .derived),
            message: """
                0403a1a77feda8ab81fd166fb7a2176b4d9cc210300d7a4b4c665abe7adb420a
                fa1485654794f7efe0206e220c7e07d936c6c763cedd16a5111a55793be9ffdd
                7b562e6e04eb245739a4d946ff57c5ec45d2af6c9f0275579ab7eaf2a85a610f
                """
        ),
        Vector(
            testDescription: "P-384, sha512, zero nonce",
            pair: p384,
            algorithm: .ecies(.sha512, .zero),
            message: """
                04fdbca743e9893929749a7c993bb010856c9c86e131ecb5b15832b773f3b467
                64969b7c31d1b3ae18e5fef41f3db9c4aa4db160d4203ff07d42149ab6abe9e5
                f6bee6db1cbe5ecb6f9bed38dae1c71553664d71da1f5900cbab97ae8a54bd0e
                39e3392c5df7db774fa9ba107517c4ba0588fd0b275212bd1af754fad575b612
                """
        ),
        Vector(
            testDescription: "P-384, sha512, derived nonce",
            pair: p384,
            algorithm: .ecies(.sha512, .derived),
            message: """
                04fdbca743e9893929749a7c993bb010856c9c86e131ecb5b15832b773f3b467
                64969b7c31d1b3ae18e5fef41f3db9c4aa4db160d4203ff07d42149ab6abe9e5
                f6bee6db1cbe5ecb6f9bed38dae1c71553664d71da1f5900cbab97ae8a54bd0e
                393bc0a87de1c3938b8c2015dd3a884aeab328ba1fc00bfe9da97ad6e33186c5
                """
        ),
        Vector(
            testDescription: "P-521, sha1, zero nonce",
            pair: p521,
            algorithm: .ecies(.sha1, .zero),
            message: """
                040101836c0aa2901f2b6d001c365ea8fee3810db08d96b24cc2f3c53b6a1b2a
                0d0b918b29038290a8f46bab351c85c8b239874f4639ec7982a3c063613aeeb0
                e585d70102dd69e00137f29ccd59e2e8870a54cfb1920a41f8eb735a06157015
                7de5f5a9956f81189001c7c92579fc0549bee897c26789e871bc5cd714e323eb
                6c88fc9aff19b404d77860f871d0a1a014f38df010e3b5aa20798d54a67015d3
                c5403f67
                """
        ),
        Vector(
            testDescription: "P-521, sha1, derived nonce",
            pair: p521,
            algorithm: .ecies(.sha1, .derived),
            message: """
                040101836c0aa2901f2b6d001c365ea8fee3810db08d96b24cc2f3c53b6a1b2a
                0d0b918b29038290a8f46bab351c85c8b239874f4639ec7982a3c063613aeeb0
                e585d70102dd69e00137f29ccd59e2e8870a54cfb1920a41f8eb735a06157015
                7de5f5a9956f81189001c7c92579fc0549bee897c26789e871bc5cd714e323eb
                6c88fc9aff4bc6a8329d41e77a42bcb8c6ba83c84d72d348385ee7de73ca92bf
                220c1f72
                """
        ),
        Vector(
            testDescription: "RSA with 1024 bits, sha256",
            pair: rsa,
            algorithm: .rsaOAEPAESGCM(.sha256),
            message: """
                53c3e0588779daef3a5b30661fa74bdf7009fedac7633d6050b0f576bebf258b
                0a8c6cc2e7f520b9eda6b6638ad2c38dbd9b2488680cd911cd33ce2a3deb4a21
                28efa9ebc75ed3c92c649090058b4f7c7ad8bbff160da49edd2f39b501a11640
                b85ac9d655e73876ef3b42d169a0d8e040d9c8123808c4bd05860932b871f0f8
                ac9b5531a6381cbbdfc165ed983c41e7e0646a1f0934a720e140ff1be9e4c8
                """
        ),
    ]

    @Test(arguments: vectors)
    func `open with the private key`(vector: Vector) throws {
        let pair = try PrivateKey(
            family: vector.testDescription.hasPrefix("RSA") ? .rsa : .ellipticCurve,
            externalRepresentation: Secret(copying: vector.pair.bytes)
        )
        let plaintext = try pair.decrypt(vector.message.bytes, with: vector.algorithm)
        #expect(plaintext.copyBytesUnprotected() == [UInt8]("Attack at dawn.".utf8))
    }
}
