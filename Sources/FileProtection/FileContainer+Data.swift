import Foundation
import ProtectedFiles

extension FileContainer {
    /// The memory that a read allocates before it has read any bytes.
    private static let firstCapacity = 1 << 24

    /// Reads from an offset on, into memory that grows with the bytes that were read.
    ///
    /// A header can state any length, and a hole can have any size, so the memory is not allocated
    /// at once.
    ///
    /// - Throws: The errors of `read`; `system` with ENOMEM for more than the machine's memory.
    func data(at offset: Int, _ limit: Int) throws(FileFailure) -> Data {
        let count = max(0, min(limit, byteCount - offset))
        guard count > 0 else {
            try authorize()
            return Data()
        }
        var (memory, done): (UnsafeMutableRawPointer?, Int) = (nil, 0)
        do throws(FileFailure) {
            while done < count {
                let capacity = min(count, max(Self.firstCapacity, 2 * done))
                let start = try enlarge(&memory, to: capacity, for: count)
                let rest = UnsafeMutableRawBufferPointer(
                    start: start + done,
                    count: capacity - done
                )
                let more = try read(into: rest, at: offset + done)
                done += more
                // No other code changes the length, so this is the end.
                guard more == rest.count else { break }
            }
        } catch {
            free(memory)
            throw error
        }
        guard let memory else { return Data() }
        return Data(bytesNoCopy: memory, count: done, deallocator: .free)
    }

    private func enlarge(
        _ memory: inout UnsafeMutableRawPointer?,
        to capacity: Int,
        for count: Int
    ) throws(FileFailure) -> UnsafeMutableRawPointer {
        // The system promises memory that it does not have, and ends a process that uses it.
        let isTooMuch = memory != nil && UInt64(count) > ProcessInfo.processInfo.physicalMemory
        guard !isTooMuch, let larger = realloc(memory, capacity) else {
            throw .system(path, verb: "read", code: ENOMEM)
        }
        memory = larger
        return larger
    }
}
