import Testing

@testable import Diagnostics

@Suite("Suggestion")
struct SuggestionTests {
    @Test(
        "finds the word that was probably meant",
        arguments: [
            ("haproxy_maxcon", "haproxy_maxconn"),
            ("cluster_vpi", "cluster_vip"),
            ("etcd_clutser", "etcd_cluster"),
        ])
    func nearest(word: String, meant: String) {
        let candidates = ["haproxy_maxconn", "cluster_vip", "etcd_cluster", "balancers"]
        #expect(Suggestion.nearest(to: word, among: candidates) == meant)
    }

    @Test("stays silent when no candidate is near")
    func nothingNear() {
        #expect(Suggestion.nearest(to: "frobnicate", among: ["cluster_vip", "balancers"]) == nil)
    }

    @Test("counts a swap of neighbours as one edit")
    func swap() {
        #expect(Suggestion.editDistance("vpi", "vip") == 1)
        #expect(Suggestion.editDistance("", "vip") == 3)
        #expect(Suggestion.editDistance("kitten", "sitting") == 3)
    }
}
