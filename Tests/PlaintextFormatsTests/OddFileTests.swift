import Testing

@testable import PlaintextFormats

/// A file of which only a part can move: what moves, and the lines that stay with their reasons.
struct OddExample: CustomTestStringConvertible {
    let format: String
    let text: String
    let found: [String]
    let kept: [String]

    init(_ format: String, _ text: String, _ found: [String], kept: [String]) {
        self.format = format
        self.text = text
        self.found = found
        self.kept = kept
    }

    var testDescription: String { "\(format): \(text.prefix(48).replacing("\n", with: "⏎"))" }
}

@Suite struct `A file that is understood in part` {
    @Test(arguments: oddSettings + oddCredentials + oddExports)
    func `gives what is understood, and names every line that stays`(example: OddExample) throws {
        let file = try PlaintextFile(example.text, as: example.format)
        let movable = file.entries.filter { $0.hindrance == nil }
        #expect(movable.map { "\($0.placeText)=\($0.secretText)" } == example.found)
        #expect(file.keptLines == example.kept)
        let rest = try file.text(removing: movable, as: example.format)
        let left = try PlaintextFile(rest, as: example.format)
        #expect(left.entries.filter { $0.hindrance == nil }.map(\.placeText) == [])
        #expect(left.reasons == file.reasons)
    }

    @Test(.requirement("USE-07"), arguments: oddSettings + oddCredentials + oddExports)
    func `gets back every byte`(example: OddExample) throws {
        let file = try PlaintextFile(example.text, as: example.format)
        let movable = file.entries.filter { $0.hindrance == nil }
        let bytes = try file.bytesRestoring(movable, as: example.format)
        #expect(bytes == Array(example.text.utf8))
    }
}

extension PlaintextFile {
    /// Such as `2: it is for every machine`.
    fileprivate var keptLines: [String] {
        let entries = entries.compactMap { entry in
            entry.hindrance.map { (entry.line, $0) }
        }
        return (entries + oddities.map { ($0.line, $0.reason) }).sorted { $0.0 < $1.0 }
            .map { "\($0): \($1)" }
    }

    /// The reasons without the lines, which move up where others are gone.
    fileprivate var reasons: [String] {
        keptLines.map { String($0.drop { $0 != ":" }).filter { !$0.isNumber } }
    }
}

