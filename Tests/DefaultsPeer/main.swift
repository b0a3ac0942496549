import TypedDefaults
print("hello")
