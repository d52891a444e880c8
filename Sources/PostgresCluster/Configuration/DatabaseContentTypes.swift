import Diagnostics
public import YAML

/// A list that may also be written as one text with commas: `SELECT,INSERT`.
struct Words: YAMLDecodable {
    let words: [String]

    init(yaml node: YAMLNode) throws {
        if let text = try? String(yaml: node) {
            words = text.split { $0 == "," || $0 == " " }.map(String.init)
        } else {
            words = try [String](yaml: node)
        }
    }
}

extension ClusterConfiguration.Schema: YAMLDecodable {
    /// `{ schema: sales, db: app, owner: app }`.
    public init(yaml node: YAMLNode) throws {
        var reader = try MappingReader(node, what: "a schema")
        let name: String? = reader.required("schema")
        let database: String? = reader.required("db")
        let owner: String? = reader.required("owner")
        let (schema, place, role) = try reader.finish(name, database, owner)
        self.init(database: place, name: schema, owner: role)
    }
}

extension ClusterConfiguration.Extension: YAMLDecodable {
    /// `{ ext: pg_stat_statements, db: app, schema: monitoring, version: '1.10' }`.
    public init(yaml node: YAMLNode) throws {
        var reader = try MappingReader(node, what: "an extension")
        let name: String? = reader.required("ext")
        let database: String? = reader.required("db")
        let schema: String? = reader.optional("schema")
        let version: String? = reader.optional("version")
        let (installed, place) = try reader.finish(name, database)
        self.init(database: place, name: installed, schema: schema, version: version)
    }
}

extension ClusterConfiguration.Grant: YAMLDecodable {
    private enum Category: String, CaseIterable, YAMLDecodable {
        case database, schema, table, sequence, future = "default_privs"
    }

    /// `{ role: reader, privs: SELECT, type: table, objs: ALL_IN_SCHEMA, schema: public, db: app }`, as Ansible's module
    /// `postgresql_privs` names them; `target_roles` is the one role that will make the objects of `default_privs`.
    public init(yaml node: YAMLNode) throws {
        var reader = try MappingReader(node, what: "a privilege")
        let role: String? = reader.required("role")
        let privileges: Words? = reader.required("privs")
        let database: String? = reader.required("db")
        let category: Category = reader.optional("type") ?? .table
        let schema: String = reader.optional("schema") ?? "public"
        let owner: String? = reader.optional("target_roles")
        let names = (category == .database ? reader.optional("objs") : reader.required("objs")) as Words?
        let objects = Self.objects(category, names?.words ?? [], schema: schema, owner: owner)
        if objects == nil {
            reader.diagnostics.report(
                category == .future
                    ? "default_privs are for TABLES or SEQUENCES of one owner" : "nothing is named", at: node.location,
                remedy: category == .future
                    ? "write objs: TABLES, and target_roles: the role that will make them"
                    : "name the objects in objs, or write ALL_IN_SCHEMA")
        }
        let possible = objects?.privileges ?? []
        let wanted = (privileges?.words ?? []).map { $0.uppercased() }
        for word in wanted where word != "ALL" && !possible.isEmpty && !possible.contains(word) {
            reader.diagnostics.report(
                "'\(word)' is no privilege on a \(category.rawValue)", at: node.location,
                remedy: "write ALL, or of \(possible.joined(separator: ", "))")
        }
        let (grantee, place, target) = try reader.finish(role, database, objects)
        self.init(
            role: grantee, privileges: possible.filter { wanted.contains($0) || wanted.contains("ALL") },
            database: place, objects: target, isAll: wanted.contains("ALL"))
    }

    private static func objects(_ category: Category, _ names: [String], schema: String, owner: String?) -> Objects? {
        let all = names == ["ALL_IN_SCHEMA"]
        if names.isEmpty && category != .database { return nil }
        switch category {
        case .database: return .database
        case .schema: return .schemas(names)
        case .table: return .relations(.tables, schema: schema, names: all ? [] : names)
        case .sequence: return .relations(.sequences, schema: schema, names: all ? [] : names)
        case .future:
            guard names.count == 1, let kind = Kind(rawValue: names[0].uppercased()), let owner else { return nil }
            return .future(kind, schema: schema, owner: owner)
        }
    }
}
