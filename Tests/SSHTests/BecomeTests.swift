import Secrets
import Testing

@testable import SSH

@Suite("Become")
struct BecomeTests {
    private let become = Become(user: "o'neil", password: Secret("hunter2"))

    @Test("starts the shell by sudo, without the password in its command")
    func command() {
        let id = RequestID()
        #expect(Become().command(id) == "exec env LC_ALL=C sudo -H -u 'root' -n -- /bin/sh")
        #expect(
            become.command(id) == """
                exec env LC_ALL=C sudo -H -u 'o'\\''neil' -S -p drover-password-\(id): -- \
                /bin/sh -c 'echo drover-ready-\(id); exec /bin/sh'
                """)
    }

    @Test("answers sudo once, and only when it asks")
    func dialogue() {
        var dialogue = SudoDialogue(prompt: "PROMPT", ready: "READY")
        dialogue.heard(Array("We trust you have received the usual lecture\nPRO".utf8), on: .error)
        #expect(dialogue.next == .wait)
        dialogue.heard(Array("MPT".utf8), on: .error)
        #expect(dialogue.next == .answer)
        dialogue.hasAnswered = true
        #expect(dialogue.next == .wait)
        var wrong = dialogue
        wrong.heard(Array("Sorry, try again.\nPROMPT".utf8), on: .error)
        #expect(wrong.next == .refused)
        #expect(wrong.words.hasSuffix("lecture\nSorry, try again.\n"))
        dialogue.heard(Array("noise of a profile\nREADY\n".utf8), on: .output)
        #expect(dialogue.next == .done)
    }

    @Test(
        "explains what sudo says",
        arguments: [
            ("sudo: a password is required", "sudo asks for a password"),
            (
                "sudo: sorry, you must have a tty to run sudo",
                "sudo wants a terminal (requiretty), and a program has none"
            ),
            ("ann is not in the sudoers file.", "sudo allows nothing to ann"),
            ("ann is not in the sudoers file.\nThis incident has been reported.", "sudo allows nothing to ann"),
            ("Sorry, user ann may not run sudo on db1.", "sudo allows nothing to ann"),
            (
                "Sorry, user ann is not allowed to execute '/bin/sh' as root on db1.",
                "sudo allows to ann only commands that are listed, and /bin/sh is not among them"
            ),
            ("sudo: unknown user o'neil", "there is no user 'o'neil' on the host"),
            ("env: 'sudo': No such file or directory", "there is no sudo on the host"),
            ("sudo: 1 incorrect password attempt", "sudo does not accept the password"),
            ("noise\nsudo: PAM account management error", "sudo failed: sudo: PAM account management error"),
            ("", "sudo failed: it said nothing"),
        ])
    func refusals(words: String, message: String) {
        let error = become.refusal(of: words, wasWrong: false, login: "ann")
        #expect(error.code == .becomeRefused)
        #expect(error.message == "cannot become o'neil: \(message)")
    }

    @Test("finds what the boot has printed behind what a login shell has")
    func noise() {
        let boot = BootText(id: RequestID(), silenceLimit: .seconds(45))
        let output = boot.output(of: Array("Welcome!\nno newline\u{1e}\(boot.id)\u{1e}its own".utf8))
        #expect(output == Array("its own".utf8))
    }
}
