/// A process that uses the library as it is told to, line by line: the other side of `TestSupport.Peer`.
var conversation = Conversation()
conversation.run()
