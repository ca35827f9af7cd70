import LintModel
import SwiftSyntax

extension SourceFileSyntax {
    /// Returns the comments that begin with two slashes; the same text in a string is not a
    /// comment.
    func lineComments(of source: SourceText) -> [LineComment] {
        tokens(viewMode: .sourceAccurate).flatMap { token -> [LineComment] in
            let end = token.endPositionBeforeTrailingTrivia.utf8Offset
            return Self.comments(in: token.leadingTrivia, at: token.position.utf8Offset, source)
                + Self.comments(in: token.trailingTrivia, at: end, source)
        }
    }

    private static func comments(
        in trivia: Trivia,
        at start: Int,
        _ source: SourceText
    ) -> [LineComment] {
        var offset = start
        return trivia.compactMap { piece in
            defer { offset += piece.sourceLength.utf8Length }
            guard case .lineComment(let text) = piece else { return nil }
            return LineComment(line: source.line(at: offset), text: text)
        }
    }
}
