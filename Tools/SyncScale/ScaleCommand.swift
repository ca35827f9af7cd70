import Foundation
import Glibc

/// The command line.
@main
struct ScaleCommand {
    static func main() {
        guard let options = ScaleOptions(Array(CommandLine.arguments.dropFirst())) else {
            print(ScaleOptions.usage)
            exit(2)
        }
        do {
            try ScaleRun(options: options) { part in
                print(part)
                fflush(nil)
            }
            .run()
        } catch {
            Progress.tell("\(ScaleFailure(error))")
            exit(1)
        }
    }
}
