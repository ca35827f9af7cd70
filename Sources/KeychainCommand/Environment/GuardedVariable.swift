// ★ Table: variables that change which code a program runs. An item whose account has such a name
// could take over the command that `env` starts, so each has to be allowed by name.
//
// Source: ld.so(8); bash(1); dash(1); the manuals of the interpreters and tools named below.

/// A variable that changes what a program loads, finds or runs.
struct GuardedVariable: Sendable {
    /// The variable; a final `*` stands for any ending.
    private let pattern: String
    /// What the variable changes, as the end of a sentence.
    let effect: String

    private init(_ pattern: String, _ effect: String) {
        self.pattern = pattern
        self.effect = effect
    }

    /// The rule for a name; nil for a name that is safe to set.
    static func rule(for name: String) -> GuardedVariable? {
        table.first { $0.covers(name) }
    }

    private func covers(_ name: String) -> Bool {
        pattern.hasSuffix("*") ? name.hasPrefix(pattern.dropLast()) : name == pattern
    }

    private static let table: [GuardedVariable] = rows.flatMap { effect, patterns in
        patterns.split(whereSeparator: \.isWhitespace).map { GuardedVariable(String($0), effect) }
    }

    private static let rows: [(effect: String, patterns: String)] = [
        ("where programs are found", "PATH CDPATH EXECIGNORE"),
        (
            "how programs are loaded",
            """
            LD_* DYLD_* GLIBC_TUNABLES GCONV_PATH LOCPATH NLSPATH MALLOC_* OPENSSL_CONF
            OPENSSL_MODULES OPENSSL_ENGINES GTK_MODULES GTK_PATH GTK3_MODULES GIO_MODULE_DIR
            GIO_EXTRA_MODULES QT_PLUGIN_PATH QT_QPA_PLATFORM_PLUGIN_PATH QML_IMPORT_PATH
            QML2_IMPORT_PATH GST_PLUGIN_PATH LIBGL_DRIVERS_PATH KRB5_CONFIG SASL_PATH
            """
        ),
        (
            "what a shell runs",
            """
            BASH_ENV ENV IFS SHELLOPTS BASHOPTS BASH_LOADABLES_PATH BASH_FUNC_* PS1 PS2 PS4
            PROMPT_COMMAND GLOBIGNORE ZDOTDIR FPATH SHELL INPUTRC FCEDIT
            """
        ),
        ("where programs find their settings", "HOME XDG_*"),
        (
            "what an interpreter runs",
            """
            PYTHONPATH PYTHONHOME PYTHONSTARTUP PYTHONINSPECT PYTHONUSERBASE PYTHONBREAKPOINT
            PYTHONEXECUTABLE PYTHONPLATLIBDIR PYTHONPYCACHEPREFIX PYTHONWARNINGS NODE_OPTIONS
            NODE_PATH NODE_REPL_EXTERNAL_MODULE NPM_CONFIG_* npm_config_* PERL5OPT PERL5LIB
            PERLLIB PERL5DB PERL_MB_OPT RUBYOPT RUBYLIB GEM_HOME GEM_PATH BUNDLE_GEMFILE LUA_PATH*
            LUA_CPATH* LUA_INIT* PHPRC PHP_INI_SCAN_DIR JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS
            _JAVA_OPTIONS JAVA_HOME CLASSPATH DOTNET_STARTUP_HOOKS DOTNET_ADDITIONAL_DEPS
            CORECLR_* COR_PROFILER* COR_ENABLE_PROFILING R_PROFILE R_PROFILE_USER R_LIBS
            R_LIBS_USER ERL_FLAGS ERL_AFLAGS ERL_ZFLAGS ERL_LIBS TCLLIBPATH AWKPATH AWKLIBPATH
            GUILE_LOAD_PATH JULIA_LOAD_PATH DENO_DIR BUN_INSTALL ELIXIR_ERL_OPTIONS PSModulePath
            """
        ),
        (
            "which programs git runs",
            """
            GIT_SSH GIT_SSH_COMMAND GIT_EXEC_PATH GIT_ASKPASS GIT_EDITOR GIT_SEQUENCE_EDITOR
            GIT_PAGER GIT_EXTERNAL_DIFF GIT_PROXY_COMMAND GIT_TEMPLATE_DIR GIT_CONFIG* GIT_DIR
            GIT_WORK_TREE GIT_COMMON_DIR
            """
        ),
        (
            "which programs other tools run",
            """
            SSH_ASKPASS SUDO_ASKPASS EDITOR VISUAL PAGER MANPAGER BROWSER LESSOPEN LESSCLOSE
            TERMINFO TERMINFO_DIRS MAKEFLAGS GNUMAKEFLAGS MFLAGS MAKEFILES CC CXX CPP LD AR RUSTC
            RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER RUSTFLAGS CARGO_HOME CARGO_TARGET_* GOROOT
            GOFLAGS GOPATH RSYNC_RSH RSYNC_CONNECT_PROG CVS_RSH SVN_SSH HG SYSTEMD_EDITOR
            KUBE_EDITOR KUBECONFIG DOCKER_CONFIG ANSIBLE_CONFIG ANSIBLE_LIBRARY TF_CLI_CONFIG_FILE
            TAR_OPTIONS SUDO_EDITOR SYSTEMD_PAGER VIMINIT EXINIT COMPILER_PATH GCC_EXEC_PREFIX CPATH
            LIBRARY_PATH CURL_HOME AWS_CONFIG_FILE
            """
        ),
        ("which keychain and prompt are used", "KEYCHAIN_*"),
        ("how libtss2 logs and finds its parts", "TSS2_*"),
    ]
}
