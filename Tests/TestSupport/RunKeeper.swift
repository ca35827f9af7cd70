import Glibc
import ProgramStart
import Synchronization

/// A shell that outlives this process, and then ends the programs that its tests still had.
///
/// `deinit` and `atexit` do not run in a process that is killed. The shell reads a pipe whose other
/// end is this process's alone: the kernel closes it, in whatever way the process ends.
///
/// The kernel's own way (`PR_SET_PDEATHSIG`) ends a child with the *thread* that started it, and
/// threads of a queue end when they are idle.
enum RunKeeper {
    /// Nil where no shell could be started: tests work all the same.
    private static let keeper = Mutex(try? Keeper())

    /// Has a program, and its process group, ended with this process.
    static func keep(_ number: pid_t) { tell("+", number) }

    /// Has the program not ended any more: it has ended.
    static func release(_ number: pid_t) { tell("-", number) }

    private static func tell(_ sign: String, _ number: pid_t) {
        keeper.withLock { keeper in
            // A child after fork(2) is another process, and this shell is not its.
            guard let keeper, keeper.owner == getpid() else { return }
            keeper.write("\(sign) \(number)\n")
        }
    }
}

private struct Keeper: Sendable {
    let owner: pid_t
    private let pipe: Int32

    /// A number counts only with the time at which its process started: numbers are used again.
    private static let script = """
        trap '' INT TERM HUP QUIT PIPE
        started() {
            start=
            read -r words 2>/dev/null <"/proc/$1/stat" || return
            set -- ${words##*) }
            shift 19
            start=$1
        }
        kept=' '
        while read -r sign number; do
            case $sign in
                +) started "$number" && kept="$kept$number:$start " ;;
                -) case $kept in
                    *" $number:"*)
                        rest=${kept#*" $number:"}
                        kept="${kept%%" $number:"*} ${rest#* }" ;;
                esac ;;
            esac
        done
        for pair in $kept; do
            started "${pair%:*}" && [ "$start" = "${pair#*:}" ] && kill -KILL "-${pair%:*}"
        done 2>/dev/null
        """

    init() throws {
        let ends = try PipeEnds(isLarge: false)
        defer { close(ends.theirs(reads: true)) }
        var plan = ProgramPlan("/bin/sh", ["-c", Self.script])
        plan.descriptors[STDIN_FILENO] = ends.theirs(reads: true)
        plan.group = .session
        // It ends by itself, and nobody waits for it: this process is gone by then.
        _ = try plan.start().detach()
        pipe = ends.ours(reads: false)
        owner = getpid()
    }

    func write(_ line: String) { _ = QuietWrite.all(Array(line.utf8), to: pipe) }
}
