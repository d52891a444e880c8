/// Writes the data types of RFC 4251, section 5.
struct SSHWireWriter {
    private(set) var bytes: [UInt8] = []

    mutating func write(byte: UInt8) {
        bytes.append(byte)
    }

    mutating func write(number: UInt32) {
        withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
    }

    mutating func write(string: [UInt8]) {
        write(number: UInt32(string.count))
        bytes += string
    }
}
