// The least a Swift program does: what the start of the others is compared with.
print("Hello, world!")
