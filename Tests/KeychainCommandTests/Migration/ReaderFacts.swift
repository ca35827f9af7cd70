// ★ Table: what the readers of the other formats make of them.

import Testing

/// What a real tool reads in a file, and what the migration moves out of the same file.
struct ReaderFact: CustomTestStringConvertible {
    /// A function of `Fixtures/real-reader.py`.
    let reader: String
    let format: String
    /// What the row of the page is called.
    let aspect: String
    let text: String
    /// By the names that the reader is asked for; nil for nothing.
    let reads: [(name: String, value: String?)]
    /// What moves, as `account=secret`.
    let moves: [String]

    init(
        _ reader: String,
        _ format: String,
        _ aspect: String,
        _ text: String,
        reads: [(name: String, value: String?)],
        moves: [String]
    ) {
        self.reader = reader
        self.format = format
        self.aspect = aspect
        self.text = text
        self.reads = reads
        self.moves = moves
    }

    var testDescription: String { "\(reader): \(aspect)" }

    // ★ Table: the rows of Documentation/Spec/plaintext-formats.md §6, each with a file.
    static let all: [ReaderFact] = environment + words + settings + tables

    private static let words: [ReaderFact] = [
        ReaderFact(
            "curl",
            "netrc",
            "comments",
            "# c\nmachine a login b # d\n password c#d\n",
            reads: [("a", "b:c#d")],
            moves: ["b=c#d"]
        ),
        ReaderFact(
            "curl",
            "netrc",
            "quotes",
            "machine a login b password \"c d\\\"\\n\"\n",
            reads: [("a", "b:c d\"\n")],
            moves: ["b=c d\"\n"]
        ),
        ReaderFact(
            "curl",
            "netrc",
            "indents",
            "machine a\n\tlogin b\n  password c\n",
            reads: [("a", "b:c")],
            moves: ["b=c"]
        ),
        ReaderFact(
            "curl",
            "netrc",
            "order and repeated keys",
            "machine a login b password c\nmachine a login d password e\n",
            reads: [("a", "b:c")],
            moves: ["b=c", "d=e"]
        ),
        ReaderFact(
            "curl",
            "netrc",
            "unknown words",
            "machine a login b password c method basic\nmachine d login e password f\n",
            reads: [("a", "b:c"), ("d", "e:f")],
            moves: ["e=f"]
        ),
        ReaderFact(
            "curl",
            "netrc",
            "macros",
            "machine a login b password c\nmachine d login e password f\nmacdef init\nbin\n\n",
            reads: [("a", "b:c"), ("d", "e:f")],
            moves: ["b=c"]
        ),
        ReaderFact(
            "curl",
            "netrc",
            "a byte order mark and line ends of Windows",
            "\u{FEFF}machine a login b password c\r\nmachine d login e password f\r\n",
            reads: [("a", nil), ("d", "e:f")],
            moves: ["b=c", "e=f"]
        ),
        ReaderFact(
            "curl",
            "netrc",
            "keywords in capitals",
            "MACHINE a LOGIN b PASSWORD c\n",
            reads: [("a", "b:c")],
            moves: []
        ),
        ReaderFact(
            "curl",
            "netrc",
            "default",
            "default login b password c\nmachine d login e password f\n",
            reads: [("d", "b:c")],
            moves: []
        ),
        ReaderFact(
            "netrc",
            "netrc",
            "a hash in front of a value",
            "machine a login b password #c\n",
            reads: [("a", "b:#c")],
            moves: []
        ),
        ReaderFact(
            "netrc",
            "netrc",
            "repeated keys",
            "machine a login b password c password d\n",
            reads: [("a", "b:d")],
            moves: []
        ),
        ReaderFact(
            "netrc",
            "netrc",
            "a byte order mark",
            "\u{FEFF}machine a login b password c\n",
            reads: [("a", nil)],
            moves: ["b=c"]
        ),
        ReaderFact(
            "git",
            "git-credentials",
            "unknown words",
            "https://tok@a\nno url\n# https://x:y@c\nhttps://b:p@c\n",
            reads: [("https://a", nil), ("https://c", "b:p")],
            moves: ["b=p"]
        ),
        ReaderFact(
            "git",
            "git-credentials",
            "escapes",
            "https://u:a%2fb%2Fc@h\n",
            reads: [("https://h", "u:a/b/c")],
            moves: ["u=a/b/c"]
        ),
        ReaderFact(
            "git",
            "git-credentials",
            "order and repeated keys",
            "https://one:p1@h\nhttps://two:p2@h\n",
            reads: [("https://h", "one:p1")],
            moves: ["one=p1", "two=p2"]
        ),
        ReaderFact(
            "git",
            "git-credentials",
            "a second @",
            "imaps://u:@p@h\n",
            reads: [("imaps://h", nil), ("imaps://p@h", "u:")],
            moves: []
        ),
        ReaderFact(
            "git",
            "git-credentials",
            "any protocol",
            "smtps://u:p@h\nsocks5://u:q@h\n",
            reads: [("smtps://h", "u:p"), ("socks5://h", "u:q")],
            moves: ["u=p", "u=q"]
        ),
        ReaderFact(
            "git",
            "git-credentials",
            "blanks, returns and a byte order mark",
            "\u{FEFF}https://u:p@a\n https://u:p@b\nhttps://u:p@c \nhttps://u:p@d\r\n",
            reads: [
                ("https://a", nil), ("https://b", nil), ("https://c", nil), ("https://d", nil),
            ],
            moves: ["u=p", "u=p", "u=p", "u=p"]
        ),
        ReaderFact(
            "git",
            "git-credentials",
            "an empty password",
            "https://u:@a\n",
            reads: [("https://a", "u:")],
            moves: []
        ),
        ReaderFact(
            "git",
            "git-credentials",
            "ports",
            "https://u:p@a:443\nhttps://u:q@b\n",
            reads: [("https://a", nil), ("https://a:443", "u:p"), ("https://b", "u:q")],
            moves: ["u=p", "u=q"]
        ),
        ReaderFact(
            "psql",
            "pgpass",
            "colons and escapes",
            "localhost:5432:*:app:pa:ss\nlocalhost:5432:*:two:p\\:\\q\\\\\n",
            reads: [("localhost,5432,app", "pa"), ("localhost,5432,two", "p:q\\")],
            moves: ["two=p:q\\"]
        ),
        ReaderFact(
            "psql",
            "pgpass",
            "comments and unknown words",
            "# c\njunk\na:b\nlocalhost:5432:*:u:p # c\n",
            reads: [("localhost,5432,u", "p # c")],
            moves: ["u=p # c"]
        ),
        ReaderFact(
            "psql",
            "pgpass",
            "order and repeated keys",
            "localhost:5432:*:u:1\nlocalhost:5432:*:u:2\n",
            reads: [("localhost,5432,u", "1")],
            moves: []
        ),
        ReaderFact(
            "psql",
            "pgpass",
            "a byte order mark and line ends of Windows",
            "\u{FEFF}localhost:5432:*:u:p\nlocalhost:5432:*:v:q\r\n",
            reads: [("localhost,5432,u", nil), ("localhost,5432,v", "q")],
            moves: ["u=p", "v=q"]
        ),
    ]

