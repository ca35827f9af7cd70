import LintAnalysis
import LintModel
import LintRules
import SwiftSyntax

extension Check {
    /// Rules about certificates, connections and sign-in pages.
    static let trust: [Check] = [
        deprecatedTrustEvaluation, missingHostName, anchorsOnly, fragilePinning,
        sharedSessionWithDelegate, webViewForSignIn,
    ]

    private static let deprecatedTrustEvaluation = calls("KX18") { call, _, report in
        let names = [
            "SecTrustEvaluate", "SecTrustGetCertificateAtIndex", "SecTrustCopyPublicKey",
            "SecTrustEvaluateAsync",
        ]
        guard names.contains(call.name) else { return }
        report.report(call.node, "\(call.name) is deprecated.")
    }

    private static let missingHostName = calls("KX19") { call, _, report in
        guard call.name == "SecPolicyCreateSSL", let host = call.argument(at: 1),
            call.argument(at: 0)?.trimmedDescription == "true",
            host.is(NilLiteralExprSyntax.self)
        else { return }
        report.report(call.node)
    }

    private static let anchorsOnly = calls("KX20") { call, file, report in
        guard call.name == "SecTrustSetAnchorCertificates",
            !file.file.calls.contains(where: { $0.name == "SecTrustSetAnchorCertificatesOnly" })
        else { return }
        report.report(call.node)
    }

    private static let fragilePinning = Check("KX21") { file, report in
        let text = file.file.source.text
        guard text.contains("SecTrust"),
            text.contains("SecCertificateCopyData")
                || text.contains("SecKeyCopyExternalRepresentation")
        else { return }
        let evaluates = text.contains("SecTrustEvaluate")
        for call in file.file.calls {
            let isLeaf = call.name == "SecCertificateCopyData"
            let isKey = call.name == "SecKeyCopyExternalRepresentation"
            guard isLeaf || isKey, let function = file.file.function(around: call.node),
                function.text.contains("SecTrust")
            else { continue }
            let comparesLeaf = isLeaf && function.text.contains("==")
            if !evaluates {
                report.report(call.node, "Nothing evaluates the trust first.")
            } else if comparesLeaf, !function.text.contains("SHA256") {
                report.report(call.node, "The pin is one certificate.")
            } else if isKey, function.text.contains("SHA256"),
                !text.lowercased().contains("header"),
                !text.lowercased().contains("spki"), !text.lowercased().contains("asn1")
            {
                report.report(call.node, "The hash covers the bare key, without its SPKI header.")
            }
        }
    }

    private static let sharedSessionWithDelegate = Check("KX23") { file, report in
        let text = file.file.source.text
        let pins =
            text.contains("didReceive challenge") || text.contains("URLAuthenticationChallenge")
        guard pins, text.contains("URLSession.shared") else { return }
        let finder = MemberFinder("shared")
        finder.walk(file.file.tree)
        for node in finder.found where node.base?.trimmedDescription == "URLSession" {
            report.report(node)
        }
    }

    private static let webViewForSignIn = Check("KX24") { file, report in
        let views = ["WKWebView", "SFSafariViewController", "UIWebView"]
        let words = ["oauth", "authorize", "signin", "login", "client_id"]
        for call in file.file.calls where views.contains(call.name) && call.base.isEmpty {
            guard let function = file.file.function(around: call.node) else { continue }
            let names = [function.name, function.typeName ?? ""].joined().lowercased()
            let code = function.text.lowercased()
            guard
                words.contains(where: names.contains) || code.contains("client_id")
                    || code.contains("response_type") || code.contains("/oauth")
            else { continue }
            report.report(call.node)
        }
    }
}
