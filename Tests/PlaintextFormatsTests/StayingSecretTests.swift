import Testing

@testable import PlaintextFormats

/// A secret that stays where it is.
private struct Hindrance: CustomTestStringConvertible {
    let format: String
    let text: String
    let reason: String

    init(_ format: String, _ text: String, _ reason: String) {
        self.format = format
        self.text = text
        self.reason = reason
    }

    var testDescription: String { "\(format): \(reason)" }
}

// ★ Table: secrets that no reader understands in one way only, or that an item cannot hold.
private let ambiguous =
    "shells and dotenv tools read such a value in different ways"

private let hindrances: [Hindrance] = [
    Hindrance("env", "A=${B}\n", "its value refers to another variable"),
    Hindrance("env", "A=\"x$B\"\n", "its value refers to another variable"),
    Hindrance("env", "A=pa$1x\n", "its value refers to another variable"),
    Hindrance("env", "A=pa$$x\n", "its value refers to another variable"),
    Hindrance("env", "A=\"\\\\$B\"\n", "its value refers to another variable"),
    Hindrance("env", "A=a\\ b\n", ambiguous), Hindrance("env", "A=a\\\n", ambiguous),
    Hindrance("env", "A=a\\$b\n", ambiguous), Hindrance("env", "A=a\"b\"c\n", ambiguous),
    Hindrance("env", "A=it's\n", ambiguous), Hindrance("env", "A=a`id`\n", ambiguous),
    Hindrance("env", "A=\"`id`\"\n", ambiguous),
    Hindrance("env", "A=`id`\n", ambiguous), Hindrance("env", "A=\"a\r\nb\"\n", ambiguous),
    Hindrance("env", "A=\"a\\qb\"\n", ambiguous), Hindrance("env", "A=\"a\\'b\"\n", ambiguous),
    Hindrance("env", "A=1\nA=2\n", "line 2 says otherwise"),
    Hindrance("netrc", "default login a password b\n", "it is for every machine"),
    Hindrance("netrc", "default login a\nmachine m password b\n", "it is behind default"),
    Hindrance(
        "netrc",
        "machine m login a password b account c\n",
        "it has an account password as well"
    ),
    Hindrance("aws", "[a]\naws_session_token = x\n  y\n", "its value has several lines"),
    Hindrance("cargo", "[registry]\ntoken = \"a\\u0041\"\n", "its value is not a plain string"),
    Hindrance("cargo", "[registry]\ntoken = \"\"\n", "its value is not a plain string"),
    Hindrance("cargo", "[registry]\ntoken = \"\"\"a\"\"\"\n", "its value is not a plain string"),
    Hindrance("cargo", "[registry]\ntoken = \"a\" b\n", "its value is not a plain string"),
    Hindrance("cargo", "registry = { token = \"a\" }\n", "its value is not a plain string"),
    Hindrance("cargo", "[registries]\nb = {token = \"a\"}\n", "its value is not a plain string"),
    Hindrance(
        "cargo",
        "[registries.\"b.c\"]\ntoken = \"a\"\n",
        "the name of its registry is not a plain word"
    ),
    Hindrance(
        "cargo",
        "[registry]\nsecret-key = \"k3.secret.x\"\n",
        "cargo signs with it, and cannot run a program for that"
    ),
    Hindrance("pgpass", "*:1:d:u:p\n", "it is for every server or every user"),
    Hindrance("npmrc", "_authToken=${MY_TOKEN}\n", "its value refers to a variable"),
    Hindrance("npmrc", "//h/:_password=x\n", "it is not Base64"),
    Hindrance(
        "docker",
        "{\"auths\":{\"h\":{\"auth\":\"eA==\"}}}",
        "it is not the user and password of a registry"
    ),
    Hindrance(
        "docker",
        "{\"auths\":{\"h\":{\"auth\":\"YTpi\",\"registrytoken\":\"x\"}}}",
        "it has registrytoken as well"
    ),
    Hindrance(
        "csv",
        "Title,Url,Username,Password,OTPAuth\nN,https://h,u,p,otpauth://x\n",
        "it has a one-time password as well"
    ),
    Hindrance(
        "csv",
        "name,url,username,password\nN,android://x@com.example/,u,p\n",
        "a login has no such protocol"
    ),
    Hindrance(
        "bitwarden",
        "{\"items\":[{\"type\":1,\"fields\":[1],\"login\":{\"password\":\"x\"}}]}",
        "it has custom fields as well"
    ),
    Hindrance(
        "csv",
        "name,url,username,password\nN,https://a.example|https://b.example,u,p\n",
        "it has several addresses"
    ),
    Hindrance(
        "csv",
        "name,url,username,password\nN,https://a.example/x|https://b.example,u,p\n",
        "it has several addresses"
    ),
    Hindrance(
        "csv",
        "name,url,username,password\nN,https://a<b>.example,u,p\n",
        "its address is not a URL"
    ),
    Hindrance(
        "csv",
        "name,login_uri,login_username,login_password\nN,\"https://a.example/x,b.example\",u,p\n",
        "it has several addresses as well"
    ),
    Hindrance("pypirc", "[own]\npassword=x\n", "its repository has no URL"),
]

@Suite struct `A secret that stays in its file` {
    @Test(arguments: hindrances)
    fileprivate func `is named with its reason`(example: Hindrance) throws {
        let file = try PlaintextFile(example.text, as: example.format)
        #expect(file.entries.first?.hindrance == example.reason)
        #expect(file.entries.allSatisfy { $0.hindrance != nil })
    }
}
