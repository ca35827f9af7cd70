import Foundation
import KeychainMessages
import KeychainSimulator
import Security
import TestSupport
import Testing

@Suite(.requirement("DMN-01")) struct `The endpoint of the conformance tests` {
    @Test func `is the one that the variable names`() throws {
        let word = ProcessInfo.processInfo.environment["KEYCHAIN_CONFORMANCE_ENDPOINT"]
        let carrier = SimulatedDevice.callCarrier as? SocketCarrier
        #expect(carrier?.service.kind.rawValue ?? "embedded" == word ?? "embedded")
        let app = "com.example.crossing-" + UUID().uuidString
        try use(app)
        #expect(carrier.map { $0.service.decisions.count(of: app) } ?? 3 == 3)
    }

    @Test(arguments: [EndpointDescription.Kind.userDaemon, .systemDaemon])
    func `carries every call to a daemon`(kind: EndpointDescription.Kind) async {
        await #expect(processExitsWith: .success) { [word = kind.rawValue as String] in
            let kind = try #require(EndpointDescription.Kind(rawValue: word))
            let carrier = try SocketCarrier(kind)
            SimulatedDevice.callCarrier = carrier
            #expect(
                try use("com.example.app") == [errSecSuccess, errSecSuccess, errSecItemNotFound]
            )
            try #require(carrier.service.decisions.count(of: "com.example.app") == 3)
        }
    }

    @Test(arguments: [EndpointDescription.Kind.userDaemon, .systemDaemon])
    func `shows a daemon's mistake`(kind: EndpointDescription.Kind) async {
        await #expect(processExitsWith: .success) { [word = kind.rawValue as String] in
            let kind = try #require(EndpointDescription.Kind(rawValue: word))
            SimulatedDevice.callCarrier = try SocketCarrier(kind, fault: .noRights)
            let refused = Array(repeating: errSecMissingEntitlement, count: 3)
            try #require(try use("com.example.app") == refused)
        }
    }
}

/// Three calls of an app on a new device; their statuses.
@discardableResult
private func use(_ app: String) throws -> [OSStatus] {
    try SimulatedDevice().install(.init(bundleIdentifier: app)).run {
        [Password().add(), Password().find(), Password(account: "nobody").find()]
    }
}