    private static let settings: [ReaderFact] = [
        ReaderFact(
            "npm",
            "npmrc",
            "comments and escapes",
            "//r/:_authToken=npm_abc ; my token\n//s/:_authToken=ab\\;c\n//t/:_authToken=a#b\n",
            reads: [
                ("//r/:_authToken", "npm_abc"), ("//s/:_authToken", "ab;c"),
                ("//t/:_authToken", "a"),
            ],
            moves: ["_authToken=npm_abc", "_authToken=ab;c", "_authToken=a"]
        ),
        ReaderFact(
            "npm",
            "npmrc",
            "quotes",
            "//r/:_authToken=\"a;\\u0062\"\n//s/:_authToken='c\\;d'\n//t/:_authToken=\"e\" ; f\n",
            reads: [
                ("//r/:_authToken", "a;b"), ("//s/:_authToken", "c\\;d"),
                ("//t/:_authToken", "\"e\""),
            ],
            moves: ["_authToken=a;b", "_authToken=c\\;d", "_authToken=\"e\""]
        ),
        ReaderFact(
            "npm",
            "npmrc",
            "indents and a byte order mark",
            "\u{FEFF}  //r/:_authToken = t\r\n",
            reads: [("//r/:_authToken", "t")],
            moves: ["_authToken=t"]
        ),
        ReaderFact(
            "npm",
            "npmrc",
            "order and repeated keys",
            "//r/:_authToken=a\n//r/:_authToken=b\n",
            reads: [("//r/:_authToken", "b")],
            moves: []
        ),
        ReaderFact(
            "npm",
            "npmrc",
            "sections and unknown words",
            "bare\n[x\n//r/:_authToken=a\n[s]\n//t/:_authToken=b\n",
            reads: [("//r/:_authToken", "a"), ("//t/:_authToken", nil)],
            moves: ["_authToken=a"]
        ),
        ReaderFact(
            "npm",
            "npmrc",
            "lists",
            "//r/:_authToken[]=a\n//s/:_authToken=b\n",
            reads: [("//s/:_authToken", "b")],
            moves: ["_authToken=b"]
        ),
        ReaderFact(
            "botocore",
            "aws",
            "indents",
            "[one]\naws_access_key_id = A\n[two]\n  aws_access_key_id = B\n"
                + "  aws_session_token = t\n",
            reads: [
                ("one/aws_access_key_id", "A"), ("two/aws_access_key_id", "B"),
                ("two/aws_session_token", "t"),
            ],
            moves: [
                "AWS_ACCESS_KEY_ID=A", "AWS_ACCESS_KEY_ID=B", "AWS_SESSION_TOKEN=t",
            ]
        ),
        ReaderFact(
            "botocore",
            "aws",
            "comments and quotes",
            "; c\n[a] # d\naws_session_token = \"t\" # e\n",
            reads: [("a/aws_session_token", "\"t\" # e")],
            moves: ["AWS_SESSION_TOKEN=\"t\" # e"]
        ),
        ReaderFact(
            "botocore",
            "aws",
            "continued lines",
            "[a]\naws_session_token = t\n  u\n",
            reads: [("a/aws_session_token", "t\nu")],
            moves: []
        ),
        ReaderFact(
            "botocore",
            "aws",
            "order and repeated keys",
            "[a]\naws_session_token = t\naws_session_token = t\n",
            reads: [("a/aws_session_token", nil)],
            moves: []
        ),
        ReaderFact(
            "botocore",
            "aws",
            "repeated sections",
            "[a]\naws_session_token = t\n[a]\nregion = eu\n",
            reads: [("a/aws_session_token", nil)],
            moves: []
        ),
        ReaderFact(
            "botocore",
            "aws",
            "unknown words",
            "[a]\naws_access_key_id = i\naws_secret_access_key s\n",
            reads: [("a/aws_access_key_id", nil)],
            moves: []
        ),
        ReaderFact(
            "botocore",
            "aws",
            "a byte order mark",
            "\u{FEFF}[a]\naws_session_token = t\n",
            reads: [("a/aws_session_token", nil)],
            moves: ["AWS_SESSION_TOKEN=t"]
        ),
        ReaderFact(
            "configparser",
            "pypirc",
            "indents",
            "[distutils]\nindex-servers = pypi\n[pypi]\n  username = u\n  PASSWORD : p\n",
            reads: [("pypi/username", "u"), ("pypi/password", "p")],
            moves: ["u=p"]
        ),
        ReaderFact(
            "configparser",
            "pypirc",
            "comments and quotes",
            "[pypi]\n# c\nusername = u\npassword = \"p\" ; d\n",
            reads: [("pypi/password", "\"p\" ; d")],
            moves: ["u=\"p\" ; d"]
        ),
        ReaderFact(
            "configparser",
            "pypirc",
            "continued lines",
            "[pypi]\npassword = p\n  q\n",
            reads: [("pypi/password", "p\nq")],
            moves: []
        ),
        ReaderFact(
            "configparser",
            "pypirc",
            "defaults",
            "[DEFAULT]\nusername = u\n[pypi]\npassword = p\n",
            reads: [("pypi/username", "u"), ("pypi/password", "p")],
            moves: ["u=p"]
        ),
        ReaderFact(
            "twine",
            "pypirc",
            "indents, comments and quotes",
            "[distutils]\nindex-servers = pypi\n[pypi]\n"
                + "  username = u\n  PASSWORD : \"p\" ; c\n",
            reads: [("pypi/username", "u"), ("pypi/password", "\"p\" ; c")],
            moves: ["u=\"p\" ; c"]
        ),
        ReaderFact(
            "twine",
            "pypirc",
            "defaults",
            "[server-login]\nusername = u\npassword = q\n[pypi]\nusername = v\n",
            reads: [("pypi/username", "v"), ("pypi/password", "q")],
            moves: []
        ),
        ReaderFact(
            "twine",
            "pypirc",
            "repeated sections",
            "[pypi]\nusername = u\npassword = p\n[pypi]\nx = 1\n",
            reads: [("pypi/password", nil)],
            moves: []
        ),
        ReaderFact(
            "twine",
            "pypirc",
            "a byte order mark",
            "\u{FEFF}[pypi]\nusername = u\npassword = p\n",
            reads: [("pypi/password", nil)],
            moves: ["u=p"]
        ),
    ]

