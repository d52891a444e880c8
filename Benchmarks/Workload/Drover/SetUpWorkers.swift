import ArgumentParser
import Engine
import Inventory
import Secrets
import SystemResources

/// The workload that tools are compared by: 25 resources a host. `../ansible.yml` and `../deploy.py` say the same.
struct SetUpWorkers: Playbook {
    static let name = "set-up-workers"
    static let abstract = "Make every host of the inventory a worker."

    @Option(help: "A value in the worker's configuration, which restarts it when it changes.")
    var level = 1

    func model(of inventory: Inventory) -> [Host] { inventory.hosts }

    func hosts(of model: [Host]) -> [Host] { model }

    func questions(of host: Host, in model: [Host]) -> [any Fact] { [] }

    func plays(for model: [Host], observed: Observations) -> [Play] {
        [
            Play("Set up the workers", on: model) { host in
                Packages(["curl", "sudo"])
                User("worker")
                Directory("/etc/worker")
                Directory("/etc/worker/conf.d")
                Directory("/etc/worker/secrets.d", group: "worker", mode: 0o750)
                Directory("/var/lib/worker", owner: "worker", group: "worker", mode: 0o750)
                for part in 1...10 {
                    File("/etc/worker/conf.d/part-\(part).conf", containing: settings(ofPart: part))
                }
                for part in 1...5 {
                    File(
                        "/etc/worker/secrets.d/part-\(part).conf",
                        containing: MaskedText("token = the token of part \(part)\n"), group: "worker", mode: 0o640)
                }
                Sysctl("net.core.somaxconn", "2048")
                File(unit, containing: unitText)
                File(configuration, containing: MaskedText("host = \(host.name)\nlevel = \(level)\n"))
                Service("worker", restartedBy: [unit, configuration])
            }
        ]
    }

    private var unit: String { "/etc/systemd/system/worker.service" }
    private var configuration: String { "/etc/worker/worker.conf" }

    private var unitText: MaskedText {
        """
        [Unit]
        Description=Worker

        [Service]
        User=worker
        ExecStart=/usr/bin/sleep infinity

        [Install]
        WantedBy=multi-user.target

        """
    }

    private func settings(ofPart part: Int) -> MaskedText {
        MaskedText(
            """
            [part-\(part)]
            listen = 127.0.0.1:\(9000 + part)
            queue = part-\(part)
            threads = 4
            timeout = 30
            retries = 3
            log = /var/log/worker/part-\(part).log

            """)
    }
}
