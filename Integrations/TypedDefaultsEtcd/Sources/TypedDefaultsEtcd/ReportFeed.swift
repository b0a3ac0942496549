import EtcdMessages
import TypedDefaults

/// What is known of the prefix, from whom, and what is wrong: each change of it is one report.
actor ReportFeed {
    private let settings: FollowSettings
    private let lastKnown: LastKnownLayer?
    private let continuation: AsyncStream<DefaultsLayerUpdate>.Continuation
    private var space: KeySpace?
    /// What was kept of an earlier following, used while no endpoint has answered.
    private var kept: LastKnownLayer.Contents?
    private var source: EtcdEndpoint?
    /// When the contents were last known to be those of the server.
    private var confirmed = ContinuousClock.now
    private var isStale = false
    private var faults: [EtcdEndpoint: EtcdFault] = [:]
    private var diskFault: DefaultsError?
    /// The faults that the last report told.
    private var told: [EtcdEndpoint: EtcdFault] = [:]
    /// What is to be written when the disk is done with what it has.
    private var unkept: Unkept?
    /// The state that the disk has, where it is the one written last.
    private var stamp: LastKnownLayer.Stamp?
    private var isKeeping = false

    /// A state that is to be written.
    private struct Unkept {
        var contents: LastKnownLayer.Contents
        /// What it has other than the last one that was begun to be written; nil for a listing.
        var changes: LastKnownLayer.Changes?
        /// The state that was kept before the listing; nil for a change that was watched.
        var replaced: LastKnownLayer.Stamp?
    }

    init(
        _ settings: FollowSettings, _ lastKnown: Result<LastKnownLayer, DefaultsError>,
        _ continuation: AsyncStream<DefaultsLayerUpdate>.Continuation
    ) {
        self.settings = settings
        self.continuation = continuation
        switch lastKnown {
        case .success(let layer): self.lastKnown = layer
        case .failure(let error):
            self.lastKnown = nil
            diskFault = error
        }
    }

    /// Which state of the last known layer a listing that begins now is newer than.
    func keptStamp() -> LastKnownLayer.Stamp? { lastKnown?.stamp() }

    /// Takes a listing: whatever was known before is replaced in one step, also by something older, since a listing is
    /// what the cluster as a whole says.
    func listed(_ listing: KeySpace, _ endpoint: EtcdEndpoint, after stamp: LastKnownLayer.Stamp?) {
        space = listing
        kept = nil
        faults[endpoint] = nil
        publish(listing, endpoint, changes: nil, replacing: stamp)
        guard !faults.isEmpty else { return }
        // Told above which endpoints were lost; the source works again, by way of another.
        faults = [:]
        report()
    }

    /// Takes whole batches of changes.
    ///
    /// - Returns: how much is known then.
    func changed(_ events: [Etcdserverpb_Event], _ endpoint: EtcdEndpoint) -> (bytes: Int, keys: Int) {
        // Taken, so that the changes are made in place.
        guard var changed = space.take() else { return (0, 0) }
        let isNew = changed.apply(events)
        let changes = changed.takeChanges()
        space = changed
        if isNew { publish(changed, endpoint, changes: changes, replacing: nil) }
        return changed.size
    }

    /// Notes why an endpoint was left; while it stays so the first reason is the one that is told.
    func failed(_ fault: EtcdFault, _ endpoint: EtcdEndpoint) {
        if faults[endpoint]?.kind != fault.kind { faults[endpoint] = fault }
    }

    /// Every endpoint has been asked in vain: what is known goes on to count, and is called stale.
    func nobodyAnswers() {
        let isNews = !isStale || faults != told
        if space == nil, kept == nil { readKept() }
        isStale = true
        if isNews { report() }
    }

    /// The first endpoint takes its time: what was kept applies until it answers.
    func waitIsOver() {
        guard space == nil, kept == nil else { return }
        readKept()
        isStale = true
        if kept != nil { report() }
    }

    private func publish(
        _ space: KeySpace, _ endpoint: EtcdEndpoint, changes: LastKnownLayer.Changes?,
        replacing replaced: LastKnownLayer.Stamp?
    ) {
        source = endpoint
        confirmed = .now
        isStale = false
        report()
        let contents = LastKnownLayer.Contents(
            cluster: space.cluster, revision: space.revision, endpoint: "\(endpoint)", layer: space.layer,
            count: space.count)
        keep(Unkept(contents: contents, changes: changes, replaced: replaced))
    }

    /// Has a state written; one that is waiting leaves to it what it changes and what it might replace.
    private func keep(_ next: Unkept) {
        var next = next
        if let waiting = unkept, let later = next.changes {
            next.changes = waiting.changes
            next.changes?.add(later)
            next.replaced = waiting.replaced
        }
        unkept = next
        keepNext()
    }

    /// Writes the newest state, one at a time: those that came meanwhile are skipped.
    private func keepNext() {
        guard !isKeeping, let lastKnown, let next = unkept.take() else { return }
        isKeeping = true
        let changes = next.changes.flatMap { changes in stamp.map { (all: changes, since: $0) } }
        lastKnown.keep(next.contents, changes: changes, replacing: next.replaced) { outcome in
            Task { await self.hasKept(outcome) }
        }
    }

    private func hasKept(_ outcome: Result<LastKnownLayer.Stamp?, DefaultsError>) {
        isKeeping = false
        let fault: DefaultsError?
        switch outcome {
        case .success(let stamp): (self.stamp, fault) = (stamp, nil)
        case .failure(let error): (stamp, fault) = (nil, error)
        }
        if fault != diskFault {
            diskFault = fault
            report()
        }
        keepNext()
    }

    private func readKept() {
        guard let lastKnown else { return }
        do throws(DefaultsError) { kept = try lastKnown.read() } catch { diskFault = error }
    }

    private func report() {
        told = faults
        let known = settings.endpoints.compactMap { faults[$0]?.at($0) } + (diskFault.map { [$0] } ?? [])
        let refusals = (space?.refusals ?? []).filter { settings.takesLocked || !$0.isLocked }.map(\.error)
        continuation.yield(DefaultsLayerUpdate(layer: layer, failures: known + refusals))
    }

    private var layer: DefaultsLayer? {
        if let space, let source {
            return layer(space.layer, "\(source)", space.revision, age: .now - confirmed)
        }
        return kept.map { layer($0.layer, $0.endpoint, $0.revision, age: $0.age) }
    }

    private func layer(
        _ known: DefaultsLayer, _ endpoint: String, _ revision: Int64, age: Duration
    ) -> DefaultsLayer {
        var layer = known
        if !settings.takesLocked { layer.locked = [:] }
        layer.location = "\(endpoint) \(settings.prefix), revision \(revision)\(isStale ? ", stale" : "")"
        layer.age = age
        return layer
    }
}