    private static let tables: [ReaderFact] = [
        ReaderFact(
            "toml",
            "cargo",
            "comments, quotes and indents",
            "[registry]\n  token = 'a#b' # c\n",
            reads: [("registry/token", "a#b")],
            moves: ["CARGO_REGISTRY_TOKEN=a#b"]
        ),
        ReaderFact(
            "toml",
            "cargo",
            "quoted keys",
            "[ registries . \"my-co\" ]\n\"token\" = \"c\"\n",
            reads: [("registries/my-co/token", "c")],
            moves: ["CARGO_REGISTRIES_MY_CO_TOKEN=c"]
        ),
        ReaderFact(
            "toml",
            "cargo",
            "strings of several lines",
            "[registry]\ntoken = \"\"\"\na\ntoken = \"b\"\n\"\"\"\n",
            reads: [("registry/token", "a\ntoken = \"b\"\n")],
            moves: []
        ),
        ReaderFact(
            "cargo",
            "cargo",
            "comments, quotes and a byte order mark",
            "\u{FEFF}[registries.a]\r\ntoken = 'x#y' # c\r\n",
            reads: [("a", "x#y")],
            moves: ["CARGO_REGISTRIES_A_TOKEN=x#y"]
        ),
        ReaderFact(
            "cargo",
            "cargo",
            "inline tables",
            "[registries]\na = { token = \"t\" }\nb.token = \"u\"\n",
            reads: [("a", "t"), ("b", "u")],
            moves: ["CARGO_REGISTRIES_B_TOKEN=u"]
        ),
        ReaderFact(
            "cargo",
            "cargo",
            "repeated keys",
            "[registries.a]\ntoken = \"x\"\ntoken = \"y\"\n",
            reads: [("a", nil)],
            moves: []
        ),
        ReaderFact(
            "docker",
            "docker",
            "order and unknown words",
            "{\"auths\":{\"r\":{\"auth\":\"YTpiOmM=\",\"email\":\"x\"},\"s\":{}},\"other\":1}",
            reads: [("r", "a:b:c"), ("s", nil)],
            moves: ["a=b:c"]
        ),
        ReaderFact(
            "docker_pull",
            "docker",
            "user and password by themselves",
            "{\"auths\":{\"r.x\":{\"username\":\"u\",\"password\":"
                + "\"p\"},\"s.x\":{\"auth\":\"dTpxOnI=\",\"email\":\"x\"}}}",
            reads: [("r.x", "u:p"), ("s.x", "u:q:r")],
            moves: ["u=p", "u=q:r"]
        ),
        ReaderFact(
            "docker_pull",
            "docker",
            "a token beside a user",
            "{\"auths\":{\"r.x\":{\"auth\":\"dTo=\",\"identitytoken\":\"i\"}}}",
            reads: [("r.x", "u:i")],
            moves: []
        ),
        ReaderFact(
            "docker_pull",
            "docker",
            "repeated registries",
            "{\"auths\":{\"r.x\":{\"auth\":\"YTpi\"},\"r.x\":{\"auth\":\"YTpj\"}}}",
            reads: [("r.x", "a:c")],
            moves: []
        ),
        ReaderFact(
            "docker_pull",
            "docker",
            "a byte order mark",
            "\u{FEFF}{\"auths\":{\"r.x\":{\"auth\":\"YTpi\"}}}",
            reads: [("r.x", nil)],
            moves: ["a=b"]
        ),
    ]
}
