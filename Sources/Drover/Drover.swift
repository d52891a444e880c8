// All that playbooks are written with, by one import.

@_exported public import ArgumentParser
@_exported public import Diagnostics
@_exported public import DroverCLI
@_exported public import Engine
@_exported public import Inventory
@_exported public import Secrets
@_exported public import SystemResources
@_exported public import Templates
@_exported public import YAML
