import Foundation

func wipe(_ path: String) {
    guard let f = fopen(path, "r+") else { return }
    fseek(f, 0, SEEK_END); let n = ftell(f); rewind(f)
    let zeros = [UInt8](repeating: 0, count: n)
    fwrite(zeros, 1, n, f)  // expect
    fclose(f)
    unlink(path)
}
