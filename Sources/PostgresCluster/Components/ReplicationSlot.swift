/// The slot of a member, which Patroni makes at whom the member streams from.
enum ReplicationSlot {
    /// The name that Patroni gives the slot of a member: in lower case, `-` and `.` as `_`, anything else by its code
    /// point, at most 63 characters (Patroni 3.0.2, `slot_name_from_member_name`).
    static func name(of member: String) -> String {
        let characters = member.lowercased().unicodeScalars.map { scalar -> String in
            switch scalar {
            case "a"..."z", "0"..."9", "_": return String(scalar)
            case "-", ".": return "_"
            default:
                let code = String(scalar.value, radix: 16)
                return "u" + String(repeating: "0", count: max(0, 4 - code.count)) + code
            }
        }
        return String(characters.joined().prefix(63))
    }
}
