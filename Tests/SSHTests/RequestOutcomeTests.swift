import Testing

@testable import SSH

@Suite("RequestOutcome")
struct RequestOutcomeTests {
    @Test("reads what the host wrote down")
    func reads() {
        let id = RequestID()
        #expect(RequestOutcome("\(id) 143\n") == RequestOutcome(id: id, status: 143))
    }

    @Test("makes nothing of anything else", arguments: ["", "x 1", "\(RequestID())", "\(RequestID()) x", "1 2 3"])
    func refuses(text: String) {
        #expect(RequestOutcome(text) == nil)
    }

    @Test("names are new each time, and survive being written down")
    func names() {
        let id = RequestID()
        #expect(id != RequestID())
        #expect(id.description.utf8.count == 32)
        #expect(RequestID(id.description) == id)
    }
}
