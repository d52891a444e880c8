import CLibYAML
import Diagnostics

/// One event of libyaml, with its place.
struct Event {
    enum Kind {
        case alias(String)
        case scalar(String, plain: Bool)
        case sequenceStart
        case sequenceEnd
        case mappingStart
        case mappingEnd
        case documentStart
        case streamEnd
        /// What needs no attention.
        case other
    }

    var kind: Kind
    var location: SourceLocation
    var anchor: String?
    var tag: String?
}

/// libyaml's parser.
final class EventParser {
    private let file: String
    // libyaml keeps pointers to the parser and to its input, so both need a place that does not move.
    private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    private let input: UnsafeMutableBufferPointer<UInt8>

    init(_ text: String, file: String) {
        self.file = file
        input = .allocate(capacity: text.utf8.count)
        _ = input.initialize(from: text.utf8)
        yaml_parser_initialize(parser)
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, input.baseAddress, input.count)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
        input.deallocate()
    }

    /// - Throws: what libyaml finds wrong in the syntax.
    func next() throws(Diagnostic) -> Event {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else { throw fault }
        defer { yaml_event_delete(&event) }
        var result = Event(kind: .other, location: location(event.start_mark))
        switch event.type {
        case YAML_ALIAS_EVENT: result.kind = .alias(text(event.data.alias.anchor) ?? "")
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            let isPlain = scalar.style == YAML_PLAIN_SCALAR_STYLE
            result.kind = .scalar(String(decoding: bytes, as: UTF8.self), plain: isPlain)
            (result.anchor, result.tag) = (text(scalar.anchor), tag(scalar.tag))
        case YAML_SEQUENCE_START_EVENT:
            let start = event.data.sequence_start
            result.kind = .sequenceStart
            (result.anchor, result.tag) = (text(start.anchor), tag(start.tag))
        case YAML_MAPPING_START_EVENT:
            let start = event.data.mapping_start
            result.kind = .mappingStart
            (result.anchor, result.tag) = (text(start.anchor), tag(start.tag))
        case YAML_SEQUENCE_END_EVENT: result.kind = .sequenceEnd
        case YAML_MAPPING_END_EVENT: result.kind = .mappingEnd
        case YAML_DOCUMENT_START_EVENT: result.kind = .documentStart
        case YAML_STREAM_END_EVENT: result.kind = .streamEnd
        default: break
        }
        return result
    }

    private func location(_ mark: yaml_mark_t) -> SourceLocation {
        SourceLocation(file: file, line: mark.line + 1, column: mark.column + 1)
    }

    private func text(_ bytes: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        bytes.map { String(cString: $0) }
    }

    /// libyaml writes out `!!str` as `tag:yaml.org,2002:str`.
    private func tag(_ bytes: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        let standard = "tag:yaml.org,2002:"
        return text(bytes).map { $0.hasPrefix(standard) ? "!!" + $0.dropFirst(standard.count) : $0 }
    }

    private var fault: Diagnostic {
        let parser = parser.pointee
        let problem = parser.problem.map { String(cString: $0) } ?? "the YAML cannot be read"
        guard parser.error != YAML_READER_ERROR else {
            // A reader's error has an offset in bytes and no mark.
            let before = String(decoding: input[..<min(parser.problem_offset, input.count)], as: UTF8.self)
            let lines = before.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            let place = SourceLocation(file: file, line: lines.count, column: (lines.last?.count ?? 0) + 1)
            return Diagnostic(problem, at: place)
        }
        let context = parser.context.map {
            let line = parser.context_mark.line + 1
            return " \(String(cString: $0))" + (line > 0 && line <= parser.problem_mark.line ? " of line \(line)" : "")
        }
        let index = parser.problem_mark.index
        let character = String(decoding: input, as: UTF8.self).unicodeScalars.dropFirst(index).first
        return Diagnostic(
            problem + (context ?? ""), at: location(parser.problem_mark),
            remedy: character == "\t" ? "indent with blanks instead of tabs" : nil)
    }
}
