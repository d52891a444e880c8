// Tests of playbooks speak of what playbooks are made of.

@_exported public import Drover
