import Testing

@testable import PlaintextFormats

/// A file, what is found in it, and what is left of it without that.
struct FormatExample: CustomTestStringConvertible {
    let format: String
    let text: String
    let found: [String]
    let rest: String

    init(_ format: String, _ text: String, _ found: [String], rest: String) {
        self.format = format
        self.text = text
        self.found = found
        self.rest = rest
    }

    var testDescription: String { "\(format): \(text.prefix(40).replacing("\n", with: "⏎"))" }
}

// ★ Table: each format's ways of writing a secret down.
let formatExamples: [FormatExample] = [
    FormatExample("env", "A_TOKEN=x\n", ["·/A_TOKEN=x"], rest: ""),
    FormatExample("env", "# c\nexport  K = 'a b' # c\nP=1", ["·/K=a b", "·/P=1"], rest: "# c\n"),
    FormatExample(
        "env",
        "A=\"l1\nl2\\n\\\"\\$x\"\r\nB=c # d\r\n",
        ["·/A=l1\nl2\n\"$x", "·/B=c"],
        rest: ""
    ),
    FormatExample(
        "env",
        "A=\n\nB=''\nC=\"x'y\"\nD=a#b\n",
        ["·/C=x'y", "·/D=a#b"],
        rest: "A=\n\nB=''\n"
    ),
    FormatExample("env", "A_b_c=é\u{1F511}\n  \t\n", ["·/A_b_c=é\u{1F511}"], rest: "  \t\n"),
    FormatExample(
        "netrc",
        "machine a login b password c\n",
        ["*://b@a=c"],
        rest: ""
    ),
    FormatExample(
        "netrc",
        "# top\nmachine a\n\tlogin b\n\t# why\n\tpassword \"c d\\\"\\n\"\n\nmachine z login y\n",
        ["*://b@a=c d\"\n"],
        rest: "# top\n\t# why\n\nmachine z login y\n"
    ),
    FormatExample(
        "netrc",
        "macdef all\ncd /\nmachine x\n\nmachine a password b machine c login d password e # all\n",
        ["*://@a=b", "*://d@c=e"],
        rest: "macdef all\ncd /\nmachine x\n\n# all\n"
    ),
    FormatExample(
        "git-credentials",
        "https://al%40x:p%3A%2F%40ss@git.example.org:8443/team/a.git\n\nhttp://b:c@[::1]\r\n",
        ["htps://al@x@git.example.org:8443/team/a.git=p:/@ss", "http://b@::1=c"],
        rest: "\n"
    ),
    FormatExample("git-credentials", "imaps://u:%40p@h/", ["imps://u@h=@p"], rest: ""),
    FormatExample(
        "aws",
        "[default]\naws_access_key_id = AKIA1\naws_secret_access_key=s/+=\nregion = eu\n",
        ["aws:default/AWS_ACCESS_KEY_ID=AKIA1", "aws:default/AWS_SECRET_ACCESS_KEY=s/+="],
        rest: "[default]\nregion = eu\n"
    ),
    FormatExample(
        "aws",
        "; c\n[work]\nAWS_SESSION_TOKEN = t\ns3 =\n  max = 1\n# e",
        ["aws:work/AWS_SESSION_TOKEN=t"],
        rest: "; c\n[work]\ns3 =\n  max = 1\n# e"
    ),
    FormatExample(
        "cargo",
        "# c\n[registry]\ntoken = \"cio#1\" # d\n[registries.my-co]\n  token='x\"y'\nx = \"i\"\n",
        [
            "cargo:crates-io/CARGO_REGISTRY_TOKEN=cio#1",
            "cargo:my-co/CARGO_REGISTRIES_MY_CO_TOKEN=x\"y",
        ],
        rest: "# c\n[registry]\n[registries.my-co]\nx = \"i\"\n"
    ),
    FormatExample(
        "cargo",
        "registry.token = \"a\"\nregistries.b.token = \"c\"\nnet.token = \"d\"\n[x]\ntoken = 1\n",
        [
            "cargo:crates-io/CARGO_REGISTRY_TOKEN=a", "cargo:b/CARGO_REGISTRIES_B_TOKEN=c",
        ],
        rest: "net.token = \"d\"\n[x]\ntoken = 1\n"
    ),
    FormatExample(
        "pgpass",
        "#h:1:d:u:p\ndb.example:5432:shop:al\\:ice:pa\\:s\\\\\\:s\n\\:\\:1:1:d:u:q\n",
        ["psql://al:ice@db.example:5432/shop=pa:s\\:s", "psql://u@::1:1/d=q"],
        rest: "#h:1:d:u:p\n"
    ),
    FormatExample("pgpass", "localhost:*:*:u: p \n", ["psql://u@localhost= p "], rest: ""),
    FormatExample(
        "npmrc",
        "; c\nregistry=https://r.example/npm/\n_auth = abc=\n"
            + "//r.example:1/x/:_authToken=\"t\"\nsave\n",
        ["htps://_auth@r.example/npm=abc=", "htps://_authToken@r.example:1/x=t"],
        rest: "; c\nregistry=https://r.example/npm/\n_auth = ${NPM_AUTH_R_EXAMPLE__2FNPM}\n"
            + "//r.example:1/x/:_authToken=\"${NPM_TOKEN_R_EXAMPLE__3A1__2FX}\"\nsave\n"
    ),
    FormatExample(
        "npmrc",
        "//h/:username=al\n//h/:_password=cHc=\n_authToken=z\n",
        ["htps://al@h=pw", "htps://_authToken@registry.npmjs.org=z"],
        rest: "//h/:username=al\n//h/:_password=${NPM_PASSWORD_H}\n"
            + "_authToken=${NPM_TOKEN_REGISTRY_NPMJS_ORG}\n"
    ),
    FormatExample(
        "npmrc",
        "_authToken=z\n//registry.npmjs.org/:_authToken=z\n",
        ["htps://_authToken@registry.npmjs.org=z"],
        rest: "_authToken=${NPM_TOKEN_REGISTRY_NPMJS_ORG}\n"
            + "//registry.npmjs.org/:_authToken=${NPM_TOKEN_REGISTRY_NPMJS_ORG}\n"
    ),
    FormatExample(
        "pypirc",
        "[distutils]\nindex-servers =\n  pypi\n  own\n[pypi]\nusername: __token__\npassword: t\n",
        ["htps://__token__@upload.pypi.org/legacy=t"],
        rest: "[distutils]\nindex-servers =\n  pypi\n  own\n[pypi]\nusername: __token__\n"
    ),
    FormatExample(
        "pypirc",
        "[own]\nrepository = http://h:81/up\nusername = u\npassword = a=b:c\n",
        ["http://u@h:81/up=a=b:c"],
        rest: "[own]\nrepository = http://h:81/up\nusername = u\n"
    ),
    FormatExample(
        "docker",
        "{\n\t\"auths\": {\n\t\t\"https://index.docker.io/v1/\": {\"auth\": \"YWw6cHc6MQ==\"},\n"
            + "\t\t\"h:5000\": { \"email\": \"x\", \"identitytoken\":\"t\\u00e9\" }\n"
            + "\t},\n\t\"a\": [1]\n}\n",
        ["htps://al@index.docker.io/v1=pw:1", "htps://<token>@h:5000=té"],
        rest: "{\n\t\"auths\": {\n\t\t\"https://index.docker.io/v1/\": {},\n"
            + "\t\t\"h:5000\": { \"email\": \"x\" }\n\t},\n\t\"a\": [1]\n}\n"
    ),
    FormatExample("docker", "{\"credsStore\":\"x\"}", [], rest: "{\"credsStore\":\"x\"}"),
    FormatExample(
        "bitwarden",
        "{\"encrypted\": false, \"items\": [\n"
            + "{\"type\":1,\"name\":\"N\",\"notes\":null,"
            + "\"login\":{\"uris\":[{\"uri\":\"https://h/l?x=1\"}],"
            + "\"username\":\"u\",\"password\":\"p\\\"\\ud83d\\udd11\",\"totp\":null}},\n"
            + "{\"type\":2,\"name\":\"note\",\"login\":{\"password\":\"x\"}},\n"
            + "{\"type\":1,\"name\":\"App\",\"login\":{\"username\":\"v\",\"password\":\"q\"}}]}",
        ["htps://u@h/l=p\"\u{1F511}", "App/v=q"],
        rest: "{\"encrypted\": false, \"items\": [\n"
            + "{\"type\":2,\"name\":\"note\",\"login\":{\"password\":\"x\"}}]}"
    ),
    FormatExample(
        "csv",
        "name,url,username,password,note\r\n"
            + "N,https://h:8443/l,u,\"p,\"\"\nq\",\r\nM,https://h,v,,\r\n",
        ["htps://u@h:8443/l=p,\"\nq"],
        rest: "name,url,username,password,note\r\nM,https://h,v,,\r\n"
    ),
    FormatExample(
        "csv",
        "\"url\",\"username\",\"password\",\"httpRealm\",\"formActionOrigin\",\"guid\"\n"
            + "\"http://h\",\"u\",\"p\",\"the realm\",\"\",\"{1}\"",
        ["http://u@h=p"],
        rest: "\"url\",\"username\",\"password\",\"httpRealm\",\"formActionOrigin\",\"guid\"\n"
    ),
    FormatExample(
        "csv",
        "Title,Url,Username,Password,OTPAuth,Notes\nDoor,,u,1234,,\n",
        ["Door/u=1234"],
        rest: "Title,Url,Username,Password,OTPAuth,Notes\n"
    ),
    FormatExample(
        "csv",
        "name,notes,fields,login_uri,login_username,login_password,login_totp\n"
            + "N,,,h.example,u,p,\n",
        ["htps://u@h.example=p"],
        rest: "name,notes,fields,login_uri,login_username,login_password,login_totp\n"
    ),
]

