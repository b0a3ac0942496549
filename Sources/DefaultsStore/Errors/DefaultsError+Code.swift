extension DefaultsError {
    /// The reason for an error; more may be added, so a `switch` over it needs a `default`.
    ///
    /// The documentation of each code says what is true of the suite after it.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The name of the member: `"lockTimeout"`.
        public let description: String
        let summary: String
        /// The same inside a sentence.
        package var clause: String { summary.prefix(1).lowercased() + summary.dropFirst() }
        let recoverySuggestion: String

        /// Two codes are equal if their names are.
        public static func == (left: Code, right: Code) -> Bool { left.description == right.description }
        /// Hashes the name.
        public func hash(into hasher: inout Hasher) { hasher.combine(description) }

        private init(_ name: String, _ summary: String, do recoverySuggestion: String) {
            self.description = name
            self.summary = summary
            self.recoverySuggestion = recoverySuggestion
        }

        /// The name cannot be a suite's: it is empty, contains a NUL, or is too long.
        ///
        /// Nothing was touched.
        public static let invalidSuiteName = Code(
            "invalidSuiteName", "The suite's name cannot be used",
            do: "Use a name that is not empty, holds no NUL and is at most 200 bytes long when encoded.")
        /// The key cannot be stored: it is empty or longer than 64 KiB.
        ///
        /// Nothing was written.
        public static let invalidKey = Code(
            "invalidKey", "The key cannot be used", do: "Use a key that is not empty and at most 64 KiB long."
        )
        /// The settings file, or a file of the administrator's, is not a JSON object.
        ///
        /// Its bytes are untouched; the last good state is served, if there is one.
        public static let malformedFile = Code(
            "malformedFile", "The file cannot be read as JSON", do: "Fix the named place.")
        /// A text that was given as JSON is not JSON.
        ///
        /// Nothing was read from it.
        public static let malformedText = Code(
            "malformedText", "The text cannot be read as JSON", do: "Fix the named place.")
        /// A stored value does not decode as its key's type.
        ///
        /// It stays as it is until its key is set or reset.
        public static let typeMismatch = Code(
            "typeMismatch", "The value is not of its key's type",
            do: "Correct the value where it stands; set or reset the key to replace a stored one.")
        /// A value was refused by its key's validation.
        ///
        /// A write left the old one; a stored one stays.
        public static let invalidValue = Code(
            "invalidValue", "The value is not one the key allows",
            do: "Use a value that the key's validation accepts.")
        /// The value could not be turned into JSON.
        ///
        /// The old value is still there.
        public static let encodingFailed = Code(
            "encodingFailed", "The value could not be written as JSON",
            do: "Correct the type's encoding; the old value is still stored.")
        /// The value or the whole file would exceed its limit.
        ///
        /// Nothing was written.
        public static let valueTooLarge = Code(
            "valueTooLarge", "The value is too large to store",
            do: "Keep values under 16 MiB, 128 levels deep, and the whole file under 64 MiB.")
        /// Another thread or process held the writer's lock past the deadline.
        ///
        /// Nothing was written.
        public static let lockTimeout = Code(
            "lockTimeout", "Another writer kept the suite's lock",
            do: "Keep transactions short, and look for a stopped process that holds the lock file.")
        /// A value that was waited for did not come in time.
        ///
        /// Nothing has changed.
        public static let timedOut = Code(
            "timedOut", "The awaited value did not come in time",
            do: "Wait longer, or look at what is to set the value.")
        /// What a transaction or a draft rests on was changed meanwhile: by a program that takes no lock, such as an editor,
        /// or by anybody since a draft began.
        ///
        /// Nothing was written.
        public static let conflict = Code(
            "conflict", "What was read was changed by others meanwhile",
            do: "Do it again: it then rests on what is there now.")
        /// Others can write the folder, or lead the program elsewhere: it, a folder on the way to it or a link is theirs.
        ///
        /// Nothing was written.
        public static let insecureDirectory = Code(
            "insecureDirectory", "The suite's folder is not safe to use",
            do:
                "Put a folder or file of your own there that others cannot write (chmod go-w), or use another folder."
        )
        /// The file or folder may not be written.
        ///
        /// Nothing was written; reading still works.
        public static let readOnly = Code(
            "readOnly", "The suite can only be read here",
            do: "Give the process the right to write, or write elsewhere.")
        /// The key is locked by an administrator's file or declared read-only.
        ///
        /// Nothing was written.
        public static let locked = Code(
            "locked", "The key is locked",
            do: "Ask whoever manages this machine or registered it, or write another key.")
        /// The disk is full, or a quota or size limit has been reached.
        ///
        /// Nothing was written.
        public static let diskFull = Code(
            "diskFull", "There is no room on the disk",
            do: "Make room and write again; the old values are still there.")
        /// The system refused a call.
        ///
        /// A failed read changed nothing; a failed write is not acknowledged.
        public static let ioFailure = Code(
            "ioFailure", "The system refused a file operation",
            do: "Look at the named call and path, then try again.")
        /// The files were written by a newer version of this library, or the values have been migrated by steps that
        /// this program does not have.
        ///
        /// Nothing was written. Newer files can be read, not written; migrated values can be both.
        public static let unsupportedFormat = Code(
            "unsupportedFormat", "The suite's files are of a newer format", do: "Update this program.")
        /// The key was never registered with the container, or is not declared for the suite.
        ///
        /// Nothing was read or written.
        public static let unregisteredKey = Code(
            "unregisteredKey", "The key is not known",
            do: "Register or declare it first, or correct its name."
        )
        /// The key is registered with the container already.
        ///
        /// The new registration has no effect.
        public static let alreadyRegistered = Code(
            "alreadyRegistered", "The key is registered already",
            do: "Register each key once, or give one of the settings another name.")
        /// The setting has no value: its default is to come from a source, and none has supplied it.
        ///
        /// Nothing was set either.
        public static let missingDefault = Code(
            "missingDefault", "The setting has no value yet",
            do: "Read the source that has its default first, or register it with a local default.")
        /// A source of default values failed.
        ///
        /// Its last good layer is still served, if there is one.
        public static let sourceFailed = Code(
            "sourceFailed", "A source of default values failed", do: "Look at the source.")
        /// A file or source that has been reported as failed is read again, and nothing of it fails any more.
        ///
        /// It is only reported, once after each such failure.
        public static let recovered = Code(
            "recovered", "What had failed works again", do: "Nothing has to be done.")
        /// The standard suite was already in use.
        ///
        /// It is unchanged.
        public static let alreadyInUse = Code(
            "alreadyInUse", "The standard suite is already in use",
            do: "Call bootstrap before the first key or suite is used.")
        /// A suite was to stand in for itself.
        ///
        /// The body ran with the suite as it is.
        public static let selfReplacement = Code(
            "selfReplacement", "A suite cannot stand in for itself",
            do: "Name another one, such as .inMemory().")
        /// Two keys of one name and suite have different types, or ways in which values combine.
        ///
        /// Both work on the same stored value. The way of the first one that combines values applies, except that each
        /// key adds its default by its own.
        public static let conflictingKeys = Code(
            "conflictingKeys", "Two keys of one name are declared differently",
            do: "Declare both alike, or give one of them another name.")
        /// Two types of whole settings would be kept in one file, where each would take the other's members for its
        /// own.
        ///
        /// Nothing was read or written; the type that came first keeps the file.
        public static let conflictingTypes = Code(
            "conflictingTypes", "Two types of settings would share a file",
            do: "Declare static var suite in one of them, to give it a suite or a file of its own.")
        /// Names of environment variables do not lead to one key each.
        ///
        /// Of several variables for one key, the named one applies; one variable for several keys answers all of them.
        public static let ambiguousVariable = Code(
            "ambiguousVariable", "A variable of the environment is ambiguous",
            do: "Unset the variables that are not meant, or rename one of the keys.")
        /// One object of the file names a member twice.
        ///
        /// The last one applies; both stay until that key is written.
        public static let duplicateKey = Code(
            "duplicateKey", "The settings file names a key twice",
            do: "Delete the one that is not meant; the last one applies.")
        /// A number was read as a date, as seconds since 2001, and looks like a Unix time.
        ///
        /// That date is served, and the number stays as it is.
        public static let ambiguousDate = Code(
            "ambiguousDate", "A number is read as a date counted from 2001",
            do: "Write the date as a text, such as \"2001-02-03T04:05:06Z\".")
        /// Starts of the program failed with values that have changed since its last healthy start.
        ///
        /// The values of that start are served in their place; the settings file is unchanged.
        public static let withheld = Code(
            "withheld", "Stored values are withheld, because starts failed with them",
            do: "Look at the changes; then correct them, or call acceptStored().")
        /// An access in place began with a secret that an argument, a variable, a transient value or a source supplied,
        /// and would have stored it.
        ///
        /// Nothing was written.
        public static let wouldStoreSecret = Code(
            "wouldStoreSecret", "A secret from elsewhere would have been stored",
            do: "Change it where it comes from, or assign a whole value if that is to be stored.")
        /// An observer's handler goes on changing what it observes, or two handlers what the other observes.
        ///
        /// Every change was stored. The write that began it returns, and a background thread goes on, with pauses.
        public static let feedbackLoop = Code(
            "feedbackLoop", "Handlers go on changing what they observe",
            do: "Have a handler write only when there is something left to change.")
        /// The process was forked from one that had suites open: by `fork`, or by `daemon(3)`, which is a fork.
        ///
        /// Nothing was read or written. Reads that cannot throw report it once, and serve what the parent had read last. It
        /// stays so until the child calls `exec`.
        public static let forkedChild = Code(
            "forkedChild", "Suites were open before this process was forked, and cannot be used in it",
            do: Fork.recoverySuggestion)
        /// An access in place was held across a suspension.
        ///
        /// What it changed was written all the same.
        public static let accessAcrossAwait = Code(
            "accessAcrossAwait", "An access in place was held across an await",
            do: "Copy the value, await, and write it back, or use modify without suspending.")
        /// A change made in place, on a copy, could not be stored.
        ///
        /// The old value is still there.
        public static let accessNotStored = Code(
            "accessNotStored", "A change made in place could not be stored",
            do: "Use modify on the suite, which throws.")
    }
}
