public import Drover

/// Whether the running kernel has a module, loaded or built in. The shell looks; only for what is not loaded it starts a
/// program.
public struct KernelModulePresence: Fact {
    public let module: String

    public init(_ module: String) {
        self.module = module
    }

    public static func script(for questions: [KernelModulePresence]) -> String {
        // A name has `_` where the module's file may have `-`. What is built in without parameters is not in /sys.
        let words = questions.map { question in
            let name = question.module.replacing("-", with: "_")
            return Shell.quote("\(name) /\(name.replacing("_", with: "[-_]"))[.]ko")
        }
        return """
            read -r _ _ release _ </proc/version
            for module in \(words.joined(separator: " ")); do
                builtin=/lib/modules/$release/modules.builtin
                if [ -d "/sys/module/${module% *}" ] || { [ -r "$builtin" ] && grep -q "${module#* }" "$builtin"; }
                then echo yes; else echo no; fi
            done
            """
    }

    public static func answers(
        to questions: [KernelModulePresence], from output: String
    ) throws -> [KernelModulePresence: Bool] {
        let lines = output.linesOfText
        guard lines.count == questions.count, lines.allSatisfy(["yes", "no"].contains) else {
            throw UnreadableAnswer(KernelModulePresence.self, output)
        }
        return Dictionary(uniqueKeysWithValues: zip(questions, lines.map { $0 == "yes" }))
    }
}
