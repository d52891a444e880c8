import Engine

extension ClusterConfiguration.Grant {
    /// An expression of SQL that is true when the role has the privileges: also when it has them as a member of another
    /// role, as owner, or as superuser. It is false while the role or a named object is not there.
    var condition: SQLText {
        switch objects {
        case .database:
            holds(
                "has_database_privilege", on: "oid", among: "pg_database WHERE datname = current_database()", count: 1)
        case .schemas(let names):
            holds(
                "has_schema_privilege", on: "oid", among: "pg_namespace WHERE nspname IN (\(literals: names))",
                count: names.count)
        case .relations(let kind, let schema, let names):
            holds(
                kind == .tables ? "has_table_privilege" : "has_sequence_privilege", on: "oid",
                among: "pg_class WHERE relnamespace = to_regnamespace(\(literal: "\(identifier: schema)" as SQLText)) "
                    + "AND relkind \(kind == .tables ? "IN ('r', 'v', 'm', 'f', 'p')" : "= 'S'")"
                    + (names.isEmpty ? "" : " AND relname IN (\(literals: names))"),
                count: names.isEmpty ? nil : names.count)
        case .future(let kind, let schema, let owner):
            """
            (SELECT count(DISTINCT privilege_type) = \(privileges.count) FROM pg_default_acl, aclexplode(defaclacl)
                    WHERE defaclrole = to_regrole(\(literal: "\(identifier: owner)" as SQLText))
                    AND defaclnamespace = to_regnamespace(\(literal: "\(identifier: schema)" as SQLText))
                    AND defaclobjtype = \(literal: kind == .tables ? "r" : "S") AND grantee = \(grantee)
                    AND privilege_type IN (\(literals: privileges)))
            """
        }
    }

    /// - Parameter count: how many objects there must be; nil for any number.
    private func holds(_ function: SQLText, on object: SQLText, among objects: SQLText, count: Int?) -> SQLText {
        let each = privileges.map { "coalesce(\(function)(\(grantee), \(object), \(literal: $0)), false)" as SQLText }
        return "(SELECT \(count.map { "count(*) = \($0) AND " } ?? "")"
            + "coalesce(bool_and(\(each.joined(separator: " AND "))), true) FROM \(objects))"
    }

    /// The number of the role; nothing while it is not there. Everybody has number 0.
    private var grantee: SQLText {
        role == "PUBLIC" ? "0::oid" : "to_regrole(\(literal: "\(identifier: role)" as SQLText))::oid"
    }
}
