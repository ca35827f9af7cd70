import Foundation
import KeychainMessages
import KeychainModel
import TestSupport
import Testing

@testable import KeychainCommand

@Suite struct `The environment of a command` {
    private let endpoint: any Endpoint

    init() throws { endpoint = try TestKeychain.endpoint() }

    private func add(_ account: String, to service: String, _ options: String...) throws {
        let words = ["keychainctl", "add-generic-password", "-a", account, "-s", service] + options
        let terminal = TestTerminal(input: Array("of \(service)\n".utf8))
        try #require(TestKeychain.run(words, on: endpoint, terminal) == 0)
    }

    /// What the command would have got; nil where it was not run.
    private func run(
        _ words: String...
    ) -> (status: Int32, variables: [String]?, diagnostics: String) {
        var variables: [String]?
        let terminal = TestTerminal()
        let words = ["keychainctl", "env"] + words + ["--", "make"]
        let status = TestKeychain.run(words, on: endpoint, terminal) { launch in
            variables = launch.variables.map { name, value in
                name + "=" + String(decoding: value.secret.copyBytesUnprotected(), as: UTF8.self)
            }
        }
        return (status, variables, terminal.diagnosticsText)
    }

    @Test(
        .requirement("USE-10"),
        arguments: [
            "PATH", "LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT", "BASH_ENV", "ENV", "IFS", "PS4",
            "SHELLOPTS", "PYTHONPATH", "PYTHONSTARTUP", "NODE_OPTIONS", "NODE_PATH", "PERL5OPT",
            "PERL5LIB", "RUBYOPT", "JAVA_TOOL_OPTIONS", "CLASSPATH", "GIT_SSH", "GIT_SSH_COMMAND",
            "GIT_EXEC_PATH", "GIT_CONFIG_COUNT", "GIT_CONFIG_KEY_0", "GLIBC_TUNABLES", "EDITOR",
            "PAGER", "LESSOPEN", "HOME", "XDG_CONFIG_HOME", "MAKEFLAGS", "RUSTC_WRAPPER",
            "npm_config_script_shell", "KEYCHAIN_HOME", "KEYCHAIN_PINENTRY", "TSS2_LOG",
            "OPENSSL_CONF", "GCONV_PATH", "LUA_INIT_5_4", "LOCPATH", "TERMINFO", "PERL5DB",
            "PERL5SHELL", "RUBYLIB", "RUBYSHELL", "GETCONF_DIR", "POSIXLY_CORRECT", "HISTFILE",
            "TMPDIR", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES",
            "GIT_ALLOW_PROTOCOL", "GIT_SSL_NO_VERIFY", "GIT_TRACE", "GIT_ATTR_SOURCE", "LESS",
            "MAVEN_OPTS", "GRADLE_OPTS", "JAVA_OPTS", "MONO_PATH", "OCAMLRUNPARAM",
            "EMACSLOADPATH", "PSQLRC", "HGRCPATH", "WGETRC", "PKG_CONFIG_PATH",
            "CMAKE_TOOLCHAIN_FILE", "SSL_CERT_FILE", "NODE_TLS_REJECT_UNAUTHORIZED",
            "NODE_EXTRA_CA_CERTS", "SSH_AUTH_SOCK", "PIP_INDEX_URL", "GOPROXY", "DOCKER_HOST",
            "GDK_PIXBUF_MODULE_FILE", "VK_LAYER_PATH", "__EGL_VENDOR_LIBRARY_FILENAMES",
            "ANSIBLE_VAULT_PASSWORD_FILE", "GNUPGHOME", "AWS_SHARED_CREDENTIALS_FILE",
            "SWIFT_BACKTRACE",
        ]
    )
    func `takes a name that changes what runs only if it is allowed`(name: String) throws {
        try add("TOKEN", to: "shop")
        try add(name, to: "shop")
        let refused = run("shop")
        #expect(refused.status == 2)
        #expect(refused.variables == nil)
        #expect(refused.diagnostics.contains("add --allow \(name)"), "\(refused.diagnostics)")
        #expect(run("--allow", "OTHER", "shop").variables == nil)
        #expect(
            run("--allow", "OTHER", "--allow", name, "shop").variables == [
                "TOKEN=of shop", "\(name)=of shop",
            ]
        )
    }

    @Test(arguments: [
        "GIT_TOKEN", "NPM_TOKEN", "MY_PATH", "PATHS", "LDAP_PASSWORD", "ENVIRONMENT", "_", "A1",
        "PYTHON_TOKEN", "DATABASE_URL", "EDITOR_KEY", "GIT_PASSWORD", "GIT_AUTHOR_NAME",
        "CARGO_REGISTRY_TOKEN", "PGPASSWORD", "RSYNC_PASSWORD", "ANSIBLE_VAULT_PASSWORD",
        "TF_VAR_secret", "UV_PUBLISH_TOKEN", "AWS_SECRET_ACCESS_KEY", "HTTPS_PROXY",
    ])
    func `takes any other name`(name: String) throws {
        try add(name, to: "shop")
        #expect(run("shop").variables == ["\(name)=of shop"])
    }

    @Test(.requirement("USE-10"))
    func `has the secrets of one project, not of another in a folder of its name`() throws {
        try add("TOKEN", to: "/srv/a/shop")
        try add("TOKEN", to: "/srv/b/shop")
        #expect(run("/srv/a/shop").variables == ["TOKEN=of /srv/a/shop"])
        #expect(run("/srv/b/shop").variables == ["TOKEN=of /srv/b/shop"])
        let either = run("shop")
        #expect(either.status == 2)
        #expect(either.variables == nil)
        #expect(either.diagnostics.contains("'shop' could be /srv/a/shop, /srv/b/shop"))
        #expect(run("/srv/c/shop").status == 44)
    }

    @Test(arguments: [
        ("shop", "shop"), ("/srv/a/shop", "shop"), ("/srv/a/shop/.env.test", "shop.test"),
        ("/srv/a/shop/prod.env", "shop"), ("/shop", "shop"), ("aws:default", "aws:default"),
    ])
    func `has the secrets of the one service that a name can mean`(
        service: String,
        name: String
    ) throws {
        try add("TOKEN", to: service)
        try add("TOKEN", to: "/elsewhere/depot")
        #expect(run(name).variables == ["TOKEN=of \(service)"])
    }

    @Test func `has no secrets of a short name that a project's folder has too`() throws {
        try add("OLD", to: "shop")
        try add("NEW", to: "/srv/a/shop")
        let either = run("shop")
        #expect(either.status == 2)
        #expect(either.diagnostics.contains("'shop' could be /srv/a/shop, shop"))
        #expect(run("--exact", "shop").variables == ["OLD=of shop"])
        #expect(run("/srv/a/shop").variables == ["NEW=of /srv/a/shop"])
    }

    @Test func `has no variable of two values`() throws {
        try add("TOKEN", to: "shop")
        try add("TOKEN", to: "shop", "--access-group", "TEAM.shared")
        let either = run("shop")
        #expect(either.status == 2)
        #expect(either.diagnostics.contains("two items for account TOKEN"))
        #expect(run("--access-group", "TEAM.shared", "shop").variables == ["TOKEN=of shop"])
    }
}

