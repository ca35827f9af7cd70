import Cryptography
import SecretServiceProtocol
import Secrets
import Testing

/// Sessions whose keys were computed with Python's integers and its `hmac`.
struct SessionVector: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The service's private exponent.
    let exponent: HexText
    /// The service's public value.
    let publicValue: HexText
    /// The client's public value.
    let peer: HexText
    let key: HexText

    static let all: [SessionVector] = [
        SessionVector(
            testDescription: "nothing special",
            exponent:
                "1818e811892f902bd23f0824128b2f330c5c7fd0a6a3a4506513270e269e0d37f2a74de452e6b438",
            publicValue: """
                1249aaeaa5b16a41cc95c517b160f4149ad2837b5cb98a8e614e190519ac82940af65f4b6d9ca3fe
                4f35f20615118934fa6e5ecacd1a7596fa23c2f656505afee76b8753620c1443d83bdb1d5e3ef7d9
                995d4bcf83269791e2b4495d380cd93fb6d61420eb3bbaa36cd14576149ec2d5bdc9936dc3ac029b
                635b465bb45445ee
                """,
            peer: """
                e7428f884a04a1b9445f385dd1d5def2f3f3fc68c73260b1062bfd0e035703f163e840cb226c9790
                94df249d9eda2498c4547425f3f838a5be6449c0a4eca7dea960bb34fa303d65cfc21b268ad09b9c
                00e8e447d07c87a22447f94d96037cfbdc2cd5945d42b2c61193d5875b33d525aee1e9f0a1d47477
                8570a621e5821663
                """,
            key: "d1b14e8fb18f628c32b8a1b07afd33be"
        ),
        SessionVector(
            testDescription: "a shared secret with a leading zero byte",
            exponent:
                "dfadbb134a3fbba7ee5c89918de31460267671b42f6dc6a64227ef62ccfa336812e1988d1c444d36",
            publicValue: """
                0fdae335179c8d0eb6d12dfa5a1d87874a83ef9821ecc58bfb0efc92d777a2e9da3432d4ba687d69
                735f4519157fd1215ccba6a07630f0fbb265042efd34d4c20a9440b35db5f54fde89f23a92947ff6
                6a5c6472d21947abdf66b483f433027ecbde4db192f9cbcfb8d644d28aa3931cbbc75e7eda359ec8
                d4bb58e74b0c3a78
                """,
            peer: """
                e3d15ee6b65928cd529960541d1cf30cddf166c31a7ef4a969e949b3c2004f82b3e78ebbc6596d86
                5a0400db646c5015a84e17740b7cf2880c188f4b57470a55a99d16becb21a3280d4eea3508b3cf2d
                a18e8c23d243fb73eb2c8b5ea4fcde3b529e41a6a7169d9c5191a045c5bd907f33e329f1d9e2fefb
                e45cbc7b76d5ba86
                """,
            key: "8f6f498abd47d3492613eadcb394a456"
        ),
        SessionVector(
            testDescription: "a peer's value with a leading zero byte",
            exponent:
                "bab0c1220d18d933a9f4e8438e5e5cc0b4f88738eb5c670f74d8a2303344a2a8577d445bcd2bca0b",
            publicValue: """
                76596bed7a1daa445251d959ba48fcc5c302e3043e34dc1dde89386b7e5beeee7917dcdffa92a13a
                26df70ef0f6948a7aa4722ba5e7ff2b43a2d91743e7ee650109dff774e3b0abe3113e87960310a6f
                7c3cf69e5f49f3c39a2369e8dc28e657b8919994c28e3e5ede5985c15fc60fd8297fcb0e326064e6
                6e28fbcae6feb931
                """,
            peer: """
                45d7ca0a82f19bfde36cd0c3eb9b3365d074f6a6e02e43759edcb53594df96a5fdc2b5824747850f
                9cc20028cda95f4c30104adc18ab7663b31f216ed543745eea5176c8af422100780ebca4f0adea38
                4a80d23bfa9f89649e2644cf7cd2e30b9e9b03d15abcc649f23de7f101903ca5a849e48b54f455fb
                a3f96c0d1ab9a1
                """,
            key: "88dde64505487133babe8a57dfd1a5ea"
        ),
        SessionVector(
            testDescription: "an own value with a leading zero byte",
            exponent:
                "d701496bc94f74b463668f14909f1e36a0cb4de70213ddcc2ee40120f1d6597c1d492941d7fdf515",
            publicValue: """
                0067f8c2af82c3a43ced6ea60f3e9a59a4c54c7132f24c8a2df4ab3082a8a7239aef73ebb609dae9
                1853ac81649a4f6a280c0546747870f37ecc0e0ba405c03c2c2b2529277e5c0931f84d9f7877f767
                960cdb28ce5e5295f866a698fd299a31ddcbcd05a89aff3e8d7a3254f0cfd65a04b33c529b3649a5
                04b485982878e2e6
                """,
            peer: """
                ba604407789bddcd833ac7675c376fb518bfe11306c97c030b2564c141b8b71ee1411715055056f5
                1008bb54d2b34e0d066ac02983f3db96be72c76bc8533db777d80ba979c8c12c9f24510be67c4dc0
                d1b98faebd67dd85867cd568fca5949099ec91b13dec7abd936e7272f2fcb3265939a979cfbf64a6
                9c83659a86832655
                """,
            key: "9556ac43d344d6431ef47c6e5ca40886"
        ),
        SessionVector(
            testDescription: "a shared secret with two leading zero bytes",
            exponent:
                "3d7bb3a2004ce30085002036679e2145138e9d22533742174285e09a26499936b26bc9357ea723d4",
            publicValue: """
                1af91894c39a84f3951636072cda7067afbfbc1a025f8d09def744a3ea2749c7e58574050068ba1f
                bc341d9e33cd5a177068d06972eb2e675ab3512b78b1ede561f86544c57f903e41ca0309d63138fe
                11f92b28fd132510153995fbcd575a949b886ecbc40c140daea98be46a8078a236d3dd9a284d43e8
                56aad8a3128ab8ad
                """,
            peer: """
                fa9ad3cc07605a1bee66ebe8d13b5dbef6b9c2af09ae4fd073ba511f11ce4e3d39ac196d9b593ff0
                9d60d3854b61137e3eb3aceeca2461c2e05cad04529ef87d5710bf70f3dc946296b2cb636663493a
                c0ce0dc00f0e652127016542ada3da6f45974699dec4ca95fcd5076051a9a85dbb315f71f2b67eb7
                6e12e1e1d788ba13
                """,
            key: "20e8d66198473c85633c21adae00eeda"
        ),
    ]
}

/// Numbers that are no public values.
struct BadPublicValue: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]

    /// The prime of RFC 2409 §6.2.
    static let prime = HexText(
        """
        ffffffffffffffffc90fdaa22168c234c4c6628b80dc1cd129024e088a67cc74020bbea63b139b22
        514a08798e3404ddef9519b3cd3a431b302b0a6df25f14374fe1356d6d51c245e485b576625e7ec6
        f44c42e9a637ed6b0bff5cb6f406b7edee386bfb5a899fa5ae9f24117c4b1fe649286651ece65381
        ffffffffffffffff
        """
    ).bytes

    static let all: [BadPublicValue] = [
        .init("0", [0]),
        .init("no bytes", []),
        .init("1", [1]),
        .init("1 behind zeros", [UInt8](repeating: 0, count: 200) + [1]),
        .init("p - 1", prime.dropLast() + [0xfe]),
        .init("p", prime),
        .init("p behind zeros", [0, 0] + prime),
        .init("a number of 129 bytes", [1] + prime),
        .init("a number of 1,000 bytes", [UInt8](repeating: 0xff, count: 1_000)),
    ]

    private init(_ name: String, _ bytes: [UInt8]) {
        testDescription = name
        self.bytes = bytes
    }
}
