@testable import Inventory
@testable import Vault

/// Inventories, host patterns and vaults: texts from people.
extension FuzzedReader {
    static let yamlInventory = FuzzedReader(
        "yaml", samples: [yaml], pieces: piecesOfInventories, accepted: 0.015...0.985
    ) { text in
        _ = InventoryForm(of: text)
        return isInventory(.yaml(text, file: "f"))
    }

    static let iniInventory = FuzzedReader(
        "ini",
        samples: [
            """
            h1:22 a=\"[1,{'k':None}]\" b="two words" c=0x1F d={{ansible_port}} # comment
            [web]
            w[01:03:2] e='a' f=r'\\d' g="'\\x41' 'b'" h=-1.5e3
            [web:vars]
            x = {{ y }}
            y='a\\u00e9'
            [db:children]
            web
            [all:vars]
            ansible_port='22'
            """
        ], pieces: piecesOfInventories, accepted: 0.015...0.985
    ) { text in
        _ = InventoryForm(of: text)
        return isInventory(.ini(text, file: "f"))
    }

    static let programInventory = FuzzedReader(
        "json",
        samples: [
            """
            {"web": {"hosts": ["w1", "w2"], "vars": {"a": 1, "b": "{{ a }}"}, "children": ["in"]}, "in": ["w3"],
             "_meta": {"hostvars": {"w1": {"n": {"k": 1.5}, "s": "\\u00e9"}}}}
            """
        ], pieces: piecesOfInventories, accepted: 0.015...0.985
    ) { isInventory(.output(ProgramOutput(file: "f", list: $0))) }

    private static let yaml = """
        all:
          vars: {x: 1, y: [a, "{{ x }}", {k: !env HOME}], z: "{{ hostvars[groups['web'][0]].w }}"}
          children:
            web: {hosts: {"w[01:03:2]": {w: &a [1, 2]}, "w9:22": {w: *a}}, vars: {ansible_group_priority: 3}}
            db:
              hosts: {d1: {w: ~, ansible_host: "{{ inventory_hostname }}"}}
              children: {web: }
        """

    private static let piecesOfInventories = [
        "{{", "}}", "{%", "[", "]", "{", "}", ":", ": ", "\n", "\n  ", "'", "\"", "\\", "#", "=", ",", "-", "&a", "*a",
        "!x", "\u{0}", "é", "🙂", "[1:9]", "[9:1]", "[a:z]", "<<", "0", "x", "all", "children:", "hosts:", "[a:vars]",
        "\t", "\r\n", "99999999999999999999", "..", "...", "{{ x }}", "{{ hostvars[x] }}", "'''", "---", "|", ">", "%",
    ]

    private static func isInventory(_ content: InventoryContent) -> Bool {
        guard let inventory = try? Inventory.merge([content], name: "f", directories: []) else { return false }
        return !inventory.listing.isEmpty && !inventory.graph.isEmpty
            && inventory.hosts.allSatisfy { !$0.listing.isEmpty }
    }

    static let hostPattern = FuzzedReader(
        "pattern", samples: ["web:all[0:2]:w*[0]:&all:!d1"],
        pieces: [
            ":", ":&", ":!", ",", "~", "[", "]", "[0]", "[1:", "*", "(", "?", "\\", "::", "é", "all",
            "9999999999999999999",
        ], accepted: 0.01...0.997
    ) { text in
        guard let sample, let hosts = try? HostPattern(text).hosts(in: sample) else { return false }
        return !hosts.isEmpty
    }

    private static let sample = try? Inventory.merge([.yaml(yaml, file: "f")], name: "f", directories: [])

    static let vault = FuzzedReader(
        "vault",
        samples: [
            VaultText(
                label: "x", salt: Array(repeating: 1, count: 32), authenticator: Array(repeating: 2, count: 32),
                ciphertext: Array(repeating: 3, count: 32)
            ).description
        ],
        pieces: ["$ANSIBLE_VAULT", ";", "1.1", "AES256", "\n", "\r\n", "0a", "z", " ", "é"], accepted: 0.007...0.997
    ) { text in
        guard VaultText.isIn(text), let vault = try? VaultText(text, at: nil) else { return false }
        guard try VaultText(vault.description, at: nil) == vault else {
            throw WrongReading(description: "\(vault) is another vault when it is read again")
        }
        return true
    }
}