/// A file that is refused, and the line that the error names.
private struct BadInput: CustomTestStringConvertible {
    let format: String
    let bytes: [UInt8]
    let line: Int

    init(_ format: String, _ text: String, _ line: Int) {
        self.init(format, Array(text.utf8), line)
    }

    init(_ format: String, _ bytes: [UInt8], _ line: Int) {
        self.format = format
        self.bytes = bytes
        self.line = line
    }

    var testDescription: String { "\(format): \(bytes.prefix(30))" }
}

private let badInputs: [BadInput] = [
    BadInput("env", [0x41, 0x3D, 0x0A, 0x00, 0x7F], 2),
    BadInput("npmrc", [0x61, 0x3D, 0x00], 1),
    BadInput("netrc", [0xFF, 0xFE, 0x61, 0x00, 0x0A, 0x00], 1),
    BadInput("csv", [0xFE, 0xFF, 0x00, 0x0A, 0x00, 0x61], 1),
    BadInput("docker", "", 1),
    BadInput("docker", "[]", 1),
    BadInput("docker", "{\"auths\":\n{\"h\":{\"auth\":\"x}}}", 2),
    BadInput("docker", "{\"a\":1,}", 1),
    BadInput("docker", "{\"a\":tru}", 1),
    BadInput("docker", "{\"a\":1}\n{}", 2),
    BadInput("docker", "{\"\\ud800\":1}", 1),
    BadInput("docker", String(repeating: "[", count: 100), 1),
    BadInput("docker", "{\"auths\":{},\n\"auths\":{\"h\":{\"auth\":\"YTpi\"}}}", 2),
    BadInput("bitwarden", "{\n\"encrypted\": true, \"items\": []}", 2),
    BadInput("bitwarden", "{\"logins\": []}", 1),
    BadInput("bitwarden", "{\"items\": [], \"vaults\": [1]}", 1),
    BadInput("csv", "", 1),
    BadInput("csv", "a,b\n", 1),
    BadInput("csv", "name,url,username,password,url\n", 1),
    BadInput("csv", "name,url,username,password,secret question\n", 1),
    BadInput("csv", "\n\"name\"x,url,username,password\nN,h,u,p\n", 2),
]

