public import Engine

/// Whether the running kernel has a module, loaded or built in. The shell looks; only for what is not loaded it starts a
/// program.
public struct KernelModulePresence: Fact {
    public let module: String

    public init(_ module: String) {
        self.module = module
    }

    public static func script(for questions: [KernelModulePresence]) -> ShellText {
        // A name has `_` where the module's file may have `-`. What is built in without parameters is not in /sys.
        let tests = questions.map { question -> ShellText in
            let name = question.module.replacing("-", with: "_")
            let file = "/\(name.replacing("_", with: "[-_]"))[.]ko"
            return "[ -d \(quoting: "/sys/module/" + name) ] "
                + "|| { [ -r \"$builtin\" ] && grep -q \(quoting: file) \"$builtin\"; }"
        }
        return """
            read -r _ _ release _ </proc/version
            builtin=/lib/modules/$release/modules.builtin
            \(YesOrNo.script(tests))
            """
    }

    public static func answers(
        to questions: [KernelModulePresence], from output: String
    ) throws -> [KernelModulePresence: Bool] {
        try YesOrNo.answers(to: questions, from: output)
    }
}
