// ★ Table: the meaning of return codes from a TPM or libtss2.

import DataProtection

@_implementationOnly import CTSS

/// A return code other than success.
///
/// - Source: TPM 2.0 Library, Part 2, §6.6; TSS 2.0 Overview, "Response Code Space".
struct TPMFault: Error, Equatable {
    let code: TSS2_RC

    /// The layer that returned the code, in bits 16 to 23; 0 is the TPM itself, 10 the transport.
    private var layer: UInt32 { code >> 16 & 0xFF }

    /// The code without the number of a handle, session or parameter.
    ///
    /// - Source: Part 2, §6.6.1, "Response Code Formats".
    var kind: UInt32 {
        let own = code & 0xFFFF
        return own & 0x80 == 0 ? own : own & 0xBF
    }

    private static let transportLayer: UInt32 = 10
    private static let tpmLayers: Set<UInt32> = [0, 11, 12]

    private static let reasons: [UInt32: String] = [
        0x085: "its owner hierarchy is disabled",
        0x08E: "a password protects its owner hierarchy",
        0x09F: "the key was changed, or belongs to another TPM",
        0x0A2: "a password protects its owner hierarchy",
        0x100: "it was not started",
        0x101: "it is in failure mode",
        0x120: "the command is disabled",
        0x12D: "its firmware is being upgraded",
        0x902: "it has no room for another object; use a resource manager",
        0x903: "it has no room for another session; use a resource manager",
        0x904: "it is out of memory; use a resource manager",
        0x905: "it has no session left; use a resource manager",
        0x906: "it has no object left; use a resource manager",
        0x908: "it is busy; try again",
        0x90A: "it is testing itself; try again",
        0x921: "it is locked out after too many wrong passwords; wait, or reset the lockout",
        0x922: "it is busy; try again",
    ]

    /// Returns the reason in words; `decoded` is libtss2's text for codes without a row above.
    func reason(decoded: String) -> String {
        let number = "0x" + String(code, radix: 16)
        if layer == Self.transportLayer { return "it cannot be reached (\(number))" }
        if Self.tpmLayers.contains(layer), let reason = Self.reasons[kind] {
            return "\(reason) (\(number))"
        }
        return "\(decoded) (\(number))"
    }
}
