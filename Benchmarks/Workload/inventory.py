"""The hosts of the Ansible inventory that INVENTORY names, for pyinfra."""

import os

import yaml

with open(os.environ["INVENTORY"]) as file:
    everything = yaml.safe_load(file)["all"]
connection = everything["vars"]

hosts = [
    (
        name,
        {
            "ssh_hostname": variables["ansible_host"],
            "ssh_user": connection["ansible_user"],
            "ssh_key": connection["ansible_ssh_private_key_file"],
            "ssh_known_hosts_file": connection["ansible_ssh_common_args"].partition("UserKnownHostsFile=")[2],
            "ssh_strict_host_key_checking": "yes",
        },
    )
    for name, variables in everything["children"]["workers"]["hosts"].items()
]
