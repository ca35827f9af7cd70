import CProcess
import Glibc
import SystemBus

// keychain-fingerprint list | verify [USER]: uses fprintd for programs with a keychain, so that
// none of them needs D-Bus. KeychainPrompts runs it and reads its lines; users can run it, too.

// The program holds no secret, but a process that traces it could forge a match.
_ = process_keep_memory()
signal(SIGPIPE, SIG_IGN)
if CommandLine.arguments.dropFirst().elementsEqual(["--help"]) {
    print(FingerprintHelp.text)
    exit(0)
}
do throws(BusError) {
    let arguments = CommandLine.arguments.dropFirst()
    let user = arguments.count == 2 ? arguments.last : nil
    switch (arguments.first, arguments.count) {
    case ("list"?, 1...2):
        let device = try FingerprintDevice(of: user)
        for finger in try device.fingers() { Output.write("finger \(finger)") }
        Output.write("end")
    case ("verify"?, 1...2):
        let device = try FingerprintDevice(of: user)
        var verification = Verification(enrolled: try device.fingers())
        switch try verification.run(device) {
        case .match(let finger): Output.write("match \(finger)")
        case .noMatch: Output.write("no-match")
        case .absent: Output.write("absent")
        }
    default:
        let usage = Array((FingerprintHelp.usage + "\n").utf8)
        _ = write(STDERR_FILENO, usage, usage.count)
        exit(2)
    }
} catch {
    Output.write("absent")
    exit(1)
}
