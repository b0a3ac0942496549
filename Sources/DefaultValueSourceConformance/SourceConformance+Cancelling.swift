import TypedDefaults

/// The rules about who stops listening, and the time limit of all checks.
extension SourceConformance {
    /// A task that is cancelled while it asks gets an answer or an error soon.
    public func checkCancellation() async throws {
        let source = try make()
        let asking = Task { try await source.defaultValues() }
        asking.cancel()
        // Either outcome is right; only one that does not come is not.
        _ = try await timed(.cancellation) { await asking.result }
    }

    /// A stream of changes ends when the task that consumes it is cancelled; a source without one has nothing to end.
    public func checkEnding() async throws {
        guard let changes = try make().changes() else { return }
        let listening = Task {
            for try await _ in changes where Task.isCancelled { break }
        }
        listening.cancel()
        _ = try await timed(.ending) { await listening.result }
    }

    /// Runs a body, for so long and no longer.
    func timed<Result: Sendable>(
        _ rule: SourceViolation.Rule, _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let race = Race<Result>()
        let running = Task {
            do { race.end(.success(try await body())) } catch { race.end(.failure(error)) }
        }
        let clock = Task { [limit] in
            do { try await Task.sleep(for: limit) } catch {
                // Cancelled, because the body was faster.
                return
            }
            race.end(.failure(SourceViolation(rule, "nothing came within \(limit)")))
        }
        defer {
            running.cancel()
            clock.cancel()
        }
        return try await race.value()
    }
}
