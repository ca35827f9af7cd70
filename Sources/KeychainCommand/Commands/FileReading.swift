import KeychainModel
import ProtectedFiles

/// The verbs of `file` that read the content.
enum FileReading {
    @Sendable static func show(_ path: String, _ run: FileRun) throws(CommandFailure) {
        let context = run.context
        _ = try FileKind.requireRegular(path)
        let isScreen = context.terminal.outputIsTerminal
        var text = ScreenText()
        try read(path, run, shows: !isScreen) { bytes throws(CommandFailure) in
            if isScreen {
                try context.print(text.page(bytes))
            } else {
                try CommandFailure.wrapping(try context.terminal.write(bytes, to: .output))
            }
            return context.terminal.outputIsRead
        }
        if isScreen { try context.print(text.rest) }
    }

    @Sendable static func check(_ path: String, _ run: FileRun) throws(CommandFailure) {
        _ = try FileKind.requireRegular(path, "add --recursive for the files in it")
        var count = 0
        try read(path, run, shows: true) { bytes throws(CommandFailure) in
            count += bytes.count
            return true
        }
        run.unchangedCount += 1
        try run.context.print(line: "\(path): whole, \(count) bytes")
    }

    @Sendable static func endCheck(_ run: FileRun) throws(CommandFailure) {
        guard run.arguments.has(.recursive) else { return }
        try run.context.print(line: "\(FileRun.files(run.unchangedCount)) whole")
    }

    /// Reads the whole content, until `use` returns false.
    private static func read(
        _ path: String,
        _ run: FileRun,
        shows: Bool,
        _ use: (UnsafeRawBufferPointer) throws(CommandFailure) -> Bool
    ) throws(CommandFailure) {
        let file = try run.context.open(path, isWritable: false)
        let line = ProgressLine("reading", on: run.context)
        defer { line.clear() }
        // The buffer is large enough that two threads share the work.
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        defer { buffer.wipe() }
        var offset = 0
        while offset < file.byteCount {
            let count = try run.context.filing(path) { () throws(FileFailure) in
                try buffer.lendMutably { bytes throws(FileFailure) in
                    try file.read(into: bytes, at: offset)
                }
            }
            guard try buffer.lend(count, use), count > 0 else { return }
            offset += count
            if shows { line.show(bytes: offset, of: file.byteCount) }
        }
    }
}

/// File content for a terminal, without control characters.
///
/// Keeps tabs and line ends, including those of Windows.
struct ScreenText {
    /// The first bytes of a character whose other bytes have not arrived.
    private var held: [UInt8] = []

    /// Returns the next part of the content.
    mutating func page(_ bytes: UnsafeRawBufferPointer) -> Page {
        var all = held + bytes
        defer { all.wipe() }
        held.wipe()
        let cut = all.count - Self.unfinishedCount(all)
        held = Array(all[cut...])
        return Self.page(all[..<cut])
    }

    /// The bytes that are left at the end.
    var rest: Page { Self.page(held[...]) }

    private static func page(_ bytes: ArraySlice<UInt8>) -> Page {
        var text = ""
        var isReturned = false
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            if isReturned { text += scalar == "\n" ? "\r" : VisibleText.escaping("\r") }
            isReturned = scalar == "\r"
            if isReturned { continue }
            if scalar == "\n" || scalar == "\t" || !VisibleText.isHidden(scalar) {
                text.unicodeScalars.append(scalar)
            } else {
                text += VisibleText.escaping(String(Character(scalar)))
            }
        }
        if isReturned { text += VisibleText.escaping("\r") }
        var page = Page()
        page.append(raw: text)
        return page
    }

    /// Returns the number of bytes at the end that may begin an incomplete character.
    private static func unfinishedCount(_ bytes: [UInt8]) -> Int {
        guard bytes.last != 0x0D else { return 1 }
        for (index, byte) in bytes.suffix(3).reversed().enumerated() where byte & 0xC0 != 0x80 {
            let needed = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
            return needed > index + 1 ? index + 1 : 0
        }
        return 0
    }
}
