// Measures what following etcd costs, with as many processes as wanted on this machine: the time from a put to the last
// observer, an idle process's load on the server, and a process's memory. The README beside it says how to read it.
//
//     Measure/run                             with 50 processes, 100 puts, a minute idle, 10,000 keys
//     Measure/run --followers 10 --puts 20 --idle 5 --keys 1000
import LocalEtcd

do {
    let plan = try Plan(CommandLine.arguments.dropFirst())
    if let prefix = plan.follower {
        try Follower(endpoint: plan.endpoint, prefix: prefix).run()
    } else {
        try Report(plan: plan).run()
    }
} catch {
    end("measure: \(error)")
}
