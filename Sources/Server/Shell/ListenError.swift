import Foundation
import NIOCore

/// Why the server cannot listen where it was told to.
package enum ListenError: Error, Equatable, Sendable {
    /// Another program has the port.
    case taken(host: String, port: Int)
    /// Only the system's administrator may listen there.
    case forbidden(host: String, port: Int)
    /// This machine does not have the address.
    case elsewhere(host: String)

    /// The system's answer to an attempt to listen; `nil` when it is none of these.
    init?(_ error: IOError, at configuration: ServerConfiguration) {
        let (host, port) = (configuration.host, configuration.port)
        switch error.errnoCode {
        case EADDRINUSE: self = .taken(host: host, port: port)
        case EACCES, EPERM: self = .forbidden(host: host, port: port)
        case EADDRNOTAVAIL: self = .elsewhere(host: host)
        default: return nil
        }
    }

    /// What happened and what to do.
    package var words: String {
        switch self {
        case .taken(let host, let port):
            "port \(port) of \(host) is taken by another program. Stop that one, or choose another port with --port."
        case .forbidden(let host, let port):
            "this user may not listen on port \(port) of \(host). Choose one from 1024 up with --port."
        case .elsewhere(let host):
            "\(host) is no address of this machine. Choose another with --host; 0.0.0.0 is all of them."
        }
    }
}
