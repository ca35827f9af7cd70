extension ReaderFact {
    // ★ Table: what the readers of `.env` make of it. `env_file` is `docker run --env-file`.
    static let environment: [ReaderFact] = [
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
            "dotenv",
            "env",
            "backslashes and quotes inside a value",
            "A=a\\b\nB=a\"b\"c\nC=\"a\\qb\"\nD=`x`\n",
            reads: [("A", "a\\b"), ("B", "a\"b\"c"), ("C", "a\\qb"), ("D", "`x`")],
            moves: []
        ),
        ReaderFact(
            "dotenv",
            "env",
            "dollar signs",
            "A=a$1\nB=a$$b\nC=a$\n",
            reads: [("A", "a$1"), ("B", "a$$b"), ("C", "a$")],
            moves: ["C=a$"]
        ),
        ReaderFact(
            "dotenv",
            "env",
            "line ends of Windows",
            "A=1\r\nB=\"x\r\ny\"\r\n",
            reads: [("A", "1"), ("B", "x\ny")],
            moves: ["A=1"]
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
        ReaderFact(
            "sh",
            "env",
            "backslashes and quotes inside a value",
            "A=a\\b\nB=a\"b\"c\nC=\"a\\qb\"\nD=`echo x`\n",
            reads: [("A", "ab"), ("B", "abc"), ("C", "a\\qb"), ("D", "x")],
            moves: []
        ),
        ReaderFact(
            "sh",
            "env",
            "dollar signs",
            "A=a$1\nC=a$\n",
            reads: [("A", "a"), ("C", "a$")],
            moves: ["C=a$"]
        ),
        ReaderFact(
            "sh",
            "env",
            "letters behind a backslash",
            "A=\"a\\nb\"\n",
            reads: [("A", "a\\nb")],
            moves: ["A=a\nb"]
        ),
        ReaderFact(
            "sh",
            "env",
            "line ends of Windows",
            "A=1\r\n",
            reads: [("A", "1\r")],
            moves: ["A=1"]
        ),
        ReaderFact(
            "env_file",
            "env",
            "comments",
            "# c\n  # d\nA=#x\nB=a#b\nC=c #d\n",
            reads: [("A", "#x"), ("B", "a#b"), ("C", "c #d")],
            moves: ["A=#x", "B=a#b", "C=c"]
        ),
        ReaderFact(
            "env_file",
            "env",
            "quotes and backslashes",
            "A=\"a b\"\nB='c'\nC=a\\b\nD=`x`\n",
            reads: [("A", "\"a b\""), ("B", "'c'"), ("C", "a\\b"), ("D", "`x`")],
            moves: ["A=a b", "B=c"]
        ),
        ReaderFact(
            "env_file",
            "env",
            "indents",
            "  A=1 \n",
            reads: [("A", "1 ")],
            moves: ["A=1"]
        ),
        ReaderFact(
            "env_file",
            "env",
            "blanks around the equals sign",
            "A = 1\nB=2\n",
            reads: [("A", nil), ("B", nil)],
            moves: ["A=1", "B=2"]
        ),
        ReaderFact(
            "env_file",
            "env",
            "order and repeated keys",
            "A=1\nA=2\n",
            reads: [("A", "2")],
            moves: []
        ),
        ReaderFact(
            "env_file",
            "env",
            "a byte order mark and line ends of Windows",
            "\u{FEFF}A=1\r\nB=2\r\n",
            reads: [("A", "1"), ("B", "2")],
            moves: ["A=1", "B=2"]
        ),
        ReaderFact(
            "env_file",
            "env",
            "unknown words",
            "A=1\nNOT_SET_HERE\n",
            reads: [("A", "1"), ("NOT_SET_HERE", nil)],
            moves: ["A=1"]
        ),
        ReaderFact(
            "systemd",
            "env",
            "comments",
            "# c\n; d\nA=#x\nB=a#b\nC=c #d\n",
            reads: [("A", "#x"), ("B", "a#b"), ("C", "c #d")],
            moves: ["A=#x", "B=a#b", "C=c"]
        ),
        ReaderFact(
            "systemd",
            "env",
            "quotes",
            "A='a b'\nB=\"l1\nl2\\\"\\$x\"\nC=a\"b\"c\n",
            reads: [("A", "a b"), ("B", "l1\nl2\"$x"), ("C", "a\"b\"c")],
            moves: ["A=a b", "B=l1\nl2\"$x"]
        ),
        ReaderFact(
            "systemd",
            "env",
            "text behind quotes",
            "A=\"a\"b\nB='a b' # c\n",
            reads: [("A", "ab"), ("B", "a b# c")],
            moves: ["B=a b"]
        ),
        ReaderFact(
            "systemd",
            "env",
            "backslashes",
            "A=a\\b\nB=a\\\nC=1\nD=\"a\\nb\"\n",
            reads: [("A", "ab"), ("B", "aC=1"), ("C", nil), ("D", "a\\nb")],
            moves: ["C=1", "D=a\nb"]
        ),
        ReaderFact(
            "systemd",
            "env",
            "indents and export",
            "  A = 1  \nexport B=2\n",
            reads: [("A", "1"), ("B", nil)],
            moves: ["A=1", "B=2"]
        ),
        ReaderFact(
            "systemd",
            "env",
            "order and repeated keys",
            "A=1\nA=2\n",
            reads: [("A", "2")],
            moves: []
        ),
        ReaderFact(
            "systemd",
            "env",
            "a byte order mark and line ends of Windows",
            "\u{FEFF}A=1\r\nB=2\r\n",
            reads: [("A", nil), ("B", "2")],
            moves: ["A=1", "B=2"]
        ),
        ReaderFact(
            "systemd",
            "env",
            "unknown words",
            "A=1\nnothing here\nB=2\n",
            reads: [("A", "1"), ("B", "2")],
            moves: ["A=1", "B=2"]
        ),
        ReaderFact(
            "ruby_dotenv",
            "env",
            "comments",
            "A=#x\nB=a#b\nC=c #d\n",
            reads: [("A", ""), ("B", "a"), ("C", "c")],
            moves: ["A=#x", "B=a#b", "C=c"]
        ),
        ReaderFact(
            "ruby_dotenv",
            "env",
            "quotes and indents",
            "  A = 'a b' # c\n\texport B=\"c\\nd\\\"\"\n",
            reads: [("A", "a b"), ("B", "c\nd\"")],
            moves: ["A=a b", "B=c\nd\""]
        ),
        ReaderFact(
            "ruby_dotenv",
            "env",
            "values of several lines",
            "A=\"l1\nl2\"\nB=2\n",
            reads: [("A", "\"l1"), ("B", "2")],
            moves: ["A=l1\nl2", "B=2"]
        ),
        ReaderFact(
            "ruby_dotenv",
            "env",
            "dollar signs",
            "A=a$b\nB='$c'\n",
            reads: [("A", "a"), ("B", "$c")],
            moves: ["B=$c"]
        ),
        ReaderFact(
            "ruby_dotenv",
            "env",
            "order and repeated keys",
            "A=1\nA=2\n",
            reads: [("A", "2")],
            moves: []
        ),
        ReaderFact(
            "ruby_dotenv",
            "env",
            "unknown words",
            "A=1\nno setting here\nB: 2\n",
            reads: [("A", "1"), ("B", "2")],
            moves: ["A=1"]
        ),
        ReaderFact(
            "ruby_dotenv",
            "env",
            "line ends of Windows",
            "A=1\r\nB=\"x\"\r\n",
            reads: [("A", "1"), ("B", "x")],
            moves: ["A=1", "B=x"]
        ),
    ]
}
