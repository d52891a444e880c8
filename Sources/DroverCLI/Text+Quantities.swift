extension Text {
    /// How long ago something was, in its greatest unit: `42 s`, `5 min`, `3 h`, `12 days`.
    package static func age(_ seconds: Int) -> String {
        switch max(0, seconds) {
        case ..<120: "\(max(0, seconds)) s"
        case ..<7200: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3600) h"
        default: "\(seconds / 86_400) days"
        }
    }

    /// `9 KiB`, `40 MiB`.
    package static func bytes(_ count: Int) -> String {
        count < 10_240 ? "\(count) B" : count < 10_485_760 ? "\(count / 1024) KiB" : "\(count / 1_048_576) MiB"
    }
}
