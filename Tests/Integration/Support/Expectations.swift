import Testing

/// A second run must change nothing, and say so.
func expectNothingChanged(_ result: Command, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(result.status == 0, "\(result.everything)", sourceLocation: sourceLocation)
    #expect(result.output.contains("Nothing to change."), "\(result.output)", sourceLocation: sourceLocation)
    let recap = result.output.linesOfOutput.filter { $0.contains("  unreachable=") }
    #expect(!recap.isEmpty, "\(result.output)", sourceLocation: sourceLocation)
    #expect(
        recap.allSatisfy { $0.contains("  changed=0  unreachable=0  failed=0") }, "\(result.output)",
        sourceLocation: sourceLocation)
}
