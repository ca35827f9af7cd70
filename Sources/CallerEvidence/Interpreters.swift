// ★ Table: programs that do what others tell them. A person's script, a file in a home directory or
// a variable decides what runs in them, so the executable says nothing about the program.

/// The recognition of interpreters and launchers by the file name of their executable.
///
/// - Source: Documentation/Spec/evidence.md §3.
package enum Interpreters {
    /// Names of shells, languages, runtimes and other programs that run a script or a program.
    private static let names: Set<String> = [
        // Shells, and the programs that contain one.
        "ash", "bash", "rbash", "busybox", "csh", "tcsh", "dash", "elvish", "fish", "ksh", "ksh93",
        "lksh", "mksh", "pdksh", "nu", "osh", "oils-for-unix", "pwsh", "rc", "sash", "sh",
        "static-sh",
        "toybox", "xonsh", "yash", "zsh",
        // Languages.
        "awk", "gawk", "mawk", "nawk", "original-awk", "bc", "dc", "clisp", "ecl", "sbcl",
        "escript",
        "beam.smp", "erl", "elixir", "iex", "expect", "factor", "forth", "gforth", "ghci", "runghc",
        "gjs", "gjs-console", "groovy", "guile", "hy", "io", "janet", "jimsh", "js", "julia", "lua",
        "luajit", "luac", "m4", "maxima", "mono", "mono-sgen", "newlisp", "nodejs", "node", "bun",
        "deno", "qjs", "d8", "ocaml", "ocamlrun", "octave", "octave-cli", "php", "php-cgi",
        "php-fpm",
        "perl", "perl6", "raku", "moar", "pike", "prolog", "swipl", "gprolog", "pypy", "python",
        "micropython", "racket", "rexx", "regina", "ruby", "jruby", "truffleruby", "irb", "mruby",
        "rscript", "r", "scala", "scheme", "petite", "csi", "mit-scheme", "smlnj", "sed",
        "osascript",
        "swift-frontend", "lldb-dap", "tclsh", "jimtcl", "wish", "vala", "vvp", "seed",
        "gnu-smalltalk", "gst", "wasmtime", "wasmer", "wasmedge",
        // Runtimes that load a program from a file.
        "java", "javaw", "javaws", "jshell", "jexec", "kotlin", "dotnet", "corerun", "electron",
        "wine", "wine64", "wine-preloader", "wine64-preloader", "wineloader", "winedevice.exe",
        "nw",
        "qmlscene", "qml", "qmlviewer", "phantomjs", "slimerjs", "love", "godot", "pyston",
        "flatpak-bwrap", "bwrap", "firejail", "proot", "fakechroot", "fakeroot-sysv", "faked",
        // Emulators.
        "box64", "box86", "fex", "fexinterpreter", "fexloader", "rosetta", "dosbox", "scummvm",
        // Debuggers and tracers: they run another program, and write to its memory.
        "gdb", "gdbserver", "lldb", "lldb-server", "strace", "ltrace", "rr", "perf", "valgrind",
        "memcheck-amd64-linux", "radare2", "r2", "rizin", "frida", "frida-server", "frida-inject",
        "bpftrace", "stap", "uftrace", "edb",
        // Editors and pagers that run commands or scripts.
        "emacs", "emacs-gtk", "emacs-nox", "emacs-lucid", "vi", "vim", "vim.basic", "vim.tiny",
        "vim.gtk3", "vim.nox", "gvim", "nvim", "nvi", "kak", "hx", "ed", "ex", "joe", "mc",
        "less", "more", "most", "screen", "tmux", "zellij",
        // Launchers: they become the program that their arguments name.
        "env", "nice", "nohup", "setsid", "stdbuf", "timeout", "time", "xargs", "parallel", "find",
        "chroot", "unshare", "nsenter", "setpriv", "capsh", "setarch", "linux64", "linux32",
        "taskset",
        "ionice", "chrt", "numactl", "prlimit", "flock", "script", "start-stop-daemon", "sudo",
        "doas",
        "su", "runuser", "pkexec", "sg", "newgrp", "ssh-agent", "dbus-run-session", "dbus-launch",
        "systemd-run", "systemd-inhibit", "systemd-cat", "run-parts", "watch", "entr", "make",
        "gmake",
        "gpg-agent", "socat", "ncat", "nc", "inetd", "xinetd", "direnv", "aoss", "ld.so", "tcc",
    ]

    /// Prefixes that suffice with any ending: loaders, and families with many names.
    private static let beginnings = [
        "ld-linux", "ld-musl", "ld64.so", "ld-2.", "qemu-", "wine-", "wine64-", "python", "pypy",
        "perl5", "vim.", "beam.", "guile-", "emacs-", "valgrind.", "memcheck-",
    ]

    /// Whether the program at a path only runs scripts or programs that others supply.
    ///
    /// Case and versions, such as those of `python3.11` and `ruby2.7`, do not matter.
    package static func contain(path: String) -> Bool {
        let name = (path.split(separator: "/").last.map(String.init) ?? "").lowercased()
        guard !name.isEmpty else { return false }
        return names.contains(name) || names.contains(withoutVersion(name))
            || beginnings.contains { name.hasPrefix($0) }
    }

    /// Returns the name without a version at its end: digits, dots and hyphens.
    private static func withoutVersion(_ name: String) -> String {
        var rest = Substring(name)
        while let last = rest.last, last.isNumber || last == "." || last == "-" {
            rest.removeLast()
        }
        return String(rest)
    }
}
