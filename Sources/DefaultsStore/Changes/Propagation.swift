/// Whether this process's observers hear what the current task or thread writes.
package enum Propagation {
    /// False inside `Defaults.withoutPropagation`; follows child tasks.
    @TaskLocal package static var isOn = true
}