// ★ Table: environment files and the files of registries and package managers.
let oddSettings: [OddExample] = [
    OddExample(
        "env",
        "DB_PASSWORD=#abc123\nAPI_KEY=zzz9\nspring.datasource.password=abc1\nmy-api-key=zzz8\n",
        ["·/DB_PASSWORD=#abc123", "·/API_KEY=zzz9"],
        kept: [
            "3: keychainctl env could not give it back: no variable of a program has such a name",
            "4: keychainctl env could not give it back: no variable of a program has such a name",
        ]
    ),
    OddExample("env", "\u{FEFF}DB_PASSWORD=abc123\n", ["·/DB_PASSWORD=abc123"], kept: []),
    OddExample("env", "\u{FEFF}# c\r\nA=1\r\n", ["·/A=1"], kept: []),
    OddExample(
        "env",
        "A= #c\nB=\t#c\nC = #d\nD=x#y #z\nE='#e' # f\n",
        ["·/D=x#y", "·/E=#e"],
        kept: []
    ),
    OddExample(
        "env",
        "A=1\nnonsense\nB=2\n",
        ["·/A=1", "·/B=2"],
        kept: ["2: neither a comment nor NAME=value"]
    ),
    OddExample(
        "env",
        "=x\n1A=x\nB=2\n",
        ["·/B=2"],
        kept: [
            "1: no name before the equals sign", "2: no name before the equals sign",
        ]
    ),
    OddExample(
        "env",
        "A='x\nB=2\n",
        ["·/B=2"],
        kept: ["1: a quotation mark that is never closed"]
    ),
    OddExample(
        "env",
        "A='x' y\nB=2\n",
        ["·/B=2"],
        kept: ["1: text after the closing quotation mark"]
    ),
    OddExample(
        "env",
        "A=\"x\nC=1\nD=\"y\nB=2\n",
        ["·/B=2"],
        kept: ["3: text after the closing quotation mark"]
    ),
    OddExample(
        "env",
        "export A\nexport B=2\n",
        ["·/B=2"],
        kept: ["1: neither a comment nor NAME=value"]
    ),
    OddExample(
        "npmrc",
        "//r.example/:_authToken=npm_abc ; my token\n//s.example/:_authToken=ab\\;c\n"
            + "//ci.example/:_authToken=${NPM_TOKEN}\n",
        ["htps://_authToken@r.example=npm_abc", "htps://_authToken@s.example=ab;c"],
        kept: ["3: its value refers to a variable"]
    ),
    OddExample(
        "npmrc",
        "//a/:_authToken=x#y\n//b/:_authToken=a\\\\b\\q # c\n//c/:_authToken=\"a\\u0062;\" \n"
            + "//d/:_authToken='a;\\;b'\n//e/:_authToken=\"t\" ; c\n",
        [
            "htps://_authToken@a=x", "htps://_authToken@b=a\\b\\q", "htps://_authToken@c=ab;",
            "htps://_authToken@d=a;\\;b", "htps://_authToken@e=\"t\"",
        ],
        kept: []
    ),
    OddExample(
        "npmrc",
        "//a/:_authToken=true\n//b/:_authToken='1'\n[x]\n//c/:_authToken=t\n",
        [],
        kept: [
            "1: npm reads it as something else than text",
            "2: npm reads it as something else than text",
            "4: it is in a section, where npm does not read it",
        ]
    ),
    OddExample(
        "npmrc",
        "proxy=http://u:p@h\n[x\n  //a/:_authToken = t\r\n",
        ["htps://_authToken@a=t"],
        kept: ["1: a setting that looks like a secret; npm reads it only there"]
    ),
    OddExample(
        "npmrc",
        "//a-b/:_authToken=1\n//a.b/:_authToken=2\n//x/:_authToken=${NPM_TOKEN_A_B_2?}\n",
        ["htps://_authToken@a-b=1", "htps://_authToken@a.b=2"],
        kept: ["3: its value refers to a variable"]
    ),
    OddExample(
        "pypirc",
        "[pypi]\n  username = __token__\n  password = pypi-x\n",
        ["htps://__token__@upload.pypi.org/legacy=pypi-x"],
        kept: []
    ),
    OddExample(
        "pypirc",
        "[distutils]\nindex-servers = pypi\n[pypi]\n  username = __token__\n  password = pypi-x\n",
        ["htps://__token__@upload.pypi.org/legacy=pypi-x"],
        kept: []
    ),
    OddExample(
        "pypirc",
        "\u{FEFF}[DEFAULT]\nusername = z\n[pypi]\nPASSWORD : q ; c\n[server-login]\npassword = w\n",
        ["htps://z@upload.pypi.org/legacy=q ; c"],
        kept: ["6: it is for every repository"]
    ),
    OddExample(
        "pypirc",
        "[own]\nrepository = https://u:p@h/up\nusername = u\npassword = q\n[pypi]\n"
            + "password = x\n[pypi]\nusername = v\n",
        ["htps://u@h/up=q"],
        kept: [
            "2: a setting that looks like a secret; it stays",
            "6: its section has it twice, and twine refuses the file",
        ]
    ),
    OddExample(
        "pypirc",
        "[pypi]\npassword = a\n  b\n[testpypi]\npassword = a\npassword = a\nnonsense\n[x\n"
            + "password = d\n",
        [],
        kept: [
            "2: its value has several lines",
            "5: its section has it twice, and twine refuses the file",
            "6: its section has it twice, and twine refuses the file",
            "7: neither a comment nor key = value", "8: a section that is not closed",
            "9: an option in no section",
        ]
    ),
    OddExample(
        "cargo",
        "[registries.a]\ntoken = \"t\"\nindex = \"sparse+https://u:p@h/\"\n[net]\nkey = 'ghp_x'\n",
        ["cargo:a/CARGO_REGISTRIES_A_TOKEN=t"],
        kept: [
            "3: a setting that looks like a secret; it stays",
            "5: a setting that looks like a secret; it stays",
        ]
    ),
    OddExample(
        "cargo",
        "[registry]\ntoken = \"\"\"\ntoken = 1\n[registries.x]\ntoken = \"b\"\n\"\"\"\n"
            + "[ registries . \"my-co\" ]\n\"token\" = \"c\"\nnonsense\n[registries.d\n"
            + "token = \"e\"\n",
        ["cargo:my-co/CARGO_REGISTRIES_MY_CO_TOKEN=c"],
        kept: [
            "2: its value is not a plain string", "9: neither a comment nor key = value",
            "10: a table that is not closed", "11: a key in a table that makes no sense",
        ]
    ),
    OddExample(
        "docker",
        "{\"auths\":{\"r.example\":{\"username\":\"u\",\"password\":\"p\"},"
            + "\"s\":{\"password\":\"q\"},\n"
            + "\"t\":{\"auth\":\"YTpi\",\"password\":\"b\"},\"v\":{\"registrytoken\":\"x\"},\n"
            + "\"w\":{\"auth\":1},\"x\":{\"auth\":\"YTpi\",\"identitytoken\":\"\"},"
            + "\"y\":{\"auth\":\"\"}}}",
        ["htps://u@r.example=p", "htps://a@x=b"],
        kept: [
            "1: it is not the user and password of a registry", "2: it has password as well",
            "2: no store of docker's keeps it", "3: a credential of a registry that is no text",
        ]
    ),
    OddExample(
        "docker",
        "{\"proxies\":{\"default\":{\"httpProxy\":\"http://u:p@h\",\"noProxy\":\"x\"}},\n"
            + "\"HttpHeaders\":{\"Authorization\":\"Basic x\",\"A\":\"b\"},\n"
            + "\"auths\":{\"h\":{\"auth\":\"YTpi\"}},\"x\":[\"ghp_abc\"]}",
        ["htps://a@h=b"],
        kept: [
            "1: a setting that looks like a secret; docker reads it only there",
            "2: a setting that looks like a secret; docker reads it only there",
            "3: a setting that looks like a secret; docker reads it only there",
        ]
    ),
    OddExample(
        "docker",
        "{\"auths\":{\"r\":{\"auth\":\"YTpi\"},\"r\":{\"auth\":\"YTpi\"},"
            + "\"s\":{\"auth\":\"Y\\u0054pi\"}}}",
        [],
        kept: [
            "1: its registry stands there twice", "1: its registry stands there twice",
            "1: no undo could write it back as it is written",
        ]
    ),
]
