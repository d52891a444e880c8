import Engine
import FoundationEssentials
import Secrets

/// What databases have in them of what the inventory wants there. One `psql`, as the superuser over the local socket,
/// goes from one to the next and prints a line of JSON for each.
struct DatabaseContents: Fact {
    /// What one database has. A database that is not there has no line.
    struct Content: Hashable, Sendable, Decodable {
        struct Extension: Hashable, Sendable, Decodable {
            let version: String
            let schema: String
        }

        let database: String
        /// The owners of the schemas by name.
        let schemas: [String: String]
        let extensions: [String: Extension]
        /// Which of the privileges that were asked for are there, by their place in the question.
        let grants: [Int]
    }

    typealias Answer = [String: Content]

    let catalog: PostgresCatalog
    let databases: [String]
    let grants: [ClusterConfiguration.Grant]

    static func script(for questions: [DatabaseContents]) -> ShellText {
        questions.map { question -> ShellText in
            """
            echo question
            { \(question.catalog.script(running: question.sql))} 2>/dev/null
            """
        }.joined(separator: "\n")
    }

    static func answers(to questions: [DatabaseContents], from output: String) throws -> [DatabaseContents: Answer] {
        var answers: [Answer] = []
        for line in output.linesOfText {
            if line == "question" {
                answers.append([:])
                continue
            }
            guard let last = answers.indices.last,
                let content = try? JSONDecoder().decode(Content.self, from: Data(line.utf8))
            else { throw UnreadableAnswer(DatabaseContents.self, line) }
            answers[last][content.database] = content
        }
        guard answers.count == questions.count else { throw UnreadableAnswer(DatabaseContents.self, output) }
        return Dictionary(uniqueKeysWithValues: zip(questions, answers))
    }

    private var sql: SQLText {
        databases.map { database -> SQLText in
            """
            SELECT EXISTS (SELECT FROM pg_database WHERE datname = \(literal: database) AND datallowconn) AS there \\gset
            \\if :there
            \\connect \(identifier: database)
            SELECT json_build_object('database', current_database(),
                'schemas', (SELECT json_object_agg(nspname, pg_get_userbyid(nspowner)) FROM pg_namespace),
                'extensions', (SELECT json_object_agg(extname,
                    json_build_object('version', extversion, 'schema', extnamespace::regnamespace)) FROM pg_extension),
                'grants', \(held(in: database)));
            \\endif
            """
        }.joined(separator: "\n")
    }

    /// The list of the numbers of those grants of a database that hold.
    private func held(in database: String) -> SQLText {
        let rows = grants.enumerated().filter { $0.element.database == database }.map { number, grant -> SQLText in
            "(\(number), \(grant.condition))"
        }
        if rows.isEmpty { return "'[]'::json" }
        return "(SELECT coalesce(json_agg(number), '[]') FROM (VALUES \(rows.joined(separator: ",\n        "))) "
            + "AS grants (number, holds) WHERE holds)"
    }
}
