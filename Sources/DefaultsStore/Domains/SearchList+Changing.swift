/// The changes of a process's domains; each returns a new list.
extension SearchList {
    /// Adds registered values; a later registration of a name wins.
    func registering(_ values: [KeyName: StoredValue]) -> SearchList {
        changing { $0.registered.merge(values) { _, new in new } }
    }

    /// Sets transient values; nil removes one.
    func settingTransient(_ changes: [(key: KeyName, value: StoredValue?)]) -> SearchList {
        changing { contents in
            for (key, value) in changes { contents.transient[key] = value }
        }
    }

    /// Adds a later command line, whose flags take precedence.
    func adding(_ arguments: ArgumentDomain) -> SearchList {
        changing {
            $0.arguments = $0.arguments.adding(arguments)
            $0.additions += 1
        }
    }

    /// Adds variables of the environment.
    func adding(_ environment: [String: String], prefix: String) -> SearchList {
        changing {
            $0.environment = $0.environment.adding(environment, prefix: prefix)
            $0.additions += 1
        }
    }

    /// Sets the traits of some keys.
    func setting(_ traits: [KeyName: KeyTraits]) -> SearchList {
        changing { contents in
            for (key, traits) in traits { contents.traits[key] = traits.isPlain ? nil : traits }
        }
    }

    /// Sets a newer read of the administrator's file; an older one changes nothing.
    func setting(_ managed: ManagedDomain) -> SearchList {
        managed.reading > contents.managed.reading ? changing { $0.managed = managed } : self
    }
}
