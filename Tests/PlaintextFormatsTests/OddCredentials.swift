// ★ Table: files of credentials.
let oddCredentials: [OddExample] = [
    OddExample(
        "netrc",
        "machine a.example\n  login ann\n  password pw1\n  method basic\n"
            + "machine b.example login bob password pw2\n\n"
            + "machine c.example login eve password pw3\nmacdef init\ncd /pub\nbin\n\n",
        ["*://bob@b.example=pw2"],
        kept: ["1: line 4 has a word that is not understood", "7: a macro belongs to it"]
    ),
    OddExample(
        "netrc",
        "\u{FEFF}machine a login b password c\nfoo bar\n",
        [],
        kept: ["1: line 2 has a word that is not understood"]
    ),
    OddExample(
        "netrc",
        "foo bar\nlogin x\nmachine a login b password c\n",
        ["*://b@a=c"],
        kept: [
            "1: a word that belongs to no machine", "2: a word that belongs to no machine",
        ]
    ),
    OddExample(
        "netrc",
        "macdef all\nmachine x password y\n\nmachine a login b password c\n",
        ["*://b@a=c"],
        kept: []
    ),
    OddExample(
        "netrc",
        "machine a login b password #c\nmachine d login e password \"f\n"
            + "machine g login h password i password j\nmachine k password \"a\\qb\\n\"",
        ["*://@k=aqb\n"],
        kept: [
            "1: it has a word that may be a value or a comment",
            "2: a quotation mark that is never closed", "3: it has two passwords",
        ]
    ),
    OddExample(
        "netrc",
        "machine a login b password\n",
        [],
        kept: ["1: the file ends after a keyword"]
    ),
    OddExample(
        "git-credentials",
        "https://tok@a.example\nhttps://bob:pw@b.example\nhttps://one:p1@c.example\n"
            + "https://two:p2@c.example\nhttps://ann:pw%2fx@d.example\n",
        [
            "htps://bob@b.example=pw", "htps://one@c.example=p1", "htps://two@c.example=p2",
            "htps://ann@d.example=pw/x",
        ],
        kept: ["1: a URL without a user or without a password"]
    ),
    OddExample(
        "git-credentials",
        "\u{FEFF}https://u:%C3%a9%41b~%7e!@h\nnot a url\nhttps://h/\nhttps://u:@h/\n"
            + "https://u:%zz@h\n"
            + "https://u%0a:p@h\nhttps://u:p@h:99999\nimaps://u:@p@h/\nhttps://:q@h\n",
        ["htps://u@h=éAb~~!", "htps://@h=q"],
        kept: [
            "2: not a URL like scheme://user:password@host/path",
            "3: a URL without a user or without a password",
            "4: a URL without a user or without a password",
            "5: a percent sign without two hexadecimal digits",
            "6: not a URL like scheme://user:password@host/path",
            "7: not a URL like scheme://user:password@host/path",
            "8: a URL with two @, of which git takes the first",
        ]
    ),
    OddExample(
        "git-credentials",
        "smtps://u:p@h:465\nsocks5://u:q@h\nsftp://u:r@h\nhtps://u:s@h\n",
        ["smtps://u@h:465=p", "socks5://u@h=q", "sftp://u@h=r", "htps:://u@h=s"],
        kept: []
    ),
    OddExample(
        "aws",
        "[a]\naws_access_key_id=AKIA1\naws_secret_access_key=s\nregion=us\nkey=AKIA2\n",
        ["aws:a/AWS_ACCESS_KEY_ID=AKIA1", "aws:a/AWS_SECRET_ACCESS_KEY=s"],
        kept: ["5: a setting that looks like a secret; it stays"]
    ),
    OddExample(
        "aws",
        "[registry]\ntoken = ghp_x\n",
        [],
        kept: ["2: a setting that looks like a secret; it stays"]
    ),
    OddExample(
        "aws",
        "[one]\naws_access_key_id = AKIA1\naws_secret_access_key = s1\n"
            + "[two]\n  aws_access_key_id = AKIA2\n  aws_secret_access_key = s2\n",
        [
            "aws:one/AWS_ACCESS_KEY_ID=AKIA1", "aws:one/AWS_SECRET_ACCESS_KEY=s1",
            "aws:two/AWS_ACCESS_KEY_ID=AKIA2", "aws:two/AWS_SECRET_ACCESS_KEY=s2",
        ],
        kept: []
    ),
    OddExample(
        "aws",
        "[default]\naws_access_key_id: AKIA1\nAws_Secret_Access_Key = s1 # c\n"
            + "aws_security_token = tok1\n",
        [
            "aws:default/AWS_ACCESS_KEY_ID=AKIA1", "aws:default/AWS_SECRET_ACCESS_KEY=s1 # c",
            "aws:default/AWS_SESSION_TOKEN=tok1",
        ],
        kept: []
    ),
    OddExample(
        "aws",
        "[a]\naws_security_token = t\naws_session_token = t\n[b]\naws_access_key_id = i\n"
            + "aws_security_token = t\naws_session_token = u\n",
        ["aws:a/AWS_SESSION_TOKEN=t", "aws:a/AWS_SESSION_TOKEN=t"],
        kept: [
            "5: line 6 of the same profile stays", "6: line 7 says otherwise",
            "7: line 6 says otherwise",
        ]
    ),
    OddExample(
        "aws",
        "[a]\n  aws_access_key_id = i\n  aws_secret_access_key = s\n   more\n[b]\nregion = eu\n"
            + "  aws_session_token = x\n[c]\naws_session_token =\n  t\n",
        [],
        kept: [
            "2: line 3 of the same profile stays", "3: its value has several lines",
            "9: its value has several lines",
        ]
    ),
    OddExample(
        "aws",
        "aws_session_token=x\n\u{FEFF}[a]\n[b]\naws_session_token=y\n[DEFAULT]\n"
            + "aws_session_token=z\n"
            + "[c\naws_session_token=w\n",
        ["aws:b/AWS_SESSION_TOKEN=y"],
        kept: [
            "1: an option in no section", "2: an option in no section",
            "6: it is for every profile",
            "7: a section that is not closed", "8: an option in no section",
        ]
    ),
    OddExample(
        "aws",
        "[a]\naws_access_key_id=i\naws_secret_access_key s\n[profile b]\naws_session_token=t\n"
            + "[c]\naws_access_key_id=i\n[d]\naws_session_token=u\n[c]\n"
            + "aws_secret_access_key=s\n",
        ["aws:d/AWS_SESSION_TOKEN=u"],
        kept: [
            "2: line 3 of its profile makes no sense", "3: neither a comment nor key = value",
            "5: its section is one of ~/.aws/config",
            "7: its profile has it twice, and botocore refuses the file",
            "11: its profile has it twice, and botocore refuses the file",
        ]
    ),
    OddExample(
        "pgpass",
        "localhost:5432:*:app:pa:ss\nlocalhost:5432:*:two:p\\:q\n"
            + "localhost:5432:*:three:\\p\\\\r\\\n",
        ["psql://two@localhost:5432=p:q", "psql://three@localhost:5432=p\\r\\"],
        kept: ["1: PostgreSQL reads its password only up to the colon in it"]
    ),
    OddExample(
        "pgpass",
        "a:1:b:c\n # c\na:x:b:c:d\nh:1:d:u:p\r\nh:2:d:u:\n",
        ["psql://u@h:1/d=p"],
        kept: [
            "1: not five fields separated by colons", "2: not five fields separated by colons",
            "3: the second field is not a port",
        ]
    ),
]