@Suite struct `A plain text file` {
    @Test(arguments: formatExamples)
    func `gives its secrets and keeps everything else`(example: FormatExample) throws {
        let file = try PlaintextFile(example.text, as: example.format)
        let movable = file.entries.filter { $0.hindrance == nil }
        #expect(movable.map { "\($0.placeText)=\($0.secretText)" } == example.found)
        #expect(try file.text(removing: movable, as: example.format) == example.rest)
        #expect(try file.text(removing: [], as: example.format) == example.text)
    }

    @Test(arguments: badInputs)
    fileprivate func `is refused by line where it is of another format`(input: BadInput) throws {
        let error = #expect(throws: PlaintextError.self) {
            try PlaintextFile(bytes: input.bytes, as: input.format)
        }
        #expect(error?.line == input.line)
    }

    @Test(
        arguments: [
            (".env", "env"), (".env.production", "env"), ("shop.env", "env"), (".netrc", "netrc"),
            ("_netrc", "netrc"), (".git-credentials", "git-credentials"), ("credentials", "aws"),
            ("credentials.toml", "cargo"),
            (".pgpass", "pgpass"), (".npmrc", "npmrc"), (".pypirc", "pypirc"),
            ("config.json", "docker"), ("export.json", "bitwarden"),
            ("Chrome.csv", "csv"), ("notes.txt", nil),
        ] as [(String, String?)]
    )
    func `is known by its name`(name: String, format: String?) {
        #expect(PlaintextFormat.ofFile(named: name)?.name == format)
        #expect(PlaintextFormat.ofFile(at: "/folder/" + name)?.name == format)
    }

    /// npm reads a file of the project and one of the user, and both may have been migrated.
    @Test func `never refers to one variable for two registries`() throws {
        let registries = [
            "//a-b/", "//a.b/", "//a/b/", "//a:80/b/", "//a/80/b/", "//a/B/", "//a/b.c/",
            "//a/b_c/", "//ab/", "//\u{FC}/", "//a_b/", "//a%20b/",
        ]
        let variables = try registries.map { registry in
            try PlaintextFile("\(registry):_authToken=x\n", as: "npmrc").entries.first?.variable
        }
        #expect(Set(variables).count == registries.count, "\(variables)")
        #expect(
            variables.allSatisfy { name in
                name?.wholeMatch(of: /[A-Z][A-Z0-9_]*/) != nil && name != "NPM_TOKEN"
            },
            "\(variables)"
        )
    }

    @Test func `of git may have the name of a file of AWS`() {
        let path = "/folder/.config/git/credentials"
        #expect(PlaintextFormat.ofFile(at: path)?.name == "git-credentials")
    }

    @Test(
        arguments: [
            ("DB_PASSWORD", "x", true), ("stripeApiKey", "x", true), ("PORT", "3000", false),
            ("DATABASE_URL", "postgres://u:p@h/d", true), ("HOME_URL", "https://h/", false),
            ("X", "ghp_0123", true), ("MONKEY", "x", false), ("SSH_KEY", "x", true),
        ]
    )
    func `tells secrets from settings`(name: String, value: String, seemsSecret: Bool) throws {
        let file = try PlaintextFile("\(name)='\(value)'", as: "env")
        #expect(file.entries.map(\.seemsSecret) == [seemsSecret])
    }
}
