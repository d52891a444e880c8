public import ArgumentParser
import SystemResources

/// `drover rollback`: the playbook of that name as a command of its own.
public enum RollbackCommand {
    public static var command: any ParsableCommand.Type { Apply<Rollback>.self }
}