@Suite struct `The service of an environment file` {
    @Test func `is its folder's full path, and its own beside another one`() throws {
        let scratch = try ScratchFolder()
        defer { scratch.remove() }
        let shop = scratch.path + "/shop"
        try scratch.write("", to: shop + "/.env")
        try scratch.write("", to: shop + "/.env.test")
        try FileManager.default.createSymbolicLink(
            atPath: scratch.path + "/link",
            withDestinationPath: shop
        )
        let real = try #require(ProjectService.service(atPath: shop))
        #expect(real.hasSuffix("/shop"))
        #expect(ProjectService.service(ofFile: shop + "/.env") == real)
        #expect(ProjectService.service(ofFile: scratch.path + "/link/.env") == real)
        #expect(ProjectService.service(ofFile: shop + "/.env.test") == real + "/.env.test")
        #expect(ProjectService.service(atPath: scratch.path + "/link/") == real)
        #expect(ProjectService.service(atPath: shop + "/.env") == real)
        #expect(ProjectService.service(atPath: shop + "/.env.test") == real + "/.env.test")
    }

    @Test(arguments: ["shop", "aws:default", "https://example.org", "", "a/b", ".hidden"])
    func `is no path where a word is none`(word: String) {
        #expect(ProjectService.service(atPath: word) == nil)
        #expect(ProjectService.shortName(of: word) == nil)
    }
}

extension Programs {
    @Suite struct `A command that the program keychain starts` {
        @Test(.requirement("USE-10"))
        func `has the caller's environment and what was asked for`() throws {
            let workshop = try Workshop()
            defer { workshop.scratch.remove() }
            let add = ["keychainctl", "add-generic-password", "-s", "shop", "-a", "TOKEN"]
            #expect(try workshop.run(add, input: "hunter2").status == 0)
            let before = try workshop.run("env").output.split(separator: "\n")
            let after = try workshop.run("keychainctl", "env", "shop", "--", "env").output
                .split(separator: "\n")
            #expect(after.sorted() == (before + ["TOKEN=hunter2"]).sorted())
            let set = try workshop.run(
                "env",
                "TSS2_LOG=all+warning",
                "keychainctl",
                "env",
                "shop",
                "--",
                "printenv",
                "TSS2_LOG"
            )
            #expect(set.output == "all+warning\n")
        }
    }
}
