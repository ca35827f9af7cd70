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

    private static let environment: [ReaderFact] = [
        ReaderFact(
            "dotenv",
            "env",
            "comments",
            "A=#x\nB=a#b\nC=c #d\n# e\n",
            reads: [("A", "#x"), ("B", "a#b"), ("C", "c")],
            moves: ["A=#x", "B=a#b", "C=c"]
        ),
        ReaderFact(
            "dotenv",
            "env",
            "quotes",
            "A='a b' # c\nB=\"l1\nl2\\n\\\"\"\n",
            reads: [("A", "a b"), ("B", "l1\nl2\n\"")],
            moves: ["A=a b", "B=l1\nl2\n\""]
        ),
        ReaderFact(
            "dotenv",
            "env",
            "indents",
            "  A = 1  \n\texport B=2\n",
            reads: [("A", "1"), ("B", "2")],
            moves: ["A=1", "B=2"]
        ),
        ReaderFact(
            "dotenv",
            "env",
            "order and repeated keys",
            "A=1\nA=2\n",
            reads: [("A", "2")],
            moves: []
        ),
        ReaderFact(
            "dotenv",
            "env",
            "unknown words",
            "A=1\nno setting here\nB='x' y\nC=3\n",
            reads: [("A", "1"), ("B", nil), ("C", "3")],
            moves: ["A=1", "C=3"]
        ),
        ReaderFact(
            "sh",
            "env",
            "comments",
            "A=#x\nB=a#b\nC=c #d\nD= #e\n",
            reads: [("A", "#x"), ("B", "a#b"), ("C", "c"), ("D", nil)],
            moves: ["A=#x", "B=a#b", "C=c"]
        ),
        ReaderFact(
            "sh",
            "env",
            "quotes",
            "A='a b' # c\nB=\"\\$x\\\"\"\n",
            reads: [("A", "a b"), ("B", "$x\"")],
            moves: ["A=a b", "B=$x\""]
        ),
        ReaderFact(
            "sh",
            "env",
            "a byte order mark",
            "\u{FEFF}A=1\nB=2\n",
            reads: [("A", nil), ("B", "2")],
            moves: ["A=1", "B=2"]
        ),
    ]

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
            "docker",
            "docker",
            "order and unknown words",
            "{\"auths\":{\"r\":{\"auth\":\"YTpiOmM=\",\"email\":\"x\"},\"s\":{}},\"other\":1}",
            reads: [("r", "a:b:c"), ("s", nil)],
            moves: ["a=b:c"]
        ),
    ]
}
