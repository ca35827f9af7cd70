import CallerEvidence
import Glibc
import KeychainEngine
import KeychainHost
import KeychainModel
import KeychainServer
import KeychainSockets
import ProcessWitness

@_implementationOnly import CProcess

/// The program `keychaind`.
package enum DaemonCommand {
    private static let name = "keychaind"

    /// Runs the daemon until a signal ends it.
    ///
    /// - Parameter words: The arguments after the program's name.
    /// - Returns: The exit code: 0 after a signal, 1 if it cannot serve, 2 for wrong usage.
    package static func run(_ words: [String]) -> Int32 {
        let choice: DaemonOptions.Choice
        do throws(DaemonOptions.UsageError) { choice = try DaemonOptions.parse(words) } catch {
            write("\(name): \(error.reason); see \(name) --help\n", to: STDERR_FILENO)
            return 2
        }
        switch choice {
        case .help:
            write(DaemonOptions.help, to: STDOUT_FILENO)
            return 0
        case .version:
            write("\(name) \(Version.text)\n", to: STDOUT_FILENO)
            return 0
        case .run(let options): return serve(options)
        }
    }

    private static func serve(_ options: DaemonOptions) -> Int32 {
        let hasLevels = !options.staysInForeground && SystemdService.writesToJournal
        let output = DaemonOutput(name: name, hasLevels: hasLevels)
        let signals = TerminationSignals()
        DescriptorLimit.raise()
        if options.kind == .system {
            // The daemon may open and close thousands of keychains and threads.
            ItemStore.keepConnectionsSmall()
            process_bound_memory()
        }
        do throws(KeychainError) {
            let daemon = try RunningDaemon(options, .current, output)
            SystemdService.notify("READY=1")
            while signals.wait() == SIGHUP { daemon.reload() }
            SystemdService.notify("STOPPING=1")
            daemon.stop()
            output.write(.info, "stopped")
            return 0
        } catch {
            output.write(.error, error.reason)
            return 1
        }
    }

    private static func write(_ text: String, to descriptor: Int32) {
        let bytes = Array(text.utf8)
        // An error here is ignored, because there is no place to report it.
        _ = Glibc.write(descriptor, bytes, bytes.count)
    }
}

/// The signals that end a daemon, and `SIGHUP`, which makes it read its policies again.
///
/// They are waited for, so that they interrupt nothing.
private struct TerminationSignals {
    private var set = sigset_t()

    /// Blocks the signals; create it before any other thread, so that all threads inherit this.
    init() {
        sigemptyset(&set)
        for number in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&set, number) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
        signal(SIGPIPE, SIG_IGN)
    }

    /// Waits for the next signal.
    func wait() -> Int32 {
        var set = set
        var number: Int32 = 0
        while sigwait(&set, &number) != 0 {}
        return number
    }
}
