extension Become {
    /// Says in words why sudo does not start a shell, and what would help.
    ///
    /// - Parameters:
    ///   - words: what it said, in English.
    ///   - wasWrong: whether it asked for the password a second time.
    ///   - login: the user who has called it.
    func refusal(of words: String, wasWrong: Bool, login: String) -> SSHError {
        let lines = words.split(whereSeparator: \.isNewline).map(String.init)
        let said = { (phrase: String) in lines.contains { $0.contains(phrase) } }
        func error(_ message: String, _ remedy: String?) -> SSHError {
            SSHError(.becomeRefused, "cannot become \(user): \(message)", remedy: remedy)
        }
        let entry = "allow it in a file of /etc/sudoers.d: \(login) ALL=(ALL) ALL"
        if wasWrong || said("incorrect password attempt") {
            return error("sudo does not accept the password", "check ansible_become_password or --ask-become-pass")
        }
        if said("a password is required") || said("no password was provided") {
            return error(
                "sudo asks for a password",
                "give it by ansible_become_password: !env NAME or --ask-become-pass, or allow NOPASSWD in sudoers")
        }
        if said("must have a tty") {
            return error(
                "sudo wants a terminal (requiretty), and a program has none",
                "add 'Defaults:\(login) !requiretty' to sudoers")
        }
        if said("is not in the sudoers file") || said("may not run sudo") || said("is not allowed to run sudo") {
            return error("sudo allows nothing to \(login)", entry)
        }
        if said("is not allowed to execute") {
            return error(
                "sudo allows to \(login) only commands that are listed, and /bin/sh is not among them", entry)
        }
        if said("unknown user") { return error("there is no user '\(user)' on the host", nil) }
        if said("env: ") && said("sudo") {
            return error("there is no sudo on the host", "install sudo, or log in as \(user)")
        }
        return error("sudo failed: \(lines.last ?? "it said nothing")", nil)
    }
}
