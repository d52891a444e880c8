import Engine
import Secrets

extension MaskedText {
    /// The lines; a final line break begins no further line. A secret of several lines is a secret in each of them.
    var lines: [MaskedText] {
        var lines: [MaskedText] = [MaskedText()]
        for piece in pieces {
            let text =
                switch piece {
                case .plain(let text): text
                case .secret(let secret): secret.reveal()
                }
            // A mark at the end, for otherwise a final line break would begin no line.
            for (index, line) in (text + "\n").linesOfText.enumerated() {
                if index > 0 { lines.append(MaskedText()) }
                if case .secret = piece {
                    lines[lines.count - 1].append(Secret(line))
                } else {
                    lines[lines.count - 1].append(line)
                }
            }
        }
        if lines.last?.reveal() == "" { lines.removeLast() }
        return lines
    }

    /// The text of these lines, each with its line break.
    init(lines: [MaskedText]) {
        self.init()
        for line in lines {
            append(line)
            append("\n")
        }
    }
}
