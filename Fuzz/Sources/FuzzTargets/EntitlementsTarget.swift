import Foundation
import KeychainHost
import KeychainModel

extension FuzzTarget {
    /// The property list of a program's entitlements.
    ///
    /// Whatever it says, a caller has each access group once and takes none by default that it may
    /// not use.
    static let entitlements = FuzzTarget(name: "entitlements") { bytes throws(BrokenLaw) in
        let entitlements: Entitlements
        do throws(KeychainError) {
            entitlements = try EntitlementsFile.parse(Data(bytes), path: "a.entitlements")
        } catch {
            try require(error.status == .missingEntitlement, "a bad list has one status")
            return .refused
        }
        for system in [SystemProfile.iOS(26), .macOS(26), .host, .iOSSimulator] {
            let caller = Caller(entitlements: entitlements, system: system)
            let groups = caller.accessGroups
            try require(Set(groups).count == groups.count, "a group is listed once")
            guard let group = caller.defaultGroup else { continue }
            try require(caller.mayUse(group: group), "the default group may be used")
        }
        return .accepted
    }
}
