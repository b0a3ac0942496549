// Uses the public interface alone, so that `Integrations/TypedDefaultsOpenCombine` compiles this very file
// against OpenCombine. A flag of that package selects it, because `canImport(OpenCombine)` depends on what
// else was built.
#if canImport(Combine) && !TYPEDDEFAULTS_OPENCOMBINE
    public import Combine
    import Synchronization
#elseif TYPEDDEFAULTS_OPENCOMBINE
    public import OpenCombine
    import Synchronization
    public import TypedDefaults
#endif

#if canImport(Combine) || TYPEDDEFAULTS_OPENCOMBINE
    /// Changes as publishers.
    extension Defaults {
        /// Publishes the changes of a key; with `.initial` among the options the present value comes first.
        ///
        /// Each subscriber has its own observation, from its subscription to its cancellation. Values that it
        /// has not requested yet are buffered. Values arrive as `.immediate` handlers are called.
        public static func publisher<Value>(
            _ key: Key<Value>, options: ObservationOptions = [.initial, .old, .new]
        ) -> AnyPublisher<KeyChange<Value>, Never> {
            ObservationPublisher { send in Defaults.observe(key, options: options, handler: send) }
                .eraseToAnyPublisher()
        }

        /// Publishes one event for each transaction that changes one or more of some keys.
        public static func publisher(
            keys: AnyKey..., options: ObservationOptions = [.initial]
        ) -> AnyPublisher<Void, Never> {
            ObservationPublisher { send in Defaults.observe(keys, options: options) { send(()) } }
                .eraseToAnyPublisher()
        }

        /// Publishes a suite whenever any of its effective values changes, those of undeclared keys included.
        ///
        /// - Parameters:
        ///   - suite: the suite to observe.
        ///   - initialEvent: whether an event comes at once.
        public static func publisherAll(
            suite: DefaultsSuite = .standard, initialEvent: Bool = true
        ) -> AnyPublisher<DefaultsSuite, Never> {
            ObservationPublisher { send in
                suite.observeAll(options: initialEvent ? [.initial] : []) { send(suite) }
            }.eraseToAnyPublisher()
        }
    }

    /// An observation that begins with each subscriber.
    private struct ObservationPublisher<Output: Sendable>: Publisher {
        typealias Failure = Never

        let observe: @Sendable (@escaping @Sendable (Output) -> Void) -> DefaultsObservation

        func receive<Downstream: Subscriber>(subscriber: Downstream)
        where Downstream.Input == Output, Downstream.Failure == Never {
            let subscription = ObservationSubscription(receive: subscriber.receive)
            subscriber.receive(subscription: subscription)
            subscription.begin(observe)
        }
    }

    /// One subscriber's observation, with what it has not asked for yet.
    private final class ObservationSubscription<Input: Sendable>: Subscription, Sendable {
        /// Hands an input to the subscriber.
        // Unchecked is sound because the subscriber is only called by the thread that has set `isDelivering`.
        private struct Receiver: @unchecked Sendable {
            let receive: (Input) -> Subscribers.Demand
        }

        private struct State {
            var observation: DefaultsObservation?
            /// Nil once the subscriber has cancelled, because a subscription must not retain it after that.
            var receiver: Receiver?
            var demand = Subscribers.Demand.none
            // Inputs are moved out of these two arrays. A slice would be released later, when its memory is
            // replaced: under this lock.
            var came: [Input] = []
            /// The inputs to hand over before those in `came`, the next one last.
            var next: [Input] = []
            var isDelivering = false

            var isOver: Bool { receiver == nil }
        }

        // A leaf; nothing is called under it. A `Mutex`, because `Locked` is not public.
        private let state: Mutex<State>

        init(receive: @escaping (Input) -> Subscribers.Demand) {
            state = Mutex(State(receiver: Receiver(receive: receive)))
        }

        /// Begins to observe, unless the subscriber has cancelled at once.
        func begin(
            _ observe: (@escaping @Sendable (Input) -> Void) -> DefaultsObservation
        ) {
            guard !state.withLock({ $0.isOver }) else { return }
            let observation = observe { [weak self] in self?.take($0) }
            let isOver = state.withLock { state in
                if !state.isOver { state.observation = observation }
                return state.isOver
            }
            if isOver { observation.invalidate() }
        }

        func request(_ demand: Subscribers.Demand) {
            state.withLock { $0.demand += demand }
            deliver()
        }

        func cancel() {
            let released = state.withLock { state in
                defer { (state.observation, state.receiver, state.came, state.next) = (nil, nil, [], []) }
                return (state.observation, state.receiver, state.came, state.next)
            }
            released.0?.invalidate()
        }

        private func take(_ input: Input) {
            state.withLock { state in
                if !state.isOver { state.came.append(input) }
            }
            deliver()
        }

        /// Hands over what was requested, unless a thread is already delivering: maybe this one, further up
        /// its stack.
        private func deliver() {
            guard
                state.withLock({ state in
                    defer { state.isDelivering = true }
                    return !state.isDelivering
                })
            else { return }
            while let (next, receiver) = next() {
                let more = receiver.receive(next)
                state.withLock { $0.demand += more }
            }
        }

        /// The next input to hand over; nil ends the delivery.
        private func next() -> (Input, Receiver)? {
            state.withLock { state in
                if state.next.isEmpty {
                    swap(&state.came, &state.next)
                    state.next.reverse()
                }
                guard state.demand > .none, let receiver = state.receiver, let next = state.next.popLast()
                else {
                    state.isDelivering = false
                    return nil
                }
                state.demand -= 1
                return (next, receiver)
            }
        }
    }
#endif
