public import Foundation
import Synchronization

/// The web sites that a simulated device can reach, each with its association file.
///
/// ```swift
/// phone.sites["example.com"] = #"{"webcredentials": {"apps": ["TEAMID1234.com.example.app"]}}"#
/// ```
public final class SimulatedSites: Sendable {
    private let files = Mutex<[String: Data]>([:])

    init() {}

    /// The text of `/.well-known/apple-app-site-association` of a host; nil if it has none.
    ///
    /// A text that is not UTF-8 reads as nil. The host is compared in lower case.
    public subscript(host: String) -> String? {
        get { file(of: host).flatMap { String(data: $0, encoding: .utf8) } }
        set { setFile(newValue.map { Data($0.utf8) }, of: host) }
    }

    /// The bytes of a host's association file; nil if it has none.
    public func file(of host: String) -> Data? { files.withLock { $0[host.lowercased()] } }

    /// Sets a host's association file; nil removes it.
    public func setFile(_ file: Data?, of host: String) {
        files.withLock { $0[host.lowercased()] = file }
    }
}
