import TypedDefaults

let folder = try WorkFolder()
do {
    try await Story(folder: folder).tell()
    folder.remove()
} catch {
    folder.remove()
    throw error
}
