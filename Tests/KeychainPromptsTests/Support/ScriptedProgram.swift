import Foundation
import KeychainModel
import Secrets
import TestSupport

@testable import KeychainPrompts

/// A program for one test, written in the shell's language.
final class ScriptedProgram {
    let path: String
    private let folder: String

    init(_ script: String) throws {
        folder = FileManager.default.temporaryDirectory.path + "/prompt-" + UUID().uuidString
        path = folder + "/program"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let text = "#!/bin/sh\nlog='\(folder)/log'\n" + script + "\n"
        // Another process writes: a child that this one starts just now, for another test, would
        // hold the file open for writing, and the kernel would not run it.
        // Written by another process: a program that this one starts meanwhile keeps it open.
        let script = #"printf %s "$1" >"$2" && chmod 700 "$2""#
        _ = try runProgram(["/bin/sh", "-c", script, "sh", text, path])
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// What the script wrote to `$log`.
    var log: String { (try? String(contentsOfFile: folder + "/log", encoding: .utf8)) ?? "" }

    /// A pinentry that greets, answers every setting with OK, and the question as told.
    ///
    /// Each reply is a format of `printf` and is given once; the last one stays.
    static func pinentry(answering replies: String...) throws -> ScriptedProgram {
        let cases = replies.enumerated().map { index, reply in
            let pattern = index == replies.count - 1 ? "*" : String(index)
            return "\(pattern)) printf '\(reply)' ;;"
        }
        return try ScriptedProgram(
            """
            asked=$(grep -c GETPIN "$log" 2>/dev/null)
            echo 'OK Pleased to meet you'
            while read -r line; do
                echo "$line" >> "$log"
                case $line in
                GETPIN) case ${asked:-0} in
                    \(cases.joined(separator: "\n        "))
                    esac ;;
                *) echo OK ;;
                esac
            done
            """
        )
    }
}

/// An answer in a form that tests compare and print.
enum Answered: Equatable, Sendable {
    case typed(String)
    case presented(String)
    case canceled, fallback, nothing, impossible, interrupted, approved

    init(_ answer: PromptAnswer) {
        switch answer {
        case .typed(let secret):
            let bytes = secret.secret.copyBytesUnprotected()
            self = .typed(String(decoding: bytes, as: UTF8.self))
        case .presented(let sample): self = .presented(String(decoding: sample, as: UTF8.self))
        case .canceled: self = .canceled
        case .fallback: self = .fallback
        case .nothing: self = .nothing
        case .impossible: self = .impossible
        case .interrupted: self = .interrupted
        case .approved: self = .approved
        }
    }
}
