import Secrets
import Testing

@testable import SSH

@Suite("PasswordQuestions")
struct PasswordQuestionsTests {
    @Test("answers for the password, once, and remembers what else was asked")
    func questions() {
        var questions = PasswordQuestions(password: Secret("hunter2"))
        #expect(questions.answer("Verification code: ") == "")
        #expect(questions.answer("(root@db1) Password: ") == "hunter2")
        #expect(questions.answer("Password: ") == "")
        #expect(questions.unanswered == "Verification code: ")
    }

    @Test("takes a second question for the password as its refusal")
    func again() {
        var questions = PasswordQuestions(password: Secret("hunter2"))
        _ = questions.answer("Password: ")
        #expect(questions.answer("Password: ") == "")
        #expect(questions.unanswered == nil)
    }
}
