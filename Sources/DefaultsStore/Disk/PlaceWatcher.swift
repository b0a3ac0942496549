/// Notices once that the file at a path may have changed, also where its folder is yet to be made.
///
/// It watches the lowest folder of the path that is there and may be read. Whoever hears a notice makes another one,
/// since a lower folder may be there then.
final class PlaceWatcher: Sendable {
    private let watch = Locked<Housekeeper.Watch?>(nil)  // A leaf.
    private let handler: @Sendable () -> Void

    /// Starts to watch; `handler` is called on the housekeeping thread, possibly more than once.
    init(path: String, _ handler: @escaping @Sendable () -> Void) {
        self.handler = handler
        var parts = SuiteLocation.parts(of: path).map(String.init)
        while let name = parts.popLast() {
            do {
                let path = parts.isEmpty ? "/" : parts.reduce("") { $0 + "/" + $1 }
                let folder = try SystemCalls.openDirectory(path, followingLink: true)
                let fresh = try Housekeeper.shared.watch(folder) { notice in
                    let isOurs = notice.watch == nil || notice.name.isEmpty || notice.name == name
                    if isOurs || notice.isEnd { handler() }
                }
                watch.withLock { $0 = fresh }
                return
            } catch {
                if error.isMissing || error.isForbidden, !parts.isEmpty { continue }
                lookInASecond()
                return
            }
        }
    }

    /// Has the file looked at again later where the system gives no notice.
    private func lookInASecond() {
        do {
            try Housekeeper.shared.schedule(afterMilliseconds: 1_000) { [weak self] in self?.handler() }
        } catch {
            SystemCalls.writeToStandardError(
                "TypedDefaults: changes of a managed file cannot be noticed: \(error)")
        }
    }
}
