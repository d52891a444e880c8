/// Ensures that some lines stand together in a file, between two markers that say whose they are.
struct BlockEdit: FileEdit {
    /// What the block is called, so that a file can have several.
    let name: String
    /// Without any, there is no block.
    let lines: [String]

    private var begin: String { "# BEGIN drover \(name)" }
    private var end: String { "# END drover \(name)" }
    private var block: [String] { [begin] + lines + [end] }

    /// The first block of the name is replaced, further ones go; where there is none, it comes last. A block whose end is
    /// missing keeps what follows its begin: that may be somebody else's.
    func edited(_ old: [String]) -> [String] {
        var new: [String] = []
        var held: [String]?
        var isMissing = !lines.isEmpty
        for line in old {
            if line == begin {
                new += held ?? []
                held = []
                if isMissing { new += block }
                isMissing = false
            } else if line == end, held != nil {
                held = nil
            } else if held != nil {
                held?.append(line)
            } else {
                new.append(line)
            }
        }
        return new + (held ?? []) + (isMissing ? block : [])
    }

    func command(on path: String) -> String {
        awk(
            """
            function release(i) { for (i = 1; i <= h; i++) print held[i]; h = 0 }
            function put(i) { if (!done++ && n > 2) for (i = 1; i <= n; i++) print block[i] }
            NR == FNR { block[++n] = $0; next }
            $0 == block[1] { release(); inside = 1; put(); next }
            inside && $0 == block[n] { h = 0; inside = 0; next }
            inside { held[++h] = $0; next }
            { print }
            END { release(); put() }
            """, list: block, on: path)
    }
}
